import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { NativeKey } from "../contract/events.ts";
import type { ChannelId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";

/** Who may write a channel's keys: the last to open its ring. */
export const keyRings = sqliteTable("key_rings", { channelId: text("channel_id").$type<ChannelId>().primaryKey(), epoch: integer().notNull() });

/** The keys of a channel that encrypts end to end, one sealed row each. `expiresAt`: from when on nobody needs it. */
export const ringRows = sqliteTable(
  "ring_rows",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    kind: text().notNull(),
    id: text().notNull(),
    sealed: text().notNull(),
    expiresAt: integer("expires_at"),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.kind, t.id] }), index("ring_rows_by_expiry").on(t.expiresAt).where(sql`expires_at IS NOT NULL`)],
);

/** Messages as their network knows them, sealed: what is quoted, and sent again to a device that could not read it. */
export const messageCopies = sqliteTable(
  "message_copies",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    nativeKey: text("native_key").$type<NativeKey>().notNull(),
    sealed: text().notNull(),
    keptAt: integer("kept_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.nativeKey] }), index("message_copies_by_age").on(t.keptAt)],
);

/** Takes the ring over: the epoch in which whoever did may write; undefined when the channel is gone. */
export const takeRing = async (tx: Tx, channelId: ChannelId): Promise<number | undefined> =>
  (
    await tx.rows<{ epoch: number }>(
      "INSERT INTO key_rings (channel_id, epoch) SELECT ?1, 1 WHERE EXISTS (SELECT 1 FROM channels WHERE id = ?1) ON CONFLICT (channel_id) DO UPDATE SET epoch = epoch + 1 RETURNING epoch",
      [channelId],
    )
  )[0]?.epoch;

/** Whether nobody has taken the ring over since, and its channel is still there. */
export const holdsRing = async (tx: Tx, channelId: ChannelId, epoch: number): Promise<boolean> =>
  (await tx.rows("SELECT 1 FROM key_rings WHERE channel_id = ?1 AND epoch = ?2", [channelId, epoch])).length > 0;

export type SealedRow = { kind: string; id: string; sealed: string | null; until?: number | undefined };

/** Those rows of a kind that there are. */
export const readRing = (r: Reader, channelId: ChannelId, kind: string, ids: readonly string[]): Promise<{ id: string; sealed: string }[]> =>
  r.rows("SELECT id, sealed FROM ring_rows WHERE channel_id = ?1 AND kind = ?2 AND id IN (SELECT value FROM json_each(?3))", [channelId, kind, JSON.stringify(ids)]);

/** The ids of all of a kind. */
export const listRingIds = async (r: Reader, channelId: ChannelId, kind: string): Promise<string[]> => {
  const rows = await r.rows<{ id: string }>("SELECT id FROM ring_rows WHERE channel_id = ?1 AND kind = ?2", [channelId, kind]);
  return rows.map(({ id }) => id);
};

const PUT_ROWS = `INSERT INTO ring_rows (channel_id, kind, id, sealed, expires_at) SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2) WHERE true
  ON CONFLICT (channel_id, kind, id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`;
const TAKE_ROWS = "DELETE FROM ring_rows WHERE channel_id = ?1 AND (kind, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))";

/** However many rows: one statement for those that are kept, one for those without a value, which go. Of two for one id the later counts. */
export const writeRing = (tx: Tx, channelId: ChannelId, rows: readonly SealedRow[]): void => {
  const last = [...new Map(rows.map((row) => [`${row.kind}/${row.id}`, row])).values()];
  const put = last.filter(({ sealed }) => sealed !== null).map(({ kind, id, sealed, until }) => [kind, id, sealed, until ?? null]);
  const taken = last.filter(({ sealed }) => sealed === null).map(({ kind, id }) => [kind, id]);
  if (put.length > 0) tx.run(PUT_ROWS, [channelId, JSON.stringify(put)]);
  if (taken.length > 0) tx.run(TAKE_ROWS, [channelId, JSON.stringify(taken)]);
};

/** Every key goes; who holds the ring still does, and copies stay. */
export const wipeRing = (tx: Tx, channelId: ChannelId): void => tx.run("DELETE FROM ring_rows WHERE channel_id = ?1", [channelId]);

/** The ring of a channel that is gone: nobody writes to it any more. */
export const deleteRing = (tx: Tx, channelId: ChannelId): void => {
  wipeRing(tx, channelId);
  tx.run("DELETE FROM key_rings WHERE channel_id = ?1", [channelId]);
};

export const writeCopy = (tx: Tx, { channelId, nativeKey, sealed, keptAt }: typeof messageCopies.$inferInsert): void =>
  tx.run(
    "INSERT INTO message_copies (channel_id, native_key, sealed, kept_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (channel_id, native_key) DO UPDATE SET sealed = excluded.sealed, kept_at = excluded.kept_at",
    [channelId, nativeKey, sealed, keptAt],
  );

export const findCopy = async (r: Reader, channelId: ChannelId, nativeKey: NativeKey): Promise<string | undefined> =>
  (await r.rows<{ sealed: string }>("SELECT sealed FROM message_copies WHERE channel_id = ?1 AND native_key = ?2", [channelId, nativeKey]))[0]?.sealed;

/** At most `limit`; true when there may be more. */
export const pruneCopies = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await tx.rows("DELETE FROM message_copies WHERE rowid IN (SELECT rowid FROM message_copies WHERE kept_at < ?1 LIMIT ?2) RETURNING 1", [beforeMs, limit])).length === limit;

/** The copies of a channel that is gone; at most `limit`. True when there may be more. */
export const deleteCopiesOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await tx.rows("DELETE FROM message_copies WHERE rowid IN (SELECT rowid FROM message_copies WHERE channel_id = ?1 LIMIT ?2) RETURNING 1", [channelId, limit])).length === limit;

const EXPIRED = "SELECT rowid FROM ring_rows WHERE expires_at IS NOT NULL AND expires_at <= ?1 LIMIT ?2";

/** Deletes the rows that nobody needs any more; at most `limit`. True when there may be more. */
export const pruneRingRows = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await tx.rows(`DELETE FROM ring_rows WHERE rowid IN (${EXPIRED}) RETURNING 1`, [nowMs, limit])).length === limit;
