import type { Setting } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useFilters } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { FilterSearch, FilterSelect, Filters } from "../../parts/lists/filters.tsx";
import { type Column, Table } from "../../parts/lists/table.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { systemTexts } from "./texts.ts";

/** Markdown's marks of code are for the documentation. */
const plain = (text: string): string => text.replaceAll("`", "").replaceAll(/\[([^[\]]+)\]\([^()]*\)/g, "$1");

const shownValue = ({ value, isSecret }: Setting) => {
  const t = systemTexts();
  if (value === "unset") return <span class="soft">{t.unset}</span>;
  return isSecret ? <Badge tone="info">{t.set}</Badge> : <code>{value}</code>;
};

/** Every setting with its value, its default and where it comes from. */
export const SettingsTab = () => {
  const t = systemTexts();
  const [filters, change] = useFilters({ search: "", which: "" });
  const query = useQuery("system settings", () => admin.settings.list().page());
  const words = filters.search.toLowerCase();
  const isWanted = ({ name, meaning, source }: Setting): boolean =>
    (filters.which === "" || source !== "default") && `${name} ${meaning}`.toLowerCase().includes(words);
  const columns: Column<Setting>[] = [
    {
      title: t.setting,
      isMain: true,
      cell: ({ name, meaning }) => (
        <>
          <code>{name}</code>
          <p class="soft small meaning" lang="en">
            {plain(meaning)}
          </p>
        </>
      ),
    },
    { title: t.value, cell: shownValue },
    {
      title: t.byDefault,
      cell: ({ fallback }) => (fallback === null ? <span class="soft">–</span> : <code>{fallback}</code>),
      isMinor: true,
    },
    {
      title: t.source,
      cell: ({ source }) => <Badge tone={source === "default" ? "neutral" : "info"}>{t.sources[source]}</Badge>,
    },
  ];
  return (
    <>
      <p class="soft tab-lead">{t.settingsLead}</p>
      <Filters>
        <FilterSearch label={frameTexts().search} value={filters.search} onChange={(search) => change({ search })} />
        <FilterSelect
          label={t.which}
          value={filters.which}
          options={[
            ["", frameTexts().all],
            ["changed", t.changed],
          ]}
          onChange={(which) => change({ which })}
        />
      </Filters>
      <Loaded query={query} lines={10}>
        {({ items }) => {
          const rows = items.filter(isWanted);
          return rows.length === 0 ? (
            <Empty title={t.noSettings} hint={t.clearFilters} />
          ) : (
            <Table label={t.settings} rows={rows} columns={columns} keyOf={({ name }) => name} />
          );
        }}
      </Loaded>
    </>
  );
};
