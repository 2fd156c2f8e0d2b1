import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/**
 * The processes that may have jobs and channels. Each has one lease, which it renews. `url`: where other nodes reach
 * it; NULL if they cannot.
 */
export const processes = sqliteTable("processes", {
  id: text().primaryKey(),
  leaseUntil: integer("lease_until").notNull(),
  startedAt: integer("started_at").notNull().default(0),
  url: text(),
});

export const processesLaws = laws(processes, {
  keeps: { group: "work", setting: "none", rule: "until the process that wrote it ends", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per process" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

/** The time of the database, which decides about leases on a shared one: the nodes' clocks may differ. */
export const DATABASE_NOW = "cast(unixepoch('subsec') * 1000 AS integer)";

type Id = { processId: string };
const IS_LIVE = `lease_until > ${DATABASE_NOW}`;
const LIVES = `id = :processId OR ${IS_LIVE}`;

type NewNode = Id & { leaseMs: number; url: string | null };
const insert = statement<never, NewNode>(
  `INSERT INTO processes (id, lease_until, started_at, url)
    VALUES (:processId, ${DATABASE_NOW} + :leaseMs, ${DATABASE_NOW}, :url)`,
);

/** Inserts a new node. */
export const insertNode = (tx: Tx, { processId, leaseMs, url }: NewNode): void =>
  insert.run(tx, { processId, leaseMs, url });

const renew = statement<unknown, Id & { leaseMs: number }>(
  `UPDATE processes SET lease_until = ${DATABASE_NOW} + :leaseMs WHERE id = :processId RETURNING id`,
);

/** Renews a node's lease, even an expired one; false when the node was removed. */
export const renewNode = async (tx: Tx, processId: string, leaseMs: number): Promise<boolean> =>
  (await renew.get(tx, { processId, leaseMs })) !== undefined;

const count = statement<{ live: number; dead: number }, Id>(
  `SELECT count(*) FILTER (WHERE ${LIVES}) AS live, count(*) FILTER (WHERE NOT (${LIVES})) AS dead FROM processes`,
);

/** The number of live nodes, `processId` included, and of other dead nodes that are not removed yet. */
export const countNodes = async (r: Reader, processId: string): Promise<{ live: number; dead: number }> =>
  (await count.get(r, { processId })) ?? { live: 1, dead: 0 };

const live = statement<unknown, Id>(`SELECT 1 FROM processes WHERE id = :processId AND ${IS_LIVE}`);

/** Whether a process has a lease that has not expired. */
export const isLive = async (r: Reader, processId: string): Promise<boolean> =>
  (await live.get(r, { processId })) !== undefined;

const removeDead = statement<{ id: string }, Id>(`DELETE FROM processes WHERE NOT (${LIVES}) RETURNING id`);

/** Removes the nodes other than `processId` whose lease has expired; gives their ids. */
export const deleteDeadNodes = async (tx: Tx, processId: string): Promise<string[]> =>
  (await removeDead.all(tx, { processId })).map(({ id }) => id);

const remove = statement<never, Id>("DELETE FROM processes WHERE id = :processId");
export const deleteNode = (tx: Tx, processId: string): void => remove.run(tx, { processId });

// breaks a column's constraint if the row is missing; else it does nothing, and nobody waits for an answer
const need = statement<never, Id>(
  `INSERT INTO processes (id, lease_until) SELECT :processId, NULL
    WHERE NOT EXISTS (SELECT 1 FROM processes WHERE id = :processId)`,
);

/** Fails the write if the node was removed, because its leases now belong to others. */
export const requireNode = (tx: Tx, processId: string): void => need.run(tx, { processId });

/** A process of the database. `channels`: how many channels' live links it has. */
export type NodeRow = { id: string; url: string | null; startedAt: number; isLive: boolean; channels: number };

const everyNode = statement<Omit<NodeRow, "isLive"> & { isLive: number }>(
  `SELECT id, url, started_at AS startedAt, ${IS_LIVE} AS isLive,
    (SELECT count(*) FROM leases WHERE owner = processes.id AND key NOT LIKE 'lock/%') AS channels
    FROM processes ORDER BY started_at, id`,
);

/**
 * All processes, oldest first, with dead ones that are not removed yet. Bound: the processes that serve the database.
 */
export const listNodes = async (r: Reader): Promise<NodeRow[]> =>
  (await everyNode.all(r)).map((row) => ({ ...row, isLive: row.isLive === 1 }));
