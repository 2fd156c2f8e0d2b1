import { Plus, Smartphone } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Phone } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { pageNames } from "../../frame/page-names.ts";
import { may } from "../../frame/session.ts";
import { frameTexts } from "../../frame/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterSearch, FilterSelect, Filters } from "../../parts/filters.tsx";
import { InSteps } from "../../parts/in-steps.tsx";
import { PageHeader } from "../../parts/page-header.tsx";
import { usePhones } from "../../parts/phones.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
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

const FILTERS = { search: "", status: "", type: "" };

const matches = (phone: Phone, { search, status, type }: typeof FILTERS): boolean =>
  (status === "" || phone.status === status) &&
  (type === "" || phone.type === type) &&
  `${phone.label} ${phone.phoneNumber ?? ""}`.toLowerCase().includes(search.toLowerCase());

export const PhoneList = () => {
  const t = phonesTexts();
  const phones = usePhones();
  const [filters, setFilters] = useFilters(FILTERS);
  const [isAdding, setAdding] = useState(false);
  const add = may("phones.write") && (
    <Button tone="primary" icon={Plus} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  );
  return (
    <>
      <PageHeader title={pageNames().phones} lead={t.lead}>
        {phones.data?.length !== 0 && add}
      </PageHeader>
      <Loaded query={phones}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={Smartphone} title={t.empty} hint={t.emptyHint}>
              {add}
            </Empty>
          ) : (
            <>
              <PhoneFilters all={all} filters={filters} onChange={setFilters} />
              <Found
                phones={all.filter((phone) => matches(phone, filters))}
                onClear={() => setFilters({ search: "", status: "", type: "" })}
              />
              <div class="phone-hours">
                <HoursCard />
              </div>
            </>
          )
        }
      </Loaded>
      {isAdding && <AddPhone onClose={() => setAdding(false)} />}
    </>
  );
};

const PhoneFilters = ({
  all,
  filters,
  onChange,
}: {
  all: readonly Phone[];
  filters: typeof FILTERS;
  onChange: (change: Partial<typeof FILTERS>) => void;
}) => {
  const t = phonesTexts();
  const everything = ["", frameTexts().all] as const;
  const statuses = [...new Set(all.map(({ status }) => status))];
  const types = [...new Set<string>(all.map(({ type }) => type))];
  return (
    <Filters>
      <FilterSearch label={frameTexts().search} value={filters.search} onChange={(search) => onChange({ search })} />
      <FilterSelect
        label={t.state}
        value={filters.status}
        options={[everything, ...statuses.map((status) => [status, t.states[status]] as const)]}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label={t.kind}
        value={filters.type}
        options={[everything, ...types.map((type) => [type, kindName(type)] as const)]}
        onChange={(type) => onChange({ type })}
      />
    </Filters>
  );
};

const Found = ({ phones, onClear }: { phones: readonly Phone[]; onClear: () => void }) => {
  const t = phonesTexts();
  if (phones.length === 0)
    return (
      <Empty title={t.nothing} hint={t.nothingHint}>
        <Button onClick={onClear}>{t.clear}</Button>
      </Empty>
    );
  return (
    <InSteps rows={phones}>
      {(rows) => (
        <Table
          label={t.list}
          rows={rows}
          columns={columns()}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/phones/${id}`}
        />
      )}
    </InSteps>
  );
};
