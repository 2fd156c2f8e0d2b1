import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "./db.ts";

/**
 * The processes that may hold jobs and channels. What one holds is leased to it, and the lease is renewed in one row. `url`: where another node reaches it;
 * NULL where no other can.
 */
export const boots = sqliteTable("boots", {
  boot: text().primaryKey(),
  leaseUntil: integer("lease_until").notNull(),
  startedAt: integer("started_at").notNull().default(0),
  url: text(),
});

/** The time of the database, by which leases on a shared one run: the clocks of the nodes may differ. */
export const DATABASE_NOW = "cast(unixepoch('subsec') * 1000 AS integer)";

const LIVES = `boot = ?1 OR lease_until > ${DATABASE_NOW}`;

const ENTER = `INSERT INTO boots (boot, lease_until, started_at, url) VALUES (?1, ${DATABASE_NOW} + ?2, ${DATABASE_NOW}, ?3)`;

/** Writes a new node down. */
export const insertNode = (tx: Tx, { boot, leaseMs, url }: { boot: string; leaseMs: number; url: string | null }): void => tx.run(ENTER, [boot, leaseMs, url]);

/** Renews a node's lease, also one that has run out; false when the node has been buried. */
export const renewNode = async (tx: Tx, boot: string, leaseMs: number): Promise<boolean> =>
  (await tx.rows(`UPDATE boots SET lease_until = ${DATABASE_NOW} + ?2 WHERE boot = ?1 RETURNING boot`, [boot, leaseMs])).length > 0;

/** How many nodes live, `boot` among them, and how many others are dead and not buried yet. */
export const countNodes = async (r: Reader, boot: string): Promise<{ live: number; dead: number }> => {
  const [counted] = await r.rows<{ live: number; dead: number }>(`SELECT count(*) FILTER (WHERE ${LIVES}) AS live, count(*) FILTER (WHERE NOT (${LIVES})) AS dead FROM boots`, [
    boot,
  ]);
  return counted ?? { live: 1, dead: 0 };
};

/** Forgets the nodes other than `boot` whose lease has run out; their names. */
export const deleteDeadNodes = async (tx: Tx, boot: string): Promise<string[]> =>
  (await tx.rows<{ boot: string }>(`DELETE FROM boots WHERE NOT (${LIVES}) RETURNING boot`, [boot])).map((dead) => dead.boot);

export const deleteNode = (tx: Tx, boot: string): void => tx.run("DELETE FROM boots WHERE boot = ?1", [boot]);

// breaks the constraint of a column where the row is missing; else nothing happens, and nobody need wait for an answer
const REQUIRE = "INSERT INTO boots (boot, lease_until) SELECT ?1, NULL WHERE NOT EXISTS (SELECT 1 FROM boots WHERE boot = ?1)";

/** Fails the write where the node has been buried: what it believes to hold is another's. */
export const requireNode = (tx: Tx, boot: string): void => tx.run(REQUIRE, [boot]);
