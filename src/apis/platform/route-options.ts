import {
  COMMON_ROUTE_OPTIONS,
  type CommonRouteOptions,
  type Declared,
  type RouteTable,
  routeOptionsOf,
  routeTable,
} from "../shared/route-table.ts";
import type { ErrorShape } from "./errors.ts";

/** What is true of a route of this API, stated at the route. */
export type PlatformRouteOptions = CommonRouteOptions & {
  /**
   * Who opens it: anybody (`public`), an API key or a user's complete token (`credentials`), or a user's pending token
   * too (`pending`).
   */
  access: "public" | "credentials" | "pending";
  errors: ErrorShape;
};

/** States what is true of a route, in its `detail`. */
export const routeOptions = routeOptionsOf<PlatformRouteOptions>();

/** All of /v1 needs credentials, also what does not exist there. */
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
