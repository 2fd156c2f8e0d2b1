import type { Licence } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { FilterSearch } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { systemTexts } from "./texts.ts";

/** The packages inside the program, with their licences. */
export const LicencesTab = () => {
  const t = systemTexts();
  const list = useListState({ search: "" });
  const query = useQuery("system licences", () => admin.licences.list().page());
  const words = list.filters.search.toLowerCase();
  const isWanted = ({ name, licence }: Licence): boolean => `${name} ${licence}`.toLowerCase().includes(words);
  const columns: Column<Licence>[] = [
    { title: t.package, cell: ({ name }) => name, isMain: true },
    { title: t.version, cell: ({ version }) => <code>{version}</code> },
    { title: t.licence, cell: ({ licence }) => licence },
  ];
  return (
    <>
      <p class="soft tab-lead">{t.licencesLead}</p>
      <List
        label={t.licences}
        state={list}
        filters={<FilterSearch label={frameTexts().search} {...list.field("search")} />}
        query={inForm(query, ({ items }) => wholeList(items.filter(isWanted)))}
        lines={10}
        columns={columns}
        keyOf={({ name, version }) => `${name}@${version}`}
        empty={{ title: t.noLicences, hint: t.clearFilters }}
      />
    </>
  );
};
