import { beforeEach, describe, expect, test } from "bun:test";
import { createActivity } from "../../../../src/core/tenancy/accounts/activity.ts";
import { DAY_MS, HOUR_MS, iso } from "../../../../src/kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../../src/kernel/ids.ts";
import { ACTIVITY_COUNTS, addActivity } from "../../../../src/store/tables/tenancy/activity.ts";
import { type Customer, newCustomer, rowsOf, TO, wamidOf } from "../../../support/customers/customer.ts";
import { ofNumber, post, postInbound } from "../../../support/networks/waba-posts.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilTrue } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
let c: Customer;
beforeEach(async () => {
  c = await newCustomer(w);
});

const stats = async (query = "", key = c.key) => {
  await w.app.env.activity.flush();
  return w.gateway(`/v1/stats${query}`, { key });
};
const now = async (key = c.key) => (await w.gateway("/v1/stats/now", { key })).body;
const receipt = (id: string, status: string) =>
  post(w, [
    ofNumber(c, {
      statuses: [
        {
          id: wamidOf(w, id),
          status,
          timestamp: "1800000000",
          recipient_id: TO,
          biz_opaque_callback_data: id,
          ...(status === "failed" ? { errors: [{ code: 131026, title: "undeliverable" }] } : {}),
        },
      ],
    }),
  ]);
const NONE = { accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, received: 0 };
const hourOf = (ms: number) => Math.floor(ms / HOUR_MS);

describe("what happened in an account", () => {
  test("without anything every hour is there, with zeros and no lag", async () => {
    const { key } = await w.account();
    const { status, body } = await stats("", key);
    expect(status).toBe(200);
    const end = (hourOf(w.clock.now()) + 1) * HOUR_MS;
    expect(body).toMatchObject({ step: "hour", since: iso(end - DAY_MS), until: iso(end), types: [] });
    expect(body.points).toHaveLength(24);
    expect(body.points[23]).toEqual({
      at: iso(end - HOUR_MS),
      messages: NONE,
      deliveries: { delivered: 0, failedAttempts: 0, dead: 0 },
      lag: null,
    });
  });

  test("messages count in each status that they reach, once, also in those that a receipt skips", async () => {
    const [read, failed] = [await c.sent(), await c.sent()];
    await c.sent();
    for (const status of ["read", "delivered", "read"]) await receipt(read, status);
    await receipt(failed, "failed");
    await postInbound(w, c);
    const expected = { accepted: 3, sent: 3, delivered: 1, read: 1, failed: 1, received: 1 };
    const { body } = await stats();
    expect(body.total.messages).toEqual(expected);
    expect(body.points.at(-1).messages).toEqual(expected);
    expect(body.types).toMatchObject([{ type: "WABA", total: expected }]);
    expect(body.types[0].points.at(-1)).toMatchObject(expected);
  });

  test("deliveries count by what became of them, with how late they arrived", async () => {
    const connected = (await stats()).body.total.deliveries.delivered;
    await c.sent();
    const before = (await stats()).body.total.deliveries;
    expect(before).toEqual({ delivered: connected + c.hook.arrived.length, failedAttempts: 0, dead: 0 });
    c.hook.reply(() => new Response("no", { status: 500 }));
    await c.sent();
    await w.advance(60_000);
    c.hook.reply(() => new Response("ok"));
    await w.advance(4 * HOUR_MS);
    const { total } = (await stats()).body;
    expect(total.deliveries.failedAttempts).toBeGreaterThan(0);
    expect(total.deliveries.delivered).toBe(before.delivered + 1);
    expect(total.lag.p50Ms).toBeLessThan(60_000);
    expect(total.lag.p99Ms).toBeGreaterThanOrEqual(60_000);
  });

  test("a delivery that is given up counts as dead", async () => {
    c.hook.reply(() => new Response("gone", { status: 410 }));
    await c.sent();
    await w.advance(3 * DAY_MS);
    const { body } = await stats("?step=day");
    expect(body.total.deliveries).toMatchObject({ dead: (await now()).deliveries.dead });
    expect(body.total.deliveries.dead).toBeGreaterThan(0);
  });

  test("one phone is asked for by its id, and another's is not found", async () => {
    const second = await w.wabaPhone(c.key);
    await c.sent();
    await c.sent({ phoneId: second.id });
    await c.sent({ phoneId: second.id });
    expect((await stats()).body.total.messages.sent).toBe(3);
    expect((await stats(`?phoneId=${second.id}`)).body.total.messages).toMatchObject({ accepted: 2, sent: 2 });
    const other = await newCustomer(w);
    expect(await stats(`?phoneId=${c.phone.id}`, other.key)).toMatchObject({
      status: 404,
      body: { error: { code: "PHONE_NOT_FOUND" } },
    });
    expect((await stats("", other.key)).body.total.messages).toEqual(NONE);
  });

  test("days are sums of their hours in UTC, and a time has the hours that it touches", async () => {
    const at = w.clock.now();
    await c.sent();
    await w.advance(DAY_MS);
    await c.sent();
    const { body } = await stats("?step=day");
    expect(body.points).toHaveLength(30);
    expect(body.points.slice(-2).map((point: any) => point.messages.sent)).toEqual([1, 1]);
    const hour = await stats(`?since=${iso(at)}&until=${iso(at + 1)}`);
    expect(hour.body.points).toMatchObject([{ at: iso(hourOf(at) * HOUR_MS), messages: { sent: 1 } }]);
  });

  test("a time that is too long, or ends before it begins, is refused", async () => {
    const at = w.clock.now();
    expect(fieldsOf(await stats(`?since=${iso(at)}&until=${iso(at - 1)}`))).toEqual(["since"]);
    expect(fieldsOf(await stats(`?since=${iso(at - 40 * DAY_MS)}`))).toEqual(["since"]);
    expect(fieldsOf(await stats(`?step=day&since=${iso(at - 100 * DAY_MS)}`))).toEqual(["since"]);
    expect((await stats(`?step=day&since=${iso(at - 90 * DAY_MS)}`)).body.points).toHaveLength(91);
    expect((await stats("?step=week")).status).toBe(400);
  });

  test("neither a test key's messages, nor a deleted phone's kind, disturb the sums", async () => {
    await c.sent();
    await w.app.env.activity.flush();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect((await stats()).body).toMatchObject({ total: { messages: { sent: 1 } }, types: [{ type: "WABA" }] });
  });

  test("the administrator gets the same over all accounts", async () => {
    const sentBy = async () => {
      await w.app.env.activity.flush();
      return (await w.gateway("/v1/admin/stats", { admin: true })).body.activity.total.messages.sent;
    };
    const before = await sentBy();
    await c.sent();
    await (await newCustomer(w)).sent();
    expect(await sentBy()).toBe(before + 2);
    const { body } = await w.gateway("/v1/admin/stats?step=day", { admin: true });
    expect(body.activity.points).toHaveLength(30);
  });
});

describe("what waits now", () => {
  test("is the states of the phones, the queued messages and the deliveries", async () => {
    expect(await now()).toEqual({
      at: iso(w.clock.now()),
      phones: [{ type: "WABA", status: "CONNECTED", count: 1 }],
      messages: { queued: 0 },
      deliveries: { waiting: 0, dead: 0 },
    });
    c.hook.reply(() => new Response("no", { status: 500 }));
    await c.sent();
    w.graph.failNext(1, { kind: "http", status: 500 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    const [stored] = await rowsOf<{ queued: number; pending: number }>(
      w,
      `SELECT (SELECT count(*) FROM messages WHERE tenant_id = ?1 AND status = 'QUEUED') AS queued,
        (SELECT count(*) FROM deliveries WHERE tenant_id = ?1 AND status = 'PENDING') AS pending`,
      [c.accountId],
    );
    expect(await now()).toMatchObject({
      messages: { queued: stored?.queued },
      deliveries: { waiting: stored?.pending, dead: 0 },
    });
    expect(stored?.pending).toBeGreaterThan(0);
  });
});

describe("counts are kept in memory for seconds", () => {
  const place = (n = 0) => ({ tenantId: c.accountId as TenantId, channelId: n as unknown as ChannelId });
  const stored = async () =>
    (
      await rowsOf<{ sent: number }>(
        w,
        "SELECT coalesce(sum(sent), 0) AS sent FROM activity_hours WHERE tenant_id = ?1 AND channel_id = ''",
        [c.accountId],
      )
    )[0]?.sent;

  test("two processes add to the same hour", async () => {
    const { clock, db, log } = w.app.env;
    const [one, other] = [createActivity({ clock, db, log }), createActivity({ clock, db, log })];
    const where = { tenantId: c.accountId as TenantId, channelId: c.phone.id as ChannelId };
    for (const node of [one, other, one]) node.note(where, "sent");
    await Promise.all([one.flush(), other.flush()]);
    expect(await stored()).toBe(3);
    expect((await stats()).body.total.messages.sent).toBe(3);
  });

  test("nothing is written before three seconds, and it is then", async () => {
    const { clock, db, log } = w.app.env;
    const activity = createActivity({ clock, db, log });
    activity.note(place(), "sent");
    expect(await stored()).toBe(0);
    w.clock.advance(3000);
    await untilTrue(async () => (await stored()) === 1);
  });

  test("many channels are written before three seconds", async () => {
    const { clock, db, log } = w.app.env;
    const activity = createActivity({ clock, db, log });
    for (let n = 0; n < 600; n++) activity.note(place(n), "sent");
    await untilTrue(async () => (await stored()) === 500);
    await activity.flush();
    expect(await stored()).toBe(600);
  });

  test("a stop stores them, and what is counted later is not written", async () => {
    const { clock, db, log } = w.app.env;
    const activity = createActivity({ clock, db, log });
    activity.note(place(), "sent");
    await activity.stop();
    activity.note(place(), "sent");
    await activity.flush();
    expect(await stored()).toBe(1);
  });

  test("a restart stores them", async () => {
    await c.sent();
    await w.restart();
    expect((await stats()).body.total.messages).toMatchObject({ accepted: 1, sent: 1 });
  });

  test("hours go after 90 days", async () => {
    await c.sent();
    await w.app.env.activity.flush();
    const old = { ...place(), hour: hourOf(w.clock.now() - 91 * DAY_MS), counts: ACTIVITY_COUNTS.map(() => 7) };
    await w.app.env.db.write((tx) => addActivity(tx, [old]));
    expect(await stored()).toBe(8);
    await w.advance(2 * HOUR_MS);
    expect(await stored()).toBe(1);
  });
});
