import { type Call, ok, type Reply } from "./call.ts";
import { badParameter, GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";

/**
 * The view of a node: its name among Graph's types, all its fields, and its default fields. A field without a value is
 * left out.
 */
export type Node = { type: string; fields: Fields; shown: readonly string[] };

/** The fields of a query, and the id if it has one. Throws 100 for a field that the node does not have. */
export const viewOf = ({ type, fields, shown }: Node, query: URLSearchParams): Fields => {
  const asked = query.get("fields");
  const names = asked === null ? shown : namesOf(asked);
  const unknown = names.find((name) => !(name in fields));
  if (unknown !== undefined)
    throw new GraphError(100, {
      message: `(#100) Tried accessing nonexisting field (${unknown}) on node type (${type})`,
    });
  return Object.fromEntries(
    [...names, "id"].filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
};

/** The names of `id,preview.invalidate(false),owner{id,name}`, without the parameters and subfields of each. */
const namesOf = (asked: string): string[] =>
  asked.split(/,(?![^{(]*[})])/).map((one) => one.trim().replace(/[.{].*$/s, ""));

const DEFAULT_LIMIT = 25;

/**
 * One page of nodes by `limit` and `after`, with the address of the next page if more follow, in Graph's form with the
 * token.
 */
export const pageOf = (call: Call, nodes: readonly Node[]): Reply => {
  const limit = Number(call.query.get("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw badParameter("Param limit must be an integer greater than 0.");
  const start = startOf(call.query.get("after"));
  const data = nodes.slice(start, start + limit).map((node) => viewOf(node, call.query));
  const end = start + data.length;
  if (data.length === 0) return ok({ data });
  return ok({
    data,
    paging: {
      cursors: { before: cursorOf(start), after: cursorOf(end) },
      ...(end < nodes.length ? { next: nextOf(call, cursorOf(end)) } : {}),
    },
  });
};

const nextOf = ({ state, node, edge, query, token }: Call, after: string): string => {
  const next = new URLSearchParams({ ...Object.fromEntries(query), access_token: token.value, after });
  return `${state.url}/${state.settings.version}/${node}/${edge}?${next.toString()}`;
};

const cursorOf = (offset: number): string => Buffer.from(`offset:${offset}`).toString("base64url");

const startOf = (after: string | null): number => {
  if (after === null) return 0;
  const offset = /^offset:(\d+)$/.exec(Buffer.from(after, "base64url").toString())?.[1];
  if (offset === undefined) throw new GraphError(100, { message: "(#100) Param after must be a valid cursor" });
  return Number(offset);
};
