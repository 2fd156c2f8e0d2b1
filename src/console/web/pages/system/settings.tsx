import type { Setting } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { FilterSearch, FilterSelect } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { systemTexts } from "./texts.ts";

/** Removes Markdown's marks of code, which are for the documentation. */
const plain = (text: string): string => text.replaceAll("`", "").replaceAll(/\[([^[\]]+)\]\([^()]*\)/g, "$1");

const shownValue = ({ value, isSecret }: Setting) => {
  const t = systemTexts();
  if (value === "unset") return <span class="soft">{t.unset}</span>;
  return isSecret ? <Badge tone="info">{t.set}</Badge> : <code>{value}</code>;
};

/** Every setting with its value, its default and its source. */
export const SettingsTab = () => {
  const t = systemTexts();
  const list = useListState({ search: "", which: "" });
  const query = useQuery("system settings", () => admin.settings.list().page());
  const words = list.filters.search.toLowerCase();
  const isWanted = ({ name, meaning, source }: Setting): boolean =>
    (list.filters.which === "" || source !== "default") && `${name} ${meaning}`.toLowerCase().includes(words);
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
      <List
        label={t.settings}
        state={list}
        filters={
          <>
            <FilterSearch label={frameTexts().search} {...list.field("search")} />
            <FilterSelect
              label={t.which}
              {...list.field("which")}
              options={[
                ["", frameTexts().all],
                ["changed", t.changed],
              ]}
            />
          </>
        }
        query={inForm(query, ({ items }) => wholeList(items.filter(isWanted)))}
        lines={10}
        columns={columns}
        keyOf={({ name }) => name}
        empty={{ title: t.noSettings, hint: t.clearFilters }}
      />
    </>
  );
};
