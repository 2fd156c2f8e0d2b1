import type { Ledger } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { number } from "../../frame/texts/format.ts";
import { locale } from "../../frame/texts/languages.ts";
import { FilterSelect, Filters } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
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

/** What the network charged, day by day. */
export const LedgerTab = () => {
  const t = billingTexts();
  const [filters, change] = useFilters({ month: "" });
  const query = useQuery(`billing ledger ${filters.month}`, (signal) =>
    gateway.billing.getLedger({ query: periodOf(filters.month), signal }),
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
      <Filters>
        <FilterSelect
          label={t.month}
          value={filters.month}
          options={lastMonths()}
          onChange={(month) => change({ month })}
        />
      </Filters>
      <Loaded query={query} lines={8}>
        {({ lines }) =>
          lines.length === 0 ? (
            <Empty title={t.noLedger} hint={t.noLedgerHint} />
          ) : (
            <Table
              label={t.ledger}
              rows={lines.toReversed()}
              columns={columns}
              keyOf={(line) => JSON.stringify(line)}
            />
          )
        }
      </Loaded>
    </>
  );
};
