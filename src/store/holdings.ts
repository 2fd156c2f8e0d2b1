import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "./db.ts";

/**
 * What one process has and no other may have at the same time, where several serve the database: the live link of a channel (by the channel's id), a
 * turn (`turn/…`). It is held until it is given back, or its process is buried.
 */
export const holdings = sqliteTable("holdings", { key: text().primaryKey(), boot: text().notNull() }, (t) => [index("holdings_by_boot").on(t.boot)]);

// a process that has been buried takes nothing: nobody would give it back
const HOLD = "INSERT INTO holdings (key, boot) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM boots WHERE boots.boot = ?2) ON CONFLICT (key) DO UPDATE SET boot = excluded.boot";
const TAKE = `${HOLD} WHERE holdings.boot = excluded.boot RETURNING key`;

/** Takes what is free; false when another process has it. */
export const takeHolding = async (tx: Tx, key: string, boot: string): Promise<boolean> => (await tx.rows(TAKE, [key, boot])).length > 0;

/** Takes it from whoever has it. */
export const seizeHolding = (tx: Tx, key: string, boot: string): void => tx.run(HOLD, [key, boot]);

/** Gives it back, if the process has it. */
export const dropHolding = (tx: Tx, key: string, boot: string): void => tx.run("DELETE FROM holdings WHERE key = ?1 AND boot = ?2", [key, boot]);

/** Gives back all that these processes have. */
export const dropHoldingsOf = (tx: Tx, boots: readonly string[]): void => tx.run("DELETE FROM holdings WHERE boot IN (SELECT value FROM json_each(?1))", [JSON.stringify(boots)]);

/** Whether a process other than `boot` has it. */
export const isHeldElsewhere = async (r: Reader, key: string, boot: string): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM holdings WHERE key = ?1 AND boot <> ?2", [key, boot])).length > 0;

/** Where the process other than `boot` that has it is reached, null where it is not. */
export const findHolder = async (r: Reader, key: string, boot: string): Promise<{ url: string | null } | undefined> =>
  (await r.rows<{ url: string | null }>("SELECT url FROM holdings JOIN boots USING (boot) WHERE key = ?1 AND boot <> ?2", [key, boot]))[0];

const NEEDING = `SELECT id FROM channels WHERE holds_connection = 1 AND validated_at IS NOT NULL
  UNION ALL SELECT id FROM channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING') AND NOT (holds_connection = 1 AND validated_at IS NOT NULL)`;
const FREE = `SELECT id FROM (${NEEDING}) AS needing WHERE NOT EXISTS (SELECT 1 FROM holdings WHERE key = needing.id)`;

/** How many channels must have a live link and are nobody's. */
export const countFreeChannels = async (r: Reader): Promise<number> => (await r.rows<{ n: number }>(`SELECT count(*) AS n FROM (${FREE})`))[0]?.n ?? 0;

/** Takes up to `limit` of them; their ids. */
export const takeFreeChannels = async (tx: Tx, boot: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ key: string }>(
      `INSERT INTO holdings (key, boot) SELECT id, ?1 FROM (${FREE} LIMIT ?2) WHERE EXISTS (SELECT 1 FROM boots WHERE boots.boot = ?1) RETURNING key`,
      [boot, limit],
    )
  ).map(({ key }) => key);

/** The channels that must have a live link and are this process's. */
export const listHeldChannels = async (r: Reader, boot: string): Promise<string[]> =>
  (await r.rows<{ id: string }>(`SELECT id FROM (${NEEDING}) AS needing WHERE EXISTS (SELECT 1 FROM holdings WHERE key = needing.id AND boot = ?1)`, [boot])).map(({ id }) => id);

/** Those of the channels that another process has, or that are gone. */
export const listLostChannels = async (r: Reader, ids: readonly string[], boot: string): Promise<string[]> =>
  (
    await r.rows<{ id: string }>(
      `SELECT value AS id FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM channels WHERE id = value) OR EXISTS (SELECT 1 FROM holdings WHERE key = value AND boot <> ?2)`,
      [JSON.stringify(ids), boot],
    )
  ).map(({ id }) => id);
