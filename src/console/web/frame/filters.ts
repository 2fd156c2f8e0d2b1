// The filters of a list, as the address has them: texts by their names. Nothing here knows the browser.

export type Filters = Readonly<Record<string, string>>;

/** The filters of an address's query. Missing filters have their defaults. */
export const filtersIn = <Names extends Filters>(query: Filters, defaults: Names): Names =>
  Object.fromEntries(Object.entries(defaults).map(([name, byDefault]) => [name, query[name] ?? byDefault])) as Names;

/**
 * The query of the address after a change. A filter with its default is left out. A change begins at the first page: it
 * drops `cursor` unless it sets it.
 */
export const queryAfter = (
  query: Filters,
  changed: Readonly<Record<string, string | undefined>>,
  defaults: Filters,
): URLSearchParams => {
  const next = new URLSearchParams(query);
  if (!("cursor" in changed)) next.delete("cursor");
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === (defaults[name] ?? "")) next.delete(name);
    else next.set(name, value);
  }
  return next;
};

/** Whether a filter is set. The place in the list is no filter. */
export const isFiltered = (filters: Filters, defaults: Filters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== "cursor" && value !== (defaults[name] ?? ""));

/** A question to the server with the set filters. The address may have any text: the server refuses unknown values. */
export const given = <Asked extends object>(
  values: {
    readonly [Name in keyof NoInfer<Asked>]?: string | number | boolean | undefined;
  },
): Asked =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")) as Asked;
