import type { RowPage } from "../../frame/requests/endless-page.ts";

/**
 * What a page of a list has. `searched`: no row matches among those that the server looked at, and further ones follow.
 * `notFound`: no row matches. `empty`: there is no row at all.
 */
export type Finding = "rows" | "searched" | "notFound" | "empty";

/** `isNarrowed`: whether a filter is set, or a later page is shown. */
export const findingOf = ({ items, nextCursor }: RowPage<unknown>, isNarrowed: boolean): Finding => {
  if (items.length > 0) return "rows";
  if (nextCursor !== null) return "searched";
  return isNarrowed ? "notFound" : "empty";
};
