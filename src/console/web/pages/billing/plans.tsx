import { Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Plan } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { admin } from "../../frame/requests/client.ts";
import { refresh, useAct, useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/forms/dialog.tsx";
import { Field, Form, onlyTouched, Select, type Touched, textIn } from "../../parts/forms/form.tsx";
import { Card } from "../../parts/layout.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { notify } from "../../parts/toasts.tsx";
import { reais } from "./amounts.ts";
import { billingTexts } from "./texts.ts";

const PRICES = [
  ["monthlyFeeCents", "monthlyFee"],
  ["includedMessages", "included"],
  ["overageCents", "overage"],
  ["perMessageCents", "perMessage"],
  ["perPhoneMonthCents", "perPhone"],
] as const;

const pricesIn = (form: FormData): Record<string, number> =>
  Object.fromEntries(PRICES.map(([name]) => [name, Number(form.get(name) ?? 0)]));

/** Makes a plan, or changes one. */
const PlanDialog = ({ plan, onClose }: { plan: Plan | undefined; onClose: () => void }) => {
  const t = billingTexts();
  const act = useAct(async (form: FormData, touched: Touched) => {
    const kind = form.get("kind") as Plan["kind"];
    const prices = pricesIn(form);
    if (plan) await admin.plans.update(plan.code, onlyTouched(touched, { kind, ...prices }));
    else await admin.plans.create({ code: textIn(form, "code"), kind, ...prices });
    refresh("admin plans");
    notify(t.planSaved);
    onClose();
  });
  return (
    <Dialog title={plan ? t.changePlan : t.newPlan} onClose={onClose}>
      <p class="soft">{t.planHint}</p>
      <Form act={act} submit={plan ? t.save : t.create} onCancel={onClose}>
        {plan === undefined && (
          <Field name="code" label={t.planCode} hint={t.codeHint} pattern="[a-z0-9_\-]{1,60}" autoFocus />
        )}
        <Select
          name="kind"
          label={t.planKind}
          defaultValue={plan?.kind ?? "custom"}
          options={Object.entries(t.planKinds)}
        />
        {PRICES.map(([name, text]) => (
          <Field
            key={name}
            name={name}
            label={t[text]}
            type="number"
            min={0}
            step={1}
            defaultValue={String(plan?.[name] ?? 0)}
          />
        ))}
      </Form>
    </Dialog>
  );
};

/** The plans that accounts can have. */
export const PlansTab = () => {
  const t = billingTexts();
  const [edited, setEdited] = useState<Plan | "new">();
  const query = useQuery("admin plans", () => admin.plans.list().page());
  const columns: Column<Plan>[] = [
    { title: t.planCode, cell: ({ code }) => code, isMain: true },
    { title: t.planKind, cell: ({ kind }) => t.planKinds[kind] },
    { title: t.monthlyFee, cell: ({ monthlyFeeCents }) => reais(monthlyFeeCents), isNumber: true },
    { title: t.included, cell: ({ includedMessages }) => number(includedMessages), isNumber: true },
    { title: t.overage, cell: ({ overageCents }) => reais(overageCents), isNumber: true },
    { title: t.perMessage, cell: ({ perMessageCents }) => reais(perMessageCents), isNumber: true },
    { title: t.perPhone, cell: ({ perPhoneMonthCents }) => reais(perPhoneMonthCents), isNumber: true },
    {
      title: t.changePlan,
      cell: (plan) => (
        <Button aria-label={`${t.changePlan} ${plan.code}`} onClick={() => setEdited(plan)}>
          {t.changePlan}
        </Button>
      ),
    },
  ];
  return (
    <Card
      title={t.plans}
      actions={
        <Button tone="primary" icon={Plus} onClick={() => setEdited("new")}>
          {t.newPlan}
        </Button>
      }
    >
      <Loaded query={query}>
        {(plans) =>
          plans.length === 0 ? (
            <Empty title={t.noPlans} />
          ) : (
            <Table label={`${t.plans} (${plans.length})`} rows={plans} columns={columns} keyOf={({ code }) => code} />
          )
        }
      </Loaded>
      {edited && <PlanDialog plan={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />}
    </Card>
  );
};
