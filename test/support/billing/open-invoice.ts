import type { InvoiceId, TenantId } from "../../../src/kernel/ids.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import { insertInvoice } from "../../../src/store/tables/billing/invoices.ts";

const NOW = 1_700_000_000_000;

/** An invoice of five cents that is charged and not paid. */
export const insertOpenInvoice = async (
  tx: Tx,
  { id, tenantId }: { id: InvoiceId; tenantId: TenantId },
): Promise<void> => {
  await insertInvoice(tx, {
    id,
    tenantId,
    periodStart: NOW,
    periodEnd: NOW + 1,
    isManual: false,
    totalCents: 5,
    breakdown: { messages: 5, phoneMonths: 0, wabaPassthrough: 0 },
    status: "OPEN",
    dueDate: "2026-12-24",
    paidAt: null,
    paidCents: null,
    gatewayProvider: "asaas",
    gatewayChargeId: `pay_${id}`,
    gatewayInvoiceUrl: null,
    pixQrCode: null,
    pixCopyPaste: null,
    boletoUrl: null,
    boletoBarcode: null,
    createdAt: NOW,
    updatedAt: NOW,
  });
};
