import type { Charge, Processor } from "../../../contract/ports/processor.ts";
import { DAY_MS, dayIn, MINUTE_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { idBoundAt } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader } from "../../../store/engine/db.ts";
import { findInvoice, type InvoiceRow, listCharged, listPaid } from "../../../store/tables/billing/invoices.ts";
import { readMeta, writeMeta } from "../../../store/tables/meta.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { THE_SERVER } from "../../tenancy/audit/audit.ts";
import type { BillingEnv } from "../env.ts";
import { aboutInvoice, requireAnswer } from "./charges.ts";
import { complete } from "./issue.ts";
import { keepEvent, notePaidCents } from "./processor-events.ts";
import { reportedStatus } from "./story.ts";

/**
 * Invoices per run: about 4,000 requests of the 25,000 that the processor accepts in twelve hours. The next run
 * continues after them.
 */
const MOST = 2000;
const PAGE = 50;
/** The wait before the next request to a processor that cannot be reached, and the number of attempts in a night. */
const RETRY_MS = 10 * MINUTE_MS;
const MAX_TRIES = 6;
/** A paid invoice is compared with its charge for this long: banks take payments back for months. */
const PAID_DAYS = 180;

/**
 * TABLE: the invoices that are compared with their charges, in this order. `upTo` names the metadata row that stores
 * the progress of a night.
 */
const COMPARED: readonly {
  upTo: string;
  list(env: BillingEnv, reader: Reader, page: { after: string; limit: number }): Promise<InvoiceRow[]>;
}[] = [
  { upTo: "invoices-reconciled-up-to", list: (_, reader, page) => listCharged(reader, EVERY_TENANT, page) },
  {
    upTo: "paid-invoices-reconciled-up-to",
    list: ({ clock }, reader, { after, limit }) => {
      const bound = idBoundAt(clock.now() - PAID_DAYS * DAY_MS);
      return listPaid(reader, EVERY_TENANT, { after: after > bound ? after : bound, limit });
    },
  },
];

/**
 * Compares invoices with their charges at the processor: first all unpaid invoices that may have a charge, then
 * recently paid ones. Changes that the processor's webhooks have not reported are ingested as events.
 */
export const reconcileInvoices = async (env: BillingEnv, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const { processor } = env;
  if (!processor) return { is: "done" };
  const run: Run = { env, processor, maySkip: job.attempt === MAX_TRIES };
  try {
    let left = MOST;
    for (const compared of COMPARED)
      for (let isMore = true; isMore && left > 0; left -= PAGE) isMore = await reconcilePage(run, compared);
    return { is: "done" };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "PROCESSOR_UNAVAILABLE")) throw error;
    return job.attempt < MAX_TRIES
      ? { is: "retry", atMs: env.clock.now() + RETRY_MS, error: error.code }
      : { is: "done" };
  }
};

/**
 * `maySkip`: on the last attempt of a night, an invoice without a clear answer is skipped, so that it does not block
 * the others. Two in a row mean that the processor is away.
 */
type Run = { env: BillingEnv; processor: Processor; maySkip: boolean };

/** True when there are more. */
const reconcilePage = async (run: Run, { upTo, list }: (typeof COMPARED)[number]): Promise<boolean> => {
  const { env } = run;
  const after = (await env.db.read((reader) => readMeta(reader, upTo))) ?? "";
  const page = await env.db.read((reader) => list(env, reader, { after, limit: PAGE }));
  let maySkip = run.maySkip;
  for (const { id } of page) maySkip = (await reconcileOrSkip({ ...run, maySkip }, id)) && run.maySkip;
  const next = page.length === PAGE ? (page.at(-1)?.id ?? "") : "";
  await env.db.write((tx) => writeMeta(tx, upTo, next));
  return next !== "";
};

/** The refusal of one invoice does not block the others. False when it was skipped. */
const reconcileOrSkip = async ({ env, processor, maySkip }: Run, invoiceId: string): Promise<boolean> => {
  try {
    await aboutInvoice(env, invoiceId, () => reconcileOne(env, processor, invoiceId));
    return true;
  } catch (error) {
    const isAway = error instanceof AppError && error.code === "PROCESSOR_UNAVAILABLE";
    if (!(error instanceof AppError) || (isAway && !maySkip)) throw error;
    env.log.warn({ invoiceId, code: error.code }, "an invoice could not be compared with its charge");
    return !isAway;
  }
};

const reconcileOne = async (env: BillingEnv, processor: Processor, id: string): Promise<void> => {
  const invoice = await env.db.read((reader) => findInvoice(reader, EVERY_TENANT, id));
  if (!invoice) return;
  const charge = requireAnswer(await processor.findCharge({ reference: id, id: invoice.gatewayChargeId }));
  if (!charge) return;
  const charged =
    invoice.gatewayChargeId === null
      ? await complete(env, invoice, charge, { by: THE_SERVER, keepsDate: false })
      : invoice;
  if (isPaidAsKnown(charged, charge)) await noteAmount(env, charged, charge);
  else if (charge.change !== null && reportedStatus([charge.change]) !== charged.status)
    await keepFound(env, processor, charged, charge);
};

/**
 * Whether only the amount can differ. The charge of an invoice that was paid elsewhere is deleted, which changes
 * nothing.
 */
const isPaidAsKnown = ({ status }: InvoiceRow, { change }: Charge): boolean =>
  status === "PAID" && (change === "paid" || change === "deleted");

const noteAmount = async (env: BillingEnv, invoice: InvoiceRow, { change, valueCents }: Charge): Promise<void> => {
  if (change === "paid" && invoice.paidCents !== valueCents)
    await env.db.write((tx) => notePaidCents(env, tx, invoice, valueCents));
};

/** A difference is stored as an event, beside the events that the webhooks reported. */
const keepFound = (
  env: BillingEnv,
  { placeOf }: Processor,
  { id: reference }: InvoiceRow,
  charge: Charge,
): Promise<void> => {
  const receivedAt = env.clock.now();
  const { id: chargeId, status: name, change, valueCents } = charge;
  const id = `found:${chargeId}:${name}:${dayIn("UTC", receivedAt)}`;
  return env.db.write((tx) =>
    keepEvent(env, tx, {
      id,
      name,
      chargeId,
      reference,
      valueCents,
      change,
      place: placeOf(receivedAt),
      body: JSON.stringify(charge),
      receivedAt,
      appliedAt: null,
    }),
  );
};
