import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../kernel/ids.ts";

export const FLOW_STATUSES = ["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

/** Interactive flows. Without a native id the network does not have the flow yet. */
export const flows = sqliteTable(
  "flows",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    nativeId: text("native_id"),
    name: text().notNull(),
    categories: text({ mode: "json" }).$type<string[]>().notNull(),
    status: text().$type<FlowStatus>().notNull(),
    endpointUrl: text("endpoint_url"),
    validationErrors: text("validation_errors", { mode: "json" }).$type<unknown[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("flows_by_tenant").on(t.tenantId, t.id), index("flows_by_channel").on(t.channelId), index("flows_by_native_id").on(t.nativeId).where(sql`native_id IS NOT NULL`)],
);
export type FlowRow = typeof flows.$inferSelect;
