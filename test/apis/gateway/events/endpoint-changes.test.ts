import { describe, expect, test } from "bun:test";
import { retryAll } from "../../../../src/core/events/retrying.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { SubscriptionId } from "../../../../src/kernel/ids.ts";
import { holdBack, newCustomer, receivedBy, release, rowsOf, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ logLevel: "debug", env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const receive = async (words: readonly string[], from = TO) => {
  for (const text of words) await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text });
  await w.settle();
};
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}`);
const answer = (status: number, hook: Receiver = c.hook) => hook.reply(() => new Response("", { status }));
const textsAt = (hook: Receiver) => receivedBy(hook, "message:received").map(({ content }) => content.text);
const attemptsAt = (hook: Receiver) => hook.arrived.map(({ headers }) => headers["x-gateway-attempt"]);
const setWebhook = (webhook: object) =>
  w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body: { webhook } });
const pending = async () =>
  (await rowsOf(w, "SELECT id FROM deliveries WHERE tenant_id = ?1 AND status = 'PENDING'", [c.accountId])).length;
/** Fifteen messages, of which ten were refused three times and five wait for the breaker. */
const inTrouble = async () => {
  answer(500);
  await receive(numbered(1, 15));
  await w.advance(5 * SECOND_MS);
  await w.advance(25 * SECOND_MS - 1);
  c.hook.arrived.length = 0;
};

describe("what waits for an endpoint", () => {
  test("goes out at once when its URL is corrected, in event order, as new series of attempts", async () => {
    await inTrouble();
    const other = w.receiver();
    await setWebhook({ url: other.url, secret: WEBHOOK_SECRET });
    await w.settle();
    expect([textsAt(other), await pending()]).toEqual([numbered(1, 15), 0]);
    expect(new Set(attemptsAt(other))).toEqual(new Set(["1"]));
    await w.advance(MINUTE_MS);
    expect([other.arrived.length, c.hook.arrived.length]).toEqual([15, 0]);
  });

  test("goes out at once when its secret is corrected; another change has it wait on", async () => {
    await inTrouble();
    answer(200);
    await setWebhook({ url: c.hook.url, secret: WEBHOOK_SECRET, events: ["message:received"] });
    await w.settle();
    expect(textsAt(c.hook)).toEqual([]);
    await setWebhook({ url: c.hook.url, secret: "another secret of 16", events: ["message:received"] });
    await w.settle();
    expect([textsAt(c.hook), await pending()]).toEqual([numbered(1, 15), 0]);
  });

  test("begins a new series at a corrected URL, also while a recovery of the old endpoint is being handled", async () => {
    await setWebhook({ url: c.hook.url, secret: "another secret of 16" }); // such a job makes its queue
    await w.settle();
    await inTrouble();
    const [webhook] = await rowsOf<{ id: SubscriptionId }>(w, "SELECT id FROM subscriptions WHERE tenant_id = ?1", [
      c.accountId,
    ]);
    await holdBack(w, "housekeeping");
    if (webhook) await w.app.env.db.write((tx) => retryAll(w.app.env, tx, webhook.id, { isNewSeries: false }));
    const other = w.receiver();
    await setWebhook({ url: other.url, secret: WEBHOOK_SECRET });
    await release(w, "housekeeping");
    await w.settle();
    expect([textsAt(other).length, new Set(attemptsAt(other)), await pending()]).toEqual([15, new Set(["1"]), 0]);
  });

  test("begins its whole schedule anew when the corrected endpoint fails too", async () => {
    answer(500);
    await receive(["one"]);
    await w.advance(5 * SECOND_MS);
    const other = w.receiver();
    answer(500, other);
    await setWebhook({ url: other.url, secret: WEBHOOK_SECRET });
    await w.settle();
    await w.advance(5 * SECOND_MS);
    await w.advance(25 * SECOND_MS);
    expect(attemptsAt(other)).toEqual(["1", "2", "3"]);
  });

  test("goes out when one call asks for it, whatever its retries' times; more than a batch too, and in event order over a restart", async () => {
    answer(500);
    await receive(numbered(1, 250));
    await w.advance(5 * SECOND_MS);
    const fifth = Promise.withResolvers<void>();
    c.hook.reply(({ raw }) => {
      if (raw.includes('"message 5"')) fifth.resolve();
      return new Response("");
    });
    c.hook.arrived.length = 0;
    const asked = await w.gateway(`/v1/phones/${c.phone.id}/webhook/retry`, { key: c.key, method: "POST" });
    expect([asked.status, asked.body]).toEqual([202, { id: c.phone.id, status: "enqueued" }]);
    await fifth.promise; // the restart falls among attempts that are claimed and have not begun
    await w.restart();
    await w.settle();
    expect([textsAt(c.hook), await pending()]).toEqual([numbered(1, 250), 0]);
  });

  test("of a shared webhook goes out so too", async () => {
    const shared = w.receiver();
    const { body } = await w.gateway("/v1/webhooks", {
      key: c.key,
      body: { label: "Shared", url: shared.url, secret: WEBHOOK_SECRET, events: ["message:received"] },
    });
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body: { sharedWebhookId: body.id } });
    answer(500, shared);
    await receive(["one", "two"]);
    answer(200, shared);
    shared.arrived.length = 0;
    expect((await w.gateway(`/v1/webhooks/${body.id}/retry`, { key: c.key, method: "POST" })).body).toEqual({
      id: body.id,
      status: "enqueued",
    });
    await w.settle();
    expect(textsAt(shared)).toEqual(["one", "two"]);
    answer(500, shared);
    await receive(["three"]);
    const other = w.receiver();
    await w.gateway(`/v1/webhooks/${body.id}`, { key: c.key, method: "PATCH", body: { url: other.url } });
    await w.settle();
    expect(textsAt(other)).toEqual(["three"]);
  });

  test("goes out as soon as an endpoint that was down answers again, and the attempts count on", async () => {
    answer(500);
    await receive(numbered(1, 12));
    await w.advance(5 * SECOND_MS);
    await w.advance(25 * SECOND_MS); // the retries of the first ten, and the breaker's one
    answer(200);
    c.hook.arrived.length = 0;
    await receive(["later"], "5511999990002");
    expect(textsAt(c.hook)).toEqual([]); // the breaker is open
    await w.advance(MINUTE_MS);
    expect([new Set(textsAt(c.hook)), await pending()]).toEqual([new Set([...numbered(1, 12), "later"]), 0]);
    expect(new Set(attemptsAt(c.hook))).toEqual(new Set(["1", "2", "4"]));
  });

  test("does not go out because of a success beside it: an event that is always refused keeps its times", async () => {
    c.hook.reply(({ raw }) => new Response("", { status: raw.includes("poison") ? 500 : 200 }));
    await receive(["poison"]);
    for (let n = 0; n < 12; n++) await receive([`fine ${n}`], "5511999990002");
    expect(attemptsAt(c.hook).filter((attempt) => attempt !== "1")).toEqual([]);
  });

  test("is tried at the new address when the attempt under way at the old one fails", async () => {
    let release: (response: Response) => void = () => {};
    c.hook.reply(() => new Promise<Response>((resolve) => void (release = resolve)));
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "one" });
    await c.hook.received(1);
    const other = w.receiver();
    await setWebhook({ url: other.url, secret: WEBHOOK_SECRET });
    release(new Response("", { status: 500 }));
    await other.received(1);
    await w.settle();
    expect([textsAt(other), await pending()]).toEqual([["one"], 0]);
  });
});

describe("the call that retries all that waits", () => {
  test("is 404 for a phone without a webhook, for another account's, and for what is not there; nothing is sent", async () => {
    await inTrouble();
    const stranger = await newCustomer(w);
    const bare = await w.wabaPhone(c.key);
    const retry = (path: string, key = c.key) => w.gateway(path, { key, method: "POST" });
    expect(gatewaySays(await retry(`/v1/phones/${bare.id}/webhook/retry`))).toBe("404 WEBHOOK_NOT_FOUND");
    expect(gatewaySays(await retry(`/v1/phones/${c.phone.id}/webhook/retry`, stranger.key))).toBe(
      "404 PHONE_NOT_FOUND",
    );
    expect(gatewaySays(await retry("/v1/webhooks/0198a000-1111-4222-8333-444455556666/retry"))).toBe(
      "404 WEBHOOK_NOT_FOUND",
    );
    await w.settle();
    expect(c.hook.arrived).toEqual([]);
  });

  test("sends nothing twice when nothing waits", async () => {
    await receive(["one"]);
    await w.gateway(`/v1/phones/${c.phone.id}/webhook/retry`, { key: c.key, method: "POST" });
    await w.settle();
    expect(textsAt(c.hook)).toEqual(["one"]);
  });
});

describe("an event without a target", () => {
  test("has the status NONE, is found by it and by no other, and has nothing to replay", async () => {
    await setWebhook({});
    await receive(["unheard"]);
    const [{ id, status, attempts }] = await c.events("?type=message:received");
    expect([status, attempts]).toEqual(["NONE", 0]);
    expect((await c.event(id)).status).toBe("NONE");
    expect((await c.events("?status=NONE&type=message:received")).map((one) => one.id)).toEqual([id]);
    for (const other of ["DELIVERED", "PENDING", "DEAD"])
      expect((await c.events(`?status=${other}&type=message:received`)).map((one) => one.id)).toEqual([]);
    const replay = await w.gateway(`/v1/events/${id}/replay`, { key: c.key, method: "POST" });
    expect([gatewaySays(replay), replay.body.error.message]).toEqual([
      "409 ALREADY_DELIVERED",
      "The event has no target.",
    ]);
  });
});

test("a failing endpoint is a warning once, with its name, and that it answers again is said too", async () => {
  w.logs.length = 0;
  const lines = (text: string) =>
    w.logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => typeof msg === "string" && msg.includes(text));
  answer(500);
  await receive(numbered(1, 15));
  await w.advance(30 * SECOND_MS);
  await w.advance(MINUTE_MS);
  const [warning, ...more] = lines("an endpoint keeps failing");
  expect([warning?.["level"], warning?.["name"], warning?.["tenantId"], warning?.["kind"], more]).toEqual([
    "warn",
    "A phone",
    c.accountId,
    "phone",
    [],
  ]);
  answer(200);
  await w.advance(2 * MINUTE_MS);
  expect(lines("an endpoint answers again").map(({ level, name }) => [level, name])).toEqual([["info", "A phone"]]);
});
