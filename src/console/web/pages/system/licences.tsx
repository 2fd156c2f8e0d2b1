import type { Licence } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { FilterSearch, Filters } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { systemTexts } from "./texts.ts";

/** The packages inside the program, with their licences. */
export const LicencesTab = () => {
  const t = systemTexts();
  const [filters, change] = useFilters({ search: "" });
  const query = useQuery("system licences", () => admin.licences.list().page());
  const words = filters.search.toLowerCase();
  const columns: Column<Licence>[] = [
    { title: t.package, cell: ({ name }) => name, isMain: true },
    { title: t.version, cell: ({ version }) => <code>{version}</code> },
    { title: t.licence, cell: ({ licence }) => licence },
  ];
  return (
    <>
      <p class="soft tab-lead">{t.licencesLead}</p>
      <Filters>
        <FilterSearch label={frameTexts().search} value={filters.search} onChange={(search) => change({ search })} />
      </Filters>
      <Loaded query={query} lines={10}>
        {({ items }) => {
          const rows = items.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(words));
          return rows.length === 0 ? (
            <Empty title={t.noLicences} hint={t.clearFilters} />
          ) : (
            <Table
              label={t.licences}
              rows={rows}
              columns={columns}
              keyOf={({ name, version }) => `${name}@${version}`}
            />
          );
        }}
      </Loaded>
    </>
  );
};
