import { type AuthenticationCreds, type AuthenticationState, initAuthCreds, jidDecode, type SignalDataSet, type SignalKeyStore } from "@whiskeysockets/baileys";
import type { KeyRing, RingChanges, RingRow } from "../../src/contract/key-ring.ts";
import type { ChannelHost } from "../../src/contract/plugin.ts";
import { resolveAddress } from "./addresses.ts";
import { createLocks, type Locks } from "./locks.ts";
import { decode, encode, readKeys, rowsOf } from "./rows.ts";
import { type WatchedRing, watchRing } from "./watched-ring.ts";

/** A channel's identity at the network and all keys that go with it, over one key ring. It outlives sockets. */
export type ChannelKeys = {
  /** Its `onFailure` is called when no socket may go on with these keys, its `idle` resolves when no key is being changed and no message read. */
  readonly ring: WatchedRing;
  /** What a socket is given. Another one after `wipe`, when the old one writes no more. */
  readonly auth: AuthenticationState;
  /** One writer at a time per address of a contact and per group, whatever the socket. */
  readonly locks: Locks;
  /** Whether a phone has accepted the identity. */
  isPaired(): boolean;
  /** Forgets a pairing that was begun and not accepted: a socket that finds one would log in with it, and be refused. Before every connect. */
  dropDraft(): void;
  /** Resolves when the credentials are on disk as they are now. */
  saveCreds(): Promise<void>;
  /** Another identity takes the place of this one, in one write, after what is under way. No socket may be using it. Throws when it could not be written; then it may be tried again. */
  wipe(): Promise<void>;
  /** Writes for the identity that `creds` are of. Throws, and changes nothing, when it is the channel's no more. */
  write(creds: object, changes: RingChanges): Promise<void>;
};

/** Takes over the channel's key ring, and reads its identity or makes one. Throws when they cannot be read. */
export const openKeys = async (host: Pick<ChannelHost, "vault">): Promise<ChannelKeys> => {
  const ring = watchRing(await host.vault.openRing());
  const locks = createLocks();
  const write = async (creds: object, changes: RingChanges): Promise<void> => {
    if (creds !== auth.creds) throw new Error("these keys are of an identity that the channel has given up");
    await ring.write(changes);
  };
  const dropSession = async (creds: object, address: string): Promise<void> => {
    const id = await resolveAddress(ring.read, address);
    await ring.track(locks.hold([id], () => write(creds, { rows: [{ kind: "session", id, value: null }] })));
  };
  /** The keys that are no matter of the repository's. Of a session a socket may only ask that it begin anew. */
  const storeOf = (creds: AuthenticationCreds): SignalKeyStore => ({
    get: (kind, ids) => readKeys(ring.read, kind, ids),
    async set({ session = {}, ...others }: SignalDataSet) {
      // the counter by which pre-keys are numbered is on disk before they are
      await saver.settled();
      const rows = rowsOf(others);
      if (rows.length > 0) await write(creds, { rows });
      for (const address of Object.keys(session)) await dropSession(creds, address);
    },
  });
  const authOf = (creds: AuthenticationCreds): AuthenticationState => ({ creds, keys: storeOf(creds) });
  const saver = createSaver(() => write(auth.creds, { rows: [credsRow(auth.creds)] }));
  let auth = authOf((await readCreds(ring)) ?? initAuthCreds());

  return {
    ring,
    locks,
    write,
    saveCreds: saver.save,
    get auth() {
      return auth;
    },
    isPaired: () => isPaired(auth.creds),
    dropDraft: () => dropDraft(auth.creds),
    async wipe() {
      auth = authOf(initAuthCreds());
      await ring.idle();
      await ring.write({ wipe: true, rows: [credsRow(auth.creds)] });
    },
  };
};

const isPaired = ({ account, me }: AuthenticationCreds): boolean => Boolean(account) && jidDecode(me?.id)?.device !== undefined;

const dropDraft = (creds: AuthenticationCreds): void => {
  if (creds.account) return;
  delete creds.me;
  creds.pairingCode = undefined;
};

const credsRow = (creds: AuthenticationCreds): RingRow => ({ kind: "creds", id: "creds", value: encode(creds) });

const readCreds = async (ring: KeyRing): Promise<AuthenticationCreds | undefined> => {
  const text = (await ring.read("creds", ["creds"])).get("creds");
  return text === undefined ? undefined : (decode(text) as AuthenticationCreds);
};

/** Saves one after another: one that waits for the one before it takes along whatever changes until it begins. */
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
    /** Resolves when everything asked for so far is on disk, or could not be written. */
    settled: (): Promise<void> => last,
  };
};
