import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type { Known, Received } from "../events.ts";
import type { KeyChanges, KeyRow, KeyStore, RestoredKeyStore } from "../ports/key-store.ts";

/** A file or row of a channel's identity as another program stores it: its name there, and its text. */
export type StoredEntry = { name: string; text: string };

/** `format`: one of the adapter's `formats`. */
export type StoredIdentity = { format: string; entries: readonly StoredEntry[] };

/**
 * `isLastState`: the entries are certainly the last state that the other program left. If false, `read` leaves out
 * every key that the other program may have used since. `at`: now, in milliseconds.
 */
export type ReadOptions = { isLastState: boolean; at: number };

/** How many keys there are of each kind, and remarks for the operator. Neither contains a secret. */
export type StoredSummary = { keys: Readonly<Record<string, number>>; notes: readonly string[] };

/**
 * The content of the entries. `marks`: texts without secrets; two identities that share a mark are the same identity.
 * Every identity has the first mark. `rows`: the whole key store of the new channel.
 */
export type ReadIdentity = StoredSummary &
  (
    | { ok: true; phoneNumber: string; marks: readonly string[]; rows: readonly KeyRow[] }
    | { ok: false; phoneNumber?: string; problems: readonly string[] }
  );

/**
 * Rows of another program's history: of its messages and of the people that it knows, each with the JSON of its columns.
 * `format`: one of the adapter's `historyFormats`.
 */
export type StoredHistory = { format: string; rows: readonly HistoryRow[] };
export const HISTORY_ROWS = ["message", "person"] as const;
export type HistoryRow = { kind: (typeof HISTORY_ROWS)[number]; text: string };

/** Why a row of a history cannot be taken over, in words for the operator. It contains nothing of the row. */
export type LeftOut = Readonly<Record<string, number>>;

/**
 * The content of the rows. `messages`: in the order of their rows, each with what the key store keeps of it. `people`:
 * with their names. `leftOut`: how many rows cannot be taken over, by reason.
 */
export type ReadHistory = {
  messages: readonly { event: Received; changes: Pick<KeyChanges, "rows" | "messages"> }[];
  people: readonly Known[];
  leftOut: LeftOut;
};

/** `keyStore`: of the channel that gets the history; without one it is empty. */
export type HistoryPorts = { keyStore: Pick<KeyStore, "read" | "cachedMessage">; clock: Clock; log: Log };

/**
 * Brings identities at the network in from other programs and out to them, without a new pairing. No function does I/O
 * except through the key store that it gets.
 */
export type MovingApi = {
  /** The formats of other programs that `read` can read. */
  formats: readonly string[];
  /** Checks and converts an identity. Never throws: `problems` lists the faults of the entries. */
  read(stored: StoredIdentity, options: ReadOptions, ports: { random: Random }): Promise<ReadIdentity>;
  /** The marks of the identity in a channel's key store; empty if it has no identity. */
  marksOf(keyStore: Pick<KeyStore, "read">): Promise<readonly string[]>;
  /**
   * The identity in a key store, in the first of the `formats`; undefined if it has none. The entries are the
   * credential of the channel.
   */
  entriesOf(keyStore: RestoredKeyStore): Promise<readonly StoredEntry[] | undefined>;
  /** The formats of other programs' histories that `readHistory` can read. */
  historyFormats?: readonly string[];
  /** Reads a part of a history. Present with `historyFormats`. Never throws: `leftOut` counts the faulty rows. */
  readHistory?(stored: StoredHistory, ports: HistoryPorts): Promise<ReadHistory>;
};
