import { beforeEach, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, type EvolutionClient } from "../../support/apis/evolution.ts";
import { type Customer, newCustomer, rowsOf } from "../../support/customers/customer.ts";
import { arrives, FILES } from "../../support/customers/media.ts";
import { postInbound } from "../../support/networks/waba-posts.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: EVOLUTION_ENV });

let c: Customer;
let client: EvolutionClient;
let hook: Receiver;
beforeEach(async () => {
  c = await newCustomer(w);
  client = clientOf(w, c);
  hook = w.receiver();
});

const set = async (more: object) => {
  const webhook = { enabled: true, url: hook.url, events: ["MESSAGES_UPSERT"], ...more };
  const answer = await client.on("/webhook/set", { body: { webhook } });
  expect(answer.status).toBe(201);
};
const picture = (bytes: Uint8Array = FILES.png) => arrives(w, c, { bytes, mimeType: "image/png", caption: "nota" });
const upserts = (): any[] =>
  hook.arrived.filter(({ body }) => body.event === "messages.upsert").map(({ body }) => body);

test("with base64 a message that comes in has its file, and without it none", async () => {
  await set({ base64: true });
  await picture();
  await w.settle();
  const [body] = upserts();
  expect(body.data.message).toMatchObject({ imageMessage: { caption: "nota" } });
  expect(Buffer.from(body.data.message.base64, "base64")).toEqual(Buffer.from(FILES.png));
  await set({ base64: false });
  await picture();
  await w.settle();
  expect(upserts().map(({ data }) => "base64" in data.message)).toEqual([true, false]);
});

test("a delivery that is tried again has the file again, and the stored event never has it", async () => {
  await set({ base64: true });
  hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
  await picture();
  await w.settle();
  await w.advance(600_000);
  const sent = upserts().map(({ data }) => data.message.base64);
  expect([sent.length, new Set(sent).size, typeof sent[0]]).toEqual([2, 1, "string"]);
  const stored = await rowsOf<{ body: string }>(
    w,
    "SELECT body FROM events WHERE tenant_id = ? AND audience = 'evolution'",
    [c.accountId],
  );
  expect(stored.map(({ body }) => body.includes("base64"))).toEqual([false]);
});

test("a file over 4 MiB is left out, and the message comes all the same", async () => {
  await set({ base64: true });
  const large = new Uint8Array(4 * 1024 * 1024 + 1);
  large.set(FILES.png);
  await picture(large);
  await w.settle();
  expect(upserts().map(({ data }) => [data.messageType, "base64" in data.message])).toEqual([["imageMessage", false]]);
});

test("a file that is gone when the delivery is tried is left out", async () => {
  await set({ base64: true });
  hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
  await picture();
  await w.settle();
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(w, "SELECT id FROM media WHERE tenant_id = ?", [
    c.accountId,
  ]);
  await w.gateway(`/v1/media/${id}/ack`, { key: c.key, method: "POST" });
  await w.settle();
  await w.advance(600_000);
  expect(upserts().map(({ data }) => "base64" in data.message)).toEqual([true, false]);
});

test("a message with a file has its signed address, which opens it for an hour and is new at each attempt", async () => {
  await set({});
  hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
  await picture();
  await w.settle();
  const [first] = upserts();
  const url: string = first.data.message.mediaUrl;
  const opened = await fetch(url);
  expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(new Uint8Array(await opened.arrayBuffer())).toEqual(FILES.png);
  expect((await fetch(url.replace(/sig=./, "sig=_"))).status).toBe(403);
  await w.advance(3_600_000);
  expect((await fetch(url)).status).toBe(403);
  const again = upserts().at(-1).data.message;
  expect([again.imageMessage.caption, again.mediaUrl === url]).toEqual(["nota", false]);
  const stored = await rowsOf<{ body: string }>(w, "SELECT body FROM events WHERE audience = 'evolution'", []);
  expect(stored.some(({ body }) => body.includes("mediaUrl"))).toBe(false);
});

test("a text has no address of a file, and neither has a message whose file is gone", async () => {
  await set({});
  hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
  await picture();
  await w.settle();
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(w, "SELECT id FROM media WHERE tenant_id = ?", [
    c.accountId,
  ]);
  await w.gateway(`/v1/media/${id}/ack`, { key: c.key, method: "POST" });
  await w.advance(600_000);
  await postInbound(w, c);
  await w.settle();
  expect(upserts().map(({ data }) => "mediaUrl" in data.message)).toEqual([true, false, false]);
});

test("with byEvents each event goes to an address of its own, behind the path and before the query", async () => {
  await set({ byEvents: true, url: `${hook.url}/?of=shop`, events: ["MESSAGES_UPSERT", "SEND_MESSAGE"] });
  await postInbound(w, c);
  await client.on("/message/sendText", { body: { number: "5511999990001", text: "oi" } });
  await w.settle();
  expect(hook.arrived.map(({ path }) => path).sort()).toEqual(["/hook/messages-upsert", "/hook/send-message"]);
  expect((await client.on("/webhook/find")).body).toMatchObject({ webhookByEvents: true, webhookBase64: false });
});

test("endpoints that do not answer hold up no text, and no file of another account", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const stuck = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const [one, receiver] = [await newCustomer(w), w.receiver()];
      receiver.reply(async () => {
        await held;
        return new Response("ok");
      });
      const webhook = { enabled: true, url: receiver.url, base64: true, events: ["MESSAGES_UPSERT"] };
      await clientOf(w, one).on("/webhook/set", { body: { webhook } });
      await postInbound(w, one);
      return receiver;
    }),
  );
  await Promise.all(stuck.map((one) => one.received(1)));
  await set({ base64: true });
  await picture();
  await hook.received(1);
  expect(upserts().map(({ data }) => "base64" in data.message)).toEqual([true]);
  release();
  await w.settle();
});
