import { afterAll, beforeAll, expect, test } from "bun:test";
import { resolve } from "node:path";
import { type Client, connect, newIdentity } from "./baileys.ts";

const PN = "5511900000001";
const ANA = "5511911110001";
const BIA = "5511911110002";

type Ready = { url: string; root: string; mediaHost: string; mediaCa: string; control: string };

let child: Bun.Subprocess<"ignore", "pipe", "inherit">;
let ready: Ready;
let client: Client;

const notify = async (name: string, args: object = {}): Promise<any> => {
  const response = await fetch(`${ready.control}/_sim/${name}`, { method: "POST", body: JSON.stringify(args) });
  const { result, error } = (await response.json()) as { result?: unknown; error?: string };
  if (error !== undefined) throw new Error(error);
  return result;
};

const firstLine = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.includes("\n")) break;
  }
  return text;
};

beforeAll(async () => {
  child = Bun.spawn([process.execPath, resolve(import.meta.dir, "main.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  ready = JSON.parse(await firstLine(child.stdout)) as Ready;
});

afterAll(async () => {
  client.end();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("a process of its own links, sends and breaks as it is ordered", async () => {
  await notify("contact", { pn: ANA, name: "Ana" });
  const first = connect(ready, newIdentity());
  expect(await notify("scan", { pn: PN, qr: await first.qr() })).toMatchObject({
    id: 1,
    jid: `${PN}:1@s.whatsapp.net`,
  });
  client = connect(ready, first.identity);
  await client.opened();
  expect(await notify("open", { pn: PN })).toMatchObject({ isActive: true, preKeys: 812 });

  await client.sock.sendMessage(`${ANA}@s.whatsapp.net`, { text: "olá" }, { messageId: "M1" });
  const received = await notify("received", { by: ANA, atLeast: 1 });
  expect(received).toMatchObject([{ id: "M1", from: PN, text: "olá" }]);
  await notify("read", { by: ANA, ids: ["M1"] });
  await client.until(() => client.receipts.find(({ attrs }) => attrs["type"] === "read"));

  const id = await notify("say", { from: ANA, to: PN, text: "oi" });
  await client.until(() => client.messages.find(({ key }) => key.id === id));
  await notify("fault", { name: "nack", code: 463, times: 1 });
  await client.sock.sendMessage(`${ANA}@s.whatsapp.net`, { text: "?" }, { messageId: "M2" });
  expect((await client.until(() => client.acks.find(({ attrs }) => attrs["id"] === "M2"))).attrs["error"]).toBe("463");
  expect(await notify("stat")).toMatchObject({ logins: 1, pairings: 1, unhandled: [] });
  await notify("unlink", { pn: PN });
  expect(await client.closed()).toBe(401);
});

test("an order that is not in its form, or for nobody, is refused", async () => {
  expect(notify("scan", { pn: PN })).rejects.toThrow("qr");
  expect(notify("say", { from: "nobody", to: PN, text: "?" })).rejects.toThrow("nobody is nobody");
  expect(notify("scan", { pn: PN, qr: "?" })).rejects.toThrow("no QR");
  await notify("contact", { pn: BIA });
  expect(notify("tap", { by: BIA, id: "M0", option: "sim" })).rejects.toThrow(`${BIA} has got no M0`);
});
