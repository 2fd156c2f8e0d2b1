import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The last import of another program's history into a channel. `source`: a hash of what names the source. `run`: the
 * imports of one command have the same. `cursor`: the place in the source after which it goes on; empty at the
 * beginning.
 */
export const historyImports = sqliteTable("history_imports", {
  channelId: text("channel_id").$type<ChannelId>().primaryKey(),
  id: text().notNull(),
  source: text().notNull(),
  run: text().notNull(),
  cursor: text().notNull(),
  isDone: integer("is_done", { mode: "boolean" }).notNull(),
  startedAt: integer("started_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type HistoryImportRow = typeof historyImports.$inferSelect;

export const historyImportsLaws = laws(historyImports, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until it is undone, or the channel is deleted",
    isSwept: false,
  },
  personal: { none: "a hash, and a place in the source" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: "none",
  backup: "rows alone",
});

/** TABLE: what an import adds, in the order in which an undo takes it back. */
export const ADDED_KINDS = ["file", "message", "conversation", "contact", "name", "identity", "key"] as const;
export type AddedKind = (typeof ADDED_KINDS)[number];

/**
 * What the import has added. `ref`: the id of a row, of `media` for a `file`; `name` is a contact that was there and got a name; a `key` is
 * `<kind>/<id>` of the channel's key store.
 */
export const historyImportItems = sqliteTable(
  "history_import_items",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    kind: text().$type<AddedKind>().notNull(),
    ref: text().notNull(),
    addedAt: integer("added_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.kind, t.ref] }), index("history_import_items_by_age").on(t.addedAt)],
);

export const historyImportItemsLaws = laws(historyImportItems, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "90 days, or until another import of the channel adds something",
    isSwept: true,
  },
  personal: {
    rowsOf: {
      columns: "history_import_items.*, channels.tenant_id AS tenantId",
      from: "history_import_items JOIN channels ON channels.id = channel_id AND history_import_items.kind = 'key'",
    },
    by: [],
    texts: [],
    isOf: ({ ref }, who) => who.mentions(ref),
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per row that an import adds; kept for 90 days" },
  files: "none",
  backup: "rows alone",
});

type OfChannel = { channelId: ChannelId };
const byChannel = statement<HistoryImportRow, OfChannel>(
  "SELECT * FROM history_imports WHERE channel_id = :channelId",
  columnsOf(historyImports),
);

export const findHistoryImport = (r: Reader, channelId: ChannelId): Promise<HistoryImportRow | undefined> =>
  byChannel.get(r, { channelId });

const put = insertInto(historyImports, replacing(historyImports, "(channel_id)"));
/** Stores the import of a channel, in place of an earlier one. */
export const putHistoryImport = async (tx: Tx, row: HistoryImportRow): Promise<void> => put(tx, row);

const newest = statement<HistoryImportRow, { tenantId: string }>(
  `SELECT * FROM history_imports WHERE channel_id IN (SELECT id FROM channels WHERE tenant_id = :tenantId)
    ORDER BY updated_at DESC, channel_id LIMIT 1`,
  columnsOf(historyImports),
);

/** The import of a tenant's channels that was written to last. */
export const findLastHistoryImport = (r: Reader, tenantId: string): Promise<HistoryImportRow | undefined> =>
  newest.get(r, { tenantId });

const ofRun = statement<HistoryImportRow, { tenantId: string; run: string; limit: number }>(
  `SELECT * FROM history_imports WHERE run = :run
    AND channel_id IN (SELECT id FROM channels WHERE tenant_id = :tenantId) ORDER BY channel_id LIMIT :limit`,
  columnsOf(historyImports),
);

/** The imports of one command into a tenant's channels, at most `limit`. */
export const listHistoryImports = (
  r: Reader,
  tenantId: string,
  { run, limit }: { run: string; limit: number },
): Promise<HistoryImportRow[]> => ofRun.all(r, { tenantId, run, limit });

const remove = statement<never, OfChannel>("DELETE FROM history_imports WHERE channel_id = :channelId");
export const deleteHistoryImport = (tx: Tx, channelId: ChannelId): void => remove.run(tx, { channelId });

type Item = { kind: AddedKind; ref: string };
const add = statement<never, OfChannel & { items: readonly (readonly string[])[]; addedAt: number }>(
  `INSERT INTO history_import_items (channel_id, kind, ref, added_at)
    SELECT :channelId, value ->> 0, value ->> 1, :addedAt FROM json_each(:items) WHERE true
    ON CONFLICT (channel_id, kind, ref) DO NOTHING`,
);

/** Records what the import of a channel has added. */
export const recordAdded = (tx: Tx, channelId: ChannelId, items: readonly Item[], addedAt: number): void => {
  if (items.length > 0) add.run(tx, { channelId, items: items.map(({ kind, ref }) => [kind, ref]), addedAt });
};

/** `addedAt`: later changes are those of people. */
export type AddedItem = { ref: string; addedAt: number };
const someOf = statement<AddedItem, OfChannel & { kind: AddedKind; limit: number }>(
  `DELETE FROM history_import_items WHERE rowid IN
    (SELECT rowid FROM history_import_items WHERE channel_id = :channelId AND kind = :kind LIMIT :limit)
    RETURNING ref, added_at AS addedAt`,
);

/** Takes records of one kind off the list, at most `limit`. */
export const takeAdded = (
  tx: Tx,
  channelId: ChannelId,
  { kind, limit }: { kind: AddedKind; limit: number },
): Promise<AddedItem[]> => someOf.all(tx, { channelId, kind, limit });

const oneOf = statement<{ addedAt: number }, OfChannel & Item>(
  `SELECT added_at AS addedAt FROM history_import_items
    WHERE channel_id = :channelId AND kind = :kind AND ref = :ref`,
);

/** When the import of a channel has added something; undefined if it has not. */
export const findAddedAt = async (r: Reader, channelId: ChannelId, item: Item): Promise<number | undefined> =>
  (await oneOf.get(r, { channelId, ...item }))?.addedAt;

const removeOne = statement<never, OfChannel & Item>(
  "DELETE FROM history_import_items WHERE channel_id = :channelId AND kind = :kind AND ref = :ref",
);

/** Takes one record off the list. */
export const forgetItem = (tx: Tx, channelId: ChannelId, item: Item): void => removeOne.run(tx, { channelId, ...item });

const anyItem = statement<{ found: number }, OfChannel>(
  "SELECT 1 AS found FROM history_import_items WHERE channel_id = :channelId LIMIT 1",
);

/** Whether it is known of the import of a channel that it has added anything. */
export const hasAdded = async (r: Reader, channelId: ChannelId): Promise<boolean> =>
  (await anyItem.get(r, { channelId })) !== undefined;

const removeSome = statement<unknown, OfChannel & { limit: number }>(
  `DELETE FROM history_import_items WHERE rowid IN
    (SELECT rowid FROM history_import_items WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
);

/** Forgets what the import of a channel has added; at most `limit` rows. True when there may be more. */
export const forgetAdded = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeSome.all(tx, { channelId, limit })).length === limit;

// + keeps SQLite from the channel's items, which may be many
const anySince = statement<{ found: number }, OfChannel & { sinceMs: number }>(
  "SELECT 1 AS found FROM history_import_items WHERE +channel_id = :channelId AND added_at >= :sinceMs LIMIT 1",
);

/** Whether it is known that imports of a channel have added anything since a time. */
export const hasAddedSince = async (r: Reader, channelId: ChannelId, sinceMs: number): Promise<boolean> =>
  (await anySince.get(r, { channelId, sinceMs })) !== undefined;

// + keeps SQLite from the items of other channels; a file without its bytes is known by its record alone
const removeBefore = statement<unknown, OfChannel & { beforeMs: number; limit: number }>(
  `DELETE FROM history_import_items WHERE rowid IN (SELECT rowid FROM history_import_items
    WHERE channel_id = :channelId AND +added_at < :beforeMs AND NOT (kind = 'file'
      AND EXISTS (SELECT 1 FROM media WHERE media.id = ref AND stored_at IS NULL)) LIMIT :limit) RETURNING 1`,
);

/**
 * Forgets what imports of a channel have added before a time, except files that were left halfway; at most `limit` rows.
 * True when there may be more.
 */
export const forgetAddedBefore = async (
  tx: Tx,
  channelId: ChannelId,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<boolean> => (await removeBefore.all(tx, { channelId, beforeMs, limit })).length === limit;

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM history_import_items WHERE rowid IN
    (SELECT rowid FROM history_import_items WHERE added_at < :beforeMs LIMIT :limit) RETURNING 1`,
);

/** Forgets what was added before a time; at most `limit` rows. True when there may be more. */
export const pruneAdded = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
