import type { ChargeChange } from "../../../contract/ports/processor.ts";
import type { InvoiceStatus } from "../../../store/tables/billing/invoices.ts";
import { NEXT_STATUSES, TAKEN_BACK } from "./invoice-states.ts";

/**
 * TABLE: the status that each change leads to, and the status that only it can undo. A refused payment changes nothing.
 */
const MEANINGS: Record<Exclude<ChargeChange, "refused">, { to: InvoiceStatus; undoes?: InvoiceStatus }> = {
  paid: { to: "PAID", undoes: "FAILED" },
  overdue: { to: "OVERDUE" },
  "charged-back": { to: "FAILED" },
  refunded: { to: "REFUNDED" },
  deleted: { to: "VOID" },
  restored: { to: "ISSUED", undoes: "VOID" },
  undone: { to: "ISSUED", undoes: "PAID" },
};

const after = (status: InvoiceStatus, change: ChargeChange): InvoiceStatus => {
  if (change === "refused") return status;
  const { to, undoes } = MEANINGS[change];
  if (undoes !== undefined && undoes === status) return TAKEN_BACK[status]?.includes(to) ? to : status;
  return to !== "ISSUED" && NEXT_STATUSES[status].includes(to) ? to : status;
};

/** The status of an invoice after all changes of its charge, in the order in which they happened. */
export const reportedStatus = (changes: readonly ChargeChange[]): InvoiceStatus =>
  changes.reduce<InvoiceStatus>(after, "ISSUED");
