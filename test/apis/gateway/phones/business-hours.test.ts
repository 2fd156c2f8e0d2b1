import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { hoursFrom, openingAt } from "../../../support/customers/business-hours.ts";
import { newCustomer, rowsOf, sendsOf } from "../../../support/customers/customer.ts";
import { onScheduled, payloadOf, scheduledOf } from "../../../support/customers/scheduled.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const ALWAYS = { isOpen: true, opensAt: null, source: "NONE", hours: null, updatedAt: null };
const WEEK = { monday: [{ from: "09:00", to: "18:00" }] };
const OFFICE = { timeZone: "America/Sao_Paulo", weekly: WEEK };
const CLOSED = { sunday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [] };

const of = (path: string, call: object = {}, key = c.key) => w.gateway(path, { key, ...call });
const account = "/v1/business-hours";
const phone = () => `/v1/phones/${c.phone.id}/business-hours`;
const put = (path: string, body: object) => of(path, { method: "PUT", body });
const rows = () => rowsOf(w, "SELECT * FROM business_hours WHERE tenant_id = ?1", [c.accountId]);

describe("business hours", () => {
  test("without any it is always open", async () => {
    expect((await of(account)).body).toEqual(ALWAYS);
    expect((await of(phone())).body).toEqual(ALWAYS);
  });

  test("of the account count for its phones, until a phone has its own, and again when these are removed", async () => {
    const hours = { ...OFFICE, weekly: { ...CLOSED, ...WEEK }, holidays: "NONE", dates: [] };
    expect((await put(account, OFFICE)).body).toMatchObject({ source: "ACCOUNT", hours });
    expect((await of(phone())).body).toMatchObject({ source: "ACCOUNT", hours });
    const open = (await put(phone(), hoursFrom(w, -HOUR_MS / 2))).body;
    expect([open.source, open.isOpen, open.opensAt]).toEqual(["CHANNEL", true, null]);
    expect((await of(account)).body).toMatchObject({ source: "ACCOUNT", hours });
    expect((await of(phone(), { method: "DELETE" })).status).toBe(204);
    expect((await of(phone())).body.source).toBe("ACCOUNT");
    expect((await of(account, { method: "DELETE" })).status).toBe(204);
    expect((await of(account)).body).toEqual(ALWAYS);
  });

  test("say when they open next", async () => {
    const { isOpen, opensAt } = (await put(account, hoursFrom(w, 3 * HOUR_MS))).body;
    expect([isOpen, opensAt]).toEqual([false, openingAt(w, 3 * HOUR_MS)]);
  });

  test("of a deleted phone go with it", async () => {
    await put(phone(), OFFICE);
    await of(`/v1/phones/${c.phone.id}`, { method: "DELETE" });
    expect(await rows()).toEqual([]);
  });

  test("are nobody else's", async () => {
    const stranger = await newCustomer(w);
    for (const call of [{}, { method: "PUT", body: OFFICE }, { method: "DELETE" }])
      expect(gatewaySays(await of(phone(), call, stranger.key))).toBe("404 PHONE_NOT_FOUND");
    await put(account, OFFICE);
    expect((await of(account, {}, stranger.key)).body).toEqual(ALWAYS);
  });

  const times = (count: number) => Array.from({ length: count }, () => ({ from: "09:00", to: "10:00" }));
  const dates = (count: number) =>
    Array.from({ length: count }, (_, day) => ({ date: new Date(day * DAY_MS).toISOString().slice(0, 10) }));
  test.each([
    ["timeZone", { timeZone: "America/Sampa" }],
    ["timeZone", { timeZone: "+03:00" }],
    ["timeZone", { timeZone: undefined }],
    ["weekly", { weekly: {} }],
    ["weekly", { weekly: { monday: [] } }],
    ["weekly", { weekly: { monday: [{ from: "9:00", to: "18:00" }] } }],
    ["weekly", { weekly: { monday: [{ from: "24:00", to: "18:00" }] } }],
    ["weekly", { weekly: { monday: times(5) } }],
    ["holidays", { holidays: "ALL" }],
    ["dates", { dates: [{ date: "2026-02-30" }] }],
    ["dates", { dates: [{ date: "24/12/2026" }] }],
    ["dates", { dates: [{ date: "2026-12-24" }, { date: "2026-12-24" }] }],
    ["dates", { dates: dates(101) }],
  ])("with wrong %s are refused, and nothing changes", async (field, change) => {
    expect(fieldsOf(await put(account, { ...OFFICE, ...change }))).toEqual([field]);
    expect(await rows()).toEqual([]);
  });

  test("take four times a day and a hundred days", async () => {
    expect((await put(account, { ...OFFICE, weekly: { monday: times(4) }, dates: dates(100) })).status).toBe(200);
  });
});

describe("a scheduled message", () => {
  const AT = () => new Date(w.clock.now() + HOUR_MS).toISOString();
  const schedule = (more: object) =>
    of("/v1/messages/scheduled", { body: { scheduledAt: AT(), payload: payloadOf(c), ...more } });

  test("is sent at its time, also outside business hours, unless it respects them", async () => {
    await put(account, hoursFrom(w, 3 * HOUR_MS));
    const { scheduledAt, movedFrom } = (await schedule({})).body;
    expect([scheduledAt, movedFrom]).toEqual([AT(), undefined]);
  });

  test("that respects them moves to the next opening, says so, and is sent then", async () => {
    await put(account, hoursFrom(w, 3 * HOUR_MS));
    const moved = (await schedule({ respectHours: true })).body;
    expect(moved).toMatchObject({ scheduledAt: openingAt(w, 3 * HOUR_MS), movedFrom: AT(), status: "PENDING" });
    expect(await scheduledOf(w, c, moved.id)).toMatchObject({
      scheduledAt: moved.scheduledAt,
      movedFrom: moved.movedFrom,
    });
    await w.advance(2 * HOUR_MS);
    expect(sendsOf(w, c)).toEqual([]);
    await w.advance(HOUR_MS);
    await w.settle();
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test("that respects them stays where it is while they are open, and where there are none", async () => {
    expect((await schedule({ respectHours: true })).body).toMatchObject({ scheduledAt: AT() });
    await put(phone(), hoursFrom(w, HOUR_MS / 2));
    const stays = (await schedule({ respectHours: true })).body;
    expect([stays.scheduledAt, stays.movedFrom]).toEqual([AT(), undefined]);
  });

  test("that is moved by hand respects them when that is said again", async () => {
    await put(account, hoursFrom(w, 3 * HOUR_MS));
    const { id } = (await schedule({})).body;
    const scheduledAt = new Date(w.clock.now() + 2 * HOUR_MS).toISOString();
    const moved = (await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt, respectHours: true } })).body;
    expect(moved).toMatchObject({ scheduledAt: openingAt(w, 3 * HOUR_MS), movedFrom: scheduledAt });
    const back = (await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt } })).body;
    expect([back.scheduledAt, back.movedFrom]).toEqual([scheduledAt, undefined]);
  });
});
