import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../kernel/ids.ts";

/** A question which numbers a network knows. `results` are null while it is asked; `expiresAt` is when nobody can ask for them any more. */
export const lookups = sqliteTable(
  "lookups",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    numbers: text({ mode: "json" }).$type<string[]>().notNull(),
    results: text({ mode: "json" }).$type<{ phoneNumber: string; exists: boolean; jid: string | null }[]>(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("lookups_by_age").on(t.expiresAt)],
);
