import { and, asc, desc, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { InvoiceId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type Scope, type TenantScope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";

export const INVOICE_STATUSES = ["OPEN", "ISSUED", "PAID", "OVERDUE", "FAILED", "REFUNDED", "VOID"] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

const UNPAID: readonly InvoiceStatus[] = ["OPEN", "ISSUED", "OVERDUE"];
export const isUnpaid = (status: InvoiceStatus): boolean => UNPAID.includes(status);

/** Cents per part; they add up to the invoice's total. */
export type InvoiceBreakdown = { messages: number; phoneMonths: number; wabaPassthrough: number };

/** SQL for an invoice that was paid with another amount than its own. Five cents are the rounding of processors. */
const PAID_OTHERWISE = "status = 'PAID' AND abs(paid_cents - total_cents) > 5";

/**
 * What an account owes, for a period or for an administrator's own entry, whose period is empty. `isManual`: an
 * administrator made it. `dueDate` is a day, `YYYY-MM-DD`. `paidCents`: the amount charged, without interest; null
 * while unpaid, and where it was paid elsewhere.
 */
export const invoices = sqliteTable(
  "invoices",
  {
    id: text().$type<InvoiceId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    isManual: integer("is_manual", { mode: "boolean" }).notNull(),
    totalCents: integer("total_cents").notNull(),
    breakdown: text({ mode: "json" }).$type<InvoiceBreakdown>().notNull(),
    status: text().$type<InvoiceStatus>().notNull(),
    dueDate: text("due_date").notNull(),
    paidAt: integer("paid_at"),
    paidCents: integer("paid_cents"),
    gatewayProvider: text("gateway_provider"),
    gatewayChargeId: text("gateway_charge_id"),
    gatewayInvoiceUrl: text("gateway_invoice_url"),
    pixQrCode: text("pix_qr_code"),
    pixCopyPaste: text("pix_copy_paste"),
    boletoUrl: text("boleto_url"),
    boletoBarcode: text("boleto_barcode"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("invoices_of_period").on(t.tenantId, t.periodStart).where(sql`is_manual = 0`),
    index("invoices_by_tenant").on(t.tenantId, t.id),
    uniqueIndex("invoices_by_charge").on(t.gatewayChargeId).where(sql`gateway_charge_id IS NOT NULL`),
    index("invoices_unpaid").on(t.dueDate).where(sql`status IN ('OPEN', 'ISSUED', 'OVERDUE')`),
    index("invoices_charged")
      .on(t.id)
      .where(sql`status IN ('OPEN', 'ISSUED', 'OVERDUE') AND gateway_provider IS NOT NULL`),
    index("invoices_paid").on(t.id).where(sql`status = 'PAID' AND gateway_charge_id IS NOT NULL`),
    index("invoices_paid_otherwise")
      .on(t.paidAt)
      .where(sql`${sql.raw(PAID_OTHERWISE)}`),
    index("invoices_unpaid_by_tenant").on(t.tenantId, t.dueDate).where(sql`status IN ('OPEN', 'ISSUED', 'OVERDUE')`),
  ],
);
export type InvoiceRow = typeof invoices.$inferSelect;

export const invoicesLaws = laws(invoices, {
  keeps: { group: "usage", setting: "none", rule: "the books are kept for good", isSwept: false },
  personal: { none: "of who pays" },
  joins: {
    rows: {
      // the institution may have an invoice of the same month: then this one counts as an entry of its own
      set: `is_manual = is_manual OR EXISTS (SELECT 1 FROM invoices AS own WHERE own.tenant_id = ?2
      AND own.period_start = invoices.period_start AND own.is_manual = 0), tenant_id = ?2`,
    },
    now: "all",
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account and month, and those of the administrator" },
  files: { breakdown: "holds no content of a message" },
  backup: "rows alone",
});

/** False, and nothing is written, when the monthly closing has already made one for this account and period. */
export const insertInvoice = async (tx: Tx, row: InvoiceRow): Promise<boolean> =>
  (await tx.q.insert(invoices).values(row).onConflictDoNothing().returning({ id: invoices.id })).length > 0;

export const findInvoice = (r: Reader, scope: Scope, id: string): Promise<InvoiceRow | undefined> =>
  r.q
    .select()
    .from(invoices)
    .where(and(eq(invoices.id, id as InvoiceId), within(invoices.tenantId, scope)))
    .get();

/** An invoice that was paid with another amount than its own. */
export type PaidOtherwise = Pick<InvoiceRow, "id" | "tenantId" | "totalCents"> & { paidCents: number };

/** The invoices that were paid with another amount than their own since a time, the newest first. */
export const listPaidOtherwise = (r: Reader, sinceMs: number, limit: number): Promise<PaidOtherwise[]> =>
  r.rows<PaidOtherwise>(
    `SELECT id, tenant_id AS tenantId, total_cents AS totalCents, paid_cents AS paidCents FROM invoices
      WHERE ${PAID_OTHERWISE} AND paid_at > ?1 ORDER BY paid_at DESC LIMIT ?2`,
    [sinceMs, limit],
  );

/** Finds an invoice by the processor's id of its charge. */
export const findInvoiceByCharge = (r: Reader, scope: Scope, chargeId: string): Promise<InvoiceRow | undefined> =>
  r.q
    .select()
    .from(invoices)
    .where(
      and(eq(invoices.gatewayChargeId, chargeId), sql`gateway_charge_id IS NOT NULL`, within(invoices.tenantId, scope)),
    )
    .get();

/** Unpaid invoices that have a charge or may have one, by id, after a given one. */
export const listCharged = (
  r: Reader,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<InvoiceRow[]> =>
  r.q
    .select()
    .from(invoices)
    .where(
      and(
        gt(invoices.id, after as InvoiceId),
        sql`status IN ('OPEN', 'ISSUED', 'OVERDUE') AND gateway_provider IS NOT NULL`,
        within(invoices.tenantId, scope),
      ),
    )
    .orderBy(asc(invoices.id))
    .limit(limit);

/** Invoices that were paid by a charge, by id, after a given one. */
export const listPaid = (
  r: Reader,
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<InvoiceRow[]> =>
  r.q
    .select()
    .from(invoices)
    .where(
      and(
        gt(invoices.id, after as InvoiceId),
        sql`status = 'PAID' AND gateway_charge_id IS NOT NULL`,
        within(invoices.tenantId, scope),
      ),
    )
    .orderBy(asc(invoices.id))
    .limit(limit);

/** Unpaid invoices, the longest due first. */
export const listUnpaid = (r: Reader, scope: TenantScope, limit: number): Promise<InvoiceRow[]> =>
  r.q
    .select()
    .from(invoices)
    .where(and(within(invoices.tenantId, scope), sql`status IN ('OPEN', 'ISSUED', 'OVERDUE')`))
    .orderBy(asc(invoices.dueDate))
    .limit(limit);

/** The accounts with an unpaid invoice due before a day, by id, after a given one. */
export const listLate = async (
  r: Reader,
  { day, after, limit }: { day: string; after: string; limit: number },
): Promise<TenantId[]> =>
  (
    await r.rows<{ id: TenantId }>(
      `SELECT tenant_id AS id FROM invoices WHERE status IN ('OPEN', 'ISSUED', 'OVERDUE') AND tenant_id > ?1
        AND due_date < ?2 GROUP BY tenant_id ORDER BY tenant_id LIMIT ?3`,
      [after, day, limit],
    )
  ).map(({ id }) => id);

/** Marks an account's invoices that were due before a day as OVERDUE. */
export const markOverdue = async (
  tx: Tx,
  { tenantId }: TenantScope,
  { day, nowMs }: { day: string; nowMs: number },
): Promise<void> =>
  void (await tx.q
    .update(invoices)
    .set({ status: "OVERDUE", updatedAt: nowMs })
    .where(
      and(
        eq(invoices.tenantId, tenantId),
        lt(invoices.dueDate, day),
        sql`status IN ('OPEN', 'ISSUED', 'OVERDUE')`,
        ne(invoices.status, "OVERDUE"),
      ),
    ));

/** Newest first. */
export const listInvoices = (r: Reader, scope: Scope, limit: number): Promise<InvoiceRow[]> =>
  r.q.select().from(invoices).where(within(invoices.tenantId, scope)).orderBy(desc(invoices.id)).limit(limit);

/** The invoices of a time span, except void ones. Its ends are not included. */
export const listInvoicesOf = (
  r: Reader,
  scope: TenantScope,
  { from, to }: { from: number; to: number },
): Promise<InvoiceRow[]> =>
  r.q
    .select()
    .from(invoices)
    .where(
      and(
        within(invoices.tenantId, scope),
        gt(invoices.periodEnd, from),
        lt(invoices.periodStart, to),
        ne(invoices.status, "VOID"),
        ne(invoices.periodStart, invoices.periodEnd),
      ),
    );

/** The changed row; undefined when its status is not in `from`. */
export const updateInvoice = async (
  tx: Tx,
  id: InvoiceId,
  from: readonly InvoiceStatus[],
  changes: Partial<Omit<InvoiceRow, "id" | "tenantId">>,
): Promise<InvoiceRow | undefined> =>
  (
    await tx.q
      .update(invoices)
      .set(changes)
      .where(and(eq(invoices.id, id), inArray(invoices.status, [...from])))
      .returning()
  )[0];

export type InvoiceFilter = {
  /** One status, or `UNPAID` for those that wait to be paid. */
  status: InvoiceStatus | "UNPAID" | undefined;
  cursor: string | undefined;
  limit: number;
};

/** Newest first. `cursor` is the last id of the page before. */
export const listInvoicesWhere = (
  r: Reader,
  scope: Scope,
  { status, cursor, limit }: InvoiceFilter,
): Promise<InvoiceRow[]> => {
  const ofStatus = status === "UNPAID" ? sql`status IN ('OPEN', 'ISSUED', 'OVERDUE')` : undefined;
  return r.q
    .select()
    .from(invoices)
    .where(
      and(
        within(invoices.tenantId, scope),
        ofStatus ?? (status === undefined || status === "UNPAID" ? undefined : eq(invoices.status, status)),
        cursor === undefined ? undefined : lt(invoices.id, cursor as InvoiceId),
      ),
    )
    .orderBy(desc(invoices.id))
    .limit(limit);
};
