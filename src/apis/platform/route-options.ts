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
import type { ErrorShape } from "./errors.ts";

/** The options of a route of the platform API. */
export type PlatformRouteOptions = CommonRouteOptions &
  DescribedRouteOptions & {
    /**
     * The access to a route: none needed (`public`), an API key or a user's complete token (`credentials`), or also a
     * user's pending token (`pending`).
     */
    access: "public" | "credentials" | "pending";
    errors: ErrorShape;
  };

/** Begins the `detail` of a route: its operation id, its isolation and its options. */
export const route = routeOf<PlatformRouteOptions>();
/** Writes options of all routes of a plugin into its `detail`. */
export const routeOptions = routeOptionsOf<PlatformRouteOptions>();

/** Paths below /v1 need credentials, also without a route. */
const unrouted = (path: string): PlatformRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  isolation: "none: not described",
  acts: [],
  access: path === "/v1" || path.startsWith("/v1/") ? "credentials" : "public",
  errors: "plain",
});

const wrongMethod = ({ access, errors }: PlatformRouteOptions): PlatformRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  isolation: "none: not described",
  acts: [],
  access,
  errors,
});

export const platformTable = (routes: readonly Declared[], prefix: string): RouteTable<PlatformRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod });
