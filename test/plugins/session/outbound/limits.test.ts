import { expect, test } from "bun:test";
import { createLimits } from "../../../../plugins/session/outbound/limits/limits.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";

const clock = manualClock();
const NAMES = ["pace", "allowance", "timelock", "groups"] as const;

/** The limits of a process that starts, with what the one before it has written. */
const started = async (before?: ReturnType<typeof createLimits>) => {
  const limits = createLimits({ clock, random: seededRandom(3) }, 20);
  const rows = before ? NAMES.map((name) => before.rowOf(name)) : [];
  await limits.recall({
    read: async (kind, ids) =>
      new Map(
        rows.flatMap(({ kind: of, id, value }) =>
          of === kind && ids.includes(id) && value !== null ? [[id, value]] : [],
        ),
      ),
  });
  return limits;
};

test("a restart gives no new burst of sends: used turns stay used, and come back with time", async () => {
  const limits = await started();
  while (limits.pace.waitMs() === 0);
  const restarted = await started(limits);
  expect(restarted.pace.waitMs()).toBeGreaterThan(0);
  clock.advance(MINUTE_MS);
  const rested = await started(restarted);
  expect(Array.from({ length: 6 }, () => rested.pace.waitMs() === 0)).toEqual([true, true, true, true, true, false]);
});

test("a restart gives no new allowance of lookups, and forgets none that is over", async () => {
  const limits = await started();
  limits.allowance.spend(990);
  const restarted = await started(limits);
  expect(restarted.allowance.left()).toBe(10);
  restarted.allowance.spend(10);
  clock.advance(HOUR_MS);
  expect((await started(restarted)).allowance.left()).toBe(1000);
});

test("a restart keeps until when the account may not write to strangers", async () => {
  const limits = await started();
  limits.timelock.set({ until: clock.now() + HOUR_MS, reason: "BIZ_QUALITY" });
  expect((await started(limits)).timelock.until).toBe(clock.now() + HOUR_MS);
});

test("a channel that has written nothing begins with five turns, a thousand lookups and no restriction", async () => {
  const { pace, allowance, timelock } = await started();
  expect(Array.from({ length: 6 }, () => pace.waitMs() === 0)).toEqual([true, true, true, true, true, false]);
  expect([allowance.left(), timelock.until]).toEqual([1000, 0]);
});

test("a restart gives no new groups: five in a day of a young number, and twenty after a month", async () => {
  const limits = await started();
  const made = (of: typeof limits) => {
    for (let count = 0; ; count++) if (of.groups.creationWaitMs() > 0) return count;
  };
  expect(made(limits)).toBe(5);
  const restarted = await started(limits);
  expect(restarted.groups.creationWaitMs()).toBe(DAY_MS);
  clock.advance(DAY_MS);
  expect(made(restarted)).toBe(5);
  clock.advance(30 * DAY_MS);
  expect(made(await started(restarted))).toBe(20);
});

test("a restart gives no new joins either, and a state from before joins were counted has none", async () => {
  const limits = await started();
  const joined = (of: typeof limits) => {
    for (let count = 0; ; count++) if (of.groups.joinWaitMs() > 0) return count;
  };
  expect(joined(limits)).toBe(5);
  const restarted = await started(limits);
  expect(restarted.groups.joinWaitMs()).toBe(DAY_MS);
  expect(restarted.groups.creationWaitMs()).toBe(0);
  restarted.groups.recall({ since: clock.now(), made: [] });
  expect(joined(restarted)).toBe(5);
});
