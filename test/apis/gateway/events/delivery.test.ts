import { describe, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { newCustomer, receivedBy, suspend, TO } from "../../../support/customers/customer.ts";
import type { Arrived, Receiver } from "../../../support/servers/receiver.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** Has messages come in, in one webhook. */
const receive = async (...words: string[]) => {
  await w.graph.inbound.batch(words.map((text) => ({ kind: "text", to: c.phone.phoneNumberId, from: TO, text })));
  await w.settle();
};
const wordsAt = (hook: Receiver) => receivedBy(hook, "message:received").map(({ content }) => content.text);

const share = async (more: object = {}) => {
  const hook = w.receiver();
  const { body } = await w.gateway("/v1/webhooks", {
    key: c.key,
    body: { label: "Shared", url: hook.url, secret: "the-secret-of-the-shared-one", ...more },
  });
  return { hook, id: body.id as string };
};
const patch = (body: object) => w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body });

describe("the signature", () => {
  /** Verifies as a customer with the ready-made library does, whose clock must be near ours. */
  const verify = (raw: string, headers: Arrived["headers"], secret: string = WEBHOOK_SECRET) => {
    setSystemTime(new Date(w.clock.now()));
    try {
      return new Webhook(secret, { format: "raw" }).verify(raw, headers);
    } finally {
      setSystemTime();
    }
  };

  test("G-586 is the HMAC of the raw bytes, lower-case hex with its prefix, in one value", async () => {
    await receive("Ação 🚚");
    const [{ raw, headers } = { raw: "", headers: {} as Arrived["headers"] }] = c.hook.arrived;
    expect(headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256(WEBHOOK_SECRET, Buffer.from(raw), "hex")}`);
    expect(headers["x-gateway-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers).toMatchObject({ "content-type": "application/json", "x-gateway-attempt": "1" });
  });

  test("G-586 the Standard Webhooks library verifies it too, and refuses another body, id, time or secret", async () => {
    await receive("olá");
    const [{ raw, headers, body } = { raw: "", headers: {} as Arrived["headers"], body: {} }] = c.hook.arrived;
    expect(verify(raw, headers)).toEqual(body);
    expect(headers["webhook-id"]).toBe(body.id);
    expect(() => verify(raw.replace("olá", "ola"), headers)).toThrow("No matching signature");
    expect(() => verify(raw, headers, "another-secret-of-a-webhook")).toThrow("No matching signature");
    expect(() => verify(raw, { ...headers, "webhook-id": "another" })).toThrow("No matching signature");
    expect(() =>
      verify(raw, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }),
    ).toThrow("No matching signature");
  });

  test("G-585 G-587 bytes, id and signature are the same on every attempt; the attempt is counted, and the time of it is signed", async () => {
    c.hook.reply((_, index) => new Response("", { status: index < 2 ? 500 : 200 }));
    await receive("olá");
    await w.advance(5 * SECOND_MS);
    await w.advance(25 * SECOND_MS);
    expect(c.hook.arrived.map(({ headers }) => headers["x-gateway-attempt"])).toEqual(["1", "2", "3"]);
    for (const name of ["x-gateway-signature", "webhook-id"])
      expect(new Set(c.hook.arrived.map(({ headers }) => headers[name])).size).toBe(1);
    expect(new Set(c.hook.arrived.map(({ raw }) => raw)).size).toBe(1);
    const times = c.hook.arrived.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 5, 30]);
    expect(verify(c.hook.arrived[2]?.raw ?? "", c.hook.arrived[2]?.headers ?? {})).toMatchObject({
      data: { content: { text: "olá" } },
    });
  });

  test("G-586 a new secret signs from the next attempt on", async () => {
    c.hook.reply((_, index) => new Response("", { status: index < 1 ? 500 : 200 }));
    await receive("olá");
    await patch({ webhook: { url: c.hook.url, secret: "the-new-secret-of-it" } });
    await w.advance(5 * SECOND_MS);
    expect(
      c.hook.arrived.map(
        ({ headers, raw }) =>
          ["old", "new"][
            [WEBHOOK_SECRET, "the-new-secret-of-it"].findIndex(
              (secret) => headers["x-gateway-signature"] === `sha256=${hmacSha256(secret, raw, "hex")}`,
            )
          ],
      ),
    ).toEqual(["old", "new"]);
  });
});

describe("who is notified", () => {
  test("G-580 G-592 the phone's webhook, once when it answers 2xx", async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      c.hook.reply(() => new Response(null, { status }));
      await receive(`answered ${status}`);
    }
    await w.advance(DAY);
    expect(wordsAt(c.hook)).toEqual([200, 201, 202, 204, 299].map((status) => `answered ${status}`));
    expect(new Set((await c.events("?type=message:received")).map(({ status }) => status))).toEqual(
      new Set(["DELIVERED"]),
    );
  });

  test("G-582 a phone without a webhook works; its events are in the list, delivered to nobody", async () => {
    await patch({ webhook: {} });
    await receive("oi");
    expect((await c.message(await c.sent())).status).toBe("SENT");
    expect(c.hook.arrived).toEqual([]);
    const [status, message] = await c.events();
    expect([status.type, message.type]).toEqual(["message:status", "message:received"]);
    expect((await c.event(message.id)).deliveries).toEqual([]);
  });

  test("G-581 GAP-G16 an empty list of events means all of them, a list means those alone", async () => {
    const picky = await newCustomer(w, { events: ["message:status", "call:*"] });
    await w.graph.inbound.text({ to: picky.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    await picky.sent();
    expect(picky.hook.arrived.map(({ body }) => body.type)).toEqual(["message:status"]);
    await receive("oi");
    await c.sent();
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual(["message:received", "message:status"]);
  });

  test("G-580 GAP-G15 its own webhook and the shared one, each with its secret and its list of events", async () => {
    const shared = await share({ events: ["message:received"] });
    await patch({ sharedWebhookId: shared.id });
    await receive("for both");
    await c.sent();
    expect([wordsAt(c.hook), wordsAt(shared.hook)]).toEqual([["for both"], ["for both"]]);
    expect([receivedBy(c.hook).length, receivedBy(shared.hook).length]).toEqual([2, 1]);
    const [{ raw, headers } = { raw: "", headers: {} as Arrived["headers"] }] = shared.hook.arrived;
    expect(headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256("the-secret-of-the-shared-one", raw, "hex")}`);
    expect(raw).toBe(c.hook.arrived[0]?.raw ?? "");
  });

  test("GAP-G15 the one's failure is not the other's", async () => {
    const shared = await share();
    await patch({ sharedWebhookId: shared.id });
    c.hook.reply(() => new Response("", { status: 500 }));
    await receive("oi");
    expect(wordsAt(shared.hook)).toEqual(["oi"]);
    const [{ id, status }] = await c.events();
    expect([status, (await c.event(id)).deliveries.map((one: { status: string }) => one.status).sort()]).toEqual([
      "PENDING",
      ["DELIVERED", "PENDING"],
    ]);
  });

  test("G-599 a PATCH changes where later events go, and the retries that wait follow it", async () => {
    const next = w.receiver();
    c.hook.reply(() => new Response("", { status: 500 }));
    await receive("waiting");
    await patch({ webhook: { url: next.url, secret: WEBHOOK_SECRET } });
    await receive("later");
    await w.advance(5 * SECOND_MS);
    expect([wordsAt(c.hook), new Set(wordsAt(next))]).toEqual([["waiting"], new Set(["later", "waiting"])]);
    expect((await c.events("?type=message:received")).map(({ status }) => status)).toEqual(["DELIVERED", "DELIVERED"]);
  });

  test("G-596 GAP-G58 of a suspended account nobody: the events are dead letters, nothing is posted", async () => {
    c.hook.reply(() => new Response("", { status: 500 }));
    await receive("before");
    c.hook.reply(() => new Response(""));
    await suspend(w, c.accountId);
    await receive("while suspended");
    await w.advance(DAY);
    expect(wordsAt(c.hook)).toEqual(["before"]);
    await suspend(w, c.accountId, "NONE");
    expect(
      (await c.events("?type=message:received")).map(({ status, lastError, nextRetryAt }) => [
        status,
        lastError,
        nextRetryAt,
      ]),
    ).toEqual([
      ["DEAD", "ACCOUNT_SUSPENDED", null],
      ["DEAD", "ACCOUNT_SUSPENDED", null],
    ]);
  });
});

describe("the order of first attempts", () => {
  test("G-610 GAP-G55 is that of the events within a chat, however long each answer takes", async () => {
    const random = seededRandom(7);
    c.hook.reply(async () => {
      for (let turns = Math.floor(random.float() * 20); turns > 0; turns--)
        await new Promise<void>((resolve) => setImmediate(resolve));
      return new Response("ok");
    });
    const chats = ["5511999990001", "5511999990002", "5511999990003", "5511999990004", "5511999990005"];
    const seeds = Array.from({ length: 500 }, (_, index) => ({
      kind: "text" as const,
      to: c.phone.phoneNumberId,
      from: chats[Math.floor(random.float() * chats.length)] ?? "",
      text: String(index),
    }));
    await w.graph.inbound.batch(seeds);
    await w.settle();
    for (const chat of chats) {
      const arrived = receivedBy(c.hook).filter(({ chat: { canonicalKey } }) => canonicalKey === `pn:${chat}`);
      expect(arrived.map(({ content }) => content.text)).toEqual(
        seeds.filter(({ from }) => from === chat).map(({ text }) => text),
      );
    }
    expect(wordsAt(c.hook)).toHaveLength(500);
  });

  test("GAP-G55 one event that is refused for ever never holds up the ones after it", async () => {
    c.hook.reply(({ body }) => new Response("", { status: body.data.content.text === "poison" ? 400 : 200 }));
    await receive("first", "poison", "second", "third");
    expect(wordsAt(c.hook)).toEqual(["first", "poison", "second", "third"]);
    for (let turn = 0; turn < 9; turn++) {
      await w.advance(DAY / 2);
      await receive(`later ${turn}`);
    }
    expect(wordsAt(c.hook).filter((words) => words.startsWith("later"))).toHaveLength(9);
    expect(wordsAt(c.hook).filter((words) => words === "poison")).toHaveLength(9);
  });
});

const DAY = 24 * 60 * 60 * SECOND_MS;

test("a body of more than 256 KiB goes out without its content, marked as cut and signed; the event has it whole", async () => {
  const text = "x".repeat(600_000);
  await receive(text);
  const [{ raw, body, headers } = { raw: "", body: {} as any, headers: {} as Arrived["headers"] }] = c.hook.arrived;
  expect(Buffer.byteLength(raw)).toBeLessThan(1024);
  expect(body.data).toEqual({
    messageId: expect.any(String),
    type: "text",
    isCut: true,
    sizeBytes: expect.any(Number),
  });
  expect(headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256(WEBHOOK_SECRET, raw, "hex")}`);
  expect((await c.event(body.id)).data.content).toEqual({ text });
});
