import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertNew, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

export const PLAN_KINDS = ["pay_as_you_go", "flat", "free_tier", "custom"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** The prices of an account, in integer cents. */
export const plans = sqliteTable("plans", {
  code: text().primaryKey(),
  kind: text().$type<PlanKind>().notNull(),
  currency: text().notNull(),
  perMessageCents: integer("per_message_cents").notNull(),
  perPhoneMonthCents: integer("per_phone_month_cents").notNull(),
  monthlyFeeCents: integer("monthly_fee_cents").notNull(),
  includedMessages: integer("included_messages").notNull(),
  overageCents: integer("overage_cents").notNull(),
  metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type PlanRow = typeof plans.$inferSelect;

export const plansLaws = laws(plans, {
  keeps: { group: "setup", setting: "none", rule: "for ever, because invoices were made by it", isSwept: false },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the administrator" },
  files: { metadata: "holds no content of a message" },
  backup: "rows alone",
});

const PLAN = columnsOf(plans);

const byCode = statement<PlanRow, { code: string }>("SELECT * FROM plans WHERE code = :code", PLAN);
export const findPlan = (r: Reader, code: string): Promise<PlanRow | undefined> => byCode.get(r, { code });

const inOrder = statement<PlanRow>("SELECT * FROM plans ORDER BY code", PLAN);
/** Bound: the plans that the administrator made. */
export const listPlans = (r: Reader): Promise<PlanRow[]> => inOrder.all(r);

/** False when the code exists already. */
export const insertPlan: (tx: Tx, row: PlanRow) => Promise<boolean> = insertNew(plans);

const update = updateOf<typeof plans, { code: string }>(plans, "WHERE code = :code RETURNING *");

/** The changed row; undefined without such a plan. */
export const updatePlan = async (
  tx: Tx,
  code: string,
  changes: Partial<Omit<PlanRow, "code">>,
): Promise<PlanRow | undefined> => (await update(tx, changes, { code }))[0];
