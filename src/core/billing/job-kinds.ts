import { late } from "../../kernel/async.ts";
import type { JobKinds } from "../../runtime/jobs.ts";
import { commonQueue, queueOf } from "../../store/tables/queues.ts";
import { type JobPayloads, PAYLOADS } from "../job-payloads.ts";
import type { BillingEnv } from "./env.ts";

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
    run: late(async () => (await import("./closing.ts")).closeMonth),
  },
  "invoices.reconcile": {
    payload: PAYLOADS["invoices.reconcile"],
    concurrencyLimit: 4,
    uniqueKey: () => "invoices.reconcile",
    queue: () => commonQueue("billing"),
    run: late(async () => (await import("./reconcile.ts")).reconcileInvoices),
  },
  "charges.account": {
    payload: PAYLOADS["charges.account"],
    concurrencyLimit: 4,
    uniqueKey: ({ channelId }) => `charges.account:${channelId}`,
    queue: () => commonQueue("charges"),
    priority: "low",
    run: late(async () => (await import("./ledger.ts")).readAccount),
  },
  "charges.compare": {
    payload: PAYLOADS["charges.compare"],
    concurrencyLimit: 1,
    uniqueKey: ({ afterId = "" }) => `charges.compare:${afterId}`,
    queue: () => commonQueue("charges"),
    priority: "low",
    run: late(async () => (await import("./ledger.ts")).compareCharges),
  },
  "invoice.issue": {
    payload: PAYLOADS["invoice.issue"],
    concurrencyLimit: 1,
    uniqueKey: ({ invoiceId }) => `issue:${invoiceId}`,
    queue: ({ tenantId }) => queueOf("billing", tenantId),
    run: late(async () => (await import("./issue.ts")).issueDueInvoice),
  },
  "processor.apply": {
    payload: PAYLOADS["processor.apply"],
    concurrencyLimit: 1,
    uniqueKey: ({ eventId }) => `processor:${eventId}`,
    queue: () => commonQueue("processor"),
    run: late(async () => (await import("./processor-events.ts")).applyProcessorEvent),
  },
  "dunning.run": {
    payload: PAYLOADS["dunning.run"],
    concurrencyLimit: 4,
    uniqueKey: () => "dunning",
    queue: () => commonQueue("billing"),
    run: late(async () => (await import("./dunning.ts")).runDunning),
  },
};
