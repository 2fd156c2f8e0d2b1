import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, MessageId, TenantId } from "../kernel/ids.ts";

/** Files that came with messages. A row is written before its file is fetched; `storedAt` says that the file is there. */
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
  },
  (t) => [index("media_by_channel").on(t.channelId), index("media_by_message").on(t.messageId), index("media_by_expiry").on(t.expiresAt).where(sql`deleted_at IS NULL`)],
);
export type MediaRow = typeof media.$inferSelect;
