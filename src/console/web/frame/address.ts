import { useLocation } from "preact-iso";

/**
 * The filters of a list, kept in the address, so that a link shows the same list. A filter with its default is left
 * out. A change begins at the first page: it drops `cursor` unless it sets it.
 */
export const useFilters = <Filters extends Record<string, string>>(
  defaults: Filters,
): [Filters, (change: Partial<Filters>) => void] => {
  const { path, query, route } = useLocation();
  const filters = Object.fromEntries(
    Object.entries(defaults).map(([name, byDefault]) => [name, query[name] ?? byDefault]),
  ) as Filters;
  const change = (changed: Partial<Filters>): void => {
    const next = new URLSearchParams(query);
    if (!("cursor" in changed)) next.delete("cursor");
    for (const [name, value] of Object.entries(changed) as [string, string | undefined][]) {
      if (value === undefined || value === (defaults[name] ?? "")) next.delete(name);
      else next.set(name, value);
    }
    // a word that is typed is one step in the history, a page is another
    route(next.size > 0 ? `${path}?${next}` : path, !("cursor" in changed));
  };
  return [filters, change];
};
