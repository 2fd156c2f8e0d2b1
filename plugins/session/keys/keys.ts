import {
  type AuthenticationCreds,
  type AuthenticationState,
  initAuthCreds,
  jidDecode,
  type SignalDataSet,
  type SignalDataTypeMap,
} from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { createKeyedMutex, type KeyedMutex } from "../../../src/kernel/async.ts";
import { hasMovedIn } from "../moving/mark.ts";
import { resolveAddress } from "./addresses.ts";
import { givingUp } from "./giving-up.ts";
import { decode, encode, readKeys, rowsOf } from "./rows.ts";
import { type WatchedKeyStore, watchKeyStore } from "./watched-key-store.ts";

/** A channel's identity at the network and all its keys, over one key store. They outlive sockets. */
export type ChannelKeys = Omit<WatchedKeyStore, "track"> & {
  /** The state for a socket. */
  readonly auth: AuthenticationState;
  /**
   * Runs `work` under locks: one writer at a time per address of a contact and per group, across all sockets. The keys
   * are not idle until it has ended.
   */
  withLocks: KeyedMutex["run"];
  /** Whether a phone has accepted the identity. */
  isPaired(): boolean;
  /** Whether the identity has come from another program, which may still use it. */
  readonly isMovedIn: boolean;
  /**
   * Forgets a pairing that was begun and not accepted. A socket that finds such a pairing would log in with it and be
   * refused, so this is called before every connect.
   */
  dropTransaction(): void;
  /** Resolves when the credentials are on disk as they are now. */
  saveCreds(): Promise<void>;
};

/** Takes over the channel's key store, and reads or makes its identity. Throws if the keys cannot be read. */
export const openKeys = async (host: Pick<ChannelHost, "vault" | "channelId" | "log">): Promise<ChannelKeys> => {
  const opened = await host.vault.openKeyStore();
  const { keyStore, track, idle, onFailure } = watchKeyStore({ ...opened, write: givingUp(opened.write, host) });
  const creds = (await readCreds(keyStore)) ?? initAuthCreds();
  const isMovedIn = await hasMovedIn(keyStore);
  const saver = createSaver(() => keyStore.write({ rows: [credsRow(creds)] }));
  const locks = createKeyedMutex();
  const withLocks: KeyedMutex["run"] = (names, work) => track(locks.run(names, work));
  const store = storeOver(keyStore, locks, saver.settled);
  return {
    keyStore,
    idle,
    onFailure,
    withLocks,
    auth: { creds, keys: { get: store.get, set: (data) => track(store.set(data)) } },
    isPaired: () => isPaired(creds),
    isMovedIn,
    dropTransaction: () => dropTransaction(creds),
    saveCreds: () => track(saver.save()),
  };
};

/** The keys outside the repository. A socket may only ask for a session to begin again. */
const storeOver = (keyStore: KeyStore, locks: KeyedMutex, credsSaved: () => Promise<void>) => ({
  get: <T extends keyof SignalDataTypeMap>(kind: T, ids: string[]) => readKeys(keyStore.read, kind, ids),
  async set({ session = {}, ...others }: SignalDataSet): Promise<void> {
    // the counter that numbers pre-keys is on disk before they are
    await credsSaved();
    const rows = rowsOf(others);
    if (rows.length > 0) await keyStore.write({ rows });
    for (const address of Object.keys(session)) {
      const id = await resolveAddress(keyStore.read, address);
      await locks.run([id], () => keyStore.write({ rows: [{ kind: "session", id, value: null }] }));
    }
  },
});

/** Whether a phone has accepted the identity. */
export const isPaired = ({ account, me }: AuthenticationCreds): boolean =>
  Boolean(account) && jidDecode(me?.id)?.device !== undefined;

const dropTransaction = (creds: AuthenticationCreds): void => {
  if (creds.account) return;
  delete creds.me;
  creds.pairingCode = undefined;
};

export const credsRow = (creds: AuthenticationCreds): KeyRow => ({ kind: "creds", id: "creds", value: encode(creds) });

/** Undefined for a key store without an identity. */
export const readCreds = async (keyStore: Pick<KeyStore, "read">): Promise<AuthenticationCreds | undefined> => {
  const text = (await keyStore.read("creds", ["creds"])).get("creds");
  return text === undefined ? undefined : (decode(text) as AuthenticationCreds);
};

/** Saves one after another. A save that waits includes all changes until it begins. */
const createSaver = (write: () => Promise<void>) => {
  let last = Promise.resolve();
  let queued: Promise<void> | undefined;
  return {
    save(): Promise<void> {
      if (queued) return queued;
      const turn = last.then(() => {
        queued = undefined;
        return write();
      });
      queued = turn;
      last = turn.catch(() => {});
      return turn;
    },
    /** Resolves when all requested saves are on disk, or have failed. */
    settled: (): Promise<void> => last,
  };
};
