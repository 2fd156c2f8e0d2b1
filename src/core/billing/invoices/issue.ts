import type { BillingType, Charge, PaymentLinks, Processor } from "../../../contract/ports/processor.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { InvoiceId, TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  findInvoice,
  type InvoiceRow,
  type InvoiceStatus,
  updateInvoice,
} from "../../../store/tables/billing/invoices.ts";
import { findBillingCustomer } from "../../../store/tables/billing/processor.ts";
import { EVERY_TENANT, type Scope } from "../../../store/tables/scope.ts";
import { type By, type Requester, recordAct, THE_SERVER } from "../../tenancy/audit/audit.ts";
import { DUE_IN_DAYS, daysAfter, today } from "../days.ts";
import type { BillingEnv } from "../env.ts";
import { aboutInvoice, cancelChargeOf, requireAnswer, requireProcessor } from "./charges.ts";
import { changeInvoiceStatus, notOpen } from "./invoice-states.ts";
import { getInvoice } from "./invoices.ts";

export type IssueOptions = { billingType?: BillingType; dueInDays?: number };
type IssuePayload = { invoiceId: InvoiceId; tenantId: TenantId };

const CHARGEABLE: readonly InvoiceStatus[] = ["OPEN", "OVERDUE"];

/**
 * Charges an invoice at the processor. An invoice that already has a charge is returned unchanged. An overdue invoice
 * stays overdue: its own due date counts.
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_OPEN, PROCESSOR_NOT_CONFIGURED, CPF_CNPJ_REQUIRED if the payer is
 *   unknown, PROCESSOR_REFUSED; PROCESSOR_UNAVAILABLE: the charge may have been made, and the next attempt finds it.
 */
export const issueInvoice = (
  env: BillingEnv,
  by: Requester & Scope,
  id: string,
  { billingType = "UNDEFINED", dueInDays = DUE_IN_DAYS }: IssueOptions = {},
): Promise<InvoiceRow> =>
  issue(env, by, id, { by, billingType, keepsDate: false, dateOf: () => dayAfter(env, dueInDays) });

/**
 * Charges an invoice without a request: the invoice keeps its due date. The charge is due on the same day, or today
 * when that day is over.
 */
export const issueAsDue = (env: BillingEnv, scope: Scope, id: string): Promise<InvoiceRow> =>
  issue(env, scope, id, {
    by: THE_SERVER,
    billingType: "UNDEFINED",
    keepsDate: true,
    dateOf: ({ dueDate }) => (dueDate > today(env) ? dueDate : dayAfter(env, DUE_IN_DAYS)),
  });

const dayAfter = (env: BillingEnv, days: number): string => daysAfter(today(env), days);

/** How an invoice is charged. `dateOf`: the due date of the charge. */
type Terms = { by: By; billingType: BillingType; keepsDate: boolean; dateOf(invoice: InvoiceRow): string };

const issue = (env: BillingEnv, scope: Scope, id: string, terms: Terms): Promise<InvoiceRow> =>
  aboutInvoice(env, id, async () => {
    const invoice = await getInvoice(env, scope, id);
    if (isCharged(invoice)) return invoice;
    if (!CHARGEABLE.includes(invoice.status)) throw notOpen();
    const processor = requireProcessor(env);
    const customer = await env.db.read((reader) => findBillingCustomer(reader, invoice));
    if (!customer)
      throw new AppError("CPF_CNPJ_REQUIRED", {
        message: "The payer is unknown: register a billing customer with its CPF or CNPJ first.",
      });
    const charge = await chargeFor(env, { processor, invoice, customerId: customer.processorCustomerId, terms });
    return complete(env, invoice, charge, terms);
  });

/** Charges an invoice of any account, for the administrator. */
export const issueAnyInvoice = (env: BillingEnv, by: Requester, id: string): Promise<InvoiceRow> =>
  issueInvoice(env, { ...by, ...EVERY_TENANT }, id);

const isCharged = ({ status, gatewayChargeId }: InvoiceRow): boolean =>
  status === "ISSUED" || (status === "OVERDUE" && gatewayChargeId !== null);

type Charging = { processor: Processor; invoice: InvoiceRow; customerId: string; terms: Terms };

/** The write before the request records that there may be a charge, whatever the answer is. */
const chargeFor = async (
  env: BillingEnv,
  { processor, invoice, customerId, terms: { billingType, dateOf } }: Charging,
): Promise<Charge> => {
  const { id: reference, totalCents: valueCents } = invoice;
  await noteProvider(env, invoice, processor.name);
  const dueDate = dateOf(invoice);
  const created = await processor.createCharge({
    customerId,
    billingType,
    valueCents,
    dueDate,
    reference,
    description: `Recado ${reference}`,
  });
  if (!created.ok && created.kind === "refused") await noteProvider(env, invoice, invoice.gatewayProvider);
  return requireAnswer(created);
};

const noteProvider = (env: BillingEnv, { id }: InvoiceRow, gatewayProvider: string | null) =>
  env.db.write((tx) => updateInvoice(tx, id, CHARGEABLE, { gatewayProvider, updatedAt: env.clock.now() }));

/**
 * Stores a charge in its invoice, with the payment links.
 * @throws AppError INVOICE_NOT_OPEN when the invoice was settled meanwhile, PROCESSOR_REFUSED, PROCESSOR_UNAVAILABLE.
 */
export const complete = async (
  env: BillingEnv,
  { id, totalCents }: InvoiceRow,
  charge: Charge,
  { by, keepsDate }: Pick<Terms, "by" | "keepsDate">,
): Promise<InvoiceRow> => {
  if (charge.valueCents !== totalCents)
    env.log.error(
      { invoiceId: id, totalCents, chargedCents: charge.valueCents },
      "the processor charges another amount than the invoice's",
    );
  const links = requireAnswer(await requireProcessor(env).paymentLinks(charge));
  const invoice = await env.db.write(async (tx) => {
    const charged = await recordCharge(env, tx, id, { by, charge, links, keepsDate });
    if (charged.gatewayChargeId === charge.id)
      await recordAct(env, tx, by, { action: "invoice.issue", target: id, tenantId: charged.tenantId });
    return charged;
  });
  if (invoice.gatewayChargeId === charge.id) return invoice;
  await cancelChargeOf(env, { ...invoice, gatewayChargeId: charge.id });
  throw notOpen();
};

type Charged = { by: By; charge: Charge; links: PaymentLinks; keepsDate: boolean };

/** The updated invoice; without the charge when it was settled by other means. */
const recordCharge = async (
  env: BillingEnv,
  tx: Tx,
  id: InvoiceId,
  { by, charge, links, keepsDate }: Charged,
): Promise<InvoiceRow> => {
  const invoice = await findInvoice(tx, EVERY_TENANT, id);
  if (!invoice) throw new Error("an invoice that was being charged is gone");
  const fields = {
    gatewayProvider: requireProcessor(env).name,
    gatewayChargeId: charge.id,
    gatewayInvoiceUrl: charge.invoiceUrl,
    boletoUrl: charge.boletoUrl,
    ...links,
  };
  if (invoice.status === "OPEN")
    return (
      (await changeInvoiceStatus(env, tx, id, {
        by,
        to: "ISSUED",
        ...(keepsDate ? {} : { dueDate: charge.dueDate }),
        ...fields,
      })) ?? invoice
    );
  if (invoice.status !== "OVERDUE" && invoice.gatewayChargeId !== charge.id) return invoice;
  return (await updateInvoice(tx, id, [invoice.status], { ...fields, updatedAt: env.clock.now() })) ?? invoice;
};

const RETRY_MS = MINUTE_MS;
const GIVE_UP_MS = DAY_MS;

/**
 * The job that charges an invoice without a request, so that it can be paid. A charge that the processor refuses is
 * left to the customer. While the processor cannot be reached, the job is retried for a day.
 */
export const issueDueInvoice = async (env: BillingEnv, job: Job<IssuePayload>): Promise<JobOutcome> => {
  const { invoiceId, tenantId } = job.payload;
  try {
    await issueAsDue(env, { tenantId }, invoiceId);
    return { is: "done" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const atMs = env.clock.now() + Math.min(HOUR_MS, RETRY_MS * 2 ** (job.attempt - 1));
    if (error.code === "PROCESSOR_UNAVAILABLE" && atMs < job.createdAt + GIVE_UP_MS)
      return { is: "retry", atMs, error: error.code };
    env.log.warn({ invoiceId, code: error.code }, "an invoice could not be charged");
    return { is: "done" };
  }
};
