import { MAX_BODY_BYTES } from "./request.ts";

/** What every API states of a route where the route is declared. An API adds facts of its own. */
export type CommonRouteOptions = {
  /** The largest body that the route reads, in bytes. */
  maxBodyBytes: number;
  /**
   * Whether the request needs the live link of the channel that its first path parameter names, or, without one, its
   * body's `channelId`. `optional`: without the link the route answers with less.
   */
  link: "none" | "required" | "optional";
  /** The path is part of a signature: nothing rewrites its spelling. */
  isPathSigned: boolean;
};

export const COMMON_ROUTE_OPTIONS: CommonRouteOptions = {
  maxBodyBytes: MAX_BODY_BYTES,
  link: "none",
  isPathSigned: false,
};

/** How the names begin under which a route's `detail` holds its facts. */
const FACT = "x-recado-";

/** Whether a name in a route's `detail` is that of a fact. The API's description leaves facts out. */
export const isFact = (name: string): boolean => name.startsWith(FACT);

/**
 * Makes the function by which the routes of an API state their facts: `detail: { ...facts({ … }), operationId: … }`.
 * Each fact has a name of its own, and a plain value: Elysia merges an object in `detail` into the one that its plugin
 * shares with all of its routes.
 */
export const routeOptionsOf =
  <Facts extends Record<keyof Facts, string | number | boolean>>() =>
  (routeOptions: Partial<Facts>): object =>
    Object.fromEntries(Object.entries(routeOptions).map(([name, value]) => [FACT + name, value]));

const statedIn = (detail: object): object =>
  Object.fromEntries(
    Object.entries(detail)
      .filter(([name]) => isFact(name))
      .map(([name, value]: [string, unknown]) => [name.slice(FACT.length), value]),
  );

/** A route as Elysia lists it. */
export type Declared = {
  method: string;
  path: string;
  hooks?: { detail?: { tags?: readonly string[]; "x-scope"?: string } };
};

/** What a request is routed to. `pattern` and `name` (method and pattern) are below the API's prefix. */
export type Found<Facts> = {
  pattern: string | undefined;
  name: string | undefined;
  routeOptions: Facts;
  /** The decoded path parameters, in their order. */
  params: readonly string[];
};

export type RouteTable<Facts> = {
  /**
   * What a request is routed to, by its method and the path of its URL. Without such a route the facts are those of
   * `unrouted`.
   */
  find(method: string, pathname: string): Found<Facts>;
  /** Every route with its facts. */
  readonly routes: readonly { name: string; declared: Declared; routeOptions: Facts }[];
};

/**
 * What an API says of a path that has no route, and of a route's path with another method. Both are answered with a
 * refusal.
 */
export type Defaults<Facts> = {
  /** Also what holds for a route at this path that states nothing else. `path` is below the API's prefix. */
  unrouted(path: string): Facts;
  wrongMethod(routeOptions: Facts): Facts;
};

type Entry<Facts> = { name: string; routeOptions: Facts };
type Node<Facts> = {
  pattern: string;
  methods: Map<string, Entry<Facts>>;
  words: Map<string, Node<Facts>>;
  any?: Node<Facts>;
};

const newNode = <Facts>(pattern: string): Node<Facts> => ({ pattern, methods: new Map(), words: new Map() });

const childFor = <Facts>(node: Node<Facts>, segment: string): Node<Facts> => {
  if (segment.startsWith(":")) return (node.any ??= newNode(`${node.pattern}/${segment}`));
  const known = node.words.get(segment) ?? newNode(`${node.pattern}/${segment}`);
  node.words.set(segment, known);
  return known;
};

type Match<Facts> = { node: Node<Facts>; params: readonly string[] };

/** A word goes before a parameter, as in Elysia's router. An empty segment is no parameter. */
const match = <Facts>(
  node: Node<Facts>,
  segments: readonly string[],
  params: readonly string[],
): Match<Facts> | undefined => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? { node, params } : undefined;
  const word = node.words.get(segment);
  return (
    (word && match(word, rest, params)) ??
    (node.any && segment !== "" ? match(node.any, rest, [...params, decoded(segment)]) : undefined)
  );
};

/** As Elysia decodes a parameter. What is no UTF-8 names nothing, and is refused before any handler. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Elysia answers HEAD where there is GET. A slash at the end of a path says nothing. */
const routedMethod = (method: string): string => (method === "HEAD" ? "GET" : method);
const segmentsOf = (path: string): string[] => path.replace(/\/$/, "").split("/").slice(1);

/** Reads the facts of an API's routes, once, when all of them are declared. */
export const routeTable = <Facts extends object>(
  declared: readonly Declared[],
  prefix: string,
  defaults: Defaults<Facts>,
): RouteTable<Facts> => {
  const root = newNode<Facts>("");
  const routes = declared.map((route) => {
    const path = route.path.slice(prefix.length);
    const node = segmentsOf(path).reduce<Node<Facts>>(childFor, root);
    const routeOptions = { ...defaults.unrouted(node.pattern), ...statedIn(route.hooks?.detail ?? {}) };
    const name = `${route.method} ${node.pattern || "/"}`;
    node.methods.set(route.method, { name, routeOptions });
    return { name, declared: route, routeOptions };
  });
  return {
    routes,
    find(method, pathname) {
      const path = pathname.slice(prefix.length);
      const found = match(root, segmentsOf(path), []);
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

/**
 * Which live link a request needs; undefined where it needs none. `channelId` is undefined where the body names the
 * channel.
 */
export type NeededLink = { channelId: string | undefined; isRequired: boolean };

export const linkOf = ({
  routeOptions: { link },
  params,
}: Pick<Found<CommonRouteOptions>, "routeOptions" | "params">): NeededLink | undefined =>
  link === "none" ? undefined : { channelId: params[0], isRequired: link === "required" };
