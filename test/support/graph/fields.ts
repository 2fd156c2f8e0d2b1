import { GraphError } from "./errors.ts";
import type { Fields } from "./shape.ts";

/** What `fields` asks for where nothing is asked, and the name of the kind of node in errors. */
type Node = { defaults: readonly string[]; type: string };

/** The fields a query asks for, and the id where there is one. Throws 100 for a field that the node does not have. */
export const selected = (all: Fields, query: URLSearchParams, { defaults, type }: Node): Fields => {
  const asked = query.get("fields");
  const names = asked === null ? defaults : namesOf(asked);
  const unknown = names.find((name) => !(name in all));
  if (unknown !== undefined) throw new GraphError(100, { message: `(#100) Tried accessing nonexisting field (${unknown}) on node type (${type})` });
  return Object.fromEntries([...names, "id"].filter((name) => name in all).map((name) => [name, all[name]]));
};

/** The names of `id,preview.invalidate(false),owner{id,name}`, without what is asked of each. */
const namesOf = (asked: string): string[] => asked.split(/,(?![^{(]*[})])/).map((one) => one.trim().replace(/[.{].*$/s, ""));
