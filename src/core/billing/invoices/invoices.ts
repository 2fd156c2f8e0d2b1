import { DAY_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { type InvoiceId, newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  findInvoice,
  type InvoiceBreakdown,
  type InvoiceRow,
  insertInvoice,
  isUnpaid,
  listInvoices,
  listInvoicesOf,
  listUnpaid,
} from "../../../store/tables/billing/invoices.ts";
import type { Days } from "../../../store/tables/billing/usage.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../../store/tables/scope.ts";
import { findTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import { daysOf, monthOf } from "../costs/costs.ts";
import { checkPeriod, type Period, readUsage, type Usage } from "../costs/summary.ts";
import { DUE_IN_DAYS, daysAfter, today } from "../days.ts";
import type { BillingEnv } from "../env.ts";
import { aboutInvoice, cancelChargeOf } from "./charges.ts";
import { changeInvoiceStatus, notOpen, payInvoice } from "./invoice-states.ts";

export { INVOICE_STATUSES, type InvoiceRow as Invoice } from "../../../store/tables/billing/invoices.ts";

const LISTED = 24;
const LISTED_UNPAID = 10;

/** The last 24 invoices, newest first. */
export const lastInvoices = (env: BillingEnv, scope: TenantScope): Promise<InvoiceRow[]> =>
  env.db.read((reader) => listInvoices(reader, scope, LISTED));

/** The unpaid invoices of an account, the longest due first; ten at most. */
export const unpaidInvoices = (env: BillingEnv, scope: TenantScope): Promise<InvoiceRow[]> =>
  env.db.read((reader) => listUnpaid(reader, scope, LISTED_UNPAID));

/** @throws AppError INVOICE_NOT_FOUND. */
export const getInvoice = async (env: BillingEnv, scope: Scope, id: string): Promise<InvoiceRow> => {
  const invoice = await env.db.read((reader) => findInvoice(reader, scope, id));
  if (!invoice) throw new AppError("INVOICE_NOT_FOUND", { message: "There is no such invoice." });
  return invoice;
};

/** The parts of a new invoice. It is due in ten days, unless its administrator names a date. */
type Made = Pick<InvoiceRow, "tenantId" | "periodStart" | "periodEnd" | "isManual" | "breakdown"> & {
  dueDate?: string | undefined;
};

/** The new invoice, OPEN; undefined when the monthly closing has already made it. */
export const openInvoice = async (
  env: BillingEnv,
  tx: Tx,
  { dueDate, breakdown, ...made }: Made,
): Promise<InvoiceRow | undefined> => {
  const createdAt = env.clock.now();
  const invoice: InvoiceRow = {
    id: newId<InvoiceId>(env),
    ...made,
    breakdown,
    totalCents: invoiceTotal(breakdown),
    status: "OPEN",
    dueDate: dueDate ?? daysAfter(today(env), DUE_IN_DAYS),
    paidAt: null,
    paidCents: null,
    gatewayProvider: null,
    gatewayChargeId: null,
    gatewayInvoiceUrl: null,
    pixQrCode: null,
    pixCopyPaste: null,
    boletoUrl: null,
    boletoBarcode: null,
    createdAt,
    updatedAt: createdAt,
  };
  return (await insertInvoice(tx, invoice)) ? invoice : undefined;
};

export const invoiceTotal = ({ messages, phoneMonths, wabaPassthrough }: InvoiceBreakdown): number =>
  messages + phoneMonths + wabaPassthrough;

/** The object of an administrator's invoice: the cost of a period, or a sum. */
export type InvoiceInput = {
  periodStart?: number | undefined;
  periodEnd?: number | undefined;
  totalCents?: number | undefined;
  dueDate?: string | undefined;
};

/**
 * Makes an invoice that an administrator requests. Nothing of a month is invoiced twice, neither by such invoices nor
 * by the monthly closing.
 * @throws AppError TENANT_NOT_FOUND; VALIDATION for neither a period nor a sum, for a period beyond one calendar month,
 *   for a period without costs, or for a period that was partly invoiced.
 */
export const createInvoice = (
  env: BillingEnv,
  by: Requester,
  accountId: string,
  { totalCents, dueDate, periodStart: from, periodEnd: to }: InvoiceInput,
): Promise<InvoiceRow> =>
  env.db.write(async (tx) => {
    const account = await findTenant(tx, accountId as TenantRow["id"]);
    if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
    const isSum = totalCents !== undefined;
    if (isSum && (from !== undefined || to !== undefined))
      throw invalid(issue("totalCents", "forbidden", "is not allowed with a period"));
    const what = isSum
      ? sumOf(env, totalCents)
      : await costOfPeriod(tx, account, checkPeriod({ from, to }, ["periodStart", "periodEnd"]));
    const invoice = await openInvoice(env, tx, { tenantId: account.id, isManual: true, ...what, dueDate });
    if (!invoice) throw new Error("an invoice of nobody's period was there already");
    await recordAct(env, tx, by, {
      action: "invoice.create",
      target: invoice.id,
      tenantId: account.id,
      details: { totalCents: invoice.totalCents, dueDate: invoice.dueDate },
    });
    return invoice;
  });

const sumOf = ({ clock }: BillingEnv, totalCents: number) => {
  const now = clock.now();
  return { periodStart: now, periodEnd: now, breakdown: { messages: totalCents, phoneMonths: 0, wabaPassthrough: 0 } };
};

const costOfPeriod = async (tx: Tx, account: TenantRow, period: Period) => {
  const days = daysOf(period);
  if (days.to > monthOf(days.from).to)
    throw invalid(issue("periodEnd", "maximum", "must be in the same calendar month in UTC"));
  const span = { from: days.from * DAY_MS, to: days.to * DAY_MS };
  const [known] = await listInvoicesOf(tx, { tenantId: account.id }, span);
  if (known) throw invalid(issue("periodStart", "forbidden", `has been invoiced: ${known.id}`));
  const { owed } = await owedFor(tx, account, monthOf(days.from));
  // a fee is due once a month, however the month is divided
  const breakdown = byTerm(owed, (await readUsage(tx, account, days)).cost.breakdown, Math.min);
  if (invoiceTotal(breakdown) === 0)
    throw invalid(issue("periodStart", "minimum", "begins a period for which nothing is owed"));
  return { periodStart: span.from, periodEnd: span.to, breakdown };
};

/** The usage of an account in a calendar month, and its debt for it. */
export const owedFor = async (
  tx: Tx,
  account: Pick<TenantRow, "id" | "planCode" | "wabaMarkupPct">,
  month: Days,
): Promise<{ used: Usage; owed: InvoiceBreakdown }> => {
  const used = await readUsage(tx, account, month);
  const known = await listInvoicesOf(
    tx,
    { tenantId: account.id },
    { from: month.from * DAY_MS, to: month.to * DAY_MS },
  );
  const owed = known.reduce(
    (rest, { breakdown }) => byTerm(rest, breakdown, (cents, invoiced) => Math.max(0, cents - invoiced)),
    used.cost.breakdown,
  );
  return { used, owed };
};

const byTerm = (
  one: InvoiceBreakdown,
  other: InvoiceBreakdown,
  merge: (one: number, other: number) => number,
): InvoiceBreakdown => ({
  messages: merge(one.messages, other.messages),
  phoneMonths: merge(one.phoneMonths, other.phoneMonths),
  wabaPassthrough: merge(one.wabaPassthrough, other.wabaPassthrough),
});

/**
 * Cancels the charge of an unpaid invoice at the processor, then the invoice.
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_OPEN, PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED,
 * PROCESSOR_UNAVAILABLE.
 */
export const voidInvoice = (env: BillingEnv, by: Requester, id: string): Promise<InvoiceRow> =>
  settle(env, id, { by, to: "VOID" }, (tx, { id: known }) => changeInvoiceStatus(env, tx, known, { by, to: "VOID" }));

/**
 * Records that an invoice was paid elsewhere. Its charge is cancelled first, so that it cannot be paid twice.
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_OPEN, PROCESSOR_NOT_CONFIGURED, PROCESSOR_REFUSED,
 * PROCESSOR_UNAVAILABLE.
 */
export const markPaid = (env: BillingEnv, by: Requester, id: string): Promise<InvoiceRow> =>
  settle(env, id, { by, to: "PAID" }, (tx, { id: known }) =>
    payInvoice(env, tx, known, { by, paidAt: env.clock.now() }),
  );

/** The processor's event of the deleted charge may come first, and make the invoice VOID before this write. */
const settle = (
  env: BillingEnv,
  id: string,
  { by, to }: { by: Requester; to: "VOID" | "PAID" },
  move: (tx: Tx, invoice: InvoiceRow) => Promise<InvoiceRow | undefined>,
): Promise<InvoiceRow> =>
  aboutInvoice(env, id, async () => {
    const invoice = await getInvoice(env, EVERY_TENANT, id);
    if (!isUnpaid(invoice.status)) throw notOpen();
    await cancelChargeOf(env, invoice);
    const settled = await env.db.write(async (tx) => {
      const after = (await move(tx, invoice)) ?? (await findInvoice(tx, EVERY_TENANT, id));
      if (after?.status === to)
        await recordAct(env, tx, by, {
          action: to === "PAID" ? "invoice.mark-paid" : "invoice.void",
          target: id,
          tenantId: invoice.tenantId,
        });
      return after;
    });
    if (settled?.status !== to) throw notOpen();
    return settled;
  });
