import type { InvoiceOfAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Confirm } from "../../parts/forms/dialog.tsx";
import { notify } from "../../parts/toasts.tsx";
import { reais } from "./amounts.ts";
import { billingTexts } from "./texts.ts";

/** The acts of an operator on an unpaid invoice. */
export type Settling = { invoice: InvoiceOfAccount; as: "paid" | "void" };

/** Asks for a confirmation that names the amount and the account. */
export const SettleDialog = ({ invoice, as, onClose }: Settling & { onClose: () => void }) => {
  const t = billingTexts();
  const act = useAct(async () => {
    await (as === "paid" ? admin.invoices.markPaid(invoice.id) : admin.invoices.void(invoice.id));
    refresh("admin ");
    refresh("billing ");
    notify(t.done);
    onClose();
  });
  const sum = reais(invoice.totalCents);
  return (
    <Confirm
      title={as === "paid" ? t.markPaidTitle : t.voidTitle}
      yes={as === "paid" ? t.markPaid : t.voidIt}
      act={act}
      onNo={onClose}
    >
      <p>{as === "paid" ? t.markPaidText(sum, invoice.accountName) : t.voidText(sum, invoice.accountName)}</p>
    </Confirm>
  );
};
