import type { Acts } from "./acts.ts";
import { MAX_BODY_BYTES } from "./http/request.ts";
import { type Isolation, type StatedIsolation, statedIsolation } from "./isolation.ts";

/** The options that a route of any API states where it is declared. Each API adds its own. */
export type CommonRouteOptions = {
  /** The largest body that the route reads, in bytes. */
  maxBodyBytes: number;
  /**
   * Whether the request needs the live link of a channel: the one of the first path parameter, or without parameters of
   * the body. In the gateway API the route's isolation says what names the channel. `optional`: without the link the
   * route answers with less.
   */
  link: "none" | "required" | "optional";
  /** The URL is part of a signature, so ids in it are not normalised. */
  isUrlSigned: boolean;
  /** The only effect of the request is one write, which stores the answer to a request with an idempotency key too. */
  storesAnswer: boolean;
  /** The request takes `dryRun`. */
  takesDryRun: boolean;
};

export const COMMON_ROUTE_OPTIONS: CommonRouteOptions = {
  maxBodyBytes: MAX_BODY_BYTES,
  link: "none",
  isUrlSigned: false,
  storesAnswer: false,
  takesDryRun: false,
};

/** The prefix of the names under which a route's `detail` holds its options. */
const OPTION_PREFIX = "x-recado-";

/** Whether a name in a route's `detail` is that of an option. The OpenAPI description leaves options out. */
export const isRouteOption = (name: string): boolean => name.startsWith(OPTION_PREFIX);

/**
 * Makes the function that writes options into `detail`: those of all routes of a plugin, or of routes without a
 * description. Each option has its own name and a value that is not an object: Elysia merges an object in `detail` into
 * the one that all routes of a plugin share.
 */
export const routeOptionsOf =
  <Options extends Record<keyof Options, string | number | boolean | readonly unknown[]>>() =>
  (routeOptions: Partial<Options>): object =>
    Object.fromEntries(Object.entries(routeOptions).map(([name, value]) => [OPTION_PREFIX + name, value]));

/** The options that a described route has in addition. */
export type DescribedRouteOptions = {
  isolation: StatedIsolation;
  /** The acts of the audit log that it can record. Every route but a GET says them, or why there are none. */
  acts: Acts;
};

declare const described: unique symbol;
/** The operation id of a route that states its isolation. */
type OperationId = string & { readonly [described]: true };
declare module "elysia" {
  /** A route can be described only by `route`, so every described route has an isolation. */
  interface DocumentDecoration {
    operationId?: OperationId;
  }
}

/** Makes the function that begins a described route's `detail`: `{ ...route({ operationId, isolation, … }), summary }`. */
export const routeOf =
  <Options extends Record<keyof Options, string | number | boolean | readonly unknown[]>>() =>
  ({
    operationId,
    isolation,
    ...routeOptions
  }: Partial<Omit<Options, "isolation">> & { operationId: string; isolation: Isolation }): {
    operationId: OperationId;
  } => ({
    ...routeOptionsOf<Record<string, string | number | boolean | readonly unknown[]>>()({
      isolation: statedIsolation(isolation),
      ...routeOptions,
    }),
    operationId: operationId as OperationId,
  });

const statedIn = (detail: object): object =>
  Object.fromEntries(
    Object.entries(detail)
      .filter(([name]) => isRouteOption(name))
      .map(([name, value]: [string, unknown]) => [name.slice(OPTION_PREFIX.length), value]),
  );

/** A route as Elysia lists it in `app.routes`. */
export type Declared = {
  method: string;
  path: string;
  hooks?: { detail?: { tags?: readonly string[]; "x-scope"?: string } };
};

/** The route of a request. `pattern` and `name` (method and pattern) have no prefix of the API. */
export type Found<Options> = {
  pattern: string | undefined;
  name: string | undefined;
  routeOptions: Options;
  /** The decoded path parameters, in their order. */
  params: readonly string[];
};

export type RouteTable<Options> = {
  /** Finds the route of a request, by its method and the path of its URL. Without one the options are `unrouted`'s. */
  find(method: string, pathname: string): Found<Options>;
  /** The methods that the routes at a path take, and HEAD with GET. Empty if there is no route. */
  methodsAt(pathname: string): string[];
  /** Every route with its options. */
  readonly routes: readonly { name: string; declared: Declared; routeOptions: Options }[];
};

/** The options of a path without a route, and of a route's path with another method. Both get a refusal. */
export type Defaults<Options> = {
  /** Also the defaults of a route at this path. `path` is without the prefix of the API. */
  unrouted(path: string): Options;
  wrongMethod(routeOptions: Options): Options;
};

type Entry<Options> = { name: string; routeOptions: Options };
type Node<Options> = {
  pattern: string;
  methods: Map<string, Entry<Options>>;
  words: Map<string, Node<Options>>;
  any?: Node<Options>;
};

const newNode = <Options>(pattern: string): Node<Options> => ({ pattern, methods: new Map(), words: new Map() });

const childFor = <Options>(node: Node<Options>, segment: string): Node<Options> => {
  if (segment.startsWith(":")) return (node.any ??= newNode(`${node.pattern}/${segment}`));
  const known = node.words.get(segment) ?? newNode(`${node.pattern}/${segment}`);
  node.words.set(segment, known);
  return known;
};

type Match<Options> = { node: Node<Options>; params: readonly string[] };

/** A literal segment takes precedence over a parameter, as in Elysia's router. An empty segment is not a parameter. */
const match = <Options>(
  node: Node<Options>,
  segments: readonly string[],
  params: readonly string[] = [],
  at = 0,
): Match<Options> | undefined => {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? { node, params } : undefined;
  const word = node.words.get(segment);
  return (
    (word && match(word, segments, params, at + 1)) ??
    (node.any && segment !== "" ? match(node.any, segments, [...params, decoded(segment)], at + 1) : undefined)
  );
};

/** Decodes a parameter as Elysia does. Invalid UTF-8 stays encoded, and is refused before any handler. */
const decoded = (segment: string): string => {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Elysia answers HEAD with the GET route, and ignores a slash at the end of a path. */
const routedMethod = (method: string): string => (method === "HEAD" ? "GET" : method);
/** The segments of a path, without one for a slash at its end. */
export const segmentsOf = (path: string): string[] =>
  (path.endsWith("/") ? path.slice(0, -1) : path).split("/").slice(1);

/** Builds the table of an API's routes and their options. Call it once, when all routes are declared. */
export const routeTable = <Options extends object>(
  declared: readonly Declared[],
  prefix: string,
  defaults: Defaults<Options>,
): RouteTable<Options> => {
  const root = newNode<Options>("");
  const routes = declared.map((route) => {
    const path = route.path.slice(prefix.length);
    const node = segmentsOf(path).reduce<Node<Options>>(childFor, root);
    const routeOptions = { ...defaults.unrouted(node.pattern), ...statedIn(route.hooks?.detail ?? {}) };
    const name = `${route.method} ${node.pattern || "/"}`;
    node.methods.set(route.method, { name, routeOptions });
    return { name, declared: route, routeOptions };
  });
  return {
    routes,
    methodsAt(pathname) {
      const methods = match(root, segmentsOf(pathname.slice(prefix.length)))?.node.methods.keys() ?? [];
      return [...methods].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    },
    find(method, pathname) {
      const path = pathname.slice(prefix.length);
      const found = match(root, segmentsOf(path));
      if (!found) return { pattern: undefined, name: undefined, routeOptions: defaults.unrouted(path), params: [] };
      const { node, params } = found;
      const entry = node.methods.get(routedMethod(method));
      const pattern = node.pattern || "/";
      if (entry) return { pattern, name: entry.name, routeOptions: entry.routeOptions, params };
      const [other] = node.methods.values();
      return {
        pattern,
        name: undefined,
        routeOptions: defaults.wrongMethod(other?.routeOptions ?? defaults.unrouted(path)),
        params,
      };
    },
  };
};

/** The live link that a request needs. `channelId` is undefined when the body names the channel. */
export type NeededLink = { channelId: string | undefined; isRequired: boolean };

export const linkOf = ({
  routeOptions: { link },
  params,
}: Pick<Found<CommonRouteOptions>, "routeOptions" | "params">): NeededLink | undefined =>
  link === "none" ? undefined : { channelId: params[0], isRequired: link === "required" };
