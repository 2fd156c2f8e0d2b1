import { describe, expect, test } from "bun:test";
import {
  customer,
  made,
  simulatedSender,
  wabaChannel,
  webhookAt,
  webhookBody,
  webhookOf,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const SENT = ["message.sent", "message.delivered"];

describe("a platform webhook", () => {
  test("gets the events of chosen channels alone, and those of none", async () => {
    const who = await simulatedSender(w);
    const [mine, others] = [w.receiver(), w.receiver()];
    const events = [...SENT, "contact.created"];
    await webhookAt(w, who.key, mine, { events, channelIds: [who.channelId] });
    const { id } = await wabaChannel(w, who.key);
    await webhookAt(w, who.key, others, { events: SENT, channelIds: [id] });
    await who.send();
    await w.advance(60_000);
    await w.advance(60_000);
    expect(mine.arrived.map(({ body }) => body.type)).toEqual(expect.arrayContaining(SENT));
    expect(others.arrived).toEqual([]);
  });

  test("gets the messages of the asked direction alone", async () => {
    const who = await simulatedSender(w);
    const [inbound, outbound] = [w.receiver(), w.receiver()];
    await webhookAt(w, who.key, inbound, { events: SENT, directions: ["inbound"] });
    await webhookAt(w, who.key, outbound, { events: SENT, directions: ["outbound"] });
    await who.send();
    await w.advance(60_000);
    await w.advance(60_000);
    expect([inbound.arrived.length, outbound.arrived.length]).toEqual([0, 2]);
  });

  test("a channel of another institution is refused, and nothing is made or changed", async () => {
    const [who, other] = [await simulatedSender(w), await simulatedSender(w)];
    const id = await webhookAt(w, who.key, w.receiver());
    const before = await webhookOf(w, who.key, id);
    const asked = { channelIds: [other.channelId] };
    const refused = [
      await w.platform("/v1/webhooks", { key: who.key, body: webhookBody(asked) }),
      await w.platform(`/v1/webhooks/${id}`, { key: who.key, method: "PATCH", body: asked }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [404, "CHANNEL_NOT_FOUND"],
      [404, "CHANNEL_NOT_FOUND"],
    ]);
    expect(made(await w.platform("/v1/webhooks", { key: who.key }), 200).data).toEqual([before]);
  });

  test("sends own headers, shows their names, and keeps a chat in order", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    const id = await webhookAt(w, who.key, hook, {
      events: SENT,
      headers: { Authorization: "Bearer x" },
      ordering: "chat",
      retryPolicy: { maxRetries: 3, retryDelay: 5000 },
    });
    expect(await webhookOf(w, who.key, id)).toMatchObject({
      headers: { Authorization: "********" },
      ordering: "chat",
      directions: ["inbound", "outbound"],
      channelIds: [],
    });
    hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
    await who.send();
    await w.advance(60_000);
    await w.advance(60_000);
    expect(hook.arrived.map(({ body }) => body.type)).toEqual(["message.sent", "message.sent", "message.delivered"]);
    expect(hook.arrived.every(({ headers }) => headers["authorization"] === "Bearer x")).toBe(true);
  });

  test("refuses headers that a connection or this server sets", async () => {
    const { key } = await customer(w);
    const { status, body } = await w.platform("/v1/webhooks", { key, body: webhookBody({ headers: { Host: "x" } }) });
    expect([status, body.error, body.details]).toEqual([
      400,
      "VALIDATION_ERROR",
      [{ field: "headers", message: "Host cannot be set" }],
    ]);
  });
});

describe("POST /v1/webhooks/{id}/test", () => {
  test("sends one marked sample and answers what the endpoint answered", async () => {
    const { key, id: institutionId } = await customer(w);
    const hook = w.receiver();
    const id = await webhookAt(w, key, hook);
    const ask = (body: object) => w.platform(`/v1/webhooks/${id}/test`, { key, body });
    expect(made(await ask({}), 200).data).toMatchObject({ delivered: true, statusCode: 200, responseBody: "ok" });
    hook.reply(() => new Response("no", { status: 401 }));
    expect(made(await ask({ type: "contact.created" }), 200).data).toMatchObject({
      delivered: false,
      statusCode: 401,
      error: "HTTP 401",
    });
    await w.advance(60_000);
    expect(hook.arrived.map(({ body, headers }) => [body.type, body.institutionId, headers["x-webhook-test"]])).toEqual(
      [
        ["message.received", institutionId, "true"],
        ["contact.created", institutionId, "true"],
      ],
    );
    expect((await webhookOf(w, key, id)).lastFailedAt).toBeNull();
  });

  test("is refused after ten in a minute", async () => {
    const { key } = await customer(w);
    const hook = w.receiver();
    const id = await webhookAt(w, key, hook);
    const ask = () => w.platform(`/v1/webhooks/${id}/test`, { key, body: {} });
    for (let n = 0; n < 10; n++) made(await ask(), 200);
    const { status, body } = await ask();
    expect([status, body.code, hook.arrived.length]).toEqual([429, "RATE_LIMIT_EXCEEDED", 10]);
  });
});
