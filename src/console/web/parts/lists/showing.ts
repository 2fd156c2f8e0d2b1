import type { RowPage } from "../../frame/requests/endless-page.ts";

/**
 * The content of a list's page. `searched`: none of the rows that the server read matches, and further ones follow.
 * `notFound`: no row matches. `empty`: the list has no row at all.
 */
type Showing = "rows" | "searched" | "notFound" | "empty";

/** `isNarrowed`: whether a filter is set, or a later page is shown. */
export const showingOf = ({ items, nextCursor }: RowPage<unknown>, isNarrowed: boolean): Showing => {
  if (items.length > 0) return "rows";
  if (nextCursor !== null) return "searched";
  return isNarrowed ? "notFound" : "empty";
};
