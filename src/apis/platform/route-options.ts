import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";
import type { ErrorShape } from "./errors.ts";

/** The options of a route of the platform API. */
export type PlatformRouteOptions = CommonRouteOptions & {
  /**
   * What gives access: nothing (`public`), an API key or a user's complete token (`credentials`), or also a user's
   * pending token (`pending`).
   */
  access: "public" | "credentials" | "pending";
  errors: ErrorShape;
};

/** Writes the options of a route into its `detail`. */
export const routeOptions = routeOptionsOf<PlatformRouteOptions>();

/** Paths below /v1 need credentials, also without a route. */
const unrouted = (path: string): PlatformRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  access: path === "/v1" || path.startsWith("/v1/") ? "credentials" : "public",
  errors: "plain",
});

const wrongMethod = ({ access, errors }: PlatformRouteOptions): PlatformRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  access,
  errors,
});

export const platformTable = (routes: readonly Declared[], prefix: string): RouteTable<PlatformRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod });
