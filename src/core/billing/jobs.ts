import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { InvoiceId, TenantId } from "../../kernel/ids.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue, queueOf } from "../../store/tables/queues.ts";
import { CHANNEL, id, NOTHING } from "../job-parts.ts";
import { compareCharges, readAccount } from "./costs/ledger.ts";
import { closeMonth } from "./invoices/closing.ts";

/** The background work of `billing`. */
export const BILLING_JOBS = {
  "invoices.close": job({
    payload: NOTHING,
    concurrencyLimit: 4,
    queue: () => commonQueue("billing"),
    uniqueKey: () => "invoices.close",
    run: closeMonth,
  }),
  "invoices.reconcile": job({
    payload: NOTHING,
    concurrencyLimit: 4,
    queue: () => commonQueue("billing"),
    uniqueKey: () => "invoices.reconcile",
    run: late(async () => (await import("./invoices/reconcile.ts")).reconcileInvoices),
  }),
  "charges.account": job({
    payload: CHANNEL,
    concurrencyLimit: 4,
    queue: () => commonQueue("charges"),
    uniqueKey: ({ channelId }) => `charges.account:${channelId}`,
    priority: "low",
    run: readAccount,
  }),
  "charges.compare": job({
    payload: versioned(Type.Object({ afterId: Type.Optional(Type.String()) })),
    concurrencyLimit: 1,
    queue: () => commonQueue("charges"),
    uniqueKey: ({ afterId = "" }) => `charges.compare:${afterId}`,
    priority: "low",
    run: compareCharges,
  }),
  "invoice.issue": job({
    payload: versioned(Type.Object({ invoiceId: id<InvoiceId>(), tenantId: id<TenantId>() })),
    concurrencyLimit: 1,
    queue: ({ tenantId }) => queueOf("billing", tenantId),
    uniqueKey: ({ invoiceId }) => `issue:${invoiceId}`,
    run: late(async () => (await import("./invoices/issue.ts")).issueDueInvoice),
  }),
  "processor.apply": job({
    payload: versioned(Type.Object({ eventId: id() })),
    concurrencyLimit: 1,
    queue: () => commonQueue("processor"),
    uniqueKey: ({ eventId }) => `processor:${eventId}`,
    run: late(async () => (await import("./invoices/processor-events.ts")).applyProcessorEvent),
  }),
  "dunning.run": job({
    payload: NOTHING,
    concurrencyLimit: 4,
    queue: () => commonQueue("billing"),
    uniqueKey: () => "dunning",
    run: late(async () => (await import("./dunning.ts")).runDunning),
  }),
};
