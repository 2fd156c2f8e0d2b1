import type { JobKinds } from "../../runtime/jobs.ts";
import { commonQueue, queueOf } from "../../store/queues.ts";
import { type JobPayloads, PAYLOADS } from "../job-payloads.ts";
import { closeMonth } from "./closing.ts";
import { runDunning } from "./dunning.ts";
import type { BillingEnv } from "./env.ts";
import { issueDueInvoice } from "./issue.ts";
import { compareCharges, readAccount } from "./ledger.ts";
import { applyProcessorEvent } from "./processor-events.ts";
import { reconcileInvoices } from "./reconcile.ts";

type Name =
  | "invoices.close"
  | "invoices.reconcile"
  | "charges.account"
  | "charges.compare"
  | "invoice.issue"
  | "processor.apply"
  | "dunning.run";

/** The background work of billing: a part of the table in `core/jobs.ts`. */
export const BILLING_JOBS: JobKinds<BillingEnv, Pick<JobPayloads, Name>> = {
  "invoices.close": {
    payload: PAYLOADS["invoices.close"],
    concurrencyLimit: 4,
    uniqueKey: () => "invoices.close",
    queue: () => commonQueue("billing"),
    run: closeMonth,
  },
  "invoices.reconcile": {
    payload: PAYLOADS["invoices.reconcile"],
    concurrencyLimit: 4,
    uniqueKey: () => "invoices.reconcile",
    queue: () => commonQueue("billing"),
    run: reconcileInvoices,
  },
  "charges.account": {
    payload: PAYLOADS["charges.account"],
    concurrencyLimit: 4,
    uniqueKey: ({ channelId }) => `charges.account:${channelId}`,
    queue: () => commonQueue("charges"),
    priority: "low",
    run: readAccount,
  },
  "charges.compare": {
    payload: PAYLOADS["charges.compare"],
    concurrencyLimit: 1,
    uniqueKey: ({ afterId = "" }) => `charges.compare:${afterId}`,
    queue: () => commonQueue("charges"),
    priority: "low",
    run: compareCharges,
  },
  "invoice.issue": {
    payload: PAYLOADS["invoice.issue"],
    concurrencyLimit: 1,
    uniqueKey: ({ invoiceId }) => `issue:${invoiceId}`,
    queue: ({ tenantId }) => queueOf("billing", tenantId),
    run: issueDueInvoice,
  },
  "processor.apply": {
    payload: PAYLOADS["processor.apply"],
    concurrencyLimit: 1,
    uniqueKey: ({ eventId }) => `processor:${eventId}`,
    queue: () => commonQueue("processor"),
    run: applyProcessorEvent,
  },
  "dunning.run": {
    payload: PAYLOADS["dunning.run"],
    concurrencyLimit: 4,
    uniqueKey: () => "dunning",
    queue: () => commonQueue("billing"),
    run: runDunning,
  },
};
