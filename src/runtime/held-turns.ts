import { reasonOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Db } from "../store/db.ts";
import { dropHolding, takeHolding } from "../store/holdings.ts";
import type { Node } from "./node.ts";
import { createTurns, type Turns } from "./turns.ts";

type Ports = { db: Db; node: Pick<Node, "boot" | "onPulse">; log: Log };

/** Turns of which one at a time is taken, by whichever of the processes that serve the database. `name` tells them from other turns. */
export const createHeldTurns = (name: string, { db, node, log }: Ports): Turns => {
  const here = createTurns(1);
  if (!db.isShared) return here;

  const nextPulse = () =>
    new Promise<void>((resolve) => {
      const cancel = node.onPulse(() => {
        cancel();
        resolve();
      });
    });
  const take = async (key: string): Promise<void> => {
    while (!(await db.write((tx) => takeHolding(tx, key, node.boot)))) await nextPulse();
  };
  /** Tried until it is written: the others wait for it. */
  const giveBack = async (key: string): Promise<void> => {
    try {
      await db.write(async (tx) => dropHolding(tx, key, node.boot));
    } catch (error) {
      log.error({ turn: key, error: reasonOf(error) }, "a turn could not be given back yet");
      await nextPulse();
      await giveBack(key);
    }
  };

  return {
    run: (key, task) =>
      here.run(key, async () => {
        const turn = `turn/${name}/${key}`;
        try {
          await take(turn); // when it fails it may have been taken all the same
          return await task();
        } finally {
          await giveBack(turn);
        }
      }),
    isFull: here.isFull,
  };
};
