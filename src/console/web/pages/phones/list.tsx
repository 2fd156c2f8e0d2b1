import { Plus, Smartphone } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Phone, PhoneCount } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Endless, useEndless } from "../../frame/requests/endless.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { may } from "../../frame/session.ts";
import { pageNames } from "../../frame/texts/page-names.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect, Filters } from "../../parts/lists/filters.tsx";
import { MoreRows } from "../../parts/lists/in-steps.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { Empty, Failure, Skeleton } from "../../parts/states.tsx";
import { When } from "../../parts/when.tsx";
import { AddPhone } from "./add.tsx";
import { HoursCard } from "./hours.tsx";
import { kindName, STATE_TONES } from "./kinds.ts";
import { phonesTexts } from "./texts.ts";

const columns = (): Column<Phone>[] => {
  const t = phonesTexts();
  return [
    { title: t.name, isMain: true, cell: ({ label }) => <bdi class="phone-cut">{label}</bdi> },
    { title: t.number, cell: ({ phoneNumber }) => (phoneNumber ? `+${phoneNumber}` : <span class="soft">–</span>) },
    { title: t.kind, cell: ({ type }) => kindName(type), isMinor: true },
    { title: t.state, cell: ({ status }) => <Badge tone={STATE_TONES[status]}>{t.states[status]}</Badge> },
    { title: t.since, cell: ({ stateSince }) => <When at={stateSince} />, isMinor: true },
  ];
};

const NO_FILTERS = { search: "", status: "", type: "" };
type PhoneFilters = typeof NO_FILTERS;

/** As many rows as are loaded at a time. */
const PAGE = 100;

/** The phones that match, which the server finds: newest first, as many as somebody asks for. */
const useFound = ({ search, status, type }: PhoneFilters): Endless<Phone> =>
  useEndless<Phone>(
    `phones/list ${status} ${type} ${search}`,
    (cursor, signal) =>
      gateway.phones
        .search(
          {
            ...(search === "" ? {} : { q: search }),
            ...(status === "" ? {} : { status: status as Phone["status"] }),
            ...(type === "" ? {} : { type: type as Phone["type"] }),
            limit: PAGE,
            cursor,
          },
          { signal },
        )
        .page(),
    { keyOf: ({ id }) => id, isOlder: (row, than) => row.id < than.id, on: ["channel:"] },
  );

/** How many phones of each type are in each state. */
const useCounts = (): readonly PhoneCount[] =>
  useQuery("phones/counts", (signal) => gateway.stats.now({ signal }), { on: ["channel:"], waitMs: 1000 }).data
    ?.phones ?? [];

export const PhoneList = () => {
  const t = phonesTexts();
  const [filters, setFilters] = useFilters(NO_FILTERS);
  const found = useFound(filters);
  const counts = useCounts();
  const [isAdding, setAdding] = useState(false);
  const isFiltered = Object.values(filters).some((one) => one !== "");
  const isEmpty = !isFiltered && found.isDone && found.rows.length === 0;
  const add = may("phones.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={pageNames().phones} lead={t.lead}>
        {!isEmpty && add}
      </PageHeader>
      {isEmpty ? (
        <Empty icon={Smartphone} title={t.empty} hint={t.emptyHint}>
          {add}
        </Empty>
      ) : (
        <>
          <FilterRow counts={counts} filters={filters} onChange={setFilters} />
          <Found
            found={found}
            all={isFiltered ? undefined : counts.reduce((sum, { count }) => sum + count, 0) || undefined}
            onClear={() => setFilters(NO_FILTERS)}
          />
          <div class="phone-hours">
            <HoursCard />
          </div>
        </>
      )}
      {isAdding && <AddPhone onClose={() => setAdding(false)} />}
    </>
  );
};

const FilterRow = ({
  counts,
  filters,
  onChange,
}: {
  counts: readonly PhoneCount[];
  filters: PhoneFilters;
  onChange: (change: Partial<PhoneFilters>) => void;
}) => {
  const t = phonesTexts();
  const everything = ["", frameTexts().all] as const;
  const statuses = new Set(counts.map(({ status }) => status));
  const types = new Set<string>(counts.map(({ type }) => type));
  if (filters.status !== "") statuses.add(filters.status as Phone["status"]);
  if (filters.type !== "") types.add(filters.type);
  return (
    <Filters>
      <FilterSearch label={frameTexts().search} value={filters.search} onChange={(search) => onChange({ search })} />
      <FilterSelect
        label={t.state}
        value={filters.status}
        options={[everything, ...[...statuses].map((status) => [status, t.states[status]] as const)]}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label={t.kind}
        value={filters.type}
        options={[everything, ...[...types].map((type) => [type, kindName(type)] as const)]}
        onChange={(type) => onChange({ type })}
      />
    </Filters>
  );
};

const Found = ({
  found: { rows, error, isDone, isLoading, more, reload },
  all,
  onClear,
}: {
  found: Endless<Phone>;
  all: number | undefined;
  onClear: () => void;
}) => {
  const t = phonesTexts();
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  if (rows.length === 0 && isLoading) return <Skeleton />;
  if (rows.length === 0 && isDone)
    return (
      <Empty title={t.nothing} hint={t.nothingHint}>
        <Button onClick={onClear}>{t.clear}</Button>
      </Empty>
    );
  return (
    <>
      <Table
        label={t.list}
        rows={rows}
        columns={columns()}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/phones/${id}`}
      />
      {!isDone && <MoreRows shown={rows.length} all={all} isBusy={isLoading} onMore={more} />}
    </>
  );
};
