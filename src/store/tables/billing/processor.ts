import { and, eq, isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChargeChange } from "../../../contract/ports/processor.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** The payers, with the processor's ids. `cpfCnpj` is sealed; null where it was named before it was stored. */
export const billingCustomers = sqliteTable("billing_customers", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  processorCustomerId: text("processor_customer_id").notNull(),
  cpfCnpj: text("cpf_cnpj"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type BillingCustomerRow = typeof billingCustomers.$inferSelect;

export const billingCustomersLaws = laws(billingCustomers, {
  keeps: { group: "usage", setting: "none", rule: "the books are kept for good", isSwept: false },
  personal: { none: "of who pays" },
  joins: { stay: "its CPF or CNPJ is sealed for one tenant: it is sealed anew" },
  sealed: { cpf_cnpj: "billing_customers:{tenant_id}:cpf_cnpj" },
  grows: { bound: "one per account" },
  files: "none",
  backup: "rows alone",
});

/**
 * Events of the payment processor, received or found by a request; each once. `body` is the received JSON; the other
 * columns are read from it. `change` is null where it means nothing to Recado; `appliedAt` is null until it is applied.
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

export const processorEventsLaws = laws(processorEvents, {
  keeps: { group: "usage", setting: "none", rule: "730 days: longer than a payment can be disputed", isSwept: true },
  personal: { none: "of who pays" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the payment processor; kept for two years" },
  files: "none",
  backup: "rows alone",
});

export const findBillingCustomer = (r: Reader, { tenantId }: TenantScope): Promise<BillingCustomerRow | undefined> =>
  r.q.select().from(billingCustomers).where(eq(billingCustomers.tenantId, tenantId)).get();

/** A known payer gets the new id and number. */
export const saveBillingCustomer = async (tx: Tx, row: BillingCustomerRow): Promise<void> =>
  void (await tx.q
    .insert(billingCustomers)
    .values(row)
    .onConflictDoUpdate({
      target: billingCustomers.tenantId,
      set: { processorCustomerId: row.processorCustomerId, cpfCnpj: row.cpfCnpj, updatedAt: row.updatedAt },
    }));

export const deleteBillingCustomer = async (tx: Tx, { tenantId }: TenantScope): Promise<void> =>
  void (await tx.q.delete(billingCustomers).where(eq(billingCustomers.tenantId, tenantId)));

/** False, and nothing is stored, when an event with this id is known. */
export const insertProcessorEvent = async (tx: Tx, row: ProcessorEventRow): Promise<boolean> =>
  (await tx.q.insert(processorEvents).values(row).onConflictDoNothing().returning({ id: processorEvents.id })).length >
  0;

export const findProcessorEvent = (r: Reader, id: string): Promise<ProcessorEventRow | undefined> =>
  r.q.select().from(processorEvents).where(eq(processorEvents.id, id)).get();

/** The maximum number of changes of one charge that are read. */
const LONGEST_STORY = 1000;

/** Records that an event was applied: it now counts among its charge's changes. */
export const markApplied = async (tx: Tx, id: string, appliedAt: number): Promise<void> =>
  void (await tx.q.update(processorEvents).set({ appliedAt }).where(eq(processorEvents.id, id)));

/** The applied changes of a charge, in order of their `place`; in order of arrival where that is equal. */
export const listChangesOf = async (r: Reader, chargeId: string): Promise<ChargeChange[]> => {
  const rows = await r.q
    .select({ change: processorEvents.change })
    .from(processorEvents)
    .where(and(eq(processorEvents.chargeId, chargeId), sql`change IS NOT NULL`, isNotNull(processorEvents.appliedAt)))
    .orderBy(processorEvents.place, sql`rowid`)
    .limit(LONGEST_STORY);
  return rows.flatMap(({ change }) => change ?? []);
};

/**
 * Deletes at most `limit` events from before `beforeMs`, except those with a waiting job; true when there may be more.
 */
export const pruneProcessorEvents = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM processor_events WHERE id IN (SELECT id FROM processor_events e WHERE received_at < ?1
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'processor:' || e.id) ORDER BY received_at LIMIT ?2)
        RETURNING id`,
      [beforeMs, limit],
    )
  ).length === limit;
