import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";

/**
 * Who opens a route: anybody (`public`), an account's API key, the administrator's token, an upstream by its signature
 * over the body, or the payment processor by its token.
 */
type Access = "public" | "key" | "admin" | "signature" | "processor";

/** What is true of a route of this API, stated at the route. */
export type GatewayRouteOptions = CommonRouteOptions & {
  access: Access;
  /** The request counts against the account's limit of sends. */
  countsAsSend: boolean;
  /** The header X-Phone-Id names the phone. */
  namesPhone: boolean;
};

/** States what is true of a route, in its `detail`. */
export const routeOptions = routeOptionsOf<GatewayRouteOptions>();

const isBelow = (path: string, area: string): boolean => path === area || path.startsWith(`${area}/`);

/** All of /v1 needs a key, and all of /v1/admin the administrator's token, also what does not exist there. */
const defaultAccess = (path: string): Access => {
  if (isBelow(path, "/v1/admin")) return "admin";
  return isBelow(path, "/v1") ? "key" : "public";
};

const unrouted = (path: string): GatewayRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  access: defaultAccess(path),
  countsAsSend: false,
  namesPhone: false,
});

/** Whoever asks for a path that is open to strangers in another way learns that the method is wrong. */
const wrongMethod = ({ access }: GatewayRouteOptions): GatewayRouteOptions => ({
  ...unrouted(""),
  access: access === "key" || access === "admin" ? access : "public",
});

export const gatewayTable = (routes: readonly Declared[], prefix: string): RouteTable<GatewayRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod });
