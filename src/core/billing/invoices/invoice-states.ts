import { AppError } from "../../../kernel/errors.ts";
import type { InvoiceId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  INVOICE_STATUSES,
  type InvoiceRow,
  type InvoiceStatus,
  isUnpaid,
  updateInvoice,
} from "../../../store/tables/billing/invoices.ts";
import { publish } from "../../events/publish.ts";
import type { By } from "../../tenancy/audit/audit.ts";
import type { BillingEnv } from "../env.ts";
import { applyStage } from "../stages.ts";

/**
 * TABLE: the next statuses of each status of an invoice. The processor's events may come in any order: an earlier
 * status that comes late changes nothing. A payment for a VOID invoice is accepted.
 */
export const NEXT_STATUSES: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  OPEN: ["ISSUED", "OVERDUE", "VOID", "PAID", "FAILED", "REFUNDED"],
  ISSUED: ["OVERDUE", "VOID", "PAID", "FAILED", "REFUNDED"],
  OVERDUE: ["ISSUED", "VOID", "PAID", "FAILED", "REFUNDED"],
  VOID: ["PAID", "FAILED", "REFUNDED"],
  PAID: ["FAILED", "REFUNDED"],
  FAILED: ["REFUNDED"],
  REFUNDED: [],
};

/**
 * TABLE: the moves that only the processor can undo: a charge was restored, a payment was reverted, the payer lost a
 * chargeback.
 */
export const TAKEN_BACK: Partial<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  VOID: ["ISSUED", "OVERDUE"],
  PAID: ["ISSUED", "OVERDUE"],
  FAILED: ["PAID"],
};

/** The actor who changes an invoice's status, the new status, and the fields that change with it. */
type StatusChange = { by: By; to: InvoiceStatus } & Partial<
  Omit<InvoiceRow, "id" | "tenantId" | "status" | "updatedAt">
>;

const leadingTo = (
  to: InvoiceStatus,
  moves: Partial<Record<InvoiceStatus, readonly InvoiceStatus[]>>,
): InvoiceStatus[] => INVOICE_STATUSES.filter((from) => moves[from]?.includes(to));

/**
 * Moves an invoice forward, and its account to the stage of dunning that follows. Undefined, and nothing is changed,
 * when the invoice's status does not allow the move.
 */
export const changeInvoiceStatus = async (
  env: BillingEnv,
  tx: Tx,
  id: InvoiceId,
  { by, to, ...changes }: StatusChange,
): Promise<InvoiceRow | undefined> => {
  const moved = await updateInvoice(tx, id, leadingTo(to, NEXT_STATUSES), {
    ...changes,
    status: to,
    updatedAt: env.clock.now(),
  });
  if (moved && !isUnpaid(to)) await applyStage(env, tx, by, moved.tenantId);
  return moved;
};

/**
 * Moves an invoice to PAID and publishes `invoice.paid`. Undefined, and nothing is published, when its status does not
 * allow the move.
 */
export const payInvoice = async (
  env: BillingEnv,
  tx: Tx,
  id: InvoiceId,
  { by, paidAt }: { by: By; paidAt: number },
): Promise<InvoiceRow | undefined> => {
  const paid = await changeInvoiceStatus(env, tx, id, { by, to: "PAID", paidAt });
  if (paid) await notifyPaid(env, tx, paid, paidAt);
  return paid;
};

/**
 * Publishes that an invoice was paid, in the write that moves it. The event has the paid amount when it differs from
 * the invoice's.
 */
export const notifyPaid = (
  env: BillingEnv,
  tx: Tx,
  { id, tenantId, totalCents, paidCents }: InvoiceRow,
  paidAt: number,
): Promise<void> => {
  const difference = paidCents === null || paidCents === totalCents ? {} : { paidCents };
  return publish(
    env,
    tx,
    { tenantId, channel: null },
    { type: "invoice.paid", invoiceId: id, paidAt, totalCents, ...difference },
  );
};

/** The refusal of a request that needs an unpaid invoice. */
export const notOpen = () => new AppError("INVOICE_NOT_OPEN", { message: "The invoice no longer has to be paid." });
