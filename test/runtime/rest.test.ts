import { beforeEach, expect, test } from "bun:test";
import { type ManualClock, manualClock } from "../../src/conformance/manual-clock.ts";
import { startRest } from "../../src/runtime/rest.ts";

const WINDOW_MS = 20_000;
let clock: ManualClock;
let given: number;
let rest: ReturnType<typeof startRest>;
beforeEach(() => {
  [clock, given] = [manualClock(), 0];
  rest = startRest({
    clock,
    giveBack: async () => {
      given++;
    },
  });
});

const work = (times: number): void => {
  for (let n = 0; n < times; n++) rest.worked();
};
/** Lets so many windows pass, each with so much work. */
const pass = async (windows: number, workInEach = 0): Promise<void> => {
  for (let n = 0; n < windows; n++) {
    work(workInEach);
    clock.advance(WINDOW_MS);
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
};

test("memory is given back soon after the start, once", async () => {
  clock.advance(2000);
  expect(given).toBe(1);
  await pass(100);
  expect(given).toBe(1);
});

test("not while there is work, and within two windows of its end", async () => {
  await pass(5, 5000);
  expect(given).toBe(0);
  await pass(1);
  expect(given).toBe(1);
  await pass(10);
  expect(given).toBe(1);
});

test("after a burst that goes on as a trickle too, but not while the trickle goes on", async () => {
  await pass(1, 5000);
  await pass(1, 400);
  expect(given).toBe(1);
  await pass(20, 400);
  expect(given).toBe(1);
});

test("not for a little work: the signs of life for a watchdog wake nothing", async () => {
  await pass(1);
  await pass(100, 2);
  expect(given).toBe(1);
});

test("again after every busy time, and never once it was stopped", async () => {
  await pass(1);
  await pass(2, 2000);
  await pass(2);
  expect(given).toBe(2);
  work(5000);
  rest.stop();
  await pass(5);
  expect(given).toBe(2);
});
