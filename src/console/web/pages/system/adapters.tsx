import type { Adapter } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { useListState } from "../../frame/address.ts";
import { admin } from "../../frame/requests/client.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, useQuery } from "../../frame/requests/query.ts";
import { frameTexts } from "../../frame/texts/texts.ts";
import { Badge } from "../../parts/badge.tsx";
import { FilterSearch } from "../../parts/lists/filters.tsx";
import { List } from "../../parts/lists/list.tsx";
import type { Column } from "../../parts/lists/table.tsx";
import { adapterTexts } from "./adapter-texts.ts";

const Said = ({ name, version, author, homepage, warnings }: Adapter) => {
  const t = adapterTexts();
  return (
    <>
      {name} {version !== null && <code>{version}</code>}
      {(author !== null || homepage !== null) && (
        <p class="soft small">
          {author !== null && t.by(author)}{" "}
          {homepage !== null && (
            <a href={homepage} target="_blank" rel="noreferrer">
              {t.homepage}
            </a>
          )}
        </p>
      )}
      {warnings.map((warning) => (
        <p class="soft small" lang="en" key={warning}>
          {warning}
        </p>
      ))}
    </>
  );
};

const State = ({ state, fault, faults }: Adapter) => {
  const t = adapterTexts();
  return (
    <>
      <Badge tone={state === "usable" ? "good" : "bad"}>{state === "usable" ? t.usable : t.unusable}</Badge>
      {fault !== null && (
        <p class="soft small" lang="en">
          {fault}
        </p>
      )}
      {faults > 0 && <p class="soft small">{t.faults(String(faults))}</p>}
    </>
  );
};

const reachOf = ({ hosts, state }: Adapter): string => {
  const t = adapterTexts();
  if (state === "unusable") return "–";
  return hosts.includes("*") ? t.anyHost : hosts.join(", ") || t.noHost;
};

/** The adapters of the plugin folder: from whom, in which state, and what they may reach. */
export const AdaptersTab = () => {
  const t = adapterTexts();
  const list = useListState({ search: "" });
  const query = useQuery("system adapters", () => admin.adapters.list().page());
  const words = list.filters.search.toLowerCase();
  const isWanted = ({ name, kind, author }: Adapter): boolean =>
    `${name} ${kind} ${author}`.toLowerCase().includes(words);
  const columns: Column<Adapter>[] = [
    { title: t.adapter, cell: Said, isMain: true },
    { title: t.kind, cell: ({ kind }) => kind ?? "–" },
    { title: t.state, cell: State },
    { title: t.hosts, cell: reachOf },
    {
      title: t.sha256,
      cell: ({ sha256 }) => (sha256 === null ? "–" : <code title={sha256}>{sha256.slice(0, 12)}</code>),
      isMinor: true,
    },
  ];
  return (
    <>
      <p class="soft tab-lead">{t.lead}</p>
      <List
        label={t.adapters}
        state={list}
        filters={<FilterSearch label={frameTexts().search} {...list.field("search")} />}
        query={inForm(query, ({ items }) => wholeList(items.filter(isWanted)))}
        lines={3}
        columns={columns}
        keyOf={({ name }) => name}
        empty={{ title: t.none, hint: t.noneHint }}
      />
    </>
  );
};
