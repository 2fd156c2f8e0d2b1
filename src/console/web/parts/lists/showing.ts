import type { RowPage } from "../../frame/requests/endless-page.ts";

/**
 * What a page of a list shows. `searched`: no row matches among those that the server looked at, and further ones follow.
 * `notFound`: no row matches. `empty`: there is no row at all.
 */
type Showing = "rows" | "searched" | "notFound" | "empty";

/** `isNarrowed`: whether a filter is set, or a later page is shown. */
export const showingOf = ({ items, nextCursor }: RowPage<unknown>, isNarrowed: boolean): Showing => {
  if (items.length > 0) return "rows";
  if (nextCursor !== null) return "searched";
  return isNarrowed ? "notFound" : "empty";
};
