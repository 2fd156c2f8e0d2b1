import { and, eq, isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChargeChange } from "../contract/processor.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";
import type { TenantScope } from "./scope.ts";

/** Who pays, as the processor knows them. */
export const billingCustomers = sqliteTable("billing_customers", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  processorCustomerId: text("processor_customer_id").notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type BillingCustomerRow = typeof billingCustomers.$inferSelect;

/**
 * What the processor has told, or was found to have by asking it: each once. `body` is what came, the rest what we make
 * of it; `news` is null where it is nothing to us, `appliedAt` until it has been applied.
 */
export const processorEvents = sqliteTable(
  "processor_events",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    chargeId: text("charge_id"),
    reference: text(),
    valueCents: integer("value_cents"),
    change: text().$type<ChargeChange>(),
    place: text().notNull(),
    body: text().notNull(),
    receivedAt: integer("received_at").notNull(),
    appliedAt: integer("applied_at"),
  },
  (t) => [
    index("processor_events_by_charge").on(t.chargeId).where(sql`change IS NOT NULL`),
    index("processor_events_by_age").on(t.receivedAt),
  ],
);
export type ProcessorEventRow = typeof processorEvents.$inferSelect;

export const findBillingCustomer = (r: Reader, { tenantId }: TenantScope): Promise<BillingCustomerRow | undefined> =>
  r.q.select().from(billingCustomers).where(eq(billingCustomers.tenantId, tenantId)).get();

/** One that is known already gets the new id. */
export const saveBillingCustomer = async (tx: Tx, row: BillingCustomerRow): Promise<void> =>
  void (await tx.q
    .insert(billingCustomers)
    .values(row)
    .onConflictDoUpdate({
      target: billingCustomers.tenantId,
      set: { processorCustomerId: row.processorCustomerId, updatedAt: row.updatedAt },
    }));

/** False, and nothing is kept, when an event of this id is known. */
export const insertProcessorEvent = async (tx: Tx, row: ProcessorEventRow): Promise<boolean> =>
  (await tx.q.insert(processorEvents).values(row).onConflictDoNothing().returning({ id: processorEvents.id })).length >
  0;

export const findProcessorEvent = (r: Reader, id: string): Promise<ProcessorEventRow | undefined> =>
  r.q.select().from(processorEvents).where(eq(processorEvents.id, id)).get();

/** So many news there can be of one charge that they tell its story. */
const LONGEST_STORY = 1000;

/** Notes that an event has been applied: it belongs to the story of its charge from now on. */
export const markApplied = async (tx: Tx, id: string, appliedAt: number): Promise<void> =>
  void (await tx.q.update(processorEvents).set({ appliedAt }).where(eq(processorEvents.id, id)));

/**
 * The news of a charge that have been applied, in their order; of those in the same place, the first that came first.
 */
export const listChangesOf = async (r: Reader, chargeId: string): Promise<ChargeChange[]> => {
  const rows = await r.q
    .select({ change: processorEvents.change })
    .from(processorEvents)
    .where(and(eq(processorEvents.chargeId, chargeId), sql`change IS NOT NULL`, isNotNull(processorEvents.appliedAt)))
    .orderBy(processorEvents.place, sql`rowid`)
    .limit(LONGEST_STORY);
  return rows.flatMap(({ change }) => change ?? []);
};

/** At most `limit`; true when there may be more. Those that a job still waits for stay. */
export const pruneProcessorEvents = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM processor_events WHERE id IN (SELECT id FROM processor_events e WHERE received_at < ?1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'processor:' || e.id) ORDER BY received_at LIMIT ?2) RETURNING id",
      [beforeMs, limit],
    )
  ).length === limit;
