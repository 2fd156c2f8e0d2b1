import { Plus, Smartphone } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Phone, PhoneCount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { type ListState, useListState } from "../../frame/address.ts";
import { given } from "../../frame/filters.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Endless, loadedRows, useEndless } from "../../frame/requests/endless.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { MoreRows } from "../../parts/lists/in-steps.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { When } from "../../parts/when.tsx";
import { AddPhone } from "./add.tsx";
import { HoursCard } from "./hours.tsx";
import { STATE_TONES, useKindName } from "./kinds.ts";
import { phonesTexts } from "./texts.ts";

const columns = (nameOf: (type: string) => string): Column<Phone>[] => {
  const t = phonesTexts();
  return [
    { title: t.name, isMain: true, cell: ({ label }) => <bdi class="phone-cut">{label}</bdi> },
    { title: t.number, cell: ({ phoneNumber }) => (phoneNumber ? `+${phoneNumber}` : <span class="soft">–</span>) },
    { title: t.kind, cell: ({ type }) => nameOf(type), isMinor: true },
    { title: t.state, cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{t.states[status]}</Badge> },
    { title: t.since, cell: ({ stateSince }) => <When at={stateSince} />, isMinor: true },
  ];
};

const NO_FILTERS = { search: "", status: "", type: "" };
type PhoneFilters = typeof NO_FILTERS;

/** The number of rows that load at a time. */
const PAGE = 100;

/** The matching phones, which the server finds, newest first. Further ones load when somebody asks. */
const useFound = ({ search, status, type }: PhoneFilters): Endless<Phone> =>
  useEndless<Phone>(
    `phones/list ${status} ${type} ${search}`,
    (cursor, signal) =>
      gateway.phones.search(given({ q: search, status, type, limit: PAGE, cursor }), { signal }).page(),
    { keyOf: ({ id }) => id, isOlder: (row, than) => row.id < than.id, on: ["channel:"] },
  );

/** The number of phones of each type in each state. */
const useCounts = (): readonly PhoneCount[] =>
  useQuery("phones/counts", (signal) => gateway.stats.now({ signal }), { on: ["channel:"], waitMs: 1000 }).data
    ?.phones ?? [];

export const PhoneList = () => {
  const t = phonesTexts();
  const list = useListState(NO_FILTERS);
  const found = useFound(list.filters);
  const counts = useCounts();
  const nameOf = useKindName();
  const [isAdding, setAdding] = useState(false);
  const { rows, isDone, isLoading, more } = found;
  const isEmpty = !list.isFiltered && isDone && rows.length === 0;
  const all = list.isFiltered ? undefined : counts.reduce((sum, { count }) => sum + count, 0) || undefined;
  const add = may("phones.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <ListPage
      name="phones"
      lead={t.lead}
      label={t.list}
      actions={!isEmpty && add}
      state={list}
      filters={!isEmpty && <FilterRow counts={counts} list={list} />}
      query={loadedRows(found)}
      columns={columns(nameOf)}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/phones/${id}`}
      empty={{ icon: Smartphone, title: t.empty, hint: t.emptyHint, children: add }}
      notFound={{
        title: t.nothing,
        hint: t.nothingHint,
        children: <Button onClick={list.clear}>{t.clear}</Button>,
      }}
      more={!isDone && <MoreRows shown={rows.length} all={all} isBusy={isLoading} onMore={more} />}
    >
      {!isEmpty && (
        <div class="phone-hours">
          <HoursCard />
        </div>
      )}
      {isAdding && <AddPhone onClose={() => setAdding(false)} />}
    </ListPage>
  );
};

const FilterRow = ({
  counts,
  list: { filters, field },
}: {
  counts: readonly PhoneCount[];
  list: ListState<PhoneFilters>;
}) => {
  const t = phonesTexts();
  const nameOf = useKindName();
  const everything = ["", frameTexts().all] as const;
  const statuses = new Set(counts.map(({ status }) => status));
  const types = new Set<string>(counts.map(({ type }) => type));
  if (filters.status !== "") statuses.add(filters.status as Phone["status"]);
  if (filters.type !== "") types.add(filters.type);
  return (
    <>
      <FilterSearch label={frameTexts().search} {...field("search")} />
      <FilterSelect
        label={t.state}
        {...field("status")}
        options={[everything, ...[...statuses].map((status) => [status, t.states[status]] as const)]}
      />
      <FilterSelect
        label={t.kind}
        {...field("type")}
        options={[everything, ...[...types].map((type) => [type, nameOf(type)] as const)]}
      />
    </>
  );
};
