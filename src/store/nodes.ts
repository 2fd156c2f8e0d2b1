import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "./db.ts";

/**
 * The processes that may hold jobs and channels. What one holds is leased to it, and the lease is renewed in one row.
 * `url`: where another node reaches it; NULL where no other can.
 */
export const processes = sqliteTable("processes", {
  id: text().primaryKey(),
  leaseUntil: integer("lease_until").notNull(),
  startedAt: integer("started_at").notNull().default(0),
  url: text(),
});

/** The time of the database, by which leases on a shared one run: the clocks of the nodes may differ. */
export const DATABASE_NOW = "cast(unixepoch('subsec') * 1000 AS integer)";

const LIVES = `id = ?1 OR lease_until > ${DATABASE_NOW}`;

const ENTER = `INSERT INTO processes (id, lease_until, started_at, url) VALUES (?1, ${DATABASE_NOW} + ?2, ${DATABASE_NOW}, ?3)`;

/** Writes a new node down. */
export const insertNode = (
  tx: Tx,
  { processId, leaseMs, url }: { processId: string; leaseMs: number; url: string | null },
): void => tx.run(ENTER, [processId, leaseMs, url]);

/** Renews a node's lease, also one that has run out; false when the node was removed. */
export const renewNode = async (tx: Tx, processId: string, leaseMs: number): Promise<boolean> =>
  (
    await tx.rows(`UPDATE processes SET lease_until = ${DATABASE_NOW} + ?2 WHERE id = ?1 RETURNING id`, [
      processId,
      leaseMs,
    ])
  ).length > 0;

/** How many nodes live, `processId` among them, and how many others are dead and not removed yet. */
export const countNodes = async (r: Reader, processId: string): Promise<{ live: number; dead: number }> => {
  const [counted] = await r.rows<{ live: number; dead: number }>(
    `SELECT count(*) FILTER (WHERE ${LIVES}) AS live, count(*) FILTER (WHERE NOT (${LIVES})) AS dead FROM processes`,
    [processId],
  );
  return counted ?? { live: 1, dead: 0 };
};

/** Removes the nodes other than `processId` whose lease has run out; their names. */
export const deleteDeadNodes = async (tx: Tx, processId: string): Promise<string[]> =>
  (await tx.rows<{ id: string }>(`DELETE FROM processes WHERE NOT (${LIVES}) RETURNING id`, [processId])).map(
    (dead) => dead.id,
  );

export const deleteNode = (tx: Tx, processId: string): void =>
  tx.run("DELETE FROM processes WHERE id = ?1", [processId]);

// breaks the constraint of a column where the row is missing; else nothing happens, and nobody need wait for an answer
const REQUIRE =
  "INSERT INTO processes (id, lease_until) SELECT ?1, NULL WHERE NOT EXISTS (SELECT 1 FROM processes WHERE id = ?1)";

/** Fails the write where the node was removed: what it believes to hold is another's. */
export const requireNode = (tx: Tx, processId: string): void => tx.run(REQUIRE, [processId]);
