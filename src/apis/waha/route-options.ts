import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";

/**
 * The options of a route of this API. `scope`: the scope that a limited key needs; the names are those of the gateway
 * API. `names`: where the request names its session, if not in its path; a handler reads the body's by `sessionNamed`.
 * `body`: in the field `session`; `body-name`: in the field `name`. `removes`: it removes the session of its path.
 */
export type WahaRouteOptions = CommonRouteOptions & {
  access: "key" | "public";
  scope: string;
  countsAsSend: boolean;
  names: "path" | "query" | "body" | "body-name";
  removes: boolean;
};

export const routeOptions = routeOptionsOf<WahaRouteOptions>();

/** Paths without a route need a key too, so that strangers learn nothing. */
const unrouted = (): WahaRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  access: "key",
  scope: "",
  countsAsSend: false,
  names: "path",
  removes: false,
});

export const wahaTable = (routes: readonly Declared[], prefix: string): RouteTable<WahaRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod: unrouted });
