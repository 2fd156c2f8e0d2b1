import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { laws } from "./table-laws.ts";

/**
 * Leases, where several processes serve the database: of a channel's live link (by the channel's id) and of a
 * distributed lock (`lock/…`). One process has a lease until it releases it, or until it is dead and removed.
 */
export const leases = sqliteTable("leases", { key: text().primaryKey(), owner: text().notNull() }, (t) => [
  index("leases_by_owner").on(t.owner),
]);

export const leasesLaws = laws(leases, {
  keeps: { group: "work", setting: "none", rule: "goes with the process that wrote it", isSwept: false },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

// a removed process acquires nothing, because nobody would release it
const HOLD = `INSERT INTO leases (key, owner) SELECT ?1, ?2
    WHERE EXISTS (SELECT 1 FROM processes WHERE processes.id = ?2)
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner`;
const TAKE = `${HOLD} WHERE leases.owner = excluded.owner RETURNING key`;

/** Acquires the lease of a key; false when another process has it, or this one was removed. */
export const acquireLease = async (tx: Tx, key: string, owner: string): Promise<boolean> =>
  (await tx.rows(TAKE, [key, owner])).length > 0;

/** Acquires a lease from any owner. Nothing happens when this process was removed. */
export const takeOverLease = (tx: Tx, key: string, owner: string): void => tx.run(HOLD, [key, owner]);

/** Releases a lease, if the process has it. */
export const releaseLease = (tx: Tx, key: string, owner: string): void =>
  tx.run("DELETE FROM leases WHERE key = ?1 AND owner = ?2", [key, owner]);

/** Releases every lease of these processes. */
export const releaseLeasesOf = (tx: Tx, owners: readonly string[]): void =>
  tx.run("DELETE FROM leases WHERE owner IN (SELECT value FROM json_each(?1))", [JSON.stringify(owners)]);

/** Whether a process other than `owner` has the lease. */
export const isLeasedElsewhere = async (r: Reader, key: string, owner: string): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM leases WHERE key = ?1 AND owner <> ?2", [key, owner])).length > 0;

/** The URL of the other process with the lease; null where it has none. */
export const findLeaseOwner = async (
  r: Reader,
  key: string,
  owner: string,
): Promise<{ url: string | null } | undefined> =>
  (
    await r.rows<{ url: string | null }>(
      "SELECT url FROM leases JOIN processes ON processes.id = leases.owner WHERE key = ?1 AND owner <> ?2",
      [key, owner],
    )
  )[0];

const NEEDING = `SELECT id FROM channels WHERE holds_connection = 1 AND validated_at IS NOT NULL
  UNION ALL SELECT id FROM channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING')
  AND NOT (holds_connection = 1 AND validated_at IS NOT NULL)`;
const FREE = `SELECT id FROM (${NEEDING}) AS needing WHERE NOT EXISTS (SELECT 1 FROM leases WHERE key = needing.id)`;

/** The number of channels that need a live link and have no owner. */
export const countFreeChannels = async (r: Reader): Promise<number> =>
  (await r.rows<{ n: number }>(`SELECT count(*) AS n FROM (${FREE})`))[0]?.n ?? 0;

/** Acquires up to `limit` of those channels; gives their ids. */
export const acquireFreeChannels = async (tx: Tx, owner: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ key: string }>(
      `INSERT INTO leases (key, owner) SELECT id, ?1 FROM (${FREE} LIMIT ?2) WHERE EXISTS (SELECT 1 FROM processes
        WHERE processes.id = ?1) RETURNING key`,
      [owner, limit],
    )
  ).map(({ key }) => key);

/** The channels that need a live link and belong to this process. */
export const listOwnChannels = async (r: Reader, owner: string): Promise<string[]> =>
  (
    await r.rows<{ id: string }>(
      `SELECT id FROM (${NEEDING}) AS needing WHERE EXISTS (SELECT 1 FROM leases WHERE key = needing.id
        AND owner = ?1)`,
      [owner],
    )
  ).map(({ id }) => id);

/** Those of the channels that another process has, or that were deleted. */
export const listLostChannels = async (r: Reader, ids: readonly string[], owner: string): Promise<string[]> =>
  (
    await r.rows<{ id: string }>(
      `SELECT value AS id FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM channels
        WHERE id = value) OR EXISTS (SELECT 1 FROM leases WHERE key = value AND owner <> ?2)`,
      [JSON.stringify(ids), owner],
    )
  ).map(({ id }) => id);
