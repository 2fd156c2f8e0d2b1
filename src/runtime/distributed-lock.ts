import { createKeyedSemaphore, type KeyedSemaphore } from "../kernel/async.ts";
import { reasonOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Db } from "../store/engine/db.ts";
import { acquireLease, releaseLease } from "../store/tables/leases.ts";
import type { Node } from "./node.ts";

type Ports = { db: Db; node: Pick<Node, "processId" | "onHeartbeat">; log: Log };

/**
 * A lock per key, held by one task at a time among all processes that serve the database. Each key is a lease; `name`
 * separates its keys from those of other locks. If one process serves the database, the lock is a keyed semaphore of 1.
 * Tasks of one process run in order. Between processes there is no order: each tries again at every heartbeat (twice a
 * second). A process that dies loses its locks with its other leases. `run` rejects when the database refuses the
 * lease.
 */
export const createDistributedLock = (name: string, { db, node, log }: Ports): KeyedSemaphore => {
  const local = createKeyedSemaphore();
  if (!db.isShared) return local;

  const nextHeartbeat = () =>
    new Promise<void>((resolve) => {
      const cancel = node.onHeartbeat(() => {
        cancel();
        resolve();
      });
    });
  const acquire = async (key: string): Promise<void> => {
    while (!(await db.write((tx) => acquireLease(tx, key, node.processId)))) await nextHeartbeat();
  };
  /** Repeats until the release is written, because other tasks wait for it. */
  const release = async (key: string): Promise<void> => {
    try {
      await db.write(async (tx) => releaseLease(tx, key, node.processId));
    } catch (error) {
      log.error({ lock: key, error: reasonOf(error) }, "a distributed lock could not be released yet");
      await nextHeartbeat();
      await release(key);
    }
  };

  return {
    run: (key, task) =>
      local.run(key, async () => {
        const lease = `lock/${name}/${key}`;
        try {
          await acquire(lease); // a failed write may still have acquired it
          return await task();
        } finally {
          await release(lease);
        }
      }),
    isFull: local.isFull,
  };
};
