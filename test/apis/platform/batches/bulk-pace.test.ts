import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import {
  batchOf,
  bulkSender,
  gaps,
  newBatch,
  numbers,
  passes,
  type Sender,
  sentBy,
} from "../../../support/tenants/bulk.ts";
import { made, sendText } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let network: SessionNetwork;
let w: World;
let who: Sender;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  await w.advance(MINUTE);
  network.pace = () => 0;
  network.sent.length = 0;
  who = await bulkSender(w);
});
afterAll(() => w.stop());

const times = () => sentBy(network, who.channelId).map(({ at }) => at);
const sum = (list: readonly number[]) => list.reduce((total, n) => total + n, 0);

describe("the pace of a batch", () => {
  test("P-349 gaps vary by up to 30% of the delay: 1000 recipients get one message each, in order, in time", async () => {
    const began = w.clock.now();
    const id = await newBatch(w, who, { recipients: numbers(1000), delay: 2000, jitter: 0.3 });
    await passes(w, 1000 * 2 * SECOND * 1.1);
    const received = sentBy(network, who.channelId);
    expect(received.map(({ to }) => to)).toEqual(numbers(1000));
    expect(received[0]?.at).toBe(began);
    const between = gaps(times());
    expect(between.filter((gap) => gap < 1400 || gap > 2600)).toEqual([]);
    expect(new Set(between).size).toBeGreaterThan(400);
    expect([between.some((gap) => gap < 1500), between.some((gap) => gap > 2500)]).toEqual([true, true]);
    expect(Math.abs(sum(between) / between.length / 2000 - 1)).toBeLessThan(0.05);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "COMPLETED",
      total: 1000,
      sent: 1000,
      failed: 0,
      pending: 0,
    });
  }, 120_000);

  test("P-347 P-349 a gap is never under 1000 ms, whatever the jitter takes off it", async () => {
    await newBatch(w, who, { recipients: numbers(60), delay: 1000, jitter: 0.3 });
    await passes(w, 80 * SECOND);
    const between = gaps(times());
    expect(between).toHaveLength(59);
    expect(between.filter((gap) => gap < 1000 || gap > 1300)).toEqual([]);
    expect(between.filter((gap) => gap === 1000).length).toBeGreaterThan(5);
  });

  test("P-349 without jitter every gap is the delay", async () => {
    await newBatch(w, who, { recipients: numbers(20), delay: 1500 });
    await passes(w, MINUTE);
    expect(gaps(times())).toEqual(Array<number>(19).fill(1500));
  });

  test("P-349 delays do not add up, and after a pause the gaps are as before: no burst", async () => {
    const began = w.clock.now();
    await newBatch(w, who, { recipients: numbers(12), delay: 2000 });
    await w.settle();
    for (const late of [2300, 1900, 1700]) await w.advance(late); // 2300, 4200, 5900: no job runs between these
    await w.advance(8000 - 5900);
    expect(times().map((at) => at - began)).toEqual([0, 2300, 4200, 8000]);
    await w.advance(30_000);
    await passes(w, MINUTE);
    const later = times()
      .slice(4)
      .map((at) => at - began);
    expect(later).toEqual([38_000, 40_000, 42_000, 44_000, 46_000, 48_000, 50_000, 52_000]);
  });

  test("P-347 after one that is nearly a whole gap late, the next comes after 1000 ms at the soonest", async () => {
    const began = w.clock.now();
    await newBatch(w, who, { recipients: numbers(4), delay: 2000 });
    await w.settle();
    await w.advance(3900);
    await passes(w, 10 * SECOND);
    expect(times().map((at) => at - began)).toEqual([0, 3900, 4900, 6900]);
  });

  test("P-347 what had to wait in the channel's queue is not sent in a burst when that goes on", async () => {
    const limit = {
      ok: false,
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      reason: "slowly",
      isRateLimit: true,
      retryAfterMs: 30 * SECOND,
    } as const;
    network.outcomes.push(limit);
    const id = await newBatch(w, who, { recipients: numbers(8), delay: 2000 });
    await passes(w, MINUTE);
    const between = gaps(times());
    expect(between[0]).toBe(30 * SECOND);
    expect(between.filter((gap) => gap < 1000)).toEqual([]);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 8 });
  });

  test("P-345 three batches of a channel run at once, each at its own pace, with one message per recipient", async () => {
    const began = w.clock.now();
    const paces = [1000, 1700, 2500];
    const ids: string[] = [];
    for (const [n, delay] of paces.entries())
      ids.push(await newBatch(w, who, { recipients: numbers(10, n * 100), delay, text: String(n) }));
    await passes(w, 30 * SECOND);
    for (const [n, delay] of paces.entries()) {
      const own = sentBy(network, who.channelId).filter(({ text }) => text === String(n));
      expect(own.map(({ to }) => to)).toEqual(numbers(10, n * 100));
      expect(own.map(({ at }) => at - began)).toEqual(Array.from({ length: 10 }, (_, index) => index * delay));
      expect(await batchOf(w, who, ids[n] ?? "")).toMatchObject({ status: "COMPLETED", sent: 10 });
    }
  });

  test("P-349 it goes on over a restart, at its pace", async () => {
    const began = w.clock.now();
    const id = await newBatch(w, who, { recipients: numbers(6), delay: 2000 });
    await passes(w, 5 * SECOND);
    await w.restart();
    await passes(w, 10 * SECOND);
    expect(sentBy(network, who.channelId).map(({ to, at }) => [to, at - began])).toEqual(
      numbers(6).map((to, index) => [to, index * 2000]),
    );
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 6 });
  });
});

describe("what else goes out through the channel", () => {
  /** The channel takes one message every ten seconds. */
  const slow = () => {
    let next = 0;
    network.pace = (id) => {
      if (id !== who.channelId || w.clock.now() >= next) {
        if (id === who.channelId) next = w.clock.now() + 10 * SECOND;
        return 0;
      }
      return next - w.clock.now();
    };
  };

  test("a message that somebody sends overtakes what waits of a batch", async () => {
    slow();
    await newBatch(w, who, { recipients: numbers(5) });
    await passes(w, 5 * SECOND);
    made(await sendText(w, who.key, who.channelId, { text: "by hand" }), 202);
    await passes(w, 16 * SECOND);
    expect(sentBy(network, who.channelId).map(({ text }) => text)).toEqual(["olá", "by hand", "olá"]);
  });

  test("a batch has at most four queued messages; as they are sent it adds more, at its pace", async () => {
    slow();
    const id = await newBatch(w, who, { recipients: numbers(8) });
    await passes(w, 9 * SECOND);
    const queued = () => batchOf(w, who, id).then(({ sent, pending, status }) => [status, sent, pending]);
    expect(await queued()).toEqual(["RUNNING", 1, 7]);
    const [waiting] = await w.app.env.db.read(async (r) =>
      r.rows<{ n: number }>("SELECT count(*) AS n FROM messages WHERE batch_id = ?1 AND status = 'QUEUED'", [id]),
    );
    expect(waiting?.n).toBe(4);
    await passes(w, 75 * SECOND);
    expect(gaps(times())).toEqual(Array<number>(7).fill(10 * SECOND));
    expect(await queued()).toEqual(["COMPLETED", 8, 0]);
  });
});
