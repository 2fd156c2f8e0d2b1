import { describe, expect, test } from "bun:test";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import {
  type Answer,
  type Question,
  questionOf,
  type Surroundings,
  turnTaken,
} from "../../src/console/web/frame/requests/asking.ts";

const MINUTE_MS = 60_000;
const STEP_MS = 50;

/** Tabs of one person on a clock of their own, and a server that counts. */
const browser = (latencyMs: number) => {
  const clock = manualClock(1_000_000);
  const asked: { key: string; at: number }[] = [];
  const state = { turns: { next: 0, nextByTime: 0 }, isShown: true, isFailing: false };
  const locks = new Map<string, Promise<void>>();
  const all: { key: string; question: Question; shown: () => number }[] = [];
  const after = (ms: number, then: () => void) => clock.timer(ms, then);
  const surroundings: Surroundings = {
    now: clock.now,
    after,
    isShown: () => state.isShown,
    takeTurn(isByTime) {
      const { turns, waitMs } = turnTaken(state.turns, clock.now(), isByTime);
      state.turns = turns;
      return waitMs;
    },
    alone(key, run) {
      const mine = (locks.get(key) ?? Promise.resolve()).then(run);
      locks.set(key, mine);
      return mine;
    },
    share(key, answer: Answer) {
      for (const one of all) if (one.key === key) one.question.take(answer);
    },
  };
  /** What happened last at the server: an answer has it half a way after it was asked for. */
  let happened = 0;
  const underWay = { now: 0, most: 0 };
  const tab = (key: string): Question => {
    let shown = -1;
    const ask = () =>
      new Promise((resolve, reject) => {
        asked.push({ key, at: clock.now() });
        underWay.most = Math.max(underWay.most, (underWay.now += 1));
        let answer = 0;
        after(latencyMs / 2, () => (answer = happened));
        after(latencyMs, () => {
          underWay.now -= 1;
          if (state.isFailing) reject(new Error("down"));
          else resolve(answer);
        });
      });
    const question = questionOf(
      { key, ask, onSettled: (settled) => "data" in settled && (shown = settled.data as number) },
      surroundings,
    );
    all.push({ key, question, shown: () => shown });
    return question;
  };
  /** Lets time pass, with an event each so many milliseconds. Resolves with the age of the oldest thing not yet shown. */
  const pass = async (ms: number, eventEveryMs = Number.POSITIVE_INFINITY): Promise<number> => {
    const times: number[] = [];
    let oldest = 0;
    const end = clock.now() + ms;
    let next = clock.now() + eventEveryMs;
    while (clock.now() < end) {
      clock.advance(STEP_MS);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      if (clock.now() >= next) {
        next += eventEveryMs;
        happened = clock.now();
        times.push(happened);
        for (const { question } of all) question.askSoon(300);
      }
      const shown = Math.min(...all.map((one) => one.shown()));
      const missing = times.find((at) => at > shown);
      if (missing !== undefined) oldest = Math.max(oldest, clock.now() - missing);
    }
    return oldest;
  };
  const countIn = (ms: number) => asked.filter(({ at }) => at > clock.now() - ms).length;
  return { clock, asked, state, all, tab, pass, countIn, underWay };
};

const INBOX = ["list", "counts", "history"];

describe.each([0, 800])("four tabs of an inbox with %i ms to the server", (latencyMs) => {
  const fourTabs = async () => {
    const b = browser(latencyMs);
    for (const _ of [1, 2, 3, 4]) for (const key of INBOX) b.tab(key).begin();
    await b.pass(10_000);
    return b;
  };

  test.each([
    [1, 2000],
    [10, 5000],
  ])("at %i events a second what is shown is at most %i ms old, for 120 questions a minute", async (rate, mostAge) => {
    const b = await fourTabs();
    const age = await b.pass(2 * MINUTE_MS, 1000 / rate);
    expect(b.countIn(MINUTE_MS)).toBeLessThanOrEqual(120);
    // the way to the server and back is not the console's
    expect(age).toBeLessThanOrEqual(mostAge + (rate === 1 ? latencyMs : 0));
  });

  test("with nothing happening they ask nothing, and by time at most 60 times a minute", async () => {
    const b = await fourTabs();
    await b.pass(MINUTE_MS);
    expect(b.countIn(MINUTE_MS)).toBe(0);
    for (let second = 0; second < 60; second += 1) {
      await b.pass(1000);
      for (const { question } of b.all) question.askIfOlder(1000);
    }
    expect(b.countIn(MINUTE_MS)).toBeLessThanOrEqual(60);
    expect(b.countIn(MINUTE_MS)).toBeGreaterThan(20);
  });
});

test("an asking is never broken off nor doubled: what comes meanwhile is asked for once, afterwards", async () => {
  const b = browser(5000);
  const question = b.tab("list");
  question.begin();
  for (let n = 0; n < 20; n += 1) {
    question.askSoon(300);
    await b.pass(200);
  }
  expect([b.asked.length, b.underWay.most]).toEqual([1, 1]);
  await b.pass(3000);
  expect([b.asked.length, b.all[0]?.shown()]).toEqual([2, 0]);
});

test("what a person starts waits for no turn, and one answer stands for all tabs", async () => {
  const b = browser(100);
  const [one, other] = [b.tab("list"), b.tab("list")];
  await b.pass(MINUTE_MS, 100); // many turns are taken
  const before = b.asked.length;
  one.askNow();
  await b.pass(200);
  expect(b.asked.slice(before).length).toBeGreaterThanOrEqual(1);
  await b.pass(10_000);
  const rested = b.asked.length;
  one.askSoon(300);
  other.askSoon(300);
  await b.pass(5000);
  expect(b.asked.length - rested).toBe(1);
});

test("a hidden page asks nothing until it is shown", async () => {
  const b = browser(100);
  const question = b.tab("list");
  b.state.isShown = false;
  await b.pass(MINUTE_MS, 1000);
  expect(b.asked).toEqual([]);
  b.state.isShown = true;
  question.shown();
  await b.pass(1000);
  expect(b.asked.length).toBe(1);
});

test("a server that fails is asked less and less", async () => {
  const b = browser(10);
  b.tab("list").begin();
  b.state.isFailing = true;
  await b.pass(MINUTE_MS, 100);
  const first = b.asked.length;
  await b.pass(MINUTE_MS, 100);
  expect(b.asked.length - first).toBeLessThanOrEqual(3);
  expect(first).toBeLessThan(10);
});
