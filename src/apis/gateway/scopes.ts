import type { Declared, RouteTable } from "../shared/route-table.ts";
import type { GatewayRouteOptions } from "./route-options.ts";

/** A route's scope: its own `x-scope`, else its tag with `read` for a GET and `write` for anything else. */
const scopeOfRoute = ({ method, hooks }: Declared): string | undefined => {
  const { tags = [], "x-scope": own } = hooks?.detail ?? {};
  return own ?? (tags[0] && `${tags[0]}.${method === "GET" ? "read" : "write"}`);
};

/** The scope that each route needs, by the route's name. */
export const scopesOf = ({ routes }: RouteTable<GatewayRouteOptions>): ReadonlyMap<string, string | undefined> =>
  new Map(routes.map(({ name, declared }) => [name, scopeOfRoute(declared)]));
