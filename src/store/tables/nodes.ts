import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { laws } from "./table-laws.ts";

/**
 * The processes that may have jobs and channels. Each has one lease, which it renews. `url`: where other nodes reach
 * it; NULL where they cannot.
 */
export const processes = sqliteTable("processes", {
  id: text().primaryKey(),
  leaseUntil: integer("lease_until").notNull(),
  startedAt: integer("started_at").notNull().default(0),
  url: text(),
});

export const processesLaws = laws(processes, {
  keeps: { group: "work", setting: "none", rule: "goes with the process that wrote it", isSwept: false },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per process" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

/** The time of the database, which decides about leases on a shared one: the nodes' clocks may differ. */
export const DATABASE_NOW = "cast(unixepoch('subsec') * 1000 AS integer)";

const LIVES = `id = ?1 OR lease_until > ${DATABASE_NOW}`;

const ENTER = `INSERT INTO processes (id, lease_until, started_at, url)
  VALUES (?1, ${DATABASE_NOW} + ?2, ${DATABASE_NOW}, ?3)`;

/** Inserts a new node. */
export const insertNode = (
  tx: Tx,
  { processId, leaseMs, url }: { processId: string; leaseMs: number; url: string | null },
): void => tx.run(ENTER, [processId, leaseMs, url]);

/** Renews a node's lease, even an expired one; false when the node was removed. */
export const renewNode = async (tx: Tx, processId: string, leaseMs: number): Promise<boolean> =>
  (
    await tx.rows(`UPDATE processes SET lease_until = ${DATABASE_NOW} + ?2 WHERE id = ?1 RETURNING id`, [
      processId,
      leaseMs,
    ])
  ).length > 0;

/** The number of live nodes, `processId` included, and of other dead nodes that are not removed yet. */
export const countNodes = async (r: Reader, processId: string): Promise<{ live: number; dead: number }> => {
  const [counted] = await r.rows<{ live: number; dead: number }>(
    `SELECT count(*) FILTER (WHERE ${LIVES}) AS live, count(*) FILTER (WHERE NOT (${LIVES})) AS dead FROM processes`,
    [processId],
  );
  return counted ?? { live: 1, dead: 0 };
};

/** Whether a process has a lease that has not expired. */
export const isLive = async (r: Reader, processId: string): Promise<boolean> =>
  (await r.rows(`SELECT 1 FROM processes WHERE id = ?1 AND lease_until > ${DATABASE_NOW}`, [processId])).length > 0;

/** Removes the nodes other than `processId` whose lease has expired; gives their ids. */
export const deleteDeadNodes = async (tx: Tx, processId: string): Promise<string[]> =>
  (await tx.rows<{ id: string }>(`DELETE FROM processes WHERE NOT (${LIVES}) RETURNING id`, [processId])).map(
    (dead) => dead.id,
  );

export const deleteNode = (tx: Tx, processId: string): void =>
  tx.run("DELETE FROM processes WHERE id = ?1", [processId]);

// breaks a column's constraint where the row is missing; else it does nothing, and nobody waits for an answer
const REQUIRE =
  "INSERT INTO processes (id, lease_until) SELECT ?1, NULL WHERE NOT EXISTS (SELECT 1 FROM processes WHERE id = ?1)";

/** Fails the write where the node was removed, because its leases now belong to others. */
export const requireNode = (tx: Tx, processId: string): void => tx.run(REQUIRE, [processId]);

/** A process of the database. `channels`: how many channels' live links it has. */
export type NodeRow = { id: string; url: string | null; startedAt: number; isLive: boolean; channels: number };

/** All processes, the oldest first, dead ones that are not removed yet included. */
export const listNodes = async (r: Reader): Promise<NodeRow[]> =>
  (
    await r.rows<Omit<NodeRow, "isLive"> & { isLive: number }>(
      `SELECT id, url, started_at AS startedAt, lease_until > ${DATABASE_NOW} AS isLive,
        (SELECT count(*) FROM leases WHERE owner = processes.id AND key NOT LIKE 'lock/%') AS channels
        FROM processes ORDER BY started_at, id`,
    )
  ).map((row) => ({ ...row, isLive: row.isLive === 1 }));
