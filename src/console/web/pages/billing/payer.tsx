import { useState } from "preact/hooks";
import type { KnownBillingCustomer } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { Field, Form, textIn } from "../../parts/forms/form.tsx";
import { payerNumberIn } from "../../parts/forms/payer-number.ts";
import { Card } from "../../parts/layout.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { payerTexts } from "./payer-texts.ts";

/** The payer of the invoices: a CPF or a CNPJ, which the page masks. */
export const PayerCard = () => {
  const t = payerTexts();
  const query = useQuery("billing customer", (signal) => gateway.billing.getCustomer({ signal }));
  return (
    <Card title={t.title} hint={t.hint}>
      <Loaded query={query}>{(known) => <Payer known={known} />}</Loaded>
    </Card>
  );
};

const Payer = ({ known: { cpfCnpj, processorCustomerId } }: { known: KnownBillingCustomer }) => {
  const t = payerTexts();
  const [isWrong, setWrong] = useState(false);
  const act = useAct(async (form: FormData) => {
    const number = payerNumberIn(textIn(form, "cpfCnpj"));
    const name = textIn(form, "name");
    setWrong(number === undefined);
    if (number === undefined) return;
    await gateway.billing.saveCustomer({ cpfCnpj: number, ...(name === "" ? {} : { name }) });
    refresh("billing customer");
    notify(t.saved);
  });
  return (
    <div class="stack">
      <p>{cpfCnpj ?? (processorCustomerId === null ? t.nobody : t.known)}</p>
      {may("billing.write") && (
        <Form act={act} submit={t.save}>
          <Field name="cpfCnpj" label={t.number} hint={t.numberHint} maxLength={30} autocomplete="off" />
          <Field name="name" label={t.name} hint={t.nameHint} maxLength={200} autocomplete="off" isOptional />
          {isWrong && <Notice tone="bad">{t.wrong}</Notice>}
        </Form>
      )}
    </div>
  );
};
