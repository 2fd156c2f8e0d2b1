import { hasEndedWithin } from "../kernel/async.ts";
import { systemClock } from "../kernel/clock.ts";
import { type Connection, lockDatabase } from "./connection.ts";
import type { ServerAddress } from "./hrana.ts";
import { isDamaged, openReplicaFile } from "./replica-file.ts";

/** `onTrouble` hears when the copy stops following the server, and of damage for which it is made anew. */
export type ReplicaOptions = { path: string; server: ServerAddress; onTrouble(error: unknown): void };

/** A copy that is brought up to date over and over, in the background. */
export type Following = {
  readonly reader: Connection;
  /** The copy holds all that was committed before this moment of `performance.now()`. */
  readonly syncedFrom: number;
  /** There is something new: the copy need not wait for its time. */
  hurry(): void;
  /** What the reader said was damage: the copy is made anew. Anything else is not. */
  suspect(error: unknown): void;
  close(): Promise<void>;
};

const SYNC_EVERY_MS = 200;
const RETRY_AFTER_MS = 1000;
/** A thread that waits for a server that says nothing ends with the process. */
const CLOSE_MS = 2000;

/** Opens the copy, made when missing. Throws when the file is no replica, or when another process has it. */
export const followServer = ({ path, server, onTrouble }: ReplicaOptions): Following => {
  const unlock = lockDatabase(path);
  const file = openReplicaFile(path, server);
  let syncedFrom = Number.NEGATIVE_INFINITY;
  const rest = createRest();
  let isBroken = false;
  let isInTrouble = false;
  let isClosed = false;

  const suspect = (error: unknown): void => {
    if (!isDamaged(error)) return;
    syncedFrom = Number.NEGATIVE_INFINITY;
    isBroken = true;
    rest.shorten();
  };
  /** How long to wait before the next one. */
  const sync = async (): Promise<number> => {
    const from = performance.now();
    try {
      if (isBroken) await file.remove();
      isBroken = false;
      await file.sync();
      if (!isBroken) syncedFrom = from;
      isInTrouble = false;
      return SYNC_EVERY_MS;
    } catch (error) {
      suspect(error);
      if (!isInTrouble) onTrouble(error);
      isInTrouble = true;
      return RETRY_AFTER_MS;
    }
  };
  const follow = async (): Promise<void> => {
    while (!isClosed) await rest.take(await sync());
  };
  const following = follow();

  return {
    get reader() {
      return file.reader;
    },
    get syncedFrom() {
      return syncedFrom;
    },
    hurry: rest.shorten,
    suspect,
    async close() {
      isClosed = true;
      rest.shorten();
      const closed = following.then(file.close);
      if (await hasEndedWithin(systemClock(), CLOSE_MS, closed)) await closed;
      unlock();
    },
  };
};

/** So short a pause is left between two syncs that are hurried: what is written meanwhile comes with the second. */
const SHORT_MS = 20;

/** A pause that can be made short while it lasts, and before it begins. */
const createRest = () => {
  const { timer } = systemClock();
  let isShort = false;
  let change = (): void => {};
  return {
    take: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          change = () => {};
          isShort = false;
          resolve();
        };
        const cancel = timer(isShort ? SHORT_MS : ms, end);
        change = () => {
          cancel();
          timer(SHORT_MS, end);
        };
      }),
    shorten(): void {
      if (isShort) return;
      isShort = true;
      change();
    },
  };
};
