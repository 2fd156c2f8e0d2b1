import { canonicalUrl, isPlainPath, MOST_PARTS, notePath } from "./apis/shared/paths.ts";
import { noteOrigin, standIn } from "./apis/shared/request.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Addresses } from "./kernel/config.ts";

export type Handle = (request: Request) => Response | Promise<Response>;
/**
 * What answers below a prefix; `pathname` is that of the request's URL. `isApi`: it refuses a path that is not plain by
 * itself, in its own words.
 */
export type Mounted = {
  host: string | undefined;
  prefix: string;
  handle(request: Request, pathname: string): Response | Promise<Response>;
  isApi?: boolean;
  /** Whether a path is part of a signature, and therefore stays as it is spelled. */
  isPathSigned?(method: string, pathname: string): boolean;
};

/** Where a base URL is mounted: below its path, and on its host alone where that is not the public one. */
export const placeOf = (url: string, { publicUrl }: Addresses): { host: string | undefined; prefix: string } => {
  const { host, pathname } = new URL(url);
  return { host: host === new URL(publicUrl).host ? undefined : host, prefix: pathname.replace(/\/$/, "") };
};

const isBelow = (pathname: string, prefix: string): boolean =>
  prefix === "" || pathname === prefix || pathname.startsWith(`${prefix}/`);

/** Elysia looks for the path from this character of a URL on: it takes every host to have four characters at least. */
const ELYSIA_LOOKS_FROM = 11;

/**
 * The URL of a request; undefined where a forged Host header would have Elysia route by another path than the one that
 * is authenticated, or where it is no host at all.
 */
const urlOf = ({ url }: Request): URL | undefined => {
  const parsed = URL.parse(url);
  const routed = url.slice(url.indexOf("/", ELYSIA_LOOKS_FROM)).split("?", 1)[0];
  return parsed !== null && parsed.pathname === routed ? parsed : undefined;
};

/**
 * The root itself, below which nothing but the mounts is: it leads to a page. The address is relative, for it may be
 * reached by another name than the public one.
 */
export const rootLeadsTo = (page: string, { host, prefix }: Pick<Mounted, "host" | "prefix">): Mounted => ({
  host,
  prefix,
  handle: (_, pathname) =>
    pathname.replace(/\/$/, "") === prefix
      ? new Response(null, { status: 302, headers: { location: page } })
      : notFound(),
});

const unservable = (): Response =>
  Response.json({ error: "the Host header or the path is not one that can be served" }, { status: 400 });
const notFound = (): Response => Response.json({ error: "not found" }, { status: 404 });

/**
 * Picks the face by host and path alone, never by how a request authenticates: one with a host of its own first, then
 * the longest prefix. `release` hears of every request whose answer has begun.
 */
export const routeBetween = (mounts: readonly Mounted[], release: (request: Request) => void = () => {}): Handle => {
  const ordered = [...mounts].sort(
    (a, b) => Number(b.host !== undefined) - Number(a.host !== undefined) || b.prefix.length - a.prefix.length,
  );
  return async (request) => {
    const url = urlOf(request);
    if (!url) return unservable();
    const mount = ordered.find(
      (one) => (one.host === undefined || one.host === url.host) && isBelow(url.pathname, one.prefix),
    );
    const isPlain = isPlainPath(request);
    if (!isPlain && !mount?.isApi) return unservable();
    const href = canonicalUrl(url, mount?.isPathSigned?.(request.method, url.pathname) ?? false);
    const meant = href === url.href || !isPlain ? request : standIn(new Request(href, request), request);
    try {
      return mount ? await mount.handle(meant, new URL(meant.url).pathname) : notFound();
    } finally {
      release(meant);
    }
  };
};

export type Listener = { port: number; stop(graceMs: number): Promise<void> };

type ListenAddress = { host: string; port: number; isTrusted(address: string): boolean };
type Self = Bun.Server<unknown>;

/** A pattern for every number of parts that a path may have: what they match tells them apart as they came. */
const PATTERNS = Array.from(
  { length: MOST_PARTS + 1 },
  (_, parts) => `/${Array.from({ length: parts }, (__, n) => `:p${n}`).join("/")}`,
).flatMap((pattern) => (pattern === "/" ? [pattern] : [pattern, `${pattern}/`]));

/**
 * Listens; `handle` is asked for at each request, because the faces can be made only once the port is known.
 * `isTrusted`: a proxy that is believed.
 */
export const listen = ({ host, port, isTrusted }: ListenAddress, handle: () => Handle, clock: Clock): Listener => {
  const serve = (request: Request, self: Self, parts: readonly string[] | undefined) => {
    noteOrigin(request, self.requestIP(request)?.address, isTrusted);
    notePath(request, parts);
    return handle()(request);
  };
  const server = Bun.serve({
    hostname: host,
    port,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the faces refuse what is too large by themselves, in their own words
    idleTimeout: 60, // above the ping of an event stream
    development: false, // else Bun answers a fault with a page that shows our sources
    // which Bun otherwise turns on outside development: a second server would share the port instead of failing
    reusePort: false,
    routes: Object.fromEntries(
      PATTERNS.map((pattern) => [
        pattern,
        (request: Bun.BunRequest, self: Self) => serve(request, self, Object.values(request.params)),
      ]),
    ),
    fetch: (request, self) => serve(request, self, undefined),
  });
  return {
    port: server.port ?? port,
    async stop(graceMs) {
      const cancel = clock.timer(graceMs, () => void server.stop(true));
      await server.stop();
      cancel();
    },
  };
};
