import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TemplateCategory, TemplateStatus } from "../contract/events.ts";
import type { ChannelId, TenantId } from "../kernel/ids.ts";

/** Message templates as the network knows them. Without a native id it never took the template, or has not answered yet. */
export const templates = sqliteTable(
  "templates",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    name: text().notNull(),
    language: text().notNull(),
    category: text().$type<TemplateCategory>().notNull(),
    status: text().$type<TemplateStatus>().notNull(),
    components: text({ mode: "json" }).$type<unknown[]>().notNull(),
    nativeId: text("native_id"),
    rejectionReason: text("rejection_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("templates_by_name").on(t.channelId, t.name, t.language),
    index("templates_by_tenant").on(t.tenantId, t.id),
    index("templates_by_native_id").on(t.channelId, t.nativeId),
    index("templates_in_flight").on(t.id).where(sql`status = 'DRAFT'`),
  ],
);
export type TemplateRow = typeof templates.$inferSelect;
