import { asc, eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";

export const PLAN_KINDS = ["pay_as_you_go", "flat", "free_tier", "custom"] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

/** What an account pays, in integer cents. */
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
  keeps: { group: "setup", setting: "none", rule: "what invoices were made by stays", isSwept: false },
  personal: { none: "a tenant's own" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the administrator" },
  files: { metadata: "holds no content of a message" },
  backup: "rows alone",
});

export const findPlan = (r: Reader, code: string): Promise<PlanRow | undefined> =>
  r.q.select().from(plans).where(eq(plans.code, code)).get();

export const listPlans = (r: Reader): Promise<PlanRow[]> => r.q.select().from(plans).orderBy(asc(plans.code));

/** False when the code exists already. */
export const insertPlan = async (tx: Tx, row: PlanRow): Promise<boolean> =>
  (await tx.q.insert(plans).values(row).onConflictDoNothing().returning({ code: plans.code })).length > 0;

/** The changed row; undefined when there is none. */
export const updatePlan = async (
  tx: Tx,
  code: string,
  changes: Partial<Omit<PlanRow, "code">>,
): Promise<PlanRow | undefined> => (await tx.q.update(plans).set(changes).where(eq(plans.code, code)).returning())[0];
