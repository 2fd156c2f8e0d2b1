import { beforeEach, describe, expect, test } from "bun:test";
import { FAN_OUT, fanOutQueue } from "../../../../src/core/events/fan-out.ts";
import { newSubscription } from "../../../../src/core/events/subscriptions.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { insertSubscription } from "../../../../src/store/tables/events/subscriptions.ts";
import { pauseQueue } from "../../../../src/store/tables/queues.ts";
import { type Customer, customerOf, receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
let c: Customer;
let shared: Receiver;
beforeEach(async () => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  shared = w.receiver();
  const phone = await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
  c = customerOf(w, { accountId, key, phone, hook });
  const { body } = await w.gateway("/v1/webhooks", {
    key,
    body: { label: "Shared", url: shared.url, secret: WEBHOOK_SECRET },
  });
  await w.gateway(`/v1/phones/${phone.id}`, { key, method: "PATCH", body: { sharedWebhookId: body.id } });
  hook.arrived.length = 0;
});

/** Three messages that wait for half a minute. */
const threeQueued = async (): Promise<string[]> => {
  w.graph.failNext(1, { kind: "error", code: 130429 }, { phoneNumberId: c.phone.phoneNumberId });
  return [await c.sent(), await c.sent({ to: "5511999990002" }), await c.sent({ to: "5511999990003" })];
};
const remove = () => w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
const failures = (hook: Receiver) =>
  receivedBy(hook, "message:status")
    .filter(({ status }) => status === "failed")
    .map(({ messageId }): string => messageId)
    .toSorted();
const rows = (table: string) =>
  rowsOf(
    w,
    `SELECT 1 FROM ${table} WHERE ${table === "subscriptions" ? "kind = 'phone' AND tenant_id = ?1" : "channel_id = ?1"}`,
    [table === "subscriptions" ? c.accountId : c.phone.id],
  );

describe("the messages that a deleted phone had queued", () => {
  test("fail, and its own and its shared webhook receive each, once", async () => {
    const ids = (await threeQueued()).toSorted();
    expect((await remove()).status).toBe(204);
    await w.settle();
    await w.advance(30 * SECOND_MS);
    expect([failures(c.hook), failures(shared)]).toEqual([ids, ids]);
    expect(receivedBy(c.hook, "channel:disconnected")).toHaveLength(1);
    for (const id of ids) expect((await c.message(id)).status).toBe("FAILED");
  });

  test("fail so over a restart, and when the endpoint answers hours later", async () => {
    const ids = (await threeQueued()).toSorted();
    c.hook.reply(() => new Response(null, { status: 500 }));
    await remove();
    await w.restart();
    await w.settle();
    await w.advance(3 * HOUR_MS);
    c.hook.reply(() => new Response("ok"));
    c.hook.arrived.length = 0;
    await w.advance(21 * HOUR_MS);
    expect([failures(c.hook), failures(shared)]).toEqual([ids, ids]);
  });

  test("are the last that its webhook receives: nothing that happens to the account later is sent to it, and it goes", async () => {
    await threeQueued();
    await remove();
    await w.settle();
    await w.advance(30 * SECOND_MS);
    const received = c.hook.arrived.length;
    const other = await w.wabaPhone(c.key);
    await c.sent({ phoneId: other.id });
    expect(c.hook.arrived.length).toBe(received);
    expect([(await rows("departed_channels")).length, (await rows("subscriptions")).length]).toEqual([1, 1]);
    await w.advance(HOUR_MS);
    expect(await rows("subscriptions")).toEqual([]);
  });

  test("name its kind, but none of its webhooks, for as long as one of them is stored", async () => {
    const kept = () =>
      rowsOf(w, "SELECT kind, webhook_id, shared_webhook_id FROM departed_channels WHERE channel_id = ?1", [
        c.phone.id,
      ]);
    await threeQueued();
    await remove();
    await w.settle();
    await w.advance(DAY_MS);
    expect(await kept()).toEqual([{ kind: "WABA", webhook_id: null, shared_webhook_id: null }]);
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM messages WHERE channel_id = ?1", [c.phone.id]));
    await w.advance(DAY_MS);
    expect(await kept()).toEqual([]);
  });
});

test("what happened to a phone before it was deleted reaches its webhook once, though a job has yet to write the deliveries", async () => {
  const { env } = w.app;
  const tenantId = c.accountId as TenantId;
  await env.db.write(async (tx) => {
    const fields = {
      name: "one of many",
      url: "https://hooks.example.com",
      secret: WEBHOOK_SECRET,
      events: ["*"],
      isActive: false,
    };
    for (let n = 0; n < FAN_OUT; n++)
      await insertSubscription(tx, newSubscription(env, tenantId, { audience: "platform", kind: "account" }, fields));
  });
  await c.sent();
  expect(receivedBy(c.hook, "message:status")).toHaveLength(1);
  await env.db.write(async (tx) => pauseQueue(tx, fanOutQueue(tenantId).key, w.clock.now() + SECOND_MS, "rate-limit"));
  await c.sent();
  await remove();
  await w.settle();
  expect(receivedBy(c.hook)).toHaveLength(1);
  await w.advance(SECOND_MS);
  const received = (hook: Receiver) => hook.arrived.map(({ body }) => body.type);
  expect(received(c.hook)).toEqual(["message:status", "message:status", "channel:disconnected"]);
  expect(received(shared)).toEqual(received(c.hook));
});
