import { routePatterns } from "../shared/route-patterns.ts";

/** The resources of the routes that need an API key: the tags of their descriptions. */
const RESOURCES = ["phones", "messages", "media", "flows", "groups", "calls", "lookup", "templates", "webhooks", "ai", "events", "billing"] as const;
/** Every scope that limits a key. Any other text among a key's scopes is kept and means nothing. */
export const SCOPES: readonly string[] = RESOURCES.flatMap((resource) => [`${resource}.read`, `${resource}.write`]);

/** What a key may do. */
export type KeyLimits = { scopes: readonly string[]; isReadOnly: boolean };

/** What a key with one of our scopes is limited to; undefined for one that may do everything. */
export const limitsOf = ({ permissions, isReadOnly }: { permissions: readonly string[]; isReadOnly: boolean }): KeyLimits | undefined => {
  const scopes = permissions.filter((scope) => SCOPES.includes(scope));
  if (scopes.length === 0 && !isReadOnly) return undefined;
  return { scopes: scopes.length > 0 ? scopes : SCOPES, isReadOnly };
};

type Described = { method: string; path: string; hooks?: { detail?: { tags?: readonly string[]; "x-scope"?: string } } };

/** A route's scope: its own `x-scope`, else its tag with `read` for a GET and `write` for anything else. */
const scopeOfRoute = ({ method, hooks }: Described): string | undefined => {
  const { tags = [], "x-scope": own } = hooks?.detail ?? {};
  return own ?? (tags[0] && `${tags[0]}.${method === "GET" ? "read" : "write"}`);
};

/** Tells which scope a request needs. Undefined where there is no such route. */
export const scopesOf = (routes: readonly Described[], prefix: string): ((method: string, pathname: string) => string | undefined) => {
  const patternOf = routePatterns(routes, prefix);
  const scopes = new Map(routes.map((route) => [`${route.method} ${patternOf(route.path)}`, scopeOfRoute(route)]));
  return (method, pathname) => scopes.get(`${method === "HEAD" ? "GET" : method} ${patternOf(pathname)}`);
};

/** Whether a key that is limited so may do what needs this scope; what is no route is nothing that it may do. */
export const isWithinLimits = ({ scopes, isReadOnly }: KeyLimits, scope: string | undefined): boolean =>
  scope !== undefined && scopes.includes(scope) && (!isReadOnly || scope.endsWith(".read"));
