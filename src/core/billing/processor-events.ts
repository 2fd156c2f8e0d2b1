import { isSameSecret, sha256 } from "../../kernel/crypto.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { isUuid } from "../../kernel/ids.ts";
import { parsedJson } from "../../kernel/json.ts";
import { issue } from "../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/db.ts";
import {
  findInvoice,
  findInvoiceByCharge,
  type InvoiceRow,
  type InvoiceStatus,
  updateInvoice,
} from "../../store/invoices.ts";
import {
  findProcessorEvent,
  insertProcessorEvent,
  listChangesOf,
  markApplied,
  type ProcessorEventRow,
} from "../../store/processor.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { publish } from "../events/publish.ts";
import { processorOf } from "./charges.ts";
import { today } from "./days.ts";
import type { BillingEnv } from "./env.ts";
import { isUnpaid, MOVES, notifyPaid } from "./invoice-states.ts";
import { applyStage } from "./stages.ts";
import { reportedStatus } from "./story.ts";

/** Whether the token is the one that the processor's webhooks carry. Throws PROCESSOR_NOT_CONFIGURED. */
export const isProcessorToken = (env: BillingEnv, token: string): boolean => {
  processorOf(env);
  const { webhookToken } = env.config.processor;
  if (webhookToken === undefined)
    throw new AppError("PROCESSOR_NOT_CONFIGURED", {
      message: "The server has no token for the payment processor's webhooks.",
    });
  return isSameSecret(token, webhookToken);
};

/**
 * Keeps an event of the processor, whatever it tells, to be applied later; when this resolves it is on disk. One that
 * has come before is kept once. Throws PROCESSOR_NOT_CONFIGURED, and VALIDATION when it is not JSON.
 */
export const acceptProcessorEvent = async (env: BillingEnv, rawBody: string): Promise<void> => {
  const receivedAt = env.clock.now();
  const { id, ...event } = processorOf(env).readEvent(jsonIn(rawBody), receivedAt);
  await env.db.write((tx) =>
    keepEvent(env, tx, { ...event, id: id ?? sha256(rawBody), body: rawBody, receivedAt, appliedAt: null }),
  );
};

const jsonIn = (text: string): unknown => {
  const value = parsedJson(text);
  if (value === undefined) throw invalid(issue("", "format", "The body is not valid JSON."));
  return value;
};

/** Keeps what is told of a charge, with the work that follows from news. Nothing happens for an id that is known. */
export const keepEvent = async (env: BillingEnv, tx: Tx, row: ProcessorEventRow): Promise<void> => {
  if ((await insertProcessorEvent(tx, row)) && row.change !== null)
    env.jobs.enqueue(tx, "processor.apply", { eventId: row.id });
};

/**
 * Does what a kept event asks for, and ends the job, in one write. An event of a charge that is none of ours asks for
 * nothing.
 */
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
 * Events come late and in any order. So none of them moves an invoice by itself: the story of the charge is told with
 * it and without it, and the difference is what it changes. Where others moved the invoice meanwhile, it goes forward
 * only.
 */
const ingest = async (env: BillingEnv, tx: Tx, invoice: InvoiceRow, event: ProcessorEventRow): Promise<void> => {
  const { chargeId } = event;
  if (chargeId === null) return;
  const before = reportedStatus(await listChangesOf(tx, chargeId));
  await markApplied(tx, event.id, env.clock.now());
  const told = reportedStatus(await listChangesOf(tx, chargeId));
  if (event.change === "refused" && isUnpaid(told) && isUnpaid(invoice.status))
    await tellFailed(env, tx, invoice, event.name);
  const isOfAnother = invoice.gatewayChargeId !== null && invoice.gatewayChargeId !== chargeId;
  if (told === before || (isOfAnother && told !== "PAID")) return; // money counts, whatever it came for
  const isAsToldBefore = invoice.status === before || (isUnpaid(invoice.status) && isUnpaid(before));
  const to = told === "ISSUED" ? unpaidStatus(env, invoice) : told;
  if (to !== invoice.status && (isAsToldBefore || MOVES[invoice.status].includes(to)))
    await move(env, tx, { invoice, event, to });
};

const unpaidStatus = (env: BillingEnv, { dueDate }: InvoiceRow): InvoiceStatus =>
  dueDate < today(env) ? "OVERDUE" : "ISSUED";

type Move = { invoice: InvoiceRow; event: ProcessorEventRow; to: InvoiceStatus };

const move = async (env: BillingEnv, tx: Tx, { invoice, event, to }: Move): Promise<void> => {
  const now = env.clock.now();
  const payment = paymentAfter(invoice, event, { to, now });
  await updateInvoice(tx, invoice.id, [invoice.status], {
    status: to,
    ...payment,
    gatewayChargeId: invoice.gatewayChargeId ?? event.chargeId,
    updatedAt: now,
  });
  if (!isUnpaid(to)) await applyStage(env, tx, invoice.tenantId);
  if (to === "FAILED") await tellFailed(env, tx, invoice, event.name);
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

/** Notes what was paid for an invoice, when the processor tells another amount than we know. */
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

const tellFailed = (env: BillingEnv, tx: Tx, { id, tenantId }: InvoiceRow, reason: string): Promise<void> =>
  publish(env, tx, { tenantId, channel: null }, { type: "invoice.failed", invoiceId: id, reason });
