import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const WAITS_MS = [
  5 * SECOND_MS,
  25 * SECOND_MS,
  2 * MINUTE_MS,
  7.5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

const w = useWorld();
const c = useEach(() => newCustomer(w));

const answering = (...answers: [status: number, headers?: Record<string, string>][]) =>
  c.hook.reply((_, index) => {
    const [status, headers = {}] = answers[Math.min(index, answers.length - 1)] ?? [200];
    return new Response("the answer", { status, headers });
  });

/** Has one message come in; the id of its event. */
const receive = async (): Promise<string> => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
  await w.settle();
  return (await c.events("?type=message:received"))[0].id;
};

/** How long the delivery's next attempt is said to be away; null when there is none. */
const nextRetryIn = async (id: string): Promise<number | null> => {
  const { nextRetryAt } = await c.event(id);
  return nextRetryAt === null ? null : Date.parse(nextRetryAt) - w.clock.now();
};
const arrivals = () => c.hook.arrived.length;

test("G-587 G-588 G-589 G-590 G-591 GAP-G53 nine attempts at the times of nextRetryAt, then a dead letter", async () => {
  answering([500]);
  const startedAt = w.clock.now();
  const id = await receive();
  for (const [index, wait] of WAITS_MS.entries()) {
    expect([arrivals(), await nextRetryIn(id)]).toEqual([index + 1, wait]);
    expect(await c.event(id)).toMatchObject({
      status: "PENDING",
      attempts: index + 1,
      lastStatusCode: 500,
      lastError: "HTTP 500",
      deliveredAt: null,
    });
    await w.advance(wait - 1);
    expect(arrivals()).toBe(index + 1);
    await w.advance(1);
    expect(arrivals()).toBe(index + 2);
  }
  expect(w.clock.now() - startedAt).toBe(20 * HOUR_MS + 40 * MINUTE_MS);
  expect(await c.event(id)).toMatchObject({
    status: "DEAD",
    attempts: 9,
    nextRetryAt: null,
    lastStatusCode: 500,
    lastError: "HTTP 500",
    deliveredAt: null,
  });
  expect(c.hook.arrived.map(({ headers }) => headers["x-gateway-attempt"])).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
  ]);
  await w.advance(10 * DAY_MS);
  expect(arrivals()).toBe(9);
});

test("G-588 the schedule survives restarts of the process", async () => {
  answering([500]);
  await receive();
  for (const wait of WAITS_MS) {
    await w.restart();
    await w.advance(wait - 1);
    await w.restart();
    await w.advance(1);
  }
  expect(c.hook.arrived.map(({ headers }) => Number(headers["x-gateway-attempt"]))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
});

test.each([300, 301, 302, 304, 307, 400, 401, 403, 404, 422, 429, 500, 502, 503])(
  "G-592 GAP-G54 an answer of %i is a failure like any other, and is tried again",
  async (status) => {
    c.hook.reply((_, index) =>
      index === 0
        ? new Response(null, { status, headers: { location: `${c.hook.url}/elsewhere` } })
        : new Response("ok"),
    );
    const id = await receive();
    expect([arrivals(), await nextRetryIn(id)]).toEqual([1, WAITS_MS[0] ?? 0]);
    expect(await c.event(id)).toMatchObject({ status: "PENDING", lastStatusCode: status, lastError: `HTTP ${status}` });
    await w.advance(WAITS_MS[0] ?? 0);
    expect(await c.event(id)).toMatchObject({
      status: "DELIVERED",
      attempts: 2,
      lastStatusCode: 200,
      lastError: null,
      nextRetryAt: null,
      deliveredAt: new Date(w.clock.now()).toISOString(),
    });
  },
);

test("GAP-G53 410 sends the event to the dead letters at once", async () => {
  answering([410]);
  const id = await receive();
  expect(await c.event(id)).toMatchObject({ status: "DEAD", attempts: 1, lastStatusCode: 410, nextRetryAt: null });
  await w.advance(DAY_MS);
  expect(arrivals()).toBe(1);
});

describe("Retry-After", () => {
  const cases: [what: string, status: number, asked: string, wait: number][] = [
    ["of 429 within the wait changes nothing", 429, "3", 5 * SECOND_MS],
    ["of 429 lengthens the wait", 429, "7", 7 * SECOND_MS],
    ["of 503 lengthens it", 503, "9", 9 * SECOND_MS],
    ["lengthens it to twice at the most", 429, "3600", 10 * SECOND_MS],
    ["as a date", 503, "at +8 s", 8 * SECOND_MS],
    ["as nonsense changes nothing", 429, "soon", 5 * SECOND_MS],
    ["that is negative changes nothing", 429, "-5", 5 * SECOND_MS],
    ["of 500 changes nothing", 500, "9", 5 * SECOND_MS],
  ];
  test.each(cases)("GAP-G53 %s", async (_, status, asked, wait) => {
    answering(
      [status, { "retry-after": asked === "at +8 s" ? new Date(w.clock.now() + 8000).toUTCString() : asked }],
      [200],
    );
    const id = await receive();
    expect(await nextRetryIn(id)).toBe(wait);
    await w.advance(wait - 1);
    expect(arrivals()).toBe(1);
    await w.advance(1);
    expect(arrivals()).toBe(2);
  });

  test("G-589 GAP-G53 never lengthens the last wait", async () => {
    answering([429, { "retry-after": "999999" }]);
    const id = await receive();
    for (const wait of WAITS_MS.slice(0, 7)) {
      expect(await nextRetryIn(id)).toBe(2 * wait);
      await w.advance(2 * wait);
    }
    expect(await nextRetryIn(id)).toBe(12 * HOUR_MS);
  });
});

test("a refused connection is a failure too, and says so", async () => {
  await c.hook.stop();
  const id = await receive();
  expect(await c.event(id)).toMatchObject({
    status: "PENDING",
    attempts: 1,
    lastStatusCode: 0,
    lastError: expect.stringMatching(/^connect: /),
  });
});

describe("webhook:failed", () => {
  /** A second phone of the account, with a webhook of its own. */
  const bystander = async (events?: string[]) => {
    const hook = w.receiver();
    await w.wabaPhone(c.key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET, ...(events ? { events } : {}) } });
    hook.arrived.length = 0;
    return hook;
  };

  test("G-598 G-583 GAP-G56 GAP-G57 a lost delivery is published to the account's other targets only", async () => {
    const [other, deaf] = [await bystander(), await bystander(["message:received"])];
    const stranger = await newCustomer(w);
    answering([410]);
    const id = await receive();
    const failure = {
      eventId: id,
      eventType: "message:received",
      url: c.hook.url,
      attempts: 1,
      lastStatusCode: 410,
      lastError: "HTTP 410",
    };
    expect(other.arrived.map(({ body }) => [body.type, body.accountId, body.phoneId, body.data])).toEqual([
      ["webhook:failed", c.accountId, null, failure],
    ]);
    expect([arrivals(), deaf.arrived.length, stranger.hook.arrived.length]).toEqual([1, 0, 0]);
    expect((await c.events("?type=webhook:failed")).map(({ phoneId, status }) => [phoneId, status])).toEqual([
      [null, "DELIVERED"],
    ]);
  });

  test("G-598 it is published after the ninth attempt, not before", async () => {
    const other = await bystander();
    answering([500]);
    await receive();
    for (const wait of WAITS_MS.slice(0, 7)) await w.advance(wait);
    expect(other.arrived).toEqual([]);
    await w.advance(WAITS_MS[7] ?? 0);
    expect(receivedBy(other)).toMatchObject([{ attempts: 9, lastStatusCode: 500 }]);
  });

  test("GAP-G57 it is never published for a webhook:failed", async () => {
    const other = await bystander();
    other.reply(() => new Response("", { status: 410 }));
    answering([410]);
    await receive();
    await w.advance(DAY_MS);
    expect([receivedBy(other).length, (await c.events("?type=webhook:failed")).length]).toEqual([1, 1]);
    expect(arrivals()).toBe(1);
  });
});
