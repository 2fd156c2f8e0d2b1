import type { Declared, RouteTable } from "../shared/route-table.ts";
import type { GatewayRouteOptions } from "./route-options.ts";

/** The resources of the routes that need an API key: the tags of those routes. */
const RESOURCES = [
  "phones",
  "messages",
  "media",
  "flows",
  "groups",
  "calls",
  "lookup",
  "templates",
  "webhooks",
  "ai",
  "events",
  "billing",
] as const;
/** Every scope that limits a key. Any other text among a key's scopes is stored and has no effect. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.write`]);

/** The scopes that a key has. */
export type KeyLimits = { scopes: readonly string[]; isReadOnly: boolean };

/** The scopes that limit a key; undefined for a key without a limit. */
export const limitsOf = ({
  permissions,
  isReadOnly,
}: {
  permissions: readonly string[];
  isReadOnly: boolean;
}): KeyLimits | undefined => {
  const scopes = permissions.filter((scope) => SCOPES.includes(scope));
  if (scopes.length === 0 && !isReadOnly) return undefined;
  return { scopes: scopes.length > 0 ? scopes : SCOPES, isReadOnly };
};

/** A route's scope: its own `x-scope`, else its tag with `read` for a GET and `write` for anything else. */
const scopeOfRoute = ({ method, hooks }: Declared): string | undefined => {
  const { tags = [], "x-scope": own } = hooks?.detail ?? {};
  return own ?? (tags[0] && `${tags[0]}.${method === "GET" ? "read" : "write"}`);
};

/** The scope that each route needs, by the route's name. */
export const scopesOf = ({ routes }: RouteTable<GatewayRouteOptions>): ReadonlyMap<string, string | undefined> =>
  new Map(routes.map(({ name, declared }) => [name, scopeOfRoute(declared)]));

/** Whether a limited key may use a route with this scope. Without a route it may not. */
export const isWithinLimits = ({ scopes, isReadOnly }: KeyLimits, scope: string | undefined): boolean =>
  scope !== undefined && scopes.includes(scope) && (!isReadOnly || scope.endsWith(".read"));
