import { Download } from "lucide-preact";
import { useListState } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { wholeList } from "../../frame/requests/endless-page.ts";
import { inForm, type Query } from "../../frame/requests/query.ts";
import { isOperator } from "../../frame/session.ts";
import { counted } from "../../frame/texts/languages.ts";
import { Tabs } from "../../parts/layout.tsx";
import { FilterSearch } from "../../parts/lists/filters.tsx";
import { ListPage } from "../../parts/lists/list.tsx";
import { Empty } from "../../parts/states.tsx";
import { type ApiName, baseUrlOf, type Description, type Operation, operationsOf } from "./description.ts";
import { Method } from "./method.tsx";
import { apiTexts } from "./texts.ts";

/** The page shows nobody else the routes for upstreams and for the operator. */
const isForPerson = ({ tag }: Operation): boolean => tag !== "receivers" && (tag !== "admin" || isOperator.value);

const hasWords = ({ path, method, operationId, summary = "" }: Operation, words: readonly string[]): boolean => {
  const text = `${method} ${path} ${operationId} ${summary}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

type Subject = { name: string; description: string; of: readonly Operation[] };

/** The requests that contain these words, by their subject. */
const subjectsOf = (document: Description, words: readonly string[]): Subject[] => {
  const found = operationsOf(document).filter((operation) => isForPerson(operation) && hasWords(operation, words));
  return (document.tags ?? [])
    .map(({ name, description = "" }) => ({ name, description, of: found.filter(({ tag }) => tag === name) }))
    .filter(({ of }) => of.length > 0);
};

const Requests = ({ api, name, description, of, isOpen }: Subject & { api: ApiName; isOpen: boolean }) => (
  <details class="card api-group" open={isOpen}>
    <summary>
      <strong>{name}</strong> <span lang="en">{description}</span>{" "}
      <span class="soft small">{counted(of.length, apiTexts().requests)}</span>
    </summary>
    <ul class="api-list">
      {of.map(({ operationId, method, path, summary }) => (
        <li key={operationId}>
          <a href={href(`/api/${api}/${operationId}`)}>
            <Method method={method} />
            <code>{path}</code>
            <span class="soft" lang="en">
              {summary}
            </span>
          </a>
        </li>
      ))}
    </ul>
  </details>
);

/** The requests of an API; during a search, its matches. `isUnknown`: the address names no request. */
export const OperationList = ({
  api,
  query,
  isUnknown,
}: {
  api: ApiName;
  query: Query<Description>;
  isUnknown: boolean;
}) => {
  const t = apiTexts();
  const list = useListState({ search: "" });
  const words = list.filters.search.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    <ListPage
      name="api"
      lead={t.lead}
      actions={
        query.data && (
          <a class="button" href={`${baseUrlOf(query.data)}/openapi.json`} download={`recado-${api}.json`}>
            <Download size={16} aria-hidden="true" />
            <span>{t.download}</span>
          </a>
        )
      }
      above={
        <>
          <Tabs
            label={t.tabs}
            tabs={[
              { name: t.gateway, path: "/api" },
              { name: t.platform, path: "/api/platform" },
            ]}
            current={api === "gateway" ? "/api" : "/api/platform"}
          />
          {isUnknown && <Empty title={t.unknown} hint={t.unknownHint} />}
        </>
      }
      state={list}
      filters={<FilterSearch label={t.search} {...list.field("search")} />}
      query={inForm(query, (document) => wholeList(subjectsOf(document, words)))}
      lines={12}
      draw={(subjects) => (
        <div class="stack">
          {subjects.map((subject) => (
            <Requests key={`${subject.name} ${words.length > 0}`} api={api} {...subject} isOpen={words.length > 0} />
          ))}
        </div>
      )}
      empty={{ title: t.empty, hint: t.emptyHint }}
    />
  );
};
