import type { Ledger } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { locale } from "../../frame/texts/languages.ts";
import { FilterSelect } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { categoryText, dayText, micros } from "./amounts.ts";
import { billingTexts } from "./texts.ts";

type LedgerLine = Ledger["lines"][number];

const MONTHS = 12;

/** The last months, the newest first: the value of the filter and its text. */
const lastMonths = (): [value: string, text: string][] => {
  const now = new Date();
  return Array.from({ length: MONTHS }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const text = first.toLocaleDateString(locale(), { month: "long", year: "numeric", timeZone: "UTC" });
    return [back === 0 ? "" : first.toISOString().slice(0, 7), text];
  });
};

const periodOf = (month: string): { from: string; to: string } | Record<string, never> => {
  if (!/^\d{4}-\d{2}$/.test(month)) return {};
  const from = new Date(`${month}-01T00:00:00Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  return { from: from.toISOString(), to: to.toISOString() };
};

/** The network's charges, day by day. */
export const LedgerTab = () => {
  const t = billingTexts();
  const list = useListState({ month: "" });
  const { month } = list.filters;
  const query = useQuery(`billing ledger ${month}`, (signal) =>
    gateway.billing.getLedger({ query: periodOf(month), signal }),
  );
  const columns: Column<LedgerLine>[] = [
    { title: t.day, cell: ({ day }) => dayText(day), isMain: true },
    { title: t.category, cell: ({ category }) => (category === null ? "–" : categoryText(category)) },
    { title: t.country, cell: ({ country }) => country ?? "–", isMinor: true },
    { title: t.status, cell: ({ state }) => t.chargeStates[state] },
    { title: t.count, cell: ({ count }) => number(count), isNumber: true },
    { title: t.amount, cell: ({ amountMicros, currency }) => micros(amountMicros, currency), isNumber: true },
  ];
  return (
    <>
      <p class="soft tab-lead">{t.ledgerHint}</p>
      <List
        label={t.ledger}
        state={list}
        filters={<FilterSelect label={t.month} {...list.field("month")} options={lastMonths()} />}
        query={inForm(query, ({ lines }) => wholeList(lines.toReversed()))}
        lines={8}
        columns={columns}
        keyOf={(line) => JSON.stringify(line)}
        empty={{ title: t.noLedger, hint: t.noLedgerHint }}
      />
    </>
  );
};
