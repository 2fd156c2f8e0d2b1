import { Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct } from "../../frame/requests/query.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { notify } from "../../parts/toasts.tsx";
import { accountsTexts } from "./texts.ts";

/** An invoice of a sum that the operator sets. */
export const NewInvoice = ({ accountId }: { accountId: string }) => {
  const t = accountsTexts();
  const [isOpen, setOpen] = useState(false);
  const act = useAct(async (form: FormData) => {
    const dueDate = textIn(form, "dueDate");
    await admin.accounts.createInvoice(accountId, {
      totalCents: Math.round(Number(form.get("totalCents")) * 100),
      ...(dueDate === "" ? {} : { dueDate }),
    });
    refresh("admin ");
    refresh("accounts ");
    notify(t.invoiceMade);
    setOpen(false);
  });
  return (
    <>
      <Button icon={Plus} onClick={() => setOpen(true)}>
        {t.newInvoice}
      </Button>
      {isOpen && (
        <Dialog title={t.newInvoice} onClose={() => setOpen(false)}>
          <p class="soft">{t.newInvoiceHint}</p>
          <Form act={act} submit={t.newInvoice} onCancel={() => setOpen(false)}>
            <Field name="totalCents" type="number" min={0.01} step={0.01} label={t.sum} autoFocus />
            <Field name="dueDate" type="date" label={t.due} isOptional />
          </Form>
        </Dialog>
      )}
    </>
  );
};
