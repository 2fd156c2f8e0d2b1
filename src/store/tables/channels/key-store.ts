import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProviderMessageId } from "../../../contract/events.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { insertInto, replacing, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/** The current writer of a channel's keys: the last to open its key store. */
export const keyStores = sqliteTable("key_stores", {
  channelId: text("channel_id").$type<ChannelId>().primaryKey(),
  epoch: integer().notNull(),
});

export const keyStoresLaws = laws(keyStores, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: "none",
  backup: "rows alone",
});

/**
 * The keys of a channel with end-to-end encryption, one sealed row each. `expiresAt`: when a key is no longer needed.
 */
export const keyRows = sqliteTable(
  "key_rows",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    kind: text().notNull(),
    id: text().notNull(),
    sealed: text().notNull(),
    expiresAt: integer("expires_at"),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.kind, t.id] }),
    index("key_rows_by_expiry").on(t.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
);

/**
 * The rows of other people's end-to-end keys. The channel's own rows belong to nobody else: its identity, pending
 * unlinks and limits.
 */
const KEY_STORES_OF_OTHERS =
  "key_rows.kind NOT IN ('creds', 'unlink', 'limit', 'pre-key', 'app-state-sync-key', 'app-state-sync-version')";

export const keyRowsLaws = laws(keyRows, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the channel is deleted; addresses 7 days, menus 3 days",
    isSwept: true,
  },
  personal: {
    rowsOf: {
      columns: "key_rows.*, channels.tenant_id AS tenantId",
      from: `key_rows JOIN channels ON channels.id = channel_id AND ${KEY_STORES_OF_OTHERS}`,
    },
    by: [],
    texts: [],
    isOpened: true,
    isOf: ({ id, opened }, who) => who.mentions(id) || who.mentions(opened),
  },
  joins: "of no tenant",
  sealed: { sealed: "ring:{channel_id}:{kind}:{id}" },
  grows: { bound: "made by the encryption of a session" },
  files: "none",
  backup: "rows alone",
});

/** Sealed messages in their network's form, for quotes, and for repeats to a device that could not decrypt one. */
export const cachedMessages = sqliteTable(
  "cached_messages",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    providerMessageId: text("provider_message_id").$type<ProviderMessageId>().notNull(),
    sealed: text().notNull(),
    cachedAt: integer("cached_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.providerMessageId] }), index("cached_messages_by_age").on(t.cachedAt)],
);

/** The bytes of a message, which contain its texts unchanged. */
const textOfCopy = (opened: unknown): string => {
  try {
    return Buffer.from((JSON.parse(String(opened)) as { message: string }).message, "base64").toString("latin1");
  } catch {
    return ""; // stored in another form, which the check of its bytes reads
  }
};

export const cachedMessagesLaws = laws(cachedMessages, {
  keeps: { group: "messages", setting: "RECADO_KEEP_MESSAGES", rule: "at most 90 days", isSwept: true },
  personal: {
    rowsOf: "channel",
    by: [],
    texts: [],
    isOpened: true,
    isOf: ({ opened }, who) => who.mentions(opened) || who.mentions(textOfCopy(opened)),
  },
  joins: "of no tenant",
  sealed: { sealed: "copy:{channel_id}:{provider_message_id}" },
  grows: { bound: "made by messages; kept for 90 days" },
  files: "none",
  backup: "rows alone",
});

type OfChannel = { channelId: ChannelId };
const take = statement<{ epoch: number }, OfChannel>(
  `INSERT INTO key_stores (channel_id, epoch)
    SELECT :channelId, 1 WHERE EXISTS (SELECT 1 FROM channels WHERE id = :channelId)
    ON CONFLICT (channel_id) DO UPDATE SET epoch = epoch + 1 RETURNING epoch`,
);

/** Acquires the key store. Gives the epoch in which the caller may write; undefined when the channel was deleted. */
export const takeKeyStore = async (tx: Tx, channelId: ChannelId): Promise<number | undefined> =>
  (await take.get(tx, { channelId }))?.epoch;

const held = statement<unknown, OfChannel & { epoch: number }>(
  "SELECT 1 FROM key_stores WHERE channel_id = :channelId AND epoch = :epoch",
);

/** Whether this epoch is still the current one, and the channel exists. Bound: one row. */
export const holdsKeyStore = async (tx: Tx, channelId: ChannelId, epoch: number): Promise<boolean> =>
  (await held.all(tx, { channelId, epoch })).length > 0;

export type SealedRow = { kind: string; id: string; sealed: string | null; until?: number | undefined };

type OfKind = OfChannel & { kind: string };
const someOfKind = statement<{ id: string; sealed: string }, OfKind & { ids: readonly string[] }>(
  `SELECT id, sealed FROM key_rows
    WHERE channel_id = :channelId AND kind = :kind AND id IN (SELECT value FROM json_each(:ids))`,
);

/** The existing rows of a kind among these ids. Bound: the ids of the caller. */
export const readKeyStore = (
  r: Reader,
  channelId: ChannelId,
  kind: string,
  ids: readonly string[],
): Promise<{ id: string; sealed: string }[]> => someOfKind.all(r, { channelId, kind, ids });

const idsOfKind = statement<{ id: string }, OfKind>(
  "SELECT id FROM key_rows WHERE channel_id = :channelId AND kind = :kind",
);

/** The ids of all rows of a kind. Bound: the session's keys of one kind, which its library limits or which expire. */
export const listKeyIds = async (r: Reader, channelId: ChannelId, kind: string): Promise<string[]> =>
  (await idsOfKind.all(r, { channelId, kind })).map(({ id }) => id);

type Rows = OfChannel & { rows: readonly (readonly (string | number | null)[])[] };
const putRows = statement<never, Rows>(
  `INSERT INTO key_rows (channel_id, kind, id, sealed, expires_at)
    SELECT :channelId, value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:rows) WHERE true
    ON CONFLICT (channel_id, kind, id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`,
);
const takeRows = statement<never, Rows>(
  `DELETE FROM key_rows
    WHERE channel_id = :channelId AND (kind, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:rows))`,
);

/**
 * Writes any number of rows. One statement writes the rows with a value, another deletes the rows without a value. Of
 * two rows with one id the later counts.
 */
export const writeKeyStore = (tx: Tx, channelId: ChannelId, rows: readonly SealedRow[]): void => {
  const last = [...new Map(rows.map((row) => [`${row.kind}/${row.id}`, row])).values()];
  const put = last
    .filter(({ sealed }) => sealed !== null)
    .map(({ kind, id, sealed, until }) => [kind, id, sealed, until ?? null]);
  const taken = last.filter(({ sealed }) => sealed === null).map(({ kind, id }) => [kind, id]);
  if (put.length > 0) putRows.run(tx, { channelId, rows: put });
  if (taken.length > 0) takeRows.run(tx, { channelId, rows: taken });
};

const wipe = statement<never, OfChannel>("DELETE FROM key_rows WHERE channel_id = :channelId");

/** Deletes every key. The current writer and the cached messages stay. */
export const wipeKeyStore = (tx: Tx, channelId: ChannelId): void => wipe.run(tx, { channelId });

const removeStore = statement<never, OfChannel>("DELETE FROM key_stores WHERE channel_id = :channelId");

/** Deletes the key store of a deleted channel, which has no writer any more. */
export const deleteKeyStore = (tx: Tx, channelId: ChannelId): void => {
  wipeKeyStore(tx, channelId);
  removeStore.run(tx, { channelId });
};

export const writeCopy: (tx: Tx, row: typeof cachedMessages.$inferInsert) => void = insertInto(
  cachedMessages,
  replacing(cachedMessages, "(channel_id, provider_message_id)"),
);

const copy = statement<{ sealed: string }, OfChannel & { providerMessageId: ProviderMessageId }>(
  "SELECT sealed FROM cached_messages WHERE channel_id = :channelId AND provider_message_id = :providerMessageId",
);

export const findCopy = async (
  r: Reader,
  channelId: ChannelId,
  providerMessageId: ProviderMessageId,
): Promise<string | undefined> => (await copy.get(r, { channelId, providerMessageId }))?.sealed;

const pruneCopies = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM cached_messages
    WHERE rowid IN (SELECT rowid FROM cached_messages WHERE cached_at < :beforeMs LIMIT :limit) RETURNING 1`,
);

/** Deletes at most `limit` cached messages from before `beforeMs`; true when there may be more. */
export const pruneCachedMessages = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await pruneCopies.all(tx, { beforeMs, limit })).length === limit;

const removeCopies = statement<unknown, OfChannel & { limit: number }>(
  `DELETE FROM cached_messages
    WHERE rowid IN (SELECT rowid FROM cached_messages WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
);

/** Deletes the cached messages of a deleted channel; at most `limit`. True when there may be more. */
export const deleteCachedMessagesOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeCopies.all(tx, { channelId, limit })).length === limit;

const pruneExpired = statement<unknown, { nowMs: number; limit: number }>(
  `DELETE FROM key_rows WHERE rowid IN
    (SELECT rowid FROM key_rows WHERE expires_at IS NOT NULL AND expires_at <= :nowMs LIMIT :limit) RETURNING 1`,
);

/** Deletes expired key rows; at most `limit`. True when there may be more. */
export const pruneKeyRows = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await pruneExpired.all(tx, { nowMs, limit })).length === limit;
