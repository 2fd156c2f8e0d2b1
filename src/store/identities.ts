import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../kernel/ids.ts";

/** Who is known to be who: the names of one person on one channel, merged as they become known. */
export const identities = sqliteTable(
  "identities",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    pn: text(),
    lid: text(),
    bsuid: text(),
    parentBsuid: text("parent_bsuid"),
    igsid: text(),
    username: text(),
    name: text(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("identities_by_pn").on(t.channelId, t.pn).where(sql`pn IS NOT NULL`),
    uniqueIndex("identities_by_lid").on(t.channelId, t.lid).where(sql`lid IS NOT NULL`),
    uniqueIndex("identities_by_bsuid").on(t.channelId, t.bsuid).where(sql`bsuid IS NOT NULL`),
    uniqueIndex("identities_by_igsid").on(t.channelId, t.igsid).where(sql`igsid IS NOT NULL`),
    index("identities_by_username").on(t.channelId, t.username).where(sql`username IS NOT NULL`),
  ],
);
export type IdentityRow = typeof identities.$inferSelect;
