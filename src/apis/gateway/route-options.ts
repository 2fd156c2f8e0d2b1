import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type DescribedRouteOptions,
  type RouteTable,
  routeOf,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";

/**
 * The access to a route: none needed (`public`), an account's API key, the administrator's token, an upstream's
 * signature over the body, or the payment processor's token.
 */
type Access = "public" | "key" | "admin" | "signature" | "processor";

/** The options of a route of the gateway API. */
export type GatewayRouteOptions = CommonRouteOptions &
  DescribedRouteOptions & {
    access: Access;
    /** The request counts against the account's limit of sends. */
    countsAsSend: boolean;
    /** The header X-Phone-Id names the phone. */
    namesPhone: boolean;
    /** The scope that a person's role needs, if it differs from that of keys; else empty. */
    roleScope: string;
  };

type Stated = Parameters<ReturnType<typeof routeOf<GatewayRouteOptions>>>[0];

/**
 * Begins the `detail` of a route: its operation id, its isolation and its options. `scope`: the scope that a limited key
 * needs, if it differs from that of the route's tag. The description shows it.
 */
export const route = ({ scope, ...stated }: Stated & { scope?: string }) => ({
  ...(scope === undefined ? {} : { "x-scope": scope }),
  ...routeOf<GatewayRouteOptions>()(stated),
});
/** Writes options of all routes of a plugin into its `detail`. */
export const routeOptions = routeOptionsOf<GatewayRouteOptions>();

const isBelow = (path: string, area: string): boolean => path === area || path.startsWith(`${area}/`);

/** Paths below /v1 need a key, and those below /v1/admin the administrator's token, also without a route. */
const defaultAccess = (path: string): Access => {
  if (isBelow(path, "/v1/admin")) return "admin";
  return isBelow(path, "/v1") ? "key" : "public";
};

const unrouted = (path: string): GatewayRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  isolation: "none: not described",
  acts: [],
  access: defaultAccess(path),
  countsAsSend: false,
  namesPhone: false,
  roleScope: "",
});

/** A wrong method on a route without a key is answered with 405 to anybody; the other options are defaults. */
const wrongMethod = ({ access }: GatewayRouteOptions): GatewayRouteOptions => ({
  ...unrouted(""),
  access: access === "key" || access === "admin" ? access : "public",
});

export const gatewayTable = (routes: readonly Declared[], prefix: string): RouteTable<GatewayRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod });
