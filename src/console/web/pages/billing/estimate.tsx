import { useState } from "preact/hooks";
import type { CostEstimate } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useAct } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Field, Form, TextArea, textIn } from "../../parts/forms/form.tsx";
import { Card, Details, Stat } from "../../parts/layout.tsx";
import { noPhones } from "../../parts/phones/no-phones.tsx";
import { PhoneSelect } from "../../parts/phones/phone-choice.tsx";
import { usePhonesFound } from "../../parts/phones/phones.tsx";
import { Empty, Loaded, Notice } from "../../parts/states.tsx";
import { micros } from "./amounts.ts";
import { billingTexts } from "./texts.ts";

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const Estimate = ({ isCharged, amountMicros, currency, unrated, category, byCountry }: CostEstimate) => {
  const t = billingTexts();
  if (!isCharged) return <Notice tone="good">{t.free}</Notice>;
  return (
    <div class="stack" role="status">
      <Stat name={t.costs} value={micros(amountMicros, currency)} note={category} />
      {unrated > 0 && <Notice tone="warning">{t.unrated(number(unrated))}</Notice>}
      <Details
        items={byCountry.map((one) => [one.country, `${number(one.count)} · ${micros(one.amountMicros, currency)}`])}
      />
    </div>
  );
};

const EstimateForm = () => {
  const t = billingTexts();
  const [found, setFound] = useState<CostEstimate>();
  const act = useAct(async (form: FormData) => {
    const template = textIn(form, "template");
    setFound(undefined);
    setFound(
      await gateway.billing.estimateCost({
        phoneId: textIn(form, "phoneId"),
        to: linesOf(textIn(form, "to")),
        ...(template === "" ? {} : { template: { name: template } }),
      }),
    );
  });
  return (
    <div class="grid">
      <Card title={t.estimate} hint={t.estimateHint}>
        <Form act={act} submit={t.calculate}>
          <PhoneSelect name="phoneId" label={t.phone} />
          <TextArea name="to" label={t.recipients} hint={t.recipientsHint} rows={5} />
          <Field name="template" label={t.template} hint={t.templateHint} isOptional />
        </Form>
      </Card>
      {found && (
        <Card title={t.costs}>
          <Estimate {...found} />
        </Card>
      )}
    </div>
  );
};

/** The cost of a message to some recipients. */
export const EstimateTab = () => {
  const t = billingTexts();
  const query = usePhonesFound();
  return (
    <Loaded query={query}>
      {({ items }) => (items.length === 0 ? <Empty {...noPhones(t.noPhones, t.noPhonesHint)} /> : <EstimateForm />)}
    </Loaded>
  );
};
