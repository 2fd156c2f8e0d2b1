import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChargeChange } from "../../../contract/ports/processor.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, insertNew, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** The payers, with the processor's ids. `cpfCnpj` is sealed; null if it was given before Recado stored it. */
export const billingCustomers = sqliteTable("billing_customers", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  processorCustomerId: text("processor_customer_id").notNull(),
  cpfCnpj: text("cpf_cnpj"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});
export type BillingCustomerRow = typeof billingCustomers.$inferSelect;

export const billingCustomersLaws = laws(billingCustomers, {
  keeps: { group: "usage", setting: "none", rule: "for ever, because they are the books", isSwept: false },
  personal: { none: "data of the account that pays" },
  joins: { stay: "its CPF or CNPJ is sealed for one tenant, so the join seals it again" },
  sealed: { cpf_cnpj: "billing_customers:{tenant_id}:cpf_cnpj" },
  grows: { bound: "one per account" },
  files: "none",
  backup: "rows alone",
});

/**
 * Events of the payment processor, received or found by a request; each once. `body` is the received JSON; the other
 * columns are read from it. `change` is null if the event means nothing to Recado; `appliedAt` is null until it is
 * applied.
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
  keeps: { group: "usage", setting: "none", rule: "730 days, longer than a payment can be disputed", isSwept: true },
  personal: { none: "data of the account that pays" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the payment processor; kept for two years" },
  files: "none",
  backup: "rows alone",
});

const ofTenant = statement<BillingCustomerRow, TenantScope>(
  "SELECT * FROM billing_customers WHERE tenant_id = :tenantId",
  columnsOf(billingCustomers),
);
export const findBillingCustomer = (r: Reader, scope: TenantScope): Promise<BillingCustomerRow | undefined> =>
  ofTenant.get(r, scope);

const save = insertInto(
  billingCustomers,
  `ON CONFLICT (tenant_id) DO UPDATE SET processor_customer_id = excluded.processor_customer_id,
    cpf_cnpj = excluded.cpf_cnpj, updated_at = excluded.updated_at`,
);

/** A known payer gets the new id and number. */
export const saveBillingCustomer = async (tx: Tx, row: BillingCustomerRow): Promise<void> => save(tx, row);

const remove = statement<never, TenantScope>("DELETE FROM billing_customers WHERE tenant_id = :tenantId");
export const deleteBillingCustomer = async (tx: Tx, scope: TenantScope): Promise<void> => remove.run(tx, scope);

/** False, and nothing is stored, when an event with this id is known. */
export const insertProcessorEvent: (tx: Tx, row: ProcessorEventRow) => Promise<boolean> = insertNew(processorEvents);

const eventById = statement<ProcessorEventRow, { id: string }>(
  "SELECT * FROM processor_events WHERE id = :id",
  columnsOf(processorEvents),
);
export const findProcessorEvent = (r: Reader, id: string): Promise<ProcessorEventRow | undefined> =>
  eventById.get(r, { id });

/** The maximum number of changes of one charge that are read. */
const LONGEST_STORY = 1000;

const apply = statement<never, { id: string; appliedAt: number }>(
  "UPDATE processor_events SET applied_at = :appliedAt WHERE id = :id",
);

/** Records that an event was applied: it now counts among its charge's changes. */
export const markApplied = async (tx: Tx, id: string, appliedAt: number): Promise<void> =>
  apply.run(tx, { id, appliedAt });

const changesOf = statement<{ change: ChargeChange }, { chargeId: string }>(
  `SELECT change FROM processor_events WHERE charge_id = :chargeId AND change IS NOT NULL AND applied_at IS NOT NULL
    ORDER BY place, rowid LIMIT ${LONGEST_STORY}`,
);

/** The applied changes of a charge, by their `place`. Changes of an equal place are in order of arrival. */
export const listChangesOf = async (r: Reader, chargeId: string): Promise<ChargeChange[]> =>
  (await changesOf.all(r, { chargeId })).map(({ change }) => change);

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM processor_events WHERE id IN (SELECT id FROM processor_events e WHERE received_at < :beforeMs
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE unique_key = 'processor:' || e.id) ORDER BY received_at LIMIT :limit)
    RETURNING 1`,
);

/**
 * Deletes at most `limit` events from before `beforeMs`, except those with a waiting job; true when there may be more.
 */
export const pruneProcessorEvents = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
