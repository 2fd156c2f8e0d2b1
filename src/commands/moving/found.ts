import type { StoredEntry } from "../../contract/abilities/moving.ts";

/** The webhook of a session in another program, its events as that one names them. */
export type FoundWebhook = { url: string; events: readonly string[] };

/**
 * A session in a source. `name`: as the operator knows it. `entries` reads it anew at each call, so that one session at
 * a time is in memory. `notes`: what is not carried over; never a secret.
 */
export type FoundSession = {
  name: string;
  format: string;
  entries(): Promise<StoredEntry[]>;
  webhook?: FoundWebhook | undefined;
  notes: readonly string[];
};

/** A source that is not read: too large, damaged or not what it should be. The message names no content. */
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
  /** How deep folders are looked into, and how many there may be. */
  folderDepth: 4,
  folders: 20_000,
  /** How deep JSON may be nested. */
  jsonDepth: 64,
};
