import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, MessageId, TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "./scope.ts";
import { laws } from "./table-laws.ts";

/** Files of messages. A row is written before its file is downloaded; `storedAt` is set once the file is stored. */
export const media = sqliteTable(
  "media",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    messageId: text("message_id").$type<MessageId>().notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: integer("size_bytes"),
    filename: text(),
    sha256: text(),
    createdAt: integer("created_at").notNull(),
    storedAt: integer("stored_at"),
    expiresAt: integer("expires_at").notNull(),
    ackedAt: integer("acked_at"),
    deletedAt: integer("deleted_at"),
    /**
     * The account in whose folder the file lies, if the account was joined with the tenant since; null for the tenant's
     * own folder.
     */
    folder: text(),
  },
  (t) => [
    index("media_by_channel").on(t.channelId),
    index("media_by_message").on(t.messageId),
    index("media_by_expiry").on(t.expiresAt).where(sql`deleted_at IS NULL`),
    index("media_deleted").on(t.createdAt).where(sql`deleted_at IS NOT NULL`),
  ],
);
export type MediaRow = typeof media.$inferSelect;

const WHO_WROTE = `coalesce((SELECT chat FROM inbox WHERE message_id = media.message_id LIMIT 1), (SELECT recipient
  FROM messages WHERE id = media.message_id)) AS chat,
  coalesce((SELECT sender FROM inbox WHERE message_id = media.message_id LIMIT 1), (SELECT sender
  FROM received_messages WHERE id = media.message_id)) AS sender`;

export const mediaLaws = laws(media, {
  keeps: {
    group: "media",
    setting: "RECADO_KEEP_MEDIA",
    rule: "the file until the term or its acknowledgement; the row for 90 days, or a week after a longer term",
    isSwept: true,
  },
  personal: {
    rowsOf: { columns: `media.*, media.tenant_id AS tenantId, ${WHO_WROTE}`, from: "media" },
    by: ["chat", "sender"],
    texts: ["filename"],
    effects: ({ tenant_id: tenantId, id, folder }) => ({ file: `${folder ?? tenantId}/${id}` }),
  },
  joins: { rows: { set: "folder = coalesce(folder, tenant_id), tenant_id = :into" }, now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by received messages; their bytes are limited" },
  files: { filename: "the name of a received file" },
  backup: {
    rows: "with files",
    files: ({ has }) =>
      `SELECT ${has("folder") ? "coalesce(folder, tenant_id)" : "tenant_id"} || '/' || id, size_bytes FROM media WHERE stored_at IS NOT NULL AND deleted_at IS NULL`,
  },
});

/** A row whose file is or was stored. */
export type StoredMedia = MediaRow & { sizeBytes: number; storedAt: number };

const isStored = (row: MediaRow | undefined): row is StoredMedia =>
  row !== undefined && row.storedAt !== null && row.sizeBytes !== null;
const ifStored = (row: MediaRow | undefined): StoredMedia | undefined => (isStored(row) ? row : undefined);

const MEDIA = columnsOf(media);

const insert = insertInto(media);
export const insertMedia = async (tx: Tx, row: typeof media.$inferInsert): Promise<void> => insert(tx, row);

const byId = statement<MediaRow, { id: string }>("SELECT * FROM media WHERE id = :id", MEDIA);

/** Undefined also for a file that is not stored yet, because nobody knows of it. */
export const findMedia = async (r: Reader, scope: Scope, id: string): Promise<StoredMedia | undefined> =>
  ifStored(ifWithin(await byId.get(r, { id }), scope));

/** The stored files of these messages. Bound: one file per message of the caller. */
export const listMediaOf = async (r: Reader, scope: Scope, messageIds: readonly string[]): Promise<StoredMedia[]> => {
  const ofMessages = statement<MediaRow, { messageIds: readonly string[] } & Scope>(
    `SELECT * FROM media WHERE message_id IN (SELECT value FROM json_each(:messageIds)) ${inScope(scope)}`,
    MEDIA,
  );
  return (await ofMessages.all(r, { ...scope, messageIds })).filter(isStored);
};

/** The rows of the files of these messages, also of files that are not stored yet. Bound: as `listMediaOf`. */
export const listFilesOf = (
  r: Reader,
  scope: Scope,
  messageIds: readonly string[],
): Promise<Pick<MediaRow, "id" | "messageId" | "storedAt">[]> =>
  statement<Pick<MediaRow, "id" | "messageId" | "storedAt">, { messageIds: readonly string[] } & Scope>(
    `SELECT id, message_id AS messageId, stored_at AS storedAt FROM media
      WHERE message_id IN (SELECT value FROM json_each(:messageIds)) ${inScope(scope)}`,
  ).all(r, { ...scope, messageIds });

const store = updateOf<typeof media, { id: string }>(media, "WHERE id = :id RETURNING *");

/** Records that the file is stored. Undefined when the row is gone, because its channel was deleted. */
export const storeMedia = async (
  tx: Tx,
  id: string,
  file: Pick<StoredMedia, "contentType" | "sizeBytes" | "storedAt" | "expiresAt"> & { sha256: string },
): Promise<StoredMedia | undefined> => ifStored((await store(tx, file, { id }))[0]);

const remove = statement<never, { id: string }>("DELETE FROM media WHERE id = :id");
export const deleteMedia = async (tx: Tx, id: string): Promise<void> => remove.run(tx, { id });

export type EndedMedia = Pick<MediaRow, "id" | "tenantId" | "channelId" | "messageId" | "expiresAt" | "folder">;
const ENDED = `id, tenant_id AS tenantId, channel_id AS channelId, message_id AS messageId, expires_at AS expiresAt,
  folder`;

const removeOne = statement<EndedMedia, { id: string; channelId: ChannelId }>(
  `DELETE FROM media WHERE id = :id AND channel_id = :channelId RETURNING ${ENDED}`,
);
/** Deletes the row of a channel's file. Gives it; undefined if there is none. */
export const takeMedia = (tx: Tx, channelId: ChannelId, id: string): Promise<EndedMedia | undefined> =>
  removeOne.get(tx, { id, channelId });

/** Marks a stored file as acknowledged and deleted. False when it is out of scope, expired or already deleted. */
export const ackMedia = async (tx: Tx, scope: Scope, { id, atMs }: { id: string; atMs: number }): Promise<boolean> => {
  const acknowledge = statement<unknown, { id: string; atMs: number } & Scope>(
    `UPDATE media SET acked_at = :atMs, deleted_at = :atMs WHERE id = :id ${inScope(scope)}
      AND stored_at IS NOT NULL AND deleted_at IS NULL AND expires_at > :atMs RETURNING 1`,
  );
  return (await acknowledge.get(tx, { ...scope, id, atMs })) !== undefined;
};

const expire = statement<EndedMedia, { atMs: number; limit: number }>(
  `UPDATE media SET deleted_at = :atMs WHERE id IN (SELECT id FROM media WHERE deleted_at IS NULL
    AND expires_at <= :atMs AND stored_at IS NOT NULL ORDER BY expires_at LIMIT :limit) RETURNING ${ENDED}`,
);

/** Marks expired files as deleted, oldest first; at most `limit`. Gives them. */
export const expireMedia = (tx: Tx, atMs: number, limit: number): Promise<EndedMedia[]> =>
  expire.all(tx, { atMs, limit });

const removeSome = (where: string): string =>
  `DELETE FROM media WHERE id IN (SELECT id FROM media WHERE ${where} LIMIT :limit)`;
const removeOf = statement<EndedMedia, { channelId: ChannelId; limit: number }>(
  `${removeSome("channel_id = :channelId")} RETURNING ${ENDED}`,
);
const removeOld = statement<unknown, { beforeMs: number; limit: number }>(
  `${removeSome("deleted_at IS NOT NULL AND created_at < :beforeMs")} RETURNING 1`,
);

/** Deletes the media rows of a deleted channel; at most `limit`. Gives them. */
export const deleteMediaOf = (tx: Tx, channelId: ChannelId, limit: number): Promise<EndedMedia[]> =>
  removeOf.all(tx, { channelId, limit });

/** Deletes rows of deleted files from before `beforeMs`; at most `limit`. True when there may be more. */
export const pruneMedia = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await removeOld.all(tx, { beforeMs, limit })).length === limit;
