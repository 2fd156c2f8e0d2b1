import type { Permission } from "../../core/tenancy/keys/keys.ts";
import type { Power } from "../../core/tenancy/people/roles.ts";
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

/**
 * The credentials that open a route: none (`public`), an API key or a user's complete token (`credentials`), a test key
 * (`testKey`), a user's complete token (`user`), or also a user's pending token (`pending`).
 */
type Access = "public" | "credentials" | "testKey" | "user" | "pending";

/** The options of a route of the platform API. */
export type PlatformRouteOptions = CommonRouteOptions &
  DescribedRouteOptions & {
    access: Access;
    /** The permission that a key needs, and a user's role; else empty. */
    permission: Permission | "";
    /** The power that a user's role needs, which no key has; else empty. */
    power: Power | "";
    /** The institution's requests of this operation per minute, besides its general limit; 0 without such a limit. */
    perMinute: number;
    errors: ErrorShape;
  };

/** What a route says of who opens it. A route without a permission and a power says that it needs none: `access`. */
type Opening =
  | { access: Access; permission?: never; power?: never }
  | { access?: "testKey"; permission: Permission; power?: never }
  | { power: Power; access?: never; permission?: never };
type Stated = Parameters<ReturnType<typeof routeOf<Omit<PlatformRouteOptions, keyof Opening>>>>[0];

/** Begins the `detail` of a route: its operation id, who opens it, its isolation and its other options. */
export const route = (stated: Stated & Opening) => routeOf<PlatformRouteOptions>()(stated);
/** Writes options of all routes of a plugin into its `detail`. */
export const routeOptions = routeOptionsOf<PlatformRouteOptions>();

/** Paths below /v1 need credentials, also without a route. */
const unrouted = (path: string): PlatformRouteOptions => ({
  ...COMMON_ROUTE_OPTIONS,
  isolation: "none: not described",
  acts: [],
  access: path === "/v1" || path.startsWith("/v1/") ? "credentials" : "public",
  permission: "",
  power: "",
  perMinute: 0,
  errors: "plain",
});

const wrongMethod = ({ access, errors }: PlatformRouteOptions): PlatformRouteOptions => ({
  ...unrouted(""),
  access,
  errors,
});

export const platformTable = (routes: readonly Declared[], prefix: string): RouteTable<PlatformRouteOptions> =>
  routeTable(routes, prefix, { unrouted, wrongMethod });
