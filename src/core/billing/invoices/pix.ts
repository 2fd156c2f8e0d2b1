import { PIX_LIMITS, pixCode } from "../../../kernel/numbers/brazil.ts";
import { type InvoiceRow, isUnpaid } from "../../../store/tables/billing/invoices.ts";
import type { BillingEnv } from "../env.ts";

/**
 * The Pix code that pays an unpaid invoice: the processor's, or without a processor a code to the operator's own key.
 * Null if there is none. The administrator records a payment by the own key. The bank's statement shows the code's id:
 * the beginning of the invoice's id, without dashes.
 */
export const pixCodeOf = (
  { config, processor }: Pick<BillingEnv, "config" | "processor">,
  { id, status, totalCents, gatewayProvider, pixCopyPaste }: InvoiceRow,
): string | null => {
  if (pixCopyPaste !== null) return pixCopyPaste;
  // a charge that the processor may have made could be paid as well
  const isOwn = processor === undefined && gatewayProvider === null;
  if (!config.pix || !isOwn || !isUnpaid(status) || totalCents <= 0) return null;
  return pixCode(config.pix, { amountCents: totalCents, txid: id.replaceAll("-", "").slice(0, PIX_LIMITS.txid) });
};
