import { Building2, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import type { UsedAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import type { PageProps } from "../../frame/routes.tsx";
import { number } from "../../frame/texts/format.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
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

const AccountList = () => {
  const t = accountsTexts();
  const all = ["", frameTexts().all] as const;
  const list = useListState({ search: "", status: "", kind: "" });
  const [isMaking, setMaking] = useState(false);
  const query = useQuery(
    `accounts list ${JSON.stringify(list.filters)}`,
    () => admin.accounts.list(given({ limit: 50, ...list.filters })).page(),
    { everyMs: 60_000 },
  );
  const make = (
    <Button tone="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t.create}
    </Button>
  );
  return (
    <ListPage
      name="accounts"
      lead={t.lead}
      actions={make}
      state={list}
      filters={
        <>
          <FilterSearch label={frameTexts().search} {...list.field("search")} />
          <FilterSelect label={t.state} {...list.field("status")} options={[all, ...Object.entries(t.states)]} />
          <FilterSelect label={t.kind} {...list.field("kind")} options={[all, ...Object.entries(t.kinds)]} />
        </>
      }
      query={query}
      lines={8}
      columns={columnsOf()}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/accounts/${id}`}
      empty={{ icon: Building2, title: t.none, hint: t.noneHint, children: make }}
      notFound={{ icon: Building2, title: t.empty, hint: t.emptyHint, children: make }}
    >
      {isMaking && <AccountDialog onClose={() => setMaking(false)} />}
    </ListPage>
  );
};

/** The accounts of the machine; one of them under its id. */
export const AccountsPage = ({ id, tab }: PageProps) =>
  id === undefined ? <AccountList /> : <AccountDetail key={id} id={id} tab={tab ?? "overview"} />;
