import type { AccountPlan, Invoice, MonthOfAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { counted } from "../../frame/texts/languages.ts";
import { Card, Details, Stat } from "../../parts/layout.tsx";
import { MonthBars } from "../../parts/plots/month-bars.tsx";
import { Loaded, Notice } from "../../parts/states.tsx";
import { byCategory, dayText, isOverdue, isUnpaid, micros, reais } from "./amounts.ts";
import { currencyOf } from "./currency.ts";
import { InvoicesCard } from "./invoices.tsx";
import { PayerCard } from "./payer.tsx";
import { billingTexts } from "./texts.ts";

const sumOf = (invoices: readonly Invoice[]): number => invoices.reduce((sum, { totalCents }) => sum + totalCents, 0);

/** The answers to "what do we pay this month, and which invoice is overdue". */
const Numbers = ({ months, invoices }: { months: readonly MonthOfAccount[]; invoices: readonly Invoice[] }) => {
  const t = billingTexts();
  const current = months.at(-1);
  const late = invoices.filter(isOverdue);
  const unpaid = invoices.filter(isUnpaid);
  const [oldest] = late.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
  return (
    <>
      {oldest && <Notice tone="bad">{t.overdueNotice(reais(oldest.totalCents), dayText(oldest.dueDate))}</Notice>}
      <div class="stats">
        <Stat
          name={t.thisMonth}
          value={reais(current?.costCents ?? 0)}
          note={`${reais(current?.wabaPassthroughCents ?? 0)} ${t.network}`}
        />
        <Stat
          name={t.overdue}
          value={reais(sumOf(late))}
          note={late.length > 0 ? counted(late.length, t.invoiceCount) : t.nothingOverdue}
          {...(late.length > 0 ? { tone: "bad" as const } : {})}
        />
        <Stat name={t.toPay} value={reais(sumOf(unpaid))} note={counted(unpaid.length, t.invoiceCount)} />
        <Stat
          name={t.sent}
          value={number(current?.messagesSent ?? 0)}
          note={t.received(number(current?.messagesReceived ?? 0))}
        />
      </div>
    </>
  );
};

const CostCard = ({ months }: { months: readonly MonthOfAccount[] }) => {
  const t = billingTexts();
  return (
    <Card title={t.costByMonth}>
      <MonthBars
        label={t.costByMonth}
        parts={[
          { name: "plan", text: t.ofPlan, colour: "accent" },
          { name: "network", text: t.ofNetwork, colour: "busy" },
        ]}
        months={months.map(({ month, costCents, wabaPassthroughCents }) => {
          const network = Math.min(costCents, wabaPassthroughCents); // a free plan passes on no charges
          return { month, values: { plan: costCents - network, network } };
        })}
        format={reais}
      />
    </Card>
  );
};

const CategoryCard = ({ months }: { months: readonly MonthOfAccount[] }) => {
  const t = billingTexts();
  const currency = currencyOf(months);
  const { parts, bars } = byCategory(months, (charge) => (charge.currency === currency ? charge.amountMicros : 0));
  return (
    <Card title={t.byCategory} hint={t.byCategoryHint}>
      {parts.length === 0 ? (
        <p class="soft">{t.noCharges}</p>
      ) : (
        <MonthBars label={t.byCategory} parts={parts} months={bars} format={(value) => micros(value, currency)} />
      )}
    </Card>
  );
};

const PlanCard = () => {
  const t = billingTexts();
  const query = useQuery("billing account", (signal) => gateway.account.get({ signal }));
  const rowsOf = (plan: AccountPlan): [string, string][] => [
    [t.planCode, plan.code],
    [t.planKind, (t.planKinds as Readonly<Record<string, string>>)[plan.kind] ?? plan.kind],
    [t.monthlyFee, reais(plan.monthlyFeeCents)],
    [t.included, number(plan.includedMessages)],
    [t.overage, reais(plan.overageCents)],
    [t.perMessage, reais(plan.perMessageCents)],
    [t.perPhone, reais(plan.perPhoneMonthCents)],
  ];
  return (
    <Card title={t.plan}>
      <Loaded query={query} lines={5}>
        {({ plan }) => (plan ? <Details items={rowsOf(plan)} /> : <p class="soft">–</p>)}
      </Loaded>
    </Card>
  );
};

const MessagesCard = ({ months }: { months: readonly MonthOfAccount[] }) => {
  const t = billingTexts();
  return (
    <Card title={t.messagesByMonth}>
      <MonthBars
        label={t.messagesByMonth}
        parts={[
          { name: "sent", text: t.sentShort, colour: "accent" },
          { name: "received", text: t.receivedShort, colour: "busy" },
        ]}
        months={months.map(({ month, messagesSent, messagesReceived }) => ({
          month,
          values: { sent: messagesSent, received: messagesReceived },
        }))}
        format={number}
      />
    </Card>
  );
};

/** The use of the chosen account, month by month, and its invoices. */
export const OwnTab = () => {
  const months = useQuery("billing months", () => gateway.billing.listMonths({ months: 12 }).page(), {
    everyMs: 60_000,
  });
  const invoices = useQuery("billing invoices", () => gateway.billing.listInvoices().page(), {
    on: ["invoice:", "account:"],
    everyMs: 60_000,
  });
  return (
    <Loaded query={months} lines={8}>
      {({ items }) => (
        <div class="stack">
          <Loaded query={invoices}>{(list) => <Numbers months={items} invoices={list} />}</Loaded>
          <div class="grid">
            <CostCard months={items} />
            <CategoryCard months={items} />
          </div>
          <Loaded query={invoices}>{(list) => <InvoicesCard invoices={list} />}</Loaded>
          <div class="grid">
            <MessagesCard months={items} />
            <PlanCard />
            <PayerCard />
          </div>
        </div>
      )}
    </Loaded>
  );
};
