import { manualClock } from "../../../src/conformance/manual-clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { type LivingNode, sharingNode } from "../../../src/runtime/node.ts";
import type { Db } from "../../../src/store/engine/db.ts";

/** A database in the view of one of several processes, although the test has only one. */
export const shared = (db: Db): Db => ({ ...db, isShared: true });

/** A node whose time the test moves, with the state of its lease. */
export const testNode = (
  db: Db,
  processId: string,
): {
  node: LivingNode;
  said: string[];
  lines: string[];
  pass(ms: number): Promise<void>;
  standStill(ms: number): void;
} => {
  const clock = manualClock();
  const said: string[] = [];
  const lines: string[] = [];
  let stoodStillMs = 0;
  const node = sharingNode({
    db: shared(db),
    log: createLog("debug", { write: (line) => lines.push(line) }),
    processId,
    time: { timer: clock.timer, now: () => clock.now() + stoodStillMs },
    events: {
      onFenced: async () => void said.push("fenced"),
      onBack: async () => void said.push("back"),
      onLost: () => void said.push("lost"),
      onRescued: async (jobs) => void said.push(`rescued ${jobs}`),
      onLook: async () => void said.push("look"),
    },
  });
  return {
    node,
    said,
    lines,
    /** So much time has passed, and no timer of it has run yet. */
    standStill: (ms) => void (stoodStillMs += ms),
    /** Moves time in steps. After each step all started work has ended: a read, a write, and their effects. */
    async pass(ms) {
      for (let left = ms; left > 0; left -= 500) {
        clock.advance(Math.min(500, left));
        for (let round = 0; round < 4; round++) await db.write(async () => {}).catch(() => {});
      }
    },
  };
};

/** The lease of a node expires now. */
export const expire = (db: Db, processId: string): Promise<void> =>
  db.write(async (tx) => tx.run("UPDATE processes SET lease_until = 1 WHERE id = ?1", [processId]));
