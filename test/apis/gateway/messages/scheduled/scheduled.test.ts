import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, rowsOf, tracesOf } from "../../../../support/customers/customer.ts";
import {
  inMs,
  onScheduled,
  payloadOf,
  schedule,
  scheduled,
  scheduledOf,
  schedulesOf,
  seedScheduled,
} from "../../../../support/customers/scheduled.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN_ID = "0198a000-1111-4222-8333-444455556666";
const MAX_PENDING = 10_000;

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const tracesWith = async () => ({ ...(await tracesOf(w, c)), scheduled: await schedulesOf(w, c) });
const list = (query = "") => w.gateway(`/v1/messages/scheduled${query}`, { key: c.key });
const idsIn = async (query = ""): Promise<string[]> => {
  const { status, body, text } = await list(query);
  if (status !== 200) throw new Error(text);
  return body.items.map(({ id }: { id: string }) => id);
};

test("G-413 G-428 what is scheduled is answered 201 with its id, its time, PENDING and when it was made, and nothing else", async () => {
  const scheduledAt = inMs(w, HOUR_MS);
  const { status, body } = await schedule(w, c, { scheduledAt });
  expect({ status, body }).toEqual({
    status: 201,
    body: { id: expect.stringMatching(UUID_V4), scheduledAt, status: "PENDING", createdAt: inMs(w, 0) },
  });
  expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
});

test("G-421 G-014 the detail holds the payload as it was sent, and the list, which no id can hide, does not", async () => {
  const payload = payloadOf(c, { idempotencyKey: "a-key-of-eight", content: { text: "São João 🎉" } });
  const { id } = (await schedule(w, c, { payload })).body;
  expect(await scheduledOf(w, c, id)).toEqual({
    id,
    phoneId: c.phone.id,
    scheduledAt: inMs(w, 60_000),
    status: "PENDING",
    messageId: null,
    failedReason: null,
    createdAt: inMs(w, 0),
    updatedAt: inMs(w, 0),
    payload,
  });
  const { status, body } = await list();
  expect([status, body.nextCursor, body.items.length, Object.keys(body.items[0]).includes("payload")]).toEqual([
    200,
    null,
    1,
    false,
  ]);
});

describe("scheduling refuses by field what is no time or no send, and nothing happens", () => {
  const cases: [rule: string, change: (c: Customer) => Parameters<typeof schedule>[2], field: string][] = [
    ["G-410 no scheduledAt", () => ({ scheduledAt: null }), "scheduledAt"],
    ["G-410 a scheduledAt that is no time", () => ({ scheduledAt: "tomorrow" }), "scheduledAt"],
    ["G-410 a scheduledAt that is a day", () => ({ scheduledAt: inMs(w, 3 * DAY_MS).slice(0, 10) }), "scheduledAt"],
    ["G-410 a scheduledAt in milliseconds", () => ({ scheduledAt: 1_900_000_000_000 }), "scheduledAt"],
    [
      "GAP-G45 a scheduledAt more than 365 days ahead",
      () => ({ scheduledAt: inMs(w, 365 * DAY_MS + 1) }),
      "scheduledAt",
    ],
    ["G-412 no payload", () => ({ payload: null }), "payload"],
    ["G-412 a payload that is no object", () => ({ payload: "olá" }), "payload"],
    ["G-412 an empty payload", () => ({ payload: {} }), "payload"],
    ["G-412 a payload without to", (who) => ({ payload: payloadOf(who, { to: undefined }) }), "payload"],
    ["G-412 a payload of an unknown type", (who) => ({ payload: payloadOf(who, { type: "poll" }) }), "payload"],
    [
      "G-412 a payload whose content is of another type",
      (who) => ({ payload: payloadOf(who, { content: { caption: "olá" } }) }),
      "payload",
    ],
    [
      "G-412 a payload whose text is too long",
      (who) => ({ payload: payloadOf(who, { content: { text: "x".repeat(4097) } }) }),
      "payload",
    ],
    [
      "G-312 G-412 a payload with the link of a private address",
      (who) => ({ payload: payloadOf(who, { type: "image", content: { mediaUrl: "https://10.0.0.1/a" } }) }),
      "payload",
    ],
    [
      "G-412 a payload whose idempotency key is too short",
      (who) => ({ payload: payloadOf(who, { idempotencyKey: "short" }) }),
      "payload",
    ],
  ];
  test.each(cases)("%s", async (_, change, field) => {
    const before = await tracesWith();
    expect(fieldsOf(await schedule(w, c, change(c)))).toEqual([field]);
    expect(await tracesWith()).toEqual(before);
  });

  test("G-412 and says which field of the payload it is", async () => {
    const { body } = await schedule(w, c, { payload: payloadOf(c, { content: { text: "" } }) });
    expect(body.error.details.fieldErrors.payload).toEqual(["content.text must have at least 1 character"]);
  });
});

test("G-411 GAP-G45 exactly 5 seconds ahead is taken, a millisecond less is refused, the past too, and nothing happens", async () => {
  expect((await schedule(w, c, { scheduledAt: inMs(w, 5000) })).status).toBe(201);
  expect((await schedule(w, c, { scheduledAt: inMs(w, 365 * DAY_MS) })).status).toBe(201);
  const before = await tracesWith();
  for (const aheadMs of [4999, 0, -DAY_MS])
    expect(gatewaySays(await schedule(w, c, { scheduledAt: inMs(w, aheadMs) }))).toBe("400 SCHEDULE_TOO_SOON");
  expect(await tracesWith()).toEqual(before);
});

test("GAP-G45 the phone must be the account's and able to send this to there; it need not be connected", async () => {
  const stranger = await newCustomer(w);
  const phone = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body;
  const before = await tracesWith();
  for (const phoneId of [UNKNOWN_ID, stranger.phone.id])
    expect(gatewaySays(await schedule(w, c, { payload: payloadOf(c, { phoneId }) }))).toBe("404 PHONE_NOT_FOUND");
  expect(gatewaySays(await schedule(w, c, { payload: payloadOf(c, { to: "+5511999990001" }) }))).toBe("400 INVALID_TO");
  expect(await tracesWith()).toEqual(before);
  expect(gatewaySays(await schedule(w, c, { payload: payloadOf(c, { phoneId: phone.id }) }))).toBe("201");
});

test("G-414 an account may have 10000 pending ones; one more is refused and nothing happens, until one is cancelled", async () => {
  await seedScheduled(w, c, { count: MAX_PENDING - 1, status: "PENDING", scheduledAt: w.clock.now() + DAY_MS });
  const last = await scheduled(w, c);
  const before = await tracesWith();
  const refusal = await schedule(w, c);
  expect(gatewaySays(refusal)).toBe("429 SCHEDULE_QUOTA_EXCEEDED");
  expect(refusal.headers.get("retry-after")).toBe("60");
  expect(await tracesWith()).toEqual(before);
  const other = await newCustomer(w);
  expect(gatewaySays(await schedule(w, other))).toBe("201");
  expect(gatewaySays(await onScheduled(w, c, last, { method: "DELETE" }))).toBe("204");
  expect(gatewaySays(await schedule(w, c))).toBe("201");
});

describe("the list", () => {
  test("G-415 G-416 G-417 G-418 is filtered by status, by a span of time with both its ends, and by phone", async () => {
    const second = await w.wabaPhone(c.key);
    const ids = [
      await scheduled(w, c, 10_000),
      await scheduled(w, c, 20_000),
      await scheduled(w, c, 30_000, { phoneId: second.id }),
    ] as const;
    await onScheduled(w, c, ids[1], { method: "DELETE" });
    expect((await idsIn()).toSorted()).toEqual([...ids].toSorted());
    expect(await idsIn("?status=CANCELED")).toEqual([ids[1]]);
    expect((await idsIn("?status=PENDING")).toSorted()).toEqual([ids[0], ids[2]].toSorted());
    expect(await idsIn("?status=SENT")).toEqual([]);
    expect(await idsIn(`?from=${inMs(w, 20_000)}&to=${inMs(w, 20_000)}`)).toEqual([ids[1]]);
    expect(await idsIn(`?from=${inMs(w, 20_001)}`)).toEqual([ids[2]]);
    expect(await idsIn(`?to=${inMs(w, 19_999)}`)).toEqual([ids[0]]);
    expect(await idsIn(`?phoneId=${second.id}`)).toEqual([ids[2]]);
    expect(await idsIn(`?phoneId=${second.id}&status=CANCELED`)).toEqual([]);
    expect(await idsIn(`?phoneId=${UNKNOWN_ID}`)).toEqual([]);
  });

  test("is newest first", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.unshift(await scheduled(w, c, 60_000 - n * 10_000));
      await w.advance(1);
    }
    expect(await idsIn()).toEqual(ids);
  });

  test("G-419 G-420 is read page by page: 60 in pages of 50 and 10, each one once", async () => {
    await seedScheduled(w, c, { count: 60, status: "PENDING", scheduledAt: w.clock.now() + DAY_MS });
    const first = (await list()).body;
    const second = (await list(`?cursor=${first.nextCursor}`)).body;
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([50, 10, null]);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(60);
    expect((await list("?limit=200")).body.items).toHaveLength(60);
  });

  test("a page looks at 5000 at most: what is rare is found by going on", async () => {
    await seedScheduled(w, c, { count: 12_000, status: "SENT", scheduledAt: w.clock.now() - DAY_MS });
    await w.app.env.db.write(async (tx) =>
      tx.rows("UPDATE scheduled SET scheduled_at = 7 WHERE id = (SELECT min(id) FROM scheduled WHERE tenant_id = ?1)", [
        c.accountId,
      ]),
    );
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages++) {
      const { body }: { body: any } = await list(
        `?status=SENT&to=1970-01-02T00:00:00Z${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...body.items.map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt));
      cursor = body.nextCursor;
    }
    expect([found, pages]).toEqual([["1970-01-01T00:00:00.007Z"], 3]);
  });

  test.each([
    "status=pending",
    "status=",
    "from=yesterday",
    "to=1",
    "phoneId=abc",
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=abc",
    `cursor=${UNKNOWN_ID}`,
  ])("G-418 G-419 refuses ?%s by its name", async (query) => {
    expect(fieldsOf(await list(`?${query}`))).toEqual([query.split("=")[0] ?? ""]);
  });

  test("G-420 refuses another account's id as a cursor", async () => {
    const stranger = await newCustomer(w);
    const theirs = await scheduled(w, stranger);
    expect(fieldsOf(await list(`?cursor=${theirs}`))).toEqual(["cursor"]);
  });
});

describe("what is pending", () => {
  test("G-423 may be put to another time, sooner or later, and stays PENDING", async () => {
    const id = await scheduled(w, c, HOUR_MS);
    for (const aheadMs of [5000, 2 * HOUR_MS]) {
      const { status, body } = await onScheduled(w, c, id, {
        method: "PATCH",
        body: { scheduledAt: inMs(w, aheadMs) },
      });
      expect([status, body]).toEqual([200, await scheduledOf(w, c, id)]);
      expect(body).toMatchObject({ id, scheduledAt: inMs(w, aheadMs), status: "PENDING" });
      expect(await schedulesOf(w, c)).toMatchObject([
        { scheduled_at: w.clock.now() + aheadMs, run_at: w.clock.now() + aheadMs },
      ]);
    }
  });

  test("G-424 GAP-G45 may not be put to a time too soon, too far or none at all, and nothing happens", async () => {
    const id = await scheduled(w, c, HOUR_MS);
    const patch = (scheduledAt: unknown) => onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt } });
    const before = await tracesWith();
    expect(gatewaySays(await patch(inMs(w, 4999)))).toBe("400 SCHEDULE_TOO_SOON");
    for (const scheduledAt of [undefined, "soon", inMs(w, 365 * DAY_MS + 1)])
      expect(fieldsOf(await patch(scheduledAt))).toEqual(["scheduledAt"]);
    expect(await tracesWith()).toEqual(before);
  });

  test("G-426 G-427 G-425 may be cancelled once, with 204; then it is CANCELED and can be changed no more", async () => {
    const id = await scheduled(w, c);
    expect(gatewaySays(await onScheduled(w, c, id, { method: "DELETE" }))).toBe("204");
    expect((await scheduledOf(w, c, id)).status).toBe("CANCELED");
    const before = await tracesWith();
    expect(gatewaySays(await onScheduled(w, c, id, { method: "DELETE" }))).toBe("409 SCHEDULED_NOT_PENDING");
    expect(gatewaySays(await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt: inMs(w, HOUR_MS) } }))).toBe(
      "409 SCHEDULED_NOT_PENDING",
    );
    expect(await tracesWith()).toEqual(before);
  });
});

test("G-422 an unknown id and another account's are not found, by whatever method", async () => {
  const stranger = await newCustomer(w);
  const theirs = await scheduled(w, stranger);
  const before = await schedulesOf(w, stranger);
  for (const id of [UNKNOWN_ID, "nonsense", theirs]) {
    expect(gatewaySays(await w.gateway(`/v1/messages/scheduled/${id}`, { key: c.key }))).toBe(
      "404 SCHEDULED_NOT_FOUND",
    );
    expect(gatewaySays(await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt: inMs(w, HOUR_MS) } }))).toBe(
      "404 SCHEDULED_NOT_FOUND",
    );
    expect(gatewaySays(await onScheduled(w, c, id, { method: "DELETE" }))).toBe("404 SCHEDULED_NOT_FOUND");
  }
  expect(await schedulesOf(w, stranger)).toEqual(before);
});

test("the list says to whom and what, and has an order by the time of sending, in pages", async () => {
  const who = await newCustomer(w);
  const at = (hours: number) => inMs(w, hours * 3_600_000);
  const made = async (hours: number, payload: object) =>
    (await schedule(w, who, { scheduledAt: at(hours), payload: payloadOf(who, payload) })).body.id;
  const late = await made(5, { content: { text: "x".repeat(300) } });
  const soon = await made(1, { type: "image", content: { mediaUrl: "https://example.com/a.png", caption: "oi" } });
  const place = await made(3, { type: "location", content: { latitude: 1, longitude: 2 } });
  const list = async (query: string) => (await w.gateway(`/v1/messages/scheduled?${query}`, { key: who.key })).body;
  const { items } = await list("sort=scheduledAt");
  expect(items.map(({ id, to, type, preview }: Record<string, unknown>) => [id, to, type, preview])).toEqual([
    [soon, payloadOf(who, {}).to, "image", "oi"],
    [place, payloadOf(who, {}).to, "location", null],
    [late, payloadOf(who, {}).to, "text", "x".repeat(200)],
  ]);
  const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
  expect(ids(await list(""))).toEqual([place, soon, late]);
  const first = await list("sort=scheduledAt&limit=2");
  expect([ids(first), first.nextCursor]).toEqual([[soon, place], place]);
  expect(ids(await list(`sort=scheduledAt&limit=2&cursor=${place}`))).toEqual([late]);
  expect(ids(await list(`sort=scheduledAt&status=PENDING&from=${encodeURIComponent(at(2))}`))).toEqual([place, late]);
  expect((await w.gateway("/v1/messages/scheduled?sort=to", { key: who.key })).status).toBe(400);
});

describe("the scheduled messages to one person", () => {
  const toPerson = async (query: string) => {
    const { body } = await w.gateway(`/v1/messages/scheduled?${query}`, { key: c.key });
    return { ids: body.items.map((one: any) => one.id), nextCursor: body.nextCursor };
  };

  test("are found by the number in any spelling, the key and the contact's id, page by page", async () => {
    const other = await scheduled(w, c, 60_000, { to: "5521977776666" });
    const first = await scheduled(w, c, 60_000, { to: "5511988887777" });
    const second = await scheduled(w, c, 90_000, { to: "+55 (11) 98888-7777" });
    const both = { ids: [second, first], nextCursor: null };
    for (const contact of ["5511988887777", "551188887777", "pn:5511988887777", "+55 11 98888-7777"])
      expect(await toPerson(`contact=${encodeURIComponent(contact)}`)).toEqual(both);
    expect((await toPerson("contact=5521977776666")).ids).toEqual([other]);
    expect((await toPerson("contact=5521900000000")).ids).toEqual([]);
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: "5511988887777", text: "oi", at: w.clock.now() });
    await w.settle();
    const [chat] = (await w.gateway("/v1/chats", { key: c.key })).body.items;
    expect(await toPerson(`contact=${chat.contact.id}`)).toEqual(both);
    const page = await toPerson(`contact=${chat.contact.id}&limit=1`);
    expect(page).toEqual({ ids: [second], nextCursor: second });
    expect(await toPerson(`contact=${chat.contact.id}&limit=1&cursor=${second}`)).toEqual({
      ids: [first],
      nextCursor: null,
    });
    expect((await toPerson(`contact=${chat.contact.id}&status=SENT`)).ids).toEqual([]);
  });
});
