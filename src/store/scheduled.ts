import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, MessageId, TenantId } from "../kernel/ids.ts";

export const SCHEDULED_STATUSES = ["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"] as const;
export type ScheduledStatus = (typeof SCHEDULED_STATUSES)[number];

/** Messages to be sent at a time of their own. `payload` is the send as its owner wrote it. */
export const scheduled = sqliteTable(
  "scheduled",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    scheduledAt: integer("scheduled_at").notNull(),
    status: text().$type<ScheduledStatus>().notNull(),
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    messageId: text("message_id").$type<MessageId>(),
    failedReason: text("failed_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("scheduled_by_tenant").on(t.tenantId, t.id),
    index("scheduled_pending").on(t.tenantId).where(sql`status = 'PENDING'`),
    index("scheduled_by_channel").on(t.channelId).where(sql`status = 'PENDING'`),
  ],
);
export type ScheduledRow = typeof scheduled.$inferSelect;
