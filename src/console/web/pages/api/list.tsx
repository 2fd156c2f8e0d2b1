import { useFilters } from "../../frame/address.ts";
import { href } from "../../frame/base.ts";
import { counted } from "../../frame/texts/languages.ts";
import { FilterSearch, Filters } from "../../parts/lists/filters.tsx";
import { Empty } from "../../parts/states.tsx";
import type { ApiName, Description, Operation } from "./description.ts";
import { Method } from "./method.tsx";
import { apiTexts } from "./texts.ts";

const hasWords = ({ path, method, operationId, summary = "" }: Operation, words: readonly string[]): boolean => {
  const text = `${method} ${path} ${operationId} ${summary}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** The requests of an API by their subject; those that match, while something is searched. */
export const OperationList = ({
  api,
  tags,
  operations,
}: {
  api: ApiName;
  tags: NonNullable<Description["tags"]>;
  operations: readonly Operation[];
}) => {
  const t = apiTexts();
  const [filters, change] = useFilters({ search: "" });
  const words = filters.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = operations.filter((operation) => hasWords(operation, words));
  const groups = tags
    .map(({ name, description = "" }) => ({ name, description, of: found.filter(({ tag }) => tag === name) }))
    .filter(({ of }) => of.length > 0);
  return (
    <>
      <Filters>
        <FilterSearch label={t.search} value={filters.search} onChange={(search) => change({ search })} />
      </Filters>
      {groups.length === 0 && <Empty title={t.empty} hint={t.emptyHint} />}
      <div class="stack">
        {groups.map(({ name, description, of }) => (
          <details key={`${name} ${words.length > 0}`} class="card api-group" open={words.length > 0}>
            <summary>
              <strong>{name}</strong> <span lang="en">{description}</span>{" "}
              <span class="soft small">{counted(of.length, t.requests)}</span>
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
        ))}
      </div>
    </>
  );
};
