import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import {
  type Customer,
  newCustomer,
  receivedBy,
  rowsOf,
  sendsOf,
  TO,
  wamidOf,
} from "../../../../support/customers/customer.ts";
import { scriptedWorld } from "../../../../support/networks/scripted-world.ts";
import { startWorld, type World } from "../../../../support/world.ts";

const resetting = (w: World, { phone }: Customer, isAccepted: boolean, count = 1) =>
  w.graph.failNext(count, { kind: "reset", isAccepted }, { phoneNumberId: phone.phoneNumberId });

const certaintyOf = async (w: World, id: string) =>
  (await rowsOf(w, "SELECT send_state AS sendState, uncertain_attempts AS tries FROM messages WHERE id = ?1", [id]))[0];

describe("a send whose answer is lost", () => {
  let w: World;
  let c: Customer;
  beforeAll(async () => {
    w = await startWorld();
  });
  beforeEach(async () => {
    c = await newCustomer(w);
  });
  afterAll(() => w.stop());

  test.each([true, false])(
    "stays QUEUED for a minute, then is FAILED as OUTCOME_UNKNOWN, and is never sent again (taken by the network: %p)",
    async (isAccepted) => {
      resetting(w, c, isAccepted);
      const id = await c.sent();
      expect(await c.message(id)).toMatchObject({ status: "QUEUED", failedReason: null });
      await w.advance(MINUTE_MS - 1);
      expect((await c.message(id)).status).toBe("QUEUED");
      await w.advance(1);
      expect(await c.message(id)).toMatchObject({
        status: "FAILED",
        failedReason: expect.stringMatching(/^\[OUTCOME_UNKNOWN\] .*may have arrived/),
      });
      expect(receivedBy(c.hook, "message:status")).toMatchObject([
        { messageId: id, status: "failed", errors: [{ code: 0, title: "OUTCOME_UNKNOWN" }] },
      ]);
      await w.advance(DAY_MS);
      expect(sendsOf(w, c)).toHaveLength(1);
      expect(
        w.graph
          .sentSummary()
          .messages.filter(({ bizOpaque }) => bizOpaque === id)
          .map(({ count }) => count),
      ).toEqual(isAccepted ? [1] : []);
    },
  );

  test.each([
    ["sent", "SENT"],
    ["delivered", "DELIVERED"],
    ["read", "READ"],
    ["failed", "FAILED"],
  ] as const)("is known when a status %s comes that carries our id: the message is %s", async (posted, status) => {
    resetting(w, c, true);
    const id = await c.sent();
    await w.graph.deliverStatuses(wamidOf(w, id), [posted]);
    await w.settle();
    expect((await c.message(id)).status).toBe(status);
    await w.advance(DAY_MS);
    expect((await c.message(id)).status).toBe(status);
    expect(sendsOf(w, c)).toHaveLength(1);
    expect(receivedBy(c.hook, "message:status").map((received) => received.status)).toEqual([posted]);
  });

  test("is not resolved by a status that carries another phone's or another account's message id", async () => {
    const stranger = await newCustomer(w);
    resetting(w, c, true);
    const id = await c.sent();
    await w.graph.inbound.status({
      to: stranger.phone.phoneNumberId,
      from: TO,
      wamid: "wamid.FORGED",
      status: "read",
      bizOpaque: id,
    });
    await w.settle();
    expect((await c.message(id)).status).toBe("QUEUED");
    expect(receivedBy(stranger.hook)).toEqual([]);
  });

  test.each([
    { kind: "half", isAccepted: true },
    { kind: "garbage", isAccepted: true },
    { kind: "http", status: 504, isAccepted: true },
  ] as const)("so does one whose answer cannot be read: %p", async (failure) => {
    w.graph.failNext(1, failure, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    expect(await certaintyOf(w, id)).toEqual({ sendState: "UNKNOWN", tries: 1 });
    await w.advance(DAY_MS);
    expect([(await c.message(id)).status, sendsOf(w, c).length]).toEqual(["FAILED", 1]);
  });

  test("does not hold up other messages", async () => {
    resetting(w, c, true);
    await c.sent();
    expect((await c.message(await c.sent({ to: "5511999990002" }))).status).toBe("SENT");
  });

  test("a status that comes after it was given up changes nothing", async () => {
    resetting(w, c, true);
    const id = await c.sent();
    await w.advance(MINUTE_MS);
    await w.graph.deliverStatuses(wamidOf(w, id), ["delivered"]);
    await w.settle();
    expect((await c.message(id)).status).toBe("FAILED");
  });
});

describe("a process that died while a message was being sent", () => {
  test("sends it no second time: it waits a minute for a status, then it is FAILED as OUTCOME_UNKNOWN", async () => {
    const w = await startWorld();
    const c = await newCustomer(w);
    resetting(w, c, true);
    const id = await c.sent();
    // as a kill between the upstream's call and the note of its end leaves it
    await w.app.env.db.write(async (tx) => {
      tx.run("UPDATE messages SET send_state = 'SENDING', uncertain_attempts = 0 WHERE id = ?1", [id]);
      tx.run(
        "UPDATE jobs SET owner = 'a dead process', claims = claims + 1, attempts = attempts + 1, run_at = created_at WHERE unique_key = ?1",
        [`message:${id}`],
      );
      tx.run("UPDATE queues SET running = 1, next_at = NULL WHERE key = ?1", [`channel:${c.phone.id}`]);
    });
    await w.restart();
    await w.settle();
    expect(await certaintyOf(w, id)).toEqual({ sendState: "UNKNOWN", tries: 1 });
    await w.advance(MINUTE_MS - 1);
    expect((await c.message(id)).status).toBe("QUEUED");
    await w.advance(1);
    expect((await c.message(id)).failedReason).toStartWith("[OUTCOME_UNKNOWN] ");
    expect(sendsOf(w, c)).toHaveLength(1);
    await w.stop();
  });
});

describe("with RECADO_UNCERTAIN_SENDS=resend", () => {
  let w: World;
  let c: Customer;
  beforeAll(async () => {
    w = await startWorld({ env: { RECADO_UNCERTAIN_SENDS: "resend" } });
  });
  beforeEach(async () => {
    c = await newCustomer(w);
  });
  afterAll(() => w.stop());

  test("a send whose answer is lost is sent again after a minute, and the message says that it was uncertain once", async () => {
    resetting(w, c, true);
    const id = await c.sent();
    await w.advance(MINUTE_MS - 1);
    expect(sendsOf(w, c)).toHaveLength(1);
    await w.advance(1);
    expect((await c.message(id)).status).toBe("SENT");
    expect(await certaintyOf(w, id)).toEqual({ sendState: "NONE", tries: 1 });
    expect(w.graph.sentSummary().messages.filter(({ bizOpaque }) => bizOpaque === id)).toHaveLength(2);
    expect(receivedBy(c.hook, "message:status").map(({ status }) => status)).toEqual(["sent"]);
  });

  test("a status within the minute spares the second send", async () => {
    resetting(w, c, true);
    const id = await c.sent();
    await w.graph.deliverStatuses(wamidOf(w, id), ["sent"]);
    await w.settle();
    await w.advance(MINUTE_MS);
    expect([(await c.message(id)).status, sendsOf(w, c).length]).toEqual(["SENT", 1]);
  });

  test("GAP-G39 a network that never answers gets it 5 times and no more, then it is FAILED", async () => {
    resetting(w, c, true, 100);
    const id = await c.sent();
    for (let minute = 0; minute < 10; minute++) await w.advance(MINUTE_MS);
    expect(sendsOf(w, c)).toHaveLength(5);
    expect((await c.message(id)).failedReason).toStartWith("[OUTCOME_UNKNOWN] ");
    expect(await certaintyOf(w, id)).toEqual({ sendState: "NONE", tries: 5 });
  });
});

test.each([500, 502, 503])(
  "HTTP %i from somebody in between is retried, and the message says that it was uncertain",
  async (status) => {
    const w = await startWorld();
    const c = await newCustomer(w);
    w.graph.failNext(1, { kind: "http", status, isAccepted: true }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    expect([(await c.message(id)).status, await certaintyOf(w, id)]).toEqual([
      "QUEUED",
      { sendState: "NONE", tries: 1 },
    ]);
    await w.advance(MINUTE_MS);
    expect([(await c.message(id)).status, await certaintyOf(w, id)]).toEqual(["SENT", { sendState: "NONE", tries: 1 }]);
    await w.stop();
  },
);

describe("an upstream that gives one id to every message", () => {
  const running = scriptedWorld(); // whose upstream does

  test("G-397 has taken each of them, and is asked for none of them again", async () => {
    const { w, c, upstream } = running();
    const ids = [await c.sent(), await c.sent({ content: { text: "de novo" } })];
    await w.advance(DAY_MS);
    for (const id of ids) expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null });
    expect(receivedBy(c.hook, "message:status").map(({ messageId, status }) => [messageId, status])).toEqual(
      ids.map((id) => [id, "sent"]),
    );
    expect(upstream.arrived.filter(({ path }) => path.endsWith("/messages"))).toHaveLength(2);
  });
});
