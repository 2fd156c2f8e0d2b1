import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BusinessHours } from "../../../kernel/business-hours.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** The account's own row. */
const ACCOUNT = "";

/** The business hours of an account (an empty `channelId`), and of each channel with hours of its own. */
export const businessHours = sqliteTable(
  "business_hours",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").notNull(),
    hours: text({ mode: "json" }).$type<BusinessHours>().notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.channelId] })],
);
export type BusinessHoursRow = typeof businessHours.$inferSelect;

export const businessHoursLaws = laws(businessHours, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the account deletes it",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: { rows: "yield", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "one per account, and one per channel" },
  files: { hours: "holds no content of a message" },
  backup: "rows alone",
});

/** The owner of hours: the account, or one of its channels. */
export type HoursOwner = TenantScope & { channelId: ChannelId | undefined };

type Key = Pick<BusinessHoursRow, "tenantId" | "channelId">;
const byOwner = statement<BusinessHoursRow, Key>(
  "SELECT * FROM business_hours WHERE tenant_id = :tenantId AND channel_id = :channelId",
  columnsOf(businessHours),
);

/** The hours of this owner itself, without those of its account. */
export const findBusinessHours = (
  r: Reader,
  { tenantId, channelId }: HoursOwner,
): Promise<BusinessHoursRow | undefined> => byOwner.get(r, { tenantId, channelId: channelId ?? ACCOUNT });

const upsert = insertInto(businessHours, replacing(businessHours, "(tenant_id, channel_id)"));

/** Inserts the hours, or replaces the earlier ones. */
export const putBusinessHours = async (
  tx: Tx,
  { tenantId, channelId }: HoursOwner,
  { hours, updatedAt }: Pick<BusinessHoursRow, "hours" | "updatedAt">,
): Promise<void> => upsert(tx, { tenantId, channelId: channelId ?? ACCOUNT, hours, updatedAt });

const remove = statement<never, Key>(
  "DELETE FROM business_hours WHERE tenant_id = :tenantId AND channel_id = :channelId",
);
export const deleteBusinessHours = (tx: Tx, { tenantId, channelId }: HoursOwner): void =>
  remove.run(tx, { tenantId, channelId: channelId ?? ACCOUNT });
