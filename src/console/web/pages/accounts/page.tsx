import { Building2, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { ListAccountsQuery, UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { number } from "../../frame/texts/format.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect, Filters, Pager } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { reais } from "../billing/amounts.ts";
import { AccountDetail } from "./detail.tsx";
import { AccountDialog } from "./edit.tsx";
import { StateBadge } from "./state.tsx";
import { accountsTexts } from "./texts.ts";

const columnsOf = (): Column<UsedAccount>[] => {
  const t = accountsTexts();
  return [
    { title: t.name, cell: ({ name }) => name, isMain: true },
    { title: t.state, cell: (account) => <StateBadge {...account} /> },
    {
      title: t.plan,
      cell: ({ planCode, institutionPlan }) => [planCode, institutionPlan].filter(Boolean).join(" · "),
      isMinor: true,
    },
    {
      title: t.phones,
      cell: ({ phones, connectedPhones }) => `${number(connectedPhones)} / ${number(phones)}`,
      isNumber: true,
    },
    { title: t.messages, cell: ({ messagesSent }) => number(messagesSent), isNumber: true },
    {
      title: t.owed,
      cell: ({ owedCents, overdueCents }) => (
        <>
          {reais(owedCents)}
          {overdueCents > 0 && <span class="overdue small">{t.overdueText(reais(overdueCents))}</span>}
        </>
      ),
      isNumber: true,
    },
  ];
};

const AccountFilters = ({
  filters,
  change,
}: {
  filters: { search: string; status: string; kind: string };
  change: (to: Partial<{ search: string; status: string; kind: string }>) => void;
}) => {
  const t = accountsTexts();
  return (
    <Filters>
      <FilterSearch label={frameTexts().search} value={filters.search} onChange={(search) => change({ search })} />
      <FilterSelect
        label={t.state}
        value={filters.status}
        options={[["", frameTexts().all], ...Object.entries(t.states)]}
        onChange={(status) => change({ status })}
      />
      <FilterSelect
        label={t.kind}
        value={filters.kind}
        options={[["", frameTexts().all], ...Object.entries(t.kinds)]}
        onChange={(kind) => change({ kind })}
      />
    </Filters>
  );
};

const given = (values: Record<string, string>): ListAccountsQuery =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

const AccountList = () => {
  const t = accountsTexts();
  const [filters, change] = useFilters({ search: "", status: "", kind: "", cursor: "" });
  const [isMaking, setMaking] = useState(false);
  const { cursor, ...narrow } = filters;
  const query = useQuery(
    `accounts list ${JSON.stringify(filters)}`,
    () => admin.accounts.list({ limit: 50, ...given(filters) }).page(),
    { everyMs: 60_000 },
  );
  const isNarrowed = Object.values(narrow).some((value) => value !== "");
  const make = (
    <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={pageNames().accounts} lead={t.lead}>
        {make}
      </PageHeader>
      <AccountFilters filters={narrow} change={change} />
      <Loaded query={query} lines={8}>
        {({ items, nextCursor }) => (
          <>
            {items.length > 0 ? (
              <Table
                label={pageNames().accounts}
                rows={items}
                columns={columnsOf()}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/accounts/${id}`}
              />
            ) : (
              <Empty
                icon={Building2}
                title={isNarrowed ? t.empty : t.none}
                hint={isNarrowed ? t.emptyHint : t.noneHint}
              >
                {make}
              </Empty>
            )}
            <Pager cursor={cursor} nextCursor={nextCursor} onCursor={(next) => change({ cursor: next })} />
          </>
        )}
      </Loaded>
      {isMaking && <AccountDialog onClose={() => setMaking(false)} />}
    </>
  );
};

/** The accounts of the machine; one of them under its id. */
export const AccountsPage = ({ id, tab }: PageProps) =>
  id === undefined ? <AccountList /> : <AccountDetail key={id} id={id} tab={tab ?? "overview"} />;
