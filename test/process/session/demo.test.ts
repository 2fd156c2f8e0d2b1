import { afterEach, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";
import { processes } from "../../support/processes/process.ts";

const { folder, run, start } = processes();

const NETWORK = resolve(import.meta.dir, "../../support/whatsapp/main.ts");
const OWNER = "5511900000001";
const ANA = "5511911110001";

type Network = { url: string; root: string; mediaCa: string; control: string };

let network: Subprocess | undefined;
afterEach(async () => {
  network?.kill();
  await network?.exited;
});

/** The simulated network in a process of its own, with an owner's phone and Ana on it; `order` does something there. */
const startNetwork = async () => {
  const child = Bun.spawn([process.execPath, NETWORK], { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  network = child;
  const { value } = await child.stdout.getReader().read();
  const { url, root, mediaCa, control } = JSON.parse(new TextDecoder().decode(value)) as Network;
  const order = async (operation: string, body: object): Promise<any> => {
    const answer = await fetch(`${control}/_sim/${operation}`, { method: "POST", body: JSON.stringify(body) });
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    return result;
  };
  await order("phone", { pn: OWNER });
  await order("contact", { pn: ANA, name: "Ana" });
  const ca = join(folder(), "ca.pem");
  writeFileSync(ca, mediaCa);
  const settings = {
    RECADO_WHATSAPP_WEB_URL: url,
    RECADO_WHATSAPP_WEB_ROOT: root,
    RECADO_EXTRA_CA: ca,
    RECADO_OUTBOUND_ALLOW: "localhost",
  };
  return { order, settings };
};

const QR = /QR code +(https:\S+)/;

test("demo --session --once links a phone by the code that it prints, writes to a number, shows the answer, and unlinks the device", async () => {
  const { order, settings } = await startNetwork();
  const temp = folder();
  const demo = await start(["demo", "--session", "--once", "--to", ANA], { ...settings, TMPDIR: temp }, QR);
  await order("scan", { pn: OWNER, qr: QR.exec(demo.out.text())?.[1] });
  const [first] = await order("received", { by: ANA, atLeast: 1 });
  expect(first).toMatchObject({ text: "Hello from Recado", from: OWNER });
  await order("say", { from: ANA, to: OWNER, text: "Olá, Recado" });
  const { code, out, err } = await demo.ended;
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(`linked     ${OWNER}`);
  expect(out).toMatch(/✓ verified +message:status .*"status":"sent"/);
  expect(out).toMatch(/✓ verified +message:received .*Olá, Recado/);
  expect(out).not.toContain("NOT OURS");
  expect(await order("devices", { pn: OWNER })).toEqual([]);
  expect(readdirSync(temp)).toEqual([]);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "demo --session shows what to try next, and by %s unlinks the device and leaves nothing behind",
  async (signal) => {
    const { order, settings } = await startNetwork();
    const temp = folder();
    const demo = await start(["demo", "--session"], { ...settings, TMPDIR: temp }, QR);
    await order("scan", { pn: OWNER, qr: QR.exec(demo.out.text())?.[1] });
    await demo.out.holds(/Ctrl\+C ends the demo and unlinks/);
    expect(await order("devices", { pn: OWNER })).toHaveLength(1);
    const [, key = "", base = ""] = /KEY=(\S+)\n +curl -s (\S+)\/v1\/phones/.exec(demo.out.text()) ?? [];
    const phones = await fetch(`${base}/v1/phones`, { headers: { "x-api-key": key } });
    expect(await phones.json()).toMatchObject([{ label: "Demo phone", status: "CONNECTED", phoneNumber: OWNER }]);
    demo.child.kill(signal);
    expect((await demo.ended).code).toBe(0);
    expect(await order("devices", { pn: OWNER })).toEqual([]);
    expect(readdirSync(temp)).toEqual([]);
  },
);

test("demo --session that ends before anybody has scanned leaves nothing behind", async () => {
  const { order, settings } = await startNetwork();
  const temp = folder();
  const demo = await start(["demo", "--session"], { ...settings, TMPDIR: temp }, QR);
  demo.child.kill("SIGINT");
  expect(await demo.ended).toMatchObject({ code: 0, err: "" });
  expect(await order("devices", { pn: OWNER })).toEqual([]);
  expect(readdirSync(temp)).toEqual([]);
});

test("demo --session --once fails when the message does, and unlinks the device all the same", async () => {
  const { order, settings } = await startNetwork();
  const demo = await start(["demo", "--session", "--once", "--to", "5511900009999"], settings, QR);
  await order("scan", { pn: OWNER, qr: QR.exec(demo.out.text())?.[1] });
  const { code, err } = await demo.ended;
  expect(code).toBe(1);
  expect(err).toContain("failed before these had arrived: sent, message:received");
  expect(await order("devices", { pn: OWNER })).toEqual([]);
});

test.each([
  [["--to", ANA], "--to needs --session"],
  [["--session", "--once"], "--once with --session needs --to"],
])("demo %p is refused, and nothing is started", async (flags, problem) => {
  const temp = folder();
  const { code, out, err } = await run(["demo", ...flags], { TMPDIR: temp });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(problem);
  expect(readdirSync(temp)).toEqual([]);
});

test("demo --session keeps to the operator's settings: a faulty one is named, and nothing is left behind", async () => {
  const temp = folder();
  const { code, out, err } = await run(["demo", "--session"], {
    TMPDIR: temp,
    RECADO_WHATSAPP_WEB_URL: "wss://example.com",
    RECADO_WHATSAPP_WEB_ROOT: "00".repeat(32),
  });
  expect([code, out]).toEqual([78, ""]);
  expect(err).toContain("RECADO_WHATSAPP_WEB_ROOT is accepted only with a loopback RECADO_WHATSAPP_WEB_URL");
  expect(readdirSync(temp)).toEqual([]);
});
