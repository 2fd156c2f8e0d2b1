import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/**
 * Leases, where several processes serve the database: of a channel's live link (by the channel's id) and of a
 * distributed lock (`lock/…`). One process has a lease until it releases it, or until it is dead and removed.
 */
export const leases = sqliteTable("leases", { key: text().primaryKey(), owner: text().notNull() }, (t) => [
  index("leases_by_owner").on(t.owner),
]);

export const leasesLaws = laws(leases, {
  keeps: { group: "work", setting: "none", rule: "until the process that wrote it ends", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

type Lease = { key: string; owner: string };

// a removed process acquires nothing, because nobody would release it
const HOLD = `INSERT INTO leases (key, owner) SELECT :key, :owner
  WHERE EXISTS (SELECT 1 FROM processes WHERE processes.id = :owner)
  ON CONFLICT (key) DO UPDATE SET owner = excluded.owner`;
const takeOver = statement<never, Lease>(HOLD);
const acquire = statement<unknown, Lease>(`${HOLD} WHERE leases.owner = excluded.owner RETURNING key`);

/** Acquires the lease of a key; false if another process has it, or this process was removed. */
export const acquireLease = async (tx: Tx, key: string, owner: string): Promise<boolean> =>
  (await acquire.get(tx, { key, owner })) !== undefined;

/** Acquires a lease from any owner. Nothing happens when this process was removed. */
export const takeOverLease = (tx: Tx, key: string, owner: string): void => takeOver.run(tx, { key, owner });

const release = statement<never, Lease>("DELETE FROM leases WHERE key = :key AND owner = :owner");

/** Releases a lease, if the process has it. */
export const releaseLease = (tx: Tx, key: string, owner: string): void => release.run(tx, { key, owner });

const releaseAll = statement<never, { owners: readonly string[] }>(
  "DELETE FROM leases WHERE owner IN (SELECT value FROM json_each(:owners))",
);

/** Releases every lease of these processes. */
export const releaseLeasesOf = (tx: Tx, owners: readonly string[]): void => releaseAll.run(tx, { owners });

const elsewhere = statement<unknown, Lease>("SELECT 1 FROM leases WHERE key = :key AND owner <> :owner");

/** Whether a process other than `owner` has the lease. */
export const isLeasedElsewhere = async (r: Reader, key: string, owner: string): Promise<boolean> =>
  (await elsewhere.get(r, { key, owner })) !== undefined;

const otherOwner = statement<{ url: string | null }, Lease>(
  "SELECT url FROM leases JOIN processes ON processes.id = leases.owner WHERE key = :key AND owner <> :owner",
);

/** The URL of the other process with the lease; null if that process has no URL. */
export const findLeaseOwner = (r: Reader, key: string, owner: string): Promise<{ url: string | null } | undefined> =>
  otherOwner.get(r, { key, owner });

const NEEDING = `SELECT id FROM channels WHERE holds_connection = 1 AND validated_at IS NOT NULL
  UNION ALL SELECT id FROM channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING')
  AND NOT (holds_connection = 1 AND validated_at IS NOT NULL)`;
const FREE = `SELECT id FROM (${NEEDING}) AS needing WHERE NOT EXISTS (SELECT 1 FROM leases WHERE key = needing.id)`;

const countFree = statement<{ n: number }>(`SELECT count(*) AS n FROM (${FREE})`);

/** The number of channels that need a live link and have no owner. */
export const countFreeChannels = async (r: Reader): Promise<number> => (await countFree.get(r))?.n ?? 0;

const acquireFree = statement<{ key: string }, { owner: string; limit: number }>(
  `INSERT INTO leases (key, owner) SELECT id, :owner FROM (${FREE} LIMIT :limit) WHERE EXISTS (SELECT 1 FROM processes
    WHERE processes.id = :owner) RETURNING key`,
);

/** Acquires up to `limit` of those channels; gives their ids. */
export const acquireFreeChannels = async (tx: Tx, owner: string, limit: number): Promise<string[]> =>
  (await acquireFree.all(tx, { owner, limit })).map(({ key }) => key);

const own = statement<{ id: string }, { owner: string }>(
  `SELECT id FROM (${NEEDING}) AS needing WHERE EXISTS (SELECT 1 FROM leases WHERE key = needing.id
    AND owner = :owner)`,
);

/**
 * The channels that need a live link and belong to this process. Bound: the channels of this process, whose links are
 * in memory too.
 */
export const listOwnChannels = async (r: Reader, owner: string): Promise<string[]> =>
  (await own.all(r, { owner })).map(({ id }) => id);

const lost = statement<{ id: string }, { ids: readonly string[]; owner: string }>(
  `SELECT value AS id FROM json_each(:ids) WHERE NOT EXISTS (SELECT 1 FROM channels
    WHERE id = value) OR EXISTS (SELECT 1 FROM leases WHERE key = value AND owner <> :owner)`,
);

/** The channels among these that another process has, or that were deleted. Bound: the ids of the caller. */
export const listLostChannels = async (r: Reader, ids: readonly string[], owner: string): Promise<string[]> =>
  (await lost.all(r, { ids, owner })).map(({ id }) => id);
