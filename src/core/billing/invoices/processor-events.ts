import { isSameSecret, sha256 } from "../../../kernel/crypto.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { isUuid } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  findInvoice,
  findInvoiceByCharge,
  type InvoiceRow,
  type InvoiceStatus,
  isUnpaid,
  updateInvoice,
} from "../../../store/tables/billing/invoices.ts";
import {
  findProcessorEvent,
  insertProcessorEvent,
  listChangesOf,
  markApplied,
  type ProcessorEventRow,
} from "../../../store/tables/billing/processor.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { publish } from "../../events/publish.ts";
import { THE_SERVER } from "../../tenancy/audit/audit.ts";
import { today } from "../days.ts";
import type { BillingEnv } from "../env.ts";
import { applyStage } from "../stages.ts";
import { requireProcessor } from "./charges.ts";
import { NEXT_STATUSES, notifyPaid } from "./invoice-states.ts";
import { reportedStatus } from "./story.ts";

/** Whether the token is that of the processor's webhooks. @throws AppError PROCESSOR_NOT_CONFIGURED. */
export const isProcessorToken = (env: BillingEnv, token: string): boolean => {
  requireProcessor(env);
  const { webhookToken } = env.config.processor;
  if (webhookToken === undefined)
    throw new AppError("PROCESSOR_NOT_CONFIGURED", {
      message: "The server has no token for the payment processor's webhooks.",
    });
  return isSameSecret(token, webhookToken);
};

/**
 * Stores an event of the processor, of any type, which a job applies later. When this resolves, the event is on disk. A
 * repeated event is stored once.
 * @throws AppError PROCESSOR_NOT_CONFIGURED, VALIDATION when it is not JSON.
 */
export const acceptProcessorEvent = async (env: BillingEnv, rawBody: string): Promise<void> => {
  const receivedAt = env.clock.now();
  const { id, ...event } = requireProcessor(env).readEvent(jsonIn(rawBody), receivedAt);
  await env.db.write((tx) =>
    keepEvent(env, tx, { ...event, id: id ?? sha256(rawBody), body: rawBody, receivedAt, appliedAt: null }),
  );
};

const jsonIn = (text: string): unknown => {
  const value = parsedJson(text);
  if (value === undefined) throw invalid(issue("", "format", "The body is not valid JSON."));
  return value;
};

/**
 * Stores an event of a charge, and enqueues the job that applies it, when it changes anything. A known id is ignored.
 */
export const keepEvent = async (env: BillingEnv, tx: Tx, row: ProcessorEventRow): Promise<void> => {
  if ((await insertProcessorEvent(tx, row)) && row.change !== null)
    env.jobs.enqueue(tx, "processor.apply", { eventId: row.id });
};

/** Applies a stored event and ends the job, in one write. An event of an unknown charge has no effect. */
export const applyProcessorEvent = async (env: BillingEnv, job: Job<{ eventId: string }>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const event = await findProcessorEvent(tx, job.payload.eventId);
    const invoice = event && (await invoiceOf(tx, event));
    if (event && invoice) await ingest(env, tx, invoice, event);
    job.end(tx);
  });
  return { is: "settled" };
};

const invoiceOf = async (tx: Tx, { chargeId, reference }: ProcessorEventRow): Promise<InvoiceRow | undefined> => {
  const charged = chargeId === null ? undefined : await findInvoiceByCharge(tx, EVERY_TENANT, chargeId);
  return charged ?? (reference !== null && isUuid(reference) ? findInvoice(tx, EVERY_TENANT, reference) : undefined);
};

/**
 * Events come late and in any order, so no event moves an invoice by itself. The charge's status is computed from its
 * events without this one, then with it; the difference is the move. When the invoice was moved by other means
 * meanwhile, it only moves forward.
 */
const ingest = async (env: BillingEnv, tx: Tx, invoice: InvoiceRow, event: ProcessorEventRow): Promise<void> => {
  const { chargeId } = event;
  if (chargeId === null) return;
  const before = reportedStatus(await listChangesOf(tx, chargeId));
  await markApplied(tx, event.id, env.clock.now());
  const reported = reportedStatus(await listChangesOf(tx, chargeId));
  if (event.change === "refused" && isUnpaid(reported) && isUnpaid(invoice.status))
    await publishFailed(env, tx, invoice, event.name);
  const isOfAnother = invoice.gatewayChargeId !== null && invoice.gatewayChargeId !== chargeId;
  if (reported === before || (isOfAnother && reported !== "PAID")) return; // a payment counts for any of its charges
  const isAsReportedBefore = invoice.status === before || (isUnpaid(invoice.status) && isUnpaid(before));
  const to = reported === "ISSUED" ? unpaidStatus(env, invoice) : reported;
  if (to !== invoice.status && (isAsReportedBefore || NEXT_STATUSES[invoice.status].includes(to)))
    await changeStatus(env, tx, { invoice, event, to });
};

const unpaidStatus = (env: BillingEnv, { dueDate }: InvoiceRow): InvoiceStatus =>
  dueDate < today(env) ? "OVERDUE" : "ISSUED";

type StatusChange = { invoice: InvoiceRow; event: ProcessorEventRow; to: InvoiceStatus };

const changeStatus = async (env: BillingEnv, tx: Tx, { invoice, event, to }: StatusChange): Promise<void> => {
  const now = env.clock.now();
  const payment = paymentAfter(invoice, event, { to, now });
  await updateInvoice(tx, invoice.id, [invoice.status], {
    status: to,
    ...payment,
    gatewayChargeId: invoice.gatewayChargeId ?? event.chargeId,
    updatedAt: now,
  });
  if (!isUnpaid(to)) await applyStage(env, tx, THE_SERVER, invoice.tenantId);
  if (to === "FAILED") await publishFailed(env, tx, invoice, event.name);
  if (to !== "PAID") return;
  warnOfDifference(env, tx, { ...invoice, ...payment });
  await notifyPaid(env, tx, { ...invoice, ...payment }, now);
};

type Payment = Pick<InvoiceRow, "paidAt" | "paidCents">;

const paymentAfter = (
  { paidAt, paidCents }: InvoiceRow,
  event: ProcessorEventRow,
  { to, now }: { to: InvoiceStatus; now: number },
): Payment => {
  if (to === "PAID") return { paidAt: now, paidCents: event.valueCents };
  return isUnpaid(to) || to === "VOID" ? { paidAt: null, paidCents: null } : { paidAt, paidCents };
};

/** Updates the paid amount of an invoice when the processor reports another one. */
export const notePaidCents = async (env: BillingEnv, tx: Tx, invoice: InvoiceRow, paidCents: number): Promise<void> => {
  if (invoice.paidCents === paidCents) return;
  const noted = await updateInvoice(tx, invoice.id, ["PAID"], { paidCents, updatedAt: env.clock.now() });
  if (noted) warnOfDifference(env, tx, noted);
};

const warnOfDifference = (
  { log }: BillingEnv,
  tx: Tx,
  { id: invoiceId, tenantId, totalCents, paidCents }: InvoiceRow,
): void => {
  if (paidCents === null || paidCents === totalCents) return;
  tx.afterCommit(() =>
    log.warn({ invoiceId, tenantId, totalCents, paidCents }, "an invoice was paid with another amount than its own"),
  );
};

const publishFailed = (env: BillingEnv, tx: Tx, { id, tenantId }: InvoiceRow, reason: string): Promise<void> =>
  publish(env, tx, { tenantId, channel: null }, { type: "invoice.failed", invoiceId: id, reason });
