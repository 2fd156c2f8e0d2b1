import { DEFAULT_CONNECTION_CONFIG, type SignalCreds, type SocketConfig } from "@whiskeysockets/baileys";
import type { KeyChanges } from "../../../src/contract/ports/key-store.ts";
import { addressOf, resolveJid } from "./addresses.ts";
import type { ChannelKeys } from "./keys.ts";
import { transactionOver } from "./rows.ts";

type Logger = SocketConfig["logger"];
export type Repository = ReturnType<SocketConfig["makeSignalRepository"]>;

/** Baileys' own repository. */
export const makeRepository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;

/**
 * One cipher operation. Changes by `repository` are collected until `keep` writes them as a whole, together with
 * further changes.
 */
export type Work = { repository: Repository; keep(further?: KeyChanges): Promise<void> };

/** Runs the cipher operations of one identity, each in a key transaction of its own. */
export type KeyTransactions = {
  begin(): Work;
  /**
   * Runs `work` under the lock of a person's address, even if the address has moved during the wait for the lock; `at`
   * is the jid to use there.
   */
  atAddress<T>(jid: string, work: (at: string) => Promise<T>): Promise<T>;
  /** Changes the keys; when it resolves, the change is on disk. Under a lock. */
  change<T>(work: (repository: Repository) => Promise<T>): Promise<T>;
  resolve(jid: string): Promise<string>;
};

export const createKeyTransactions = (keys: ChannelKeys, creds: SignalCreds, logger: Logger): KeyTransactions => {
  const resolve = (jid: string): Promise<string> => resolveJid(keys.keyStore.read, jid);
  const begin = (): Work => {
    const transaction = transactionOver(keys.keyStore.read);
    return {
      repository: makeRepository({ creds, keys: transaction.keys }, logger),
      async keep(further) {
        const rows = [...transaction.rows(), ...(further?.rows ?? [])];
        if (further || rows.length > 0) await keys.keyStore.write({ ...further, rows });
      },
    };
  };
  return {
    begin,
    resolve,
    async atAddress(jid, work) {
      for (;;) {
        const at = await resolve(jid);
        const done = await keys.withLocks([addressOf(at)], async () =>
          (await resolve(jid)) === at ? { value: await work(at) } : undefined,
        );
        if (done) return done.value;
      }
    },
    async change(work) {
      const { repository, keep } = begin();
      const result = await work(repository);
      await keep();
      return result;
    },
  };
};
