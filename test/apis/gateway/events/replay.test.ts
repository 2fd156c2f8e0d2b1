import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, suspend, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const UNKNOWN = "0198a000-1111-4222-8333-444455556666";
const answer = (status: number) => c.hook.reply(() => new Response("", { status }));
const replay = (id: string, key = c.key) => w.gateway(`/v1/events/${id}/replay`, { key, method: "POST" });

/** Has a message come in that the webhook refuses for good; the id of its event. */
const deadLetter = async (text = "oi"): Promise<string> => {
  answer(410);
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
  await w.settle();
  return (await c.events("?type=message:received"))[0].id;
};

const attempts = () => c.hook.arrived.map(({ headers }) => headers["x-gateway-attempt"]);

describe("POST /v1/events/{id}/replay", () => {
  test("G-593 sends a dead letter again, the same bytes under the same id, and it is delivered", async () => {
    const id = await deadLetter();
    answer(200);
    const replayed = await replay(id);
    expect([replayed.status, replayed.body]).toEqual([202, { id, status: "enqueued" }]);
    await w.settle();
    expect(await c.event(id)).toMatchObject({ status: "DELIVERED", attempts: 1 });
    expect(c.hook.arrived.map(({ raw, headers }) => [raw, headers["webhook-id"]])).toEqual(
      Array.from({ length: 2 }, () => [c.hook.arrived[0]?.raw ?? "", id]),
    );
  });

  test("G-593 GAP-G53 starts a new series at attempt 1, with the whole schedule", async () => {
    const id = await deadLetter();
    answer(500);
    await replay(id);
    await w.settle();
    await w.advance(5 * SECOND_MS);
    await w.advance(25 * SECOND_MS);
    expect(attempts()).toEqual(["1", "1", "2", "3"]);
    expect((await c.event(id)).status).toBe("PENDING");
  });

  test("G-593 GAP-G52 takes the id of one of the event's deliveries too, and answers with the event's", async () => {
    const id = await deadLetter();
    answer(200);
    const [delivery] = (await c.event(id)).deliveries;
    expect((await replay(delivery.id)).body).toEqual({ id, status: "enqueued" });
    await w.settle();
    expect((await c.event(delivery.id)).status).toBe("DELIVERED");
  });

  test("G-593 of an event that waits for its retry tries at once, and the old retry is gone", async () => {
    const id = await deadLetter();
    answer(500);
    await replay(id);
    await w.settle();
    answer(200);
    expect((await replay(id)).status).toBe(202);
    await w.settle();
    await w.advance(60 * SECOND_MS);
    expect(attempts()).toEqual(["1", "1", "1"]);
  });

  test("G-593 G-594 sends it to the targets alone that have not got it", async () => {
    const shared = w.receiver();
    const { body } = await w.gateway("/v1/webhooks", {
      key: c.key,
      body: { label: "Shared", url: shared.url, secret: WEBHOOK_SECRET, events: ["message:received"] },
    });
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body: { sharedWebhookId: body.id } });
    const id = await deadLetter();
    answer(200);
    await replay(id);
    await w.settle();
    expect([receivedBy(c.hook, "message:received").length, receivedBy(shared).length]).toEqual([2, 1]);
  });

  test("G-594 of what was delivered is refused, and nothing is posted", async () => {
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const [{ id }] = await c.events("?type=message:received");
    expect(gatewaySays(await replay(id))).toBe("409 ALREADY_DELIVERED");
    await w.settle();
    expect(attempts()).toEqual(["1"]);
  });

  test("G-595 of an unknown event is not found, of another account's neither", async () => {
    const id = await deadLetter();
    const stranger = await newCustomer(w);
    for (const [wanted, key] of [
      [UNKNOWN, c.key],
      ["nonsense", c.key],
      [id, stranger.key],
      [(await c.event(id)).deliveries[0].id, stranger.key],
    ] as const) {
      expect(gatewaySays(await replay(wanted, key))).toBe("404 DELIVERY_NOT_FOUND");
      expect(gatewaySays(await w.gateway(`/v1/events/${wanted}`, { key }))).toBe("404 DELIVERY_NOT_FOUND");
    }
    await w.settle();
    expect(attempts()).toEqual(["1"]);
  });
});

describe("the administrator's dead letters", () => {
  const list = async (query = "") => (await w.gateway(`/v1/admin/dead-letters${query}`, { admin: true })).body;
  const replayAll = async (body?: object) =>
    (await w.gateway("/v1/admin/dead-letters/replay", { admin: true, method: "POST", ...(body ? { body } : {}) })).body;

  test("are listed with their reason, newest first, an account's alone and page by page", async () => {
    const ids = [await deadLetter("one")];
    await w.advance(1);
    ids.unshift(await deadLetter("two"));
    const mine = await list(`?accountId=${c.accountId}`);
    expect(mine).toEqual({
      items: ids.map((eventId) => ({
        id: expect.any(String),
        eventId,
        accountId: c.accountId,
        type: "message:received",
        url: c.hook.url,
        attempts: 1,
        lastStatusCode: 410,
        lastError: "HTTP 410",
        createdAt: expect.any(String),
      })),
      nextCursor: null,
    });
    const first = await list(`?accountId=${c.accountId}&limit=1`);
    const second = await list(`?accountId=${c.accountId}&limit=1&cursor=${first.nextCursor}`);
    expect([first.items, second.items, second.nextCursor]).toEqual([mine.items.slice(0, 1), mine.items.slice(1), null]);
    for (const cursor of ["nonsense", UNKNOWN])
      expect(gatewaySays(await w.gateway(`/v1/admin/dead-letters?cursor=${cursor}`, { admin: true }))).toBe(
        "400 VALIDATION_ERROR",
      );
  });

  test("GAP-G58 G-596 are replayed for one account, which a suspension left with some, and nobody else is touched", async () => {
    await suspend(w, c.accountId);
    await w.graph.inbound.batch(
      ["a", "b", "c"].map((text) => ({ kind: "text", to: c.phone.phoneNumberId, from: TO, text })),
    );
    await w.settle();
    const other = await newCustomer(w);
    other.hook.reply(() => new Response("", { status: 410 }));
    await w.graph.inbound.text({ to: other.phone.phoneNumberId, from: TO, text: "theirs" });
    await w.settle();
    await suspend(w, c.accountId, "NONE");
    expect(await replayAll({ accountId: c.accountId })).toEqual({ status: "enqueued", count: 3 });
    await w.settle();
    expect(receivedBy(c.hook, "message:received").map(({ content }) => content.text)).toEqual(["a", "b", "c"]);
    expect(other.hook.arrived).toHaveLength(1);
    expect((await list(`?accountId=${c.accountId}`)).items).toEqual([]);
  });

  test("GAP-G58 are replayed for everybody where no account is named", async () => {
    await deadLetter();
    answer(200);
    expect((await replayAll()).count).toBeGreaterThanOrEqual(1);
    await w.settle();
    expect(attempts()).toEqual(["1", "1"]);
  });

  test("of an unknown account are not found, and without the admin token nothing is revealed", async () => {
    await deadLetter();
    expect(gatewaySays(await w.gateway(`/v1/admin/dead-letters?accountId=${UNKNOWN}`, { admin: true }))).toBe(
      "404 ACCOUNT_NOT_FOUND",
    );
    expect(
      gatewaySays(await w.gateway("/v1/admin/dead-letters/replay", { admin: true, body: { accountId: UNKNOWN } })),
    ).toBe("404 ACCOUNT_NOT_FOUND");
    expect(gatewaySays(await w.gateway("/v1/admin/dead-letters", { key: c.key }))).toBe("403 ADMIN_FORBIDDEN");
    expect(gatewaySays(await w.gateway("/v1/admin/dead-letters/replay", { key: c.key, method: "POST" }))).toBe(
      "403 ADMIN_FORBIDDEN",
    );
    await w.settle();
    expect(attempts()).toEqual(["1"]);
  });
});

test("G-593 GAP-G53 a replay that is asked for while the last attempt runs begins a new series, whose first attempt that one is", async () => {
  answer(500);
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
  await w.settle();
  const [{ id }] = await c.events("?type=message:received");
  await w.app.env.db.write(async (tx) =>
    tx.rows("UPDATE deliveries SET attempts = 8 WHERE tenant_id = ?1 AND status = 'PENDING'", [c.accountId]),
  );
  let refuse = (): void => undefined;
  c.hook.reply(() => new Promise<Response>((resolve) => (refuse = () => resolve(new Response("", { status: 500 })))));
  w.clock.advance(MINUTE_MS);
  await c.hook.received(2);
  expect((await replay(id)).status).toBe(202);
  answer(200);
  refuse();
  await w.settle();
  expect(await c.event(id)).toMatchObject({ status: "PENDING", attempts: 1 });
  await w.advance(MINUTE_MS);
  expect((await c.event(id)).status).toBe("DELIVERED");
  expect(attempts()).toEqual(["1", "9", "2"]);
});

describe("GET /v1/events", () => {
  test("GAP-G52 is filtered by status, type and phone, and paged by cursor", async () => {
    const dead = await deadLetter();
    answer(200);
    await w.advance(1);
    await c.sent();
    const other = await w.wabaPhone(c.key);
    const types = async (query: string) => (await c.events(query)).map(({ type }) => type);
    expect(await types("")).toEqual([
      "channel:connected",
      "message:status",
      "webhook:failed",
      "message:received",
      "channel:connected",
    ]);
    expect(await types("?status=DEAD")).toEqual(["message:received"]);
    expect(await types("?status=PENDING")).toEqual([]);
    expect(await types("?status=DELIVERED&type=message:status")).toEqual(["message:status"]);
    expect(await types(`?phoneId=${other.id}`)).toEqual(["channel:connected"]);
    const first = await w.gateway("/v1/events?limit=4", { key: c.key });
    expect(first.body.items.at(-1).id).toBe(dead);
    const second = await w.gateway(`/v1/events?limit=4&cursor=${first.body.nextCursor}`, { key: c.key });
    expect([second.body.items.map(({ type }: { type: string }) => type), second.body.nextCursor]).toEqual([
      ["channel:connected"],
      null,
    ]);
  });

  test.each([
    "?status=LOST",
    "?type=nothing",
    "?phoneId=abc",
    "?limit=0",
    "?limit=201",
    "?limit=x",
    "?cursor=nothing",
    `?cursor=${UNKNOWN}`,
  ])("GAP-G52 %s is refused", async (query) => {
    expect(gatewaySays(await w.gateway(`/v1/events${query}`, { key: c.key }))).toBe("400 VALIDATION_ERROR");
  });
});
