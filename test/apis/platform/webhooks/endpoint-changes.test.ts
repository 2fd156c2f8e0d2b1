import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { changeWebhook, simulatedSender, webhookAt, webhookOf } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const idsAt = (hook: Receiver): string[] => hook.arrived.map(({ body }) => body.messageId);
const answer = (hook: Receiver, status: number) => hook.reply(() => new Response(null, { status }));

/** A webhook whose endpoint has refused three events; each waits five minutes. */
const waiting = async () => {
  const who = await simulatedSender(w);
  const hook = w.receiver();
  answer(hook, 500);
  const id = await webhookAt(w, who.key, hook, { retryPolicy: { maxRetries: 5, retryDelay: 300_000 } });
  const sent = [await who.send(), await who.send(), await who.send()];
  hook.arrived.length = 0;
  return { who, hook, id, sent };
};

describe("what waits for a webhook's endpoint", () => {
  test("goes out at once, in its order, when the URL is corrected", async () => {
    const { who, hook, id, sent } = await waiting();
    const other = w.receiver();
    await changeWebhook(w, who.key, id, { url: other.url });
    await w.settle();
    expect([idsAt(other), idsAt(hook)]).toEqual([sent, []]);
    await w.advance(5 * MINUTE_MS);
    expect([idsAt(other), idsAt(hook)]).toEqual([sent, []]);
  });

  test("goes out at once when one call asks for it", async () => {
    const { who, hook, id, sent } = await waiting();
    answer(hook, 200);
    const asked = await w.platform(`/v1/webhooks/${id}/retry`, { key: who.key, method: "POST" });
    expect([asked.status, asked.body]).toEqual([202, { data: { id, status: "enqueued" } }]);
    await w.settle();
    expect(idsAt(hook)).toEqual(sent);
  });

  test("waits its time when only a name is changed", async () => {
    const { who, hook, id } = await waiting();
    await changeWebhook(w, who.key, id, { name: "Another name" });
    await w.settle();
    expect(hook.arrived).toEqual([]);
  });
});

describe("GAP-P33 a webhook that its owner disables", () => {
  test("keeps its waiting events, and gets them when it is enabled again within the retention", async () => {
    const { who, hook, id, sent } = await waiting();
    await changeWebhook(w, who.key, id, { active: false });
    answer(hook, 200);
    await w.advance(20 * DAY_MS);
    expect([hook.arrived, (await webhookOf(w, who.key, id)).active]).toEqual([[], false]);
    await w.restart();
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(idsAt(hook)).toEqual(sent);
  });

  test("gets at the corrected URL what waited, when both are changed at once", async () => {
    const { who, hook, id, sent } = await waiting();
    await changeWebhook(w, who.key, id, { active: false });
    await w.advance(5 * MINUTE_MS);
    const other = w.receiver();
    await changeWebhook(w, who.key, id, { active: true, url: other.url });
    await w.settle();
    expect([idsAt(other), idsAt(hook)]).toEqual([sent, []]);
  });

  test("does not get what is older than the retention: it is forgotten with its event", async () => {
    const { who, hook, id } = await waiting();
    await changeWebhook(w, who.key, id, { active: false });
    answer(hook, 200);
    await w.advance(31 * DAY_MS);
    await changeWebhook(w, who.key, id, { active: true });
    await w.settle();
    expect(hook.arrived).toEqual([]);
  });
});
