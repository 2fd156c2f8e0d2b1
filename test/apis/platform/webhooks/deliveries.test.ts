import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { moveWebhook } from "../../../support/servers/moved-webhook.ts";
import {
  changeWebhook,
  customer,
  logsOf,
  made,
  RECIPIENT,
  sendText,
  simulatedSender,
  webhookAt,
  webhookOf,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { realTime } from "../../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const answering = (status: number) => () => new Response(status === 204 ? null : "said the endpoint", { status });
const now = () => new Date(w.clock.now()).toISOString();

describe("a delivery", () => {
  test("P-280 P-284 P-285 is one POST of the event: its name with a colon, its type with a dot, its data", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    await webhookAt(w, who.key, hook);
    const messageId = await who.send();
    expect(hook.arrived.map(({ body }) => body)).toEqual([
      {
        id: expect.any(String),
        event: "message:sent",
        type: "message.sent",
        timestamp: now(),
        institutionId: who.id,
        channelId: who.channelId,
        environment: "test",
        messageId,
        conversationId: made(await w.platform(`/v1/messages/${messageId}`, { key: who.key }), 200).conversationId,
        status: "sent",
        to: RECIPIENT,
        messageType: "text",
        text: "olá",
      },
    ]);
    expect(hook.arrived[0]?.headers["content-type"]).toStartWith("application/json");
  });

  test("P-283 is signed over its raw body with the webhook's secret, as the standard's library does", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    await webhookAt(w, who.key, hook);
    await who.send();
    const { headers = {}, raw = "", body } = hook.arrived[0] ?? {};
    expect(headers["x-webhook-signature"]).toBe(
      `sha256=${new Bun.CryptoHasher("sha256", WEBHOOK_SECRET).update(raw).digest("hex")}`,
    );
    expect(headers).toMatchObject({
      "x-webhook-id": body.id,
      "x-webhook-event": "message.sent",
      "x-webhook-attempt": "1",
      "webhook-id": body.id,
      "webhook-timestamp": String(Math.floor(w.clock.now() / 1000)),
    });
    expect(headers["webhook-signature"]).toBe(
      new Webhook(Buffer.from(WEBHOOK_SECRET).toString("base64")).sign(
        headers["webhook-id"] ?? "",
        new Date(w.clock.now()),
        raw,
      ),
    );
  });

  test("P-281 P-282 each webhook that subscribed gets it; the others and other institutions' do not", async () => {
    const [who, stranger] = [await simulatedSender(w), await customer(w)];
    const [a, b, other, foreign] = [w.receiver(), w.receiver(), w.receiver(), w.receiver()];
    await webhookAt(w, who.key, a);
    await webhookAt(w, who.key, b, { events: ["message.sent", "message.read"] });
    await webhookAt(w, who.key, other, { events: ["message.received", "channel.connected"] });
    await webhookAt(w, stranger.key, foreign);
    await who.send();
    expect([a, b, other, foreign].map(({ arrived }) => arrived.length)).toEqual([1, 1, 0, 0]);
    expect(a.arrived[0]?.raw).toBe(b.arrived[0]?.raw ?? "");
  });
});

describe("retries", () => {
  test.each([0, 1, 2, 5, 10])(
    "P-253 P-286 P-287 P-290 P-305 with maxRetries %i a failing endpoint gets so many retries, exactly retryDelay apart",
    async (maxRetries) => {
      const who = await simulatedSender(w);
      const hook = w.receiver();
      hook.reply(answering(500));
      const id = await webhookAt(w, who.key, hook, { retryPolicy: { maxRetries, retryDelay: 5000 } });
      await who.send();
      for (let retry = 1; retry <= maxRetries; retry++) {
        await w.advance(4999);
        expect(hook.arrived).toHaveLength(retry);
        await w.advance(1);
        expect(hook.arrived).toHaveLength(retry + 1);
      }
      await w.advance(3_600_000);
      const attempts = Array.from({ length: maxRetries + 1 }, (_, n) => n + 1);
      expect(hook.arrived.map(({ headers }) => Number(headers["x-webhook-attempt"]))).toEqual(attempts);
      expect(new Set(hook.arrived.map(({ raw, headers }) => raw + headers["webhook-id"])).size).toBe(1);
      const logs: { attempt: number; failedAt: string }[] = await logsOf(w, who.key, id);
      expect(logs.map(({ attempt }) => attempt)).toEqual(attempts.toReversed());
      const gaps = logs.slice(1).map(({ failedAt }, n) => Date.parse(logs[n]?.failedAt ?? "") - Date.parse(failedAt));
      expect(gaps).toEqual(Array<number>(maxRetries).fill(5000));
    },
  );

  test("P-252 P-254 by default there are five, thirty seconds apart", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    hook.reply(answering(503));
    await webhookAt(w, who.key, hook);
    await who.send();
    for (let retry = 1; retry <= 5; retry++) {
      await w.advance(29_999);
      expect(hook.arrived).toHaveLength(retry);
      await w.advance(1);
    }
    await w.advance(3_600_000);
    expect(hook.arrived).toHaveLength(6);
  });

  test.each([200, 201, 204, 299])(
    "P-288 P-302 P-303 P-306 P-307 a %i is a success, and is not repeated",
    async (status) => {
      const who = await simulatedSender(w);
      const hook = w.receiver();
      hook.reply(answering(status));
      const id = await webhookAt(w, who.key, hook);
      await who.send();
      const deliveredAt = now();
      await w.advance(3_600_000);
      expect(hook.arrived).toHaveLength(1);
      expect(await logsOf(w, who.key, id)).toMatchObject([
        { status: "DELIVERED", statusCode: status, error: null, deliveredAt, failedAt: null },
      ]);
    },
  );

  test.each([301, 302, 307, 400, 401, 404, 410, 429, 500, 503])(
    "P-286 P-302 P-303 P-306 P-307 a %i is a failure, and no redirect is followed",
    async (status) => {
      const who = await simulatedSender(w);
      const [hook, elsewhere] = [w.receiver(), w.receiver()];
      hook.reply(() => new Response("no", { status, headers: status < 400 ? { location: elsewhere.url } : {} }));
      const id = await webhookAt(w, who.key, hook);
      await who.send();
      expect(await logsOf(w, who.key, id)).toMatchObject([
        {
          status: "FAILED",
          statusCode: status,
          error: expect.stringContaining(String(status)),
          deliveredAt: null,
          failedAt: now(),
        },
      ]);
      expect(elsewhere.arrived).toEqual([]);
      expect((await webhookOf(w, who.key, id)).lastFailedAt).toBe(now());
    },
  );

  test("P-289 P-305 a retry that succeeds ends the series", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    hook.reply((_, index) => new Response(null, { status: index === 0 ? 500 : 200 }));
    const id = await webhookAt(w, who.key, hook);
    await who.send();
    await w.advance(30_000);
    await w.advance(3_600_000);
    expect(hook.arrived).toHaveLength(2);
    expect(
      (await logsOf(w, who.key, id)).map((one: { status: string; attempt: number }) => [one.status, one.attempt]),
    ).toEqual([
      ["DELIVERED", 2],
      ["FAILED", 1],
    ]);
    expect(await webhookOf(w, who.key, id)).toMatchObject({
      consecutiveFailures: 0,
      active: true,
      lastFailedAt: expect.any(String),
    });
  });

  test("P-287 a policy that is changed holds for the retries to come, which go to the new address", async () => {
    const who = await simulatedSender(w);
    const [old, fresh] = [w.receiver(), w.receiver()];
    old.reply(answering(500));
    const id = await webhookAt(w, who.key, old);
    await who.send();
    await changeWebhook(w, who.key, id, { url: fresh.url });
    await w.advance(30_000);
    expect([old.arrived.length, fresh.arrived.length]).toEqual([1, 1]);
  });

  test("P-303 P-306 without an answer statusCode is 0 and error says why; a forbidden local endpoint is not called", async () => {
    const who = await simulatedSender(w);
    const gone = w.receiver();
    await gone.stop();
    const ids = [
      await webhookAt(w, who.key, gone),
      await webhookAt(w, who.key, { url: "https://hooks.example.com/in" }),
    ];
    await moveWebhook(w, ids[1] ?? "", "https://127.0.0.2:1/in");
    await who.send();
    for (const id of ids)
      expect(await logsOf(w, who.key, id)).toMatchObject([
        { status: "FAILED", statusCode: 0, error: expect.any(String), deliveredAt: null },
      ]);
    expect((await logsOf(w, who.key, ids[1] ?? ""))[0].error).toContain("blocked");
  });

  test("P-304 responseTime is how long the endpoint took, in milliseconds", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    const { promise, resolve } = Promise.withResolvers<void>();
    hook.reply(() => promise.then(() => new Response("ok")));
    const id = await webhookAt(w, who.key, hook);
    made(await sendText(w, who.testKey, who.channelId), 202);
    await hook.received(1);
    await realTime(40);
    resolve();
    await w.settle();
    const [{ responseTime }] = await logsOf(w, who.key, id);
    expect(Number.isInteger(responseTime)).toBe(true);
    expect(responseTime).toBeGreaterThanOrEqual(30);
  });
});
