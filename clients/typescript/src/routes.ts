import type { Call, Query, RequestOptions, Transport } from "./http.ts";
import { Pages } from "./pages.ts";

/**
 * A route of the table. `flags`: `b` a JSON body, `r` a file as body, `q` a query, `f` a file as answer, `l` a list,
 * `a` a list whose cursor is called `after`.
 */
type Route = { namespace: string; name: string; method: string; flags: string; path: string };

const METHODS: Readonly<Record<string, string>> = { G: "GET", P: "POST", U: "PUT", H: "PATCH", D: "DELETE" };

/**
 * Reads a table of routes: namespaces separated by `|`, in each its name and its routes separated by `;`, of each its
 * name, the method with the flags, and the path. A path begins with the number of segments that it shares with the path
 * before it; `*` is a parameter.
 */
const readRoutes = (table: string): Route[] => {
  let before: string[] = [];
  return table.split("|").flatMap((part) => {
    const [namespace = "", ...rows] = part.split(";");
    return rows.map((row) => {
      const [name = "", [method = "", ...flags] = [], path = ""] = row.split(" ");
      const [shared, ...own] = path.split("/");
      before = [...before.slice(0, Number(shared)), ...own];
      return { namespace, name, method: METHODS[method] ?? "", flags: flags.join(""), path: `/${before.join("/")}` };
    });
  });
};

/** A path with its parameters. An empty one, or a dot, would lead to another route. @throws TypeError */
const filled = (path: string, parameters: unknown[]): string =>
  path.replaceAll("*", () => {
    const value = parameters.shift();
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || /^\.{0,2}$/.test(text)) throw new TypeError(`${path}: an id is missing`);
    return encodeURIComponent(text);
  });

/** Calls a route: the parameters of its path, then its body or its query, then the options. */
const caller =
  ({ method, flags, path }: Route, transport: Transport) =>
  (...args: unknown[]): unknown => {
    const parameters = args.splice(0, path.split("*").length - 1);
    const input = /[brqla]/.test(flags) ? args.shift() : undefined;
    const call: Call = {
      method,
      path: filled(path, parameters),
      isRaw: flags.includes("r"),
      isFile: flags.includes("f"),
      options: args[0] as RequestOptions | undefined,
    };
    if (/[la]/.test(flags))
      return new Pages(
        (query) => transport.request({ ...call, query }),
        input as Query | undefined,
        flags.includes("a") ? "after" : "cursor",
      );
    const given = /[br]/.test(flags) ? { body: input } : { query: input as Query | undefined };
    return transport.request({ ...call, ...given });
  };

/** Gives a client the namespaces of a table, with a function for each route. */
export const attachRoutes = (client: object, table: string, transport: Transport): void => {
  const target = client as Record<string, Record<string, unknown>>;
  for (const route of readRoutes(table)) {
    const namespace = (target[route.namespace] ??= {});
    namespace[route.name] = caller(route, transport);
  }
};
