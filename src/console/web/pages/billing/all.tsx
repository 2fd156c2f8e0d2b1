import { useState } from "preact/hooks";
import type { InvoiceOfAccount, Takings } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { counted } from "../../frame/texts/languages.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../../parts/button.tsx";
import { Card, Stat } from "../../parts/layout.tsx";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { MonthBars } from "../../parts/plots/month-bars.tsx";
import { Loaded } from "../../parts/states.tsx";
import { byCategory, isUnpaid, micros, periodText, reais } from "./amounts.ts";
import { debtColumns } from "./invoices.tsx";
import { SettleDialog, type Settling } from "./settle.tsx";
import { billingTexts } from "./texts.ts";

const Sums = ({ unpaid, overdue, months }: Takings) => {
  const t = billingTexts();
  const current = months.at(-1);
  return (
    <div class="stats">
      <Stat name={t.toPay} value={reais(unpaid.cents)} note={counted(unpaid.count, t.invoiceCount)} />
      <Stat
        name={t.overdue}
        value={reais(overdue.cents)}
        note={overdue.count > 0 ? counted(overdue.count, t.invoiceCount) : t.nothingOverdue}
        {...(overdue.count > 0 ? { tone: "bad" as const } : {})}
      />
      <Stat
        name={t.sent}
        value={number(current?.messagesSent ?? 0)}
        note={t.received(number(current?.messagesReceived ?? 0))}
      />
    </div>
  );
};

const Pictures = ({ months }: Pick<Takings, "months">) => {
  const t = billingTexts();
  const { parts, bars } = byCategory(months, ({ currency, amountMicros }) => (currency === "BRL" ? amountMicros : 0));
  return (
    <div class="grid">
      <Card title={t.invoicedByMonth}>
        <MonthBars
          label={t.invoicedByMonth}
          parts={[
            { name: "paid", text: t.paid, colour: "accent" },
            { name: "open", text: t.notPaid, colour: "warning" },
          ]}
          months={months.map(({ month, invoicedCents, paidCents }) => ({
            month,
            values: { paid: paidCents, open: invoicedCents - paidCents },
          }))}
          format={reais}
        />
      </Card>
      <Card title={t.byCategory} hint={t.byCategoryHint}>
        {parts.length === 0 ? (
          <p class="soft">{t.noCharges}</p>
        ) : (
          <MonthBars label={t.byCategory} parts={parts} months={bars} format={(value) => micros(value, "BRL")} />
        )}
      </Card>
    </div>
  );
};

const columnsOf = (settle: (settling: Settling) => void): Column<InvoiceOfAccount>[] => {
  const t = billingTexts();
  return [
    { title: t.account, cell: ({ accountName }) => accountName, isMain: true },
    { title: t.period, cell: (invoice) => periodText(invoice) || "–" },
    ...debtColumns(),
    {
      title: frameTexts().more,
      cell: (invoice) =>
        isUnpaid(invoice) && (
          <div class="actions">
            <Button onClick={() => settle({ invoice, as: "paid" })}>{t.markPaid}</Button>
            <Button tone="quiet" onClick={() => settle({ invoice, as: "void" })}>
              {t.voidIt}
            </Button>
          </div>
        ),
    },
  ];
};

/** Invoices of one account, or of all. */
export const AllInvoices = ({ accountId }: { accountId?: string }) => {
  const t = billingTexts();
  const list = useListState({ status: "" });
  const [settling, setSettling] = useState<Settling>();
  const { status, cursor } = list.filters;
  const query = useQuery(
    `admin invoices ${accountId} ${status} ${cursor}`,
    () => admin.invoices.listAll(given({ limit: 25, accountId, status, cursor })).page(),
    { everyMs: 60_000 },
  );
  return (
    <>
      <List
        label={`${t.invoices} (${query.data?.items.length ?? 0})`}
        state={list}
        filters={
          <FilterSelect
            label={t.status}
            {...list.field("status")}
            options={[["", frameTexts().all], ["UNPAID", t.unpaid], ...Object.entries(t.statuses)]}
          />
        }
        query={query}
        columns={columnsOf(setSettling)}
        keyOf={({ id }) => id}
        empty={{ title: t.noAllInvoices, hint: t.noAllInvoicesHint }}
      />
      {settling && <SettleDialog {...settling} onClose={() => setSettling(undefined)} />}
    </>
  );
};

/** The money of all accounts. */
export const AllTab = () => {
  const query = useQuery("admin takings", (signal) => admin.billing.getTakings({ query: { months: 12 }, signal }), {
    everyMs: 120_000,
  });
  return (
    <div class="stack">
      <Loaded query={query} lines={8}>
        {(takings) => (
          <>
            <Sums {...takings} />
            <Pictures months={takings.months} />
          </>
        )}
      </Loaded>
      <Card title={billingTexts().invoices}>
        <AllInvoices />
      </Card>
    </div>
  );
};
