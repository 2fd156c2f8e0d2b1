import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { InvoiceId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertNew, isWordOf, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope, type TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

export const INVOICE_STATUSES = ["OPEN", "ISSUED", "PAID", "OVERDUE", "FAILED", "REFUNDED", "VOID"] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

const UNPAID: readonly InvoiceStatus[] = ["OPEN", "ISSUED", "OVERDUE"];
export const isUnpaid = (status: InvoiceStatus): boolean => UNPAID.includes(status);

/** Cents per part. Their sum is the invoice's total. */
export type InvoiceBreakdown = { messages: number; phoneMonths: number; wabaPassthrough: number };

/** SQL for an invoice whose payment differs from its amount by more than five cents, because processors round. */
const PAID_OTHERWISE = "status = 'PAID' AND abs(paid_cents - total_cents) > 5";

/**
 * A debt of an account, for a period or by an administrator's entry, whose period is empty. `isManual`: an
 * administrator made it. `dueDate` is a day, `YYYY-MM-DD`. `paidCents`: the amount charged, without interest; null
 * while the invoice is unpaid, and if it was paid elsewhere.
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
  keeps: { group: "usage", setting: "none", rule: "for ever, because they are the books", isSwept: false },
  personal: { none: "data of the account that pays" },
  joins: {
    rows: {
      // the institution may have an invoice of the same month: then this one counts as an entry of its own
      set: `is_manual = is_manual OR EXISTS (SELECT 1 FROM invoices AS own WHERE own.tenant_id = :into
      AND own.period_start = invoices.period_start AND own.is_manual = 0), tenant_id = :into`,
    },
    now: "all",
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account and month, and the invoices that the administrator makes" },
  files: { breakdown: "holds no content of a message" },
  backup: "rows alone",
});

const INVOICE = columnsOf(invoices);
const IS_UNPAID = "status IN ('OPEN', 'ISSUED', 'OVERDUE')"; // in the words of the indexes

/** False, and writes nothing, if the monthly closing has already made an invoice for this account and period. */
export const insertInvoice: (tx: Tx, row: InvoiceRow) => Promise<boolean> = insertNew(invoices);

const byId = statement<InvoiceRow, { id: string }>("SELECT * FROM invoices WHERE id = :id", INVOICE);
export const findInvoice = async (r: Reader, scope: Scope, id: string): Promise<InvoiceRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

/** An invoice whose payment differs from its amount. */
export type PaidOtherwise = Pick<InvoiceRow, "id" | "tenantId" | "totalCents"> & { paidCents: number };

const paidOtherwise = statement<PaidOtherwise, { sinceMs: number; limit: number }>(
  `SELECT id, tenant_id AS tenantId, total_cents AS totalCents, paid_cents AS paidCents FROM invoices
    WHERE ${PAID_OTHERWISE} AND paid_at > :sinceMs ORDER BY paid_at DESC LIMIT :limit`,
);

/** The invoices that were paid since a time with an amount other than their own, newest first. */
export const listPaidOtherwise = (r: Reader, sinceMs: number, limit: number): Promise<PaidOtherwise[]> =>
  paidOtherwise.all(r, { sinceMs, limit });

const byCharge = statement<InvoiceRow, { chargeId: string }>(
  "SELECT * FROM invoices WHERE gateway_charge_id = :chargeId AND gateway_charge_id IS NOT NULL",
  INVOICE,
);

/** Finds an invoice by the processor's id of its charge. */
export const findInvoiceByCharge = async (r: Reader, scope: Scope, chargeId: string): Promise<InvoiceRow | undefined> =>
  ifWithin(await byCharge.get(r, { chargeId }), scope);

type After = { after: string; limit: number };

/** The invoices with this condition, by id, after a given one. */
const listAfter = (r: Reader, scope: Scope, condition: string, asked: After): Promise<InvoiceRow[]> =>
  statement<InvoiceRow, Scope & After>(
    lines(`SELECT * FROM invoices WHERE id > :after AND ${condition}`, inScope(scope), "ORDER BY id LIMIT :limit"),
    INVOICE,
  ).all(r, { ...asked, tenantId: scope.tenantId });

/** Unpaid invoices with a charge, or with an unknown outcome of making a charge, by id, after a given invoice. */
export const listCharged = (r: Reader, scope: Scope, asked: After): Promise<InvoiceRow[]> =>
  listAfter(r, scope, `${IS_UNPAID} AND gateway_provider IS NOT NULL`, asked);

/** Invoices that were paid by a charge, by id, after a given one. */
export const listPaid = (r: Reader, scope: Scope, asked: After): Promise<InvoiceRow[]> =>
  listAfter(r, scope, "status = 'PAID' AND gateway_charge_id IS NOT NULL", asked);

const unpaid = statement<InvoiceRow, TenantScope & { limit: number }>(
  `SELECT * FROM invoices WHERE tenant_id = :tenantId AND ${IS_UNPAID} ORDER BY due_date LIMIT :limit`,
  INVOICE,
);

/** Unpaid invoices, the longest due first. */
export const listUnpaid = (r: Reader, { tenantId }: TenantScope, limit: number): Promise<InvoiceRow[]> =>
  unpaid.all(r, { tenantId, limit });

type DueBefore = After & { day: string };
const late = statement<{ id: TenantId }, DueBefore>(
  `SELECT tenant_id AS id FROM invoices WHERE ${IS_UNPAID} AND tenant_id > :after AND due_date < :day
    GROUP BY tenant_id ORDER BY tenant_id LIMIT :limit`,
);

/** The accounts with an unpaid invoice due before a day, by id, after a given one. */
export const listLate = async (r: Reader, asked: DueBefore): Promise<TenantId[]> =>
  (await late.all(r, asked)).map(({ id }) => id);

type Due = { day: string; nowMs: number };
const setOverdue = statement<never, TenantScope & Due>(
  `UPDATE invoices SET status = 'OVERDUE', updated_at = :nowMs
    WHERE tenant_id = :tenantId AND due_date < :day AND ${IS_UNPAID} AND status <> 'OVERDUE'`,
);

/** Marks an account's invoices that were due before a day as OVERDUE. */
export const markOverdue = async (tx: Tx, { tenantId }: TenantScope, { day, nowMs }: Due): Promise<void> =>
  setOverdue.run(tx, { tenantId, day, nowMs });

/** Newest first. */
export const listInvoices = (r: Reader, scope: Scope, limit: number): Promise<InvoiceRow[]> =>
  listInvoicesWhere(r, scope, { status: undefined, cursor: undefined, limit });

type Span = { from: number; to: number };
const ofSpan = statement<InvoiceRow, TenantScope & Span>(
  `SELECT * FROM invoices WHERE tenant_id = :tenantId AND period_end > :from AND period_start < :to
    AND status <> 'VOID' AND period_start <> period_end`,
  INVOICE,
);

/**
 * The invoices of a time span, except void ones. Its ends are not included. Bound: one per month, and those that the
 * administrator made.
 */
export const listInvoicesOf = (r: Reader, { tenantId }: TenantScope, { from, to }: Span): Promise<InvoiceRow[]> =>
  ofSpan.all(r, { tenantId, from, to });

const update = updateOf<typeof invoices, { id: InvoiceId; from: readonly InvoiceStatus[] }>(
  invoices,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

/** The changed row; undefined when its status is not in `from`. */
export const updateInvoice = async (
  tx: Tx,
  id: InvoiceId,
  from: readonly InvoiceStatus[],
  changes: Partial<Omit<InvoiceRow, "id" | "tenantId">>,
): Promise<InvoiceRow | undefined> => (await update(tx, changes, { id, from }))[0];

export type InvoiceFilter = {
  /** One status, or `UNPAID` for every invoice that waits to be paid. */
  status: InvoiceStatus | "UNPAID" | undefined;
  cursor: string | undefined;
  limit: number;
};

/** Newest first. `cursor` is the last id of the page before. */
export const listInvoicesWhere = (r: Reader, scope: Scope, filter: InvoiceFilter): Promise<InvoiceRow[]> =>
  statement<InvoiceRow, Scope & InvoiceFilter>(
    lines(
      "SELECT * FROM invoices WHERE true",
      inScope(scope),
      filter.status !== undefined && `AND ${filter.status === "UNPAID" ? IS_UNPAID : "status = :status"}`,
      filter.cursor !== undefined && "AND id < :cursor",
      "ORDER BY id DESC LIMIT :limit",
    ),
    INVOICE,
  ).all(r, { ...filter, tenantId: scope.tenantId });
