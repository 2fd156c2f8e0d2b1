import type { Random } from "../../kernel/random.ts";
import type { KeyRow, KeyStore, RestoredKeyStore } from "../ports/key-store.ts";

/** A file or row of a channel's identity as another program stores it: its name there, and its text. */
export type StoredEntry = { name: string; text: string };

/** `format`: one of the adapter's `formats`. */
export type StoredIdentity = { format: string; entries: readonly StoredEntry[] };

/**
 * `isLastState`: the entries are certainly the last state that the other program left. Otherwise everything that a
 * later use may have spent is left out. `at`: now, in milliseconds.
 */
export type ReadOptions = { isLastState: boolean; at: number };

/** How many keys there are by kind, and remarks for the operator. Neither ever holds a secret. */
export type StoredSummary = { keys: Readonly<Record<string, number>>; notes: readonly string[] };

/**
 * What the entries hold. `marks`: texts without secrets; two identities with a mark in common are the same one. The
 * first mark is there for every identity. `rows`: the whole key store of the new channel.
 */
export type ReadIdentity = StoredSummary &
  (
    | { ok: true; phoneNumber: string; marks: readonly string[]; rows: readonly KeyRow[] }
    | { ok: false; phoneNumber?: string; problems: readonly string[] }
  );

/**
 * Brings identities at the network in from other programs and out to them, without a new pairing. No function does I/O
 * except through the key store that it gets.
 */
export type MovingApi = {
  /** The forms of other programs that `read` knows. */
  formats: readonly string[];
  /** Checks and converts an identity. Never throws: what is wrong with the entries is in `problems`. */
  read(stored: StoredIdentity, options: ReadOptions, ports: { random: Random }): Promise<ReadIdentity>;
  /** The marks of the identity in a channel's key store; none where it has no identity. */
  marksOf(keyStore: Pick<KeyStore, "read">): Promise<readonly string[]>;
  /**
   * The identity in a key store, in the first of the `formats`; undefined where it has none. The entries are the
   * credential of the channel.
   */
  entriesOf(keyStore: RestoredKeyStore): Promise<readonly StoredEntry[] | undefined>;
};
