import { useLocation } from "preact-iso";
import { type Filters, filtersIn, isFiltered, queryAfter } from "./filters.ts";

type Change<Names extends Filters> = (change: Partial<Names>) => void;

/** The filters of a list, kept in the address, so that a link shows the same list. */
export const useFilters = <Names extends Filters>(defaults: Names): [Names, Change<Names>] => {
  const { path, query, route } = useLocation();
  const change: Change<Names> = (changed) => {
    const next = queryAfter(query, changed, defaults);
    // a typed word is one step in the history, a page is another
    route(next.size > 0 ? `${path}?${next}` : path, !("cursor" in changed));
  };
  return [filtersIn(query, defaults), change];
};

type Placed<Names extends Filters> = Names & { cursor: string };

/** The filters of a list, and the place in the list. */
export type ListState<Names extends Filters = Filters> = {
  filters: Placed<Names>;
  change: Change<Placed<Names>>;
  /** The props of a filter's control. */
  field(name: keyof Names): { value: string; onChange(value: string): void };
  /** Whether a filter is set. */
  isFiltered: boolean;
  /** Resets all filters. */
  clear(): void;
};

/** The filters of a list with the place in it, kept in the address. */
export const useListState = <Names extends Filters>(defaults: Names): ListState<Names> => {
  const placed: Placed<Names> = { ...defaults, cursor: "" };
  const [filters, change] = useFilters(placed);
  return {
    filters,
    change,
    field: (name) => ({
      value: filters[name] ?? "",
      onChange: (value) => change({ [name]: value } as Partial<Placed<Names>>),
    }),
    isFiltered: isFiltered(filters, placed),
    clear: () => change(placed),
  };
};
