import type { Cancel, Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Db } from "../../store/db.ts";
import { touchKey } from "../../store/keys.ts";

/**
 * The time of each key's last use. It is in memory at once and stored within a second, so that requests need no write
 * for it.
 */
export type KeyUse = {
  note(keyId: string): void;
  lastUsedAt(keyId: string): number | undefined;
  flush(): Promise<void>;
};

const FLUSH_MS = 1000;

export const createKeyUse = ({ clock, db, log }: { clock: Clock; db: Db; log: Log }): KeyUse => {
  let used = new Map<string, number>();
  let cancel: Cancel | undefined;

  const flush = async () => {
    cancel?.();
    cancel = undefined;
    const batch = used;
    used = new Map();
    if (batch.size === 0) return;
    const writing = db.write(
      async (tx) => {
        for (const [keyId, at] of batch) await touchKey(tx, keyId, at);
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
    lastUsedAt: (keyId) => used.get(keyId),
    flush,
  };
};
