import { describe, expect, test } from "bun:test";
import { DAY_MS, SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, sendsOf, TO } from "../../../../support/customers/customer.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";
import type { World } from "../../../../support/world.ts";

const w = useWorld({ logLevel: "debug" });
const c = useEach(() => newCustomer(w));

type Failure = Parameters<World["graph"]["failNext"]>[1];
const ERROR = (code: number): Failure => ({ kind: "error", code });

/** The next `count` sends of the customer's phone fail so. */
const failing = (count: number, failure: Failure) =>
  w.graph.failNext(count, failure, { phoneNumberId: c.phone.phoneNumberId });

describe("a refusal that the same message would meet again", () => {
  test.each([132000, 132005, 132012, 132015, 132016, 132018, 131047, 131026])(
    "G-640 G-643 G-394 G-621 G-622 G-644 code %i ends the message FAILED at the first try",
    async (code) => {
      failing(9, ERROR(code));
      const id = await c.sent();
      const { status, failedReason } = await c.message(id);
      expect([status, failedReason.startsWith(`[UPSTREAM_BAD_REQUEST] (#${code}) `)]).toEqual(["FAILED", true]);
      expect(receivedBy(c.hook, "message:status")).toMatchObject([
        { messageId: id, status: "failed", errors: [{ code, title: "UPSTREAM_BAD_REQUEST" }] },
      ]);
      await w.advance(DAY_MS);
      expect(sendsOf(w, c)).toHaveLength(1);
      w.graph.clearFailures();
    },
  );
});

test("the limit of one person (131056) holds back that person alone", async () => {
  w.graph.failNext(3, ERROR(131056), { phoneNumberId: c.phone.phoneNumberId, to: TO });
  const limited = await c.sent();
  const others = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => (await c.send({ to: `551198877000${n}` })).body.messageId),
  );
  await w.settle();
  expect(await Promise.all(others.map(async (id) => (await c.message(id)).status))).toEqual(others.map(() => "SENT"));
  expect((await c.message(limited)).status).toBe("QUEUED");
  for (let n = 0; n < 3; n++) await w.advance(6 * SECOND_MS);
  expect((await c.message(limited)).status).toBe("SENT");
});

describe("a refusal that may pass", () => {
  const PASSING: [rule: string, failure: Failure][] = [
    ["G-641 132001, a template whose approval has not reached everywhere", ERROR(132001)],
    ["G-642 GAP-G39 another 400 of the upstream: 100", ERROR(100)],
    ["G-642 133010", ERROR(133010)],
    ["G-642 131009", ERROR(131009)],
    ["a 500 of the upstream", ERROR(131000)],
    ["a page of some proxy with 502", { kind: "http", status: 502 }],
  ];
  test.each(PASSING)("%s: tried again after 2 s, and SENT when it has passed", async (_, failure) => {
    failing(1, failure);
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({ status: "QUEUED", failedReason: null });
    await w.advance(2 * SECOND_MS - 1);
    expect(sendsOf(w, c)).toHaveLength(1);
    await w.advance(1);
    expect((await c.message(id)).status).toBe("SENT");
    expect(receivedBy(c.hook, "message:status").map(({ status }) => status)).toEqual(["sent"]);
  });

  test("G-642 GAP-G39 is tried 5 times, after 2, 10, 30 and 120 s, and ends FAILED with the last code", async () => {
    failing(4, ERROR(131000));
    failing(1, ERROR(133015));
    const id = await c.sent();
    for (const [index, seconds] of [2, 10, 30, 120].entries()) {
      await w.advance(seconds * SECOND_MS - 1);
      expect([seconds, sendsOf(w, c).length, (await c.message(id)).status]).toEqual([seconds, index + 1, "QUEUED"]);
      await w.advance(1);
      expect(sendsOf(w, c)).toHaveLength(index + 2);
    }
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#133015\) /),
    });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { status: "failed", errors: [{ code: 133015, title: "UPSTREAM_BAD_REQUEST" }] },
    ]);
    await w.advance(DAY_MS);
    expect(sendsOf(w, c)).toHaveLength(5);
  });

  test("G-621 GAP-G39 a failure without a code of the upstream is published with 0", async () => {
    failing(5, { kind: "http", status: 503 });
    const id = await c.sent();
    for (const seconds of [2, 10, 30, 120]) await w.advance(seconds * SECOND_MS);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_UNAVAILABLE\] /),
    });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { status: "failed", errors: [{ code: 0, title: "UPSTREAM_UNAVAILABLE" }] },
    ]);
  });

  test("GAP-G39 it does not hold up the messages to others", async () => {
    w.graph.failRecipient("5511999990009", ERROR(131000));
    const [stuck, free] = [await c.sent({ to: "5511999990009" }), await c.sent()];
    expect([(await c.message(stuck)).status, (await c.message(free)).status]).toEqual(["QUEUED", "SENT"]);
    w.graph.clearFailures();
  });
});

describe("a rate limit of the upstream", () => {
  test.each([4, 17, 32, 80007, 130429, 131048])(
    "G-645 GAP-G39 code %i slows the whole phone for 30 s, is logged, and does not count as a try",
    async (code) => {
      w.graph.fail({ failure: ERROR(code), phoneNumberId: c.phone.phoneNumberId, isLasting: true });
      const id = await c.sent();
      const other = await c.sent({ to: "5511999990002" });
      expect(sendsOf(w, c)).toHaveLength(1);
      for (let turn = 0; turn < 7; turn++) {
        const before = sendsOf(w, c).length;
        await w.advance(30 * SECOND_MS - 1);
        expect(sendsOf(w, c)).toHaveLength(before);
        await w.advance(1);
        expect(sendsOf(w, c).length).toBeGreaterThan(before);
        expect([(await c.message(id)).status, (await c.message(other)).status]).toEqual(["QUEUED", "QUEUED"]);
      }
      w.graph.clearFailures();
      await w.advance(30 * SECOND_MS);
      expect([(await c.message(id)).status, (await c.message(other)).status]).toEqual(["SENT", "SENT"]);
      expect(receivedBy(c.hook, "message:status").map(({ status }) => status)).toEqual(["sent", "sent"]);
      const logged = w.logs
        .map((line): Record<string, unknown> => JSON.parse(line))
        .filter(({ channelId, upstreamCode }) => channelId === c.phone.id && upstreamCode === code);
      expect(logged.length).toBeGreaterThan(0);
      expect(new Set(logged.map((line) => line["code"]))).toEqual(new Set(["UPSTREAM_RATE_LIMIT"]));
    },
  );

  test("GAP-G39 what waited for it goes out in the order in which it was accepted", async () => {
    failing(1, ERROR(130429));
    const words = Array.from({ length: 12 }, (_, n) => `word ${n}`);
    for (const text of words) {
      expect((await c.send({ content: { text } })).status).toBe(202);
      w.clock.advance(1);
    }
    await w.settle();
    await w.advance(30 * SECOND_MS);
    const tried = sendsOf(w, c).map((body: any) => body.text.body);
    expect(tried).toEqual(["word 0", ...words]);
  });

  test("GAP-G39 another phone is not slowed", async () => {
    failing(1, ERROR(130429));
    const other = await newCustomer(w);
    await c.sent();
    expect((await other.message(await other.sent())).status).toBe("SENT");
  });

  test("GAP-G39 one that lasts for a day ends the message FAILED, with its code", async () => {
    w.graph.fail({ failure: ERROR(80007), phoneNumberId: c.phone.phoneNumberId, isLasting: true });
    const id = await c.sent();
    await w.advance(DAY_MS - 1);
    expect((await c.message(id)).status).toBe("QUEUED");
    await w.advance(30 * SECOND_MS);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[UPSTREAM_RATE_LIMIT\] \(#80007\) /),
    });
    w.graph.clearFailures();
  });
});

describe("a token that the upstream does not take any more", () => {
  test("G-646 G-625 code 190 makes the phone TOKEN_EXPIRED, which is published; the message waits, and further ones are refused", async () => {
    failing(1, ERROR(190));
    const id = await c.sent();
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status).toBe("TOKEN_EXPIRED");
    expect(receivedBy(c.hook)).toEqual([{ reason: "TOKEN_EXPIRED" }]);
    expect((await c.message(id)).status).toBe("QUEUED");
    expect(gatewaySays(await c.send())).toBe("409 PHONE_NOT_CONNECTED");
  });

  test("G-646 G-644 the message ends FAILED when 24 hours have passed without a good token", async () => {
    failing(1, ERROR(190));
    const id = await c.sent();
    await w.advance(DAY_MS - 1);
    expect((await c.message(id)).status).toBe("QUEUED");
    await w.advance(1);
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[CHANNEL_UNAVAILABLE\] /),
    });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, status: "failed", errors: [{ code: 0, title: "CHANNEL_UNAVAILABLE" }] },
    ]);
    expect(sendsOf(w, c)).toHaveLength(1);
  });
});

test.each([131026, 131047, 131051, 131057, 132000, 132001, 132068, 132099, 133010, 133015, 190, 4, 17, 32])(
  "G-644 G-621 the number of code %i is in the reason and in the event",
  async (code) => {
    failing(1, { kind: "failed-status", code });
    const id = await c.sent();
    await w.graph.webhooks.settled();
    await w.settle();
    expect((await c.message(id)).failedReason).toContain(`(#${code})`);
    expect(receivedBy(c.hook, "message:status").at(-1).errors[0].code).toBe(code);
  },
);

test("GAP-G12 an answer without an id is the end, since the network may have taken something", async () => {
  failing(1, { kind: "no-id" });
  const id = await c.sent({ to: TO });
  expect(await c.message(id)).toMatchObject({
    status: "FAILED",
    failedReason: expect.stringMatching(/^\[UPSTREAM_NO_ID\] /),
  });
  await w.advance(DAY_MS);
  expect(sendsOf(w, c)).toHaveLength(1);
});
