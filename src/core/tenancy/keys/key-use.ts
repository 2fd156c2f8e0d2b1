import type { Cancel, Clock } from "../../../kernel/clock.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Db, Tx } from "../../../store/engine/db.ts";
import { touchKey } from "../../../store/tables/tenancy/keys.ts";

/**
 * The time of each key's, or session's, last use. It is in memory at once and stored within a second, so that requests need no write
 * for it.
 */
export type KeyUse = {
  note(keyId: string): void;
  lastUsedAt(keyId: string): number | undefined;
  flush(): Promise<void>;
};

const FLUSH_MS = 1000;

type Ports = {
  clock: Clock;
  db: Db;
  log: Log;
  /** Stores a use. @default that of an API key */
  touch?(tx: Tx, id: string, atMs: number): Promise<void>;
};

export const createKeyUse = ({ clock, db, log, touch = touchKey }: Ports): KeyUse => {
  let used = new Map<string, number>();
  /** Kept until the write has ended, because a reader does not see the write before. */
  let beingWritten = new Map<string, number>();
  let cancel: Cancel | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const batch = used;
    used = new Map();
    beingWritten = batch;
    if (batch.size === 0) return;
    const writing = db.write(
      async (tx) => {
        for (const [keyId, at] of batch) await touch(tx, keyId, at);
      },
      { isDurable: false },
    );
    await writing.catch((error: unknown) =>
      log.error({ error: String(error) }, "the use of keys could not be written"),
    );
  };

  return {
    note(keyId) {
      used.set(keyId, clock.now());
      cancel ??= clock.timer(FLUSH_MS, () => void flush());
    },
    lastUsedAt: (keyId) => used.get(keyId) ?? beingWritten.get(keyId),
    flush,
  };
};
