import { describe, expect, test } from "bun:test";
import { createRetries } from "../../../../plugins/session/lifecycle/retries.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { Random } from "../../../../src/kernel/random.ts";

/** Draws as much as it can, so that every wait is the longest it may be. */
const greatest: Random = { bytes: (count) => new Uint8Array(count), float: () => 1 };
const least: Random = { ...greatest, float: () => 0 };

const clock = manualClock();
const newRetries = (random = greatest) => createRetries({ clock, random });
const RETRY = { is: "retry" } as const;

describe("what follows the end of a socket", () => {
  test("G-178 waits double from 1 s on and never exceed 5 minutes", () => {
    const retries = newRetries();
    const waits = Array.from({ length: 11 }, () => retries.after(RETRY));
    expect(waits.map((next) => next.is === "again" && next.afterMs / SECOND_MS)).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300,
    ]);
  });

  test("a wait is drawn from the whole of it", () => {
    const retries = newRetries(least);
    expect([retries.after(RETRY), retries.after(RETRY)]).toEqual([
      { is: "again", afterMs: 0 },
      { is: "again", afterMs: 0 },
    ]);
  });

  test("waits begin anew after a minute of health, and not after less", () => {
    const retries = newRetries();
    retries.after(RETRY);
    retries.arrived();
    clock.advance(MINUTE_MS - 1);
    expect(retries.after(RETRY)).toEqual({ is: "again", afterMs: 2 * SECOND_MS });
    retries.arrived();
    clock.advance(MINUTE_MS);
    expect(retries.after(RETRY)).toEqual({ is: "again", afterMs: SECOND_MS });
  });

  test("three restarts in a row happen at once, the fourth waits", () => {
    const retries = newRetries();
    const waits = Array.from({ length: 4 }, () => {
      const next = retries.after({ is: "restart" });
      retries.arrived();
      return next;
    });
    expect(waits).toEqual([0, 0, 0, SECOND_MS].map((afterMs) => ({ is: "again", afterMs })));
  });

  test("W26-7 an identity from another program that is replaced within a minute of connecting, twice in a row, is paused", () => {
    const retries = newRetries();
    const replacedAfter = (ms: number, isMovedIn = true) => {
      retries.arrived();
      clock.advance(ms);
      return retries.after({ is: "replaced" }, { isMovedIn });
    };
    const again = { is: "again", afterMs: 30 * SECOND_MS } as const;
    expect([replacedAfter(SECOND_MS), replacedAfter(MINUTE_MS), replacedAfter(MINUTE_MS - 1)]).toEqual([
      again,
      again,
      { is: "park", reason: "REPLACED" },
    ]);
    clock.advance(20 * MINUTE_MS);
    const other = newRetries();
    expect([0, 1].map(() => other.after({ is: "replaced" }, { isMovedIn: true }))).toEqual([
      again,
      { is: "park", reason: "OLD_SERVER_RUNS" },
    ]);
    // what was linked here may be replaced once more
    expect([0, 1].map(() => other.after({ is: "replaced" }))).toEqual([again, again]);
  });

  test("G-215 who is replaced comes back twice after 30 s, and is paused at the third time within ten minutes", () => {
    const retries = newRetries();
    const replaced = () => retries.after({ is: "replaced" });
    expect([replaced(), replaced(), replaced()]).toEqual([
      { is: "again", afterMs: 30 * SECOND_MS },
      { is: "again", afterMs: 30 * SECOND_MS },
      { is: "park", reason: "REPLACED" },
    ]);
  });

  test("who is replaced now and then is never paused", () => {
    const retries = newRetries();
    for (let time = 0; time < 6; time += 1) {
      expect(retries.after({ is: "replaced" })).toEqual({ is: "again", afterMs: 30 * SECOND_MS });
      clock.advance(6 * MINUTE_MS);
    }
  });

  test("GAP-G21 the tenth 503 in a row means that the connection is lost; it is tried on all the same", () => {
    const retries = newRetries();
    const outage = () => retries.after({ is: "retry", isOutage: true });
    for (let time = 0; time < 9; time += 1) expect(outage()).not.toHaveProperty("isLost");
    expect(outage()).toEqual({ is: "again", afterMs: 300 * SECOND_MS, isLost: true });
    retries.arrived();
    expect(outage()).not.toHaveProperty("isLost");
  });

  test("a lost connection that is no outage is never given up", () => {
    const retries = newRetries();
    for (let time = 0; time < 30; time += 1) expect(retries.after(RETRY)).not.toHaveProperty("isLost");
  });
});
