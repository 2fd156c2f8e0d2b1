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

  test("G-215 who is replaced is paused at once: two programs with one identity ruin its keys", () => {
    const retries = newRetries();
    retries.arrived();
    clock.advance(SECOND_MS);
    expect(retries.after({ is: "replaced" })).toEqual({ is: "park", reason: "REPLACED" });
  });

  test("W26-7 an identity from another program that is replaced within a minute of connecting has an old server that runs", () => {
    const retries = newRetries();
    const replacedAfter = (ms: number) => {
      retries.arrived();
      clock.advance(ms);
      return retries.after({ is: "replaced" }, { isMovedIn: true });
    };
    expect([replacedAfter(MINUTE_MS - 1), replacedAfter(MINUTE_MS)]).toEqual([
      { is: "park", reason: "OLD_SERVER_RUNS" },
      { is: "park", reason: "REPLACED" },
    ]);
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
