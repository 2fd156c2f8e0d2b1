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
 * API. `isOfAccount`: the route is about the whole account, so an instance's own token does not open it.
 */
export type EvolutionRouteOptions = CommonRouteOptions & {
  access: "key" | "public";
  scope: string;
  countsAsSend: boolean;
  isOfAccount: boolean;
};

export const routeOptions = routeOptionsOf<EvolutionRouteOptions>();

/** Paths without a route need a key too, so that strangers learn nothing. */
const unrouted = (): EvolutionRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  access: "key",
  scope: "",
  countsAsSend: false,
  isOfAccount: false,
});

export const evolutionTable = (routes: readonly Declared[], prefix: string): RouteTable<EvolutionRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod: unrouted });
