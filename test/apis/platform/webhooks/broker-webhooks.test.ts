import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type RedisServer, startRedisServer } from "../../../support/servers/redis-server.ts";
import { made, simulatedSender, webhookBody, webhookOf } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const SECRET = "the-secret-of-this-webhook";

let broker: RedisServer;
beforeEach(() => void (broker = startRedisServer("the-password")));
afterEach(() => broker.stop());

const urlOf = (password: string) => `redis://:${password}@127.0.0.1:${broker.port}/0?stream={type}`;

test("a platform webhook may be a broker; its password is not shown, and stays when the mask comes back", async () => {
  const who = await simulatedSender(w);
  const body = webhookBody({ url: urlOf("the-password"), events: ["message.sent"], secret: SECRET });
  const { id, url } = made(await w.platform("/v1/webhooks", { key: who.key, body }), 201).data;
  expect(url).toBe(urlOf("********"));
  const replaced = { ...body, url: urlOf("********") };
  const changed = await w.platform(`/v1/webhooks/${id}`, { key: who.key, method: "PUT", body: replaced });
  expect([changed.status, (await webhookOf(w, who.key, id)).url]).toEqual([200, urlOf("********")]);
  await who.send();
  await w.advance(60_000);
  const [entry] = broker.entries;
  const raw = entry?.fields["body"] ?? "";
  const hmac = createHmac("sha256", SECRET).update(raw).digest("hex");
  expect(entry).toMatchObject({
    stream: "message.sent",
    fields: { "webhook-id": JSON.parse(raw).id, "X-Webhook-Signature": `sha256=${hmac}` },
  });
  const logs = await w.platform(`/v1/webhooks/${id}/logs`, { key: who.key });
  expect([logs.status, logs.text.includes("the-password")]).toEqual([200, false]);
});

test("a test of it answers with the broker's confirmation, and no status", async () => {
  const who = await simulatedSender(w);
  const body = webhookBody({ url: urlOf("the-password") });
  const { id } = made(await w.platform("/v1/webhooks", { key: who.key, body }), 201).data;
  const tested = await w.platform(`/v1/webhooks/${id}/test`, { key: who.key, body: {} });
  expect([tested.status, tested.text.includes("entry 1-0"), broker.entries.length]).toEqual([200, true, 1]);
});
