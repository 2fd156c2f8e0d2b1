import { hasEndedWithin } from "../../../kernel/async.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { lockDatabase } from "../connection.ts";
import type { ServerAddress } from "./hrana.ts";
import type { LibsqlFile } from "./libsql-file.ts";
import { isDamaged, openReplicaFile } from "./replica-file.ts";

/**
 * `onTrouble` is called when the copy stops following the server, and for damage, after which the copy is created
 * again.
 */
export type ReplicaOptions = { path: string; server: ServerAddress; onTrouble(error: unknown): void };

/** A copy that is synchronised continuously in the background. */
export type Following = {
  readonly reader: LibsqlFile;
  /** The copy has everything that was committed before this moment of `performance.now()`. */
  readonly syncedFrom: number;
  /** There are changes, so the next sync starts early. */
  hurry(): void;
  /** Reports a reader's error. When it shows damage, the copy is created again. */
  checkDamage(error: unknown): void;
  close(): Promise<void>;
};

const SYNC_EVERY_MS = 200;
const RETRY_AFTER_MS = 1000;
/** A thread that waits for a silent server ends with the process after this time. */
const CLOSE_MS = 2000;

/**
 * Opens the copy, creating it when missing.
 *
 * @throws Error when the file is no replica, or when another process has it
 */
export const followServer = ({ path, server, onTrouble }: ReplicaOptions): Following => {
  const unlock = lockDatabase(path);
  const file = openReplicaFile(path, server);
  let syncedFrom = Number.NEGATIVE_INFINITY;
  const rest = createRest();
  let isBroken = false;
  let isInTrouble = false;
  let isClosed = false;

  const checkDamage = (error: unknown): void => {
    if (!isDamaged(error)) return;
    syncedFrom = Number.NEGATIVE_INFINITY;
    isBroken = true;
    rest.shorten();
  };
  /** Synchronises, and gives the pause before the next time in ms. */
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
      checkDamage(error);
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
    checkDamage,
    async close() {
      isClosed = true;
      rest.shorten();
      const closed = following.then(file.close);
      if (await hasEndedWithin(systemClock(), CLOSE_MS, closed)) await closed;
      unlock();
    },
  };
};

/** The minimum pause between two early syncs; writes in between come with the second. */
const SHORT_MS = 20;

/** A pause that can be shortened, also before it begins. */
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
