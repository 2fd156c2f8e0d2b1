import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";

/**
 * The options of a route of this API. `access`: a token of a phone, or for files a signed address. `countsAsSend`: the
 * request counts against the account's limit of sends.
 */
export type CloudRouteOptions = CommonRouteOptions & { access: "token" | "public"; countsAsSend: boolean };

export const routeOptions = routeOptionsOf<CloudRouteOptions>();

/** Paths without a route need a token too, so that strangers learn nothing. */
const unrouted = (): CloudRouteOptions => ({ ...COMMON_ROUTE_OPTIONS, access: "token", countsAsSend: false });

export const cloudTable = (routes: readonly Declared[], prefix: string): RouteTable<CloudRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod: unrouted });
