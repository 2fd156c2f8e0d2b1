import { badParameter, GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";

/** One page of a list as Graph answers it: `limit` (25) items after the cursor `after`; `next` stands only where more follow. */
export const pageOf = <Item>(items: readonly Item[], query: URLSearchParams, view: (item: Item) => Fields): Fields => {
  const limit = Number(query.get("limit") ?? 25);
  if (!Number.isInteger(limit) || limit < 1) throw badParameter("Param limit must be an integer greater than 0.");
  const start = startOf(query.get("after"));
  const data = items.slice(start, start + limit).map(view);
  const end = start + data.length;
  const cursors = { before: cursorOf(start), after: cursorOf(end) };
  return { data, ...(data.length === 0 ? {} : { paging: { cursors, ...(end < items.length ? { next: `?after=${cursors.after}` } : {}) } }) };
};

const cursorOf = (offset: number): string => Buffer.from(`offset:${offset}`).toString("base64url");

const startOf = (after: string | null): number => {
  if (after === null) return 0;
  const offset = /^offset:(\d+)$/.exec(Buffer.from(after, "base64url").toString())?.[1];
  if (offset === undefined) throw new GraphError(100, { message: "(#100) Param after must be a valid cursor" });
  return Number(offset);
};
