import type { StoredEntry } from "../../contract/abilities/moving.ts";
import type { FoundHistory } from "./history/found.ts";

/** The webhook of a session in another program, with that program's names of events. */
export type FoundWebhook = { url: string; events: readonly string[] };

/**
 * A session in a source. `name`: the operator's name for it. `entries` reads it again at each call, so that one session
 * at a time is in memory. `notes`: the settings that are not carried over; never a secret. `history`: its messages and
 * contacts, if they can be read.
 */
export type FoundSession = {
  name: string;
  format: string;
  entries(): Promise<StoredEntry[]>;
  webhook?: FoundWebhook | undefined;
  notes: readonly string[];
  history?: FoundHistory | undefined;
};

/** A source that is refused: too large, damaged or of another kind. The message quotes nothing from it. */
export class SourceFault extends Error {}

const MIB = 1024 * 1024;

/** The limits of sources: more than any real one has. */
export const LIMITS = {
  /** Sessions of one source. */
  sessions: 10_000,
  /** Bytes of a table, a dump or a database. */
  fileBytes: 64 * MIB,
  /** Bytes of a key's file, and of a row of a table. */
  keyBytes: MIB,
  /** Files and bytes of one session. */
  entries: 200_000,
  sessionBytes: 64 * MIB,
  /** The depth of the search for folders, and the maximum number of folders. */
  folderDepth: 4,
  folders: 20_000,
  /** The maximum nesting of JSON. */
  jsonDepth: 64,
};
