import type { InvoiceId } from "../../../kernel/ids.ts";
import { BY_CHANNEL, type Definitions, TO_ACCOUNTS } from "./definition.ts";
import { AT, idOf } from "./samples.ts";

/** Invoices of an account. */

export type BillingEvents = {
  "invoice.paid": { invoiceId: InvoiceId; paidAt: number; totalCents: number; paidCents?: number };
  "invoice.failed": { invoiceId: InvoiceId; reason: string };
};

const INVOICE = { invoiceId: idOf<InvoiceId>(12) };
const OF_ACCOUNT = { ordering: BY_CHANNEL, direction: null, publishedTo: TO_ACCOUNTS } as const;

export const BILLING_EVENTS = {
  "invoice.paid": { ...OF_ACCOUNT, samples: [{ ...INVOICE, paidAt: AT, totalCents: 19_900 }] },
  "invoice.failed": { ...OF_ACCOUNT, samples: [{ ...INVOICE, reason: "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED" }] },
} satisfies Definitions<BillingEvents>;
