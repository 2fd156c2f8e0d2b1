import { lingering } from "./apis/shared/http/lingering.ts";
import {
  canonicalUrl,
  hasLongTarget,
  isPlainPath,
  LONG_TARGET_MESSAGE,
  MOST_PARTS,
  noteLongTarget,
  notePath,
} from "./apis/shared/http/paths.ts";
import { noteOrigin, notePathname, pathOf, standIn } from "./apis/shared/http/request.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Addresses } from "./kernel/network/addresses.ts";

export type Handle = (request: Request) => Response | Promise<Response>;
/**
 * A handler below a prefix; `pathname` is that of the request's URL. `isApi`: the handler itself refuses paths that are
 * not plain, with its own error.
 */
export type Mounted = {
  host: string | undefined;
  prefix: string;
  handle(request: Request, pathname: string): Response | Promise<Response>;
  isApi?: boolean;
  /** Refuses a target that is too long; without it the listener refuses. An API refuses it itself. */
  refuseLong?(): Response;
  /** Whether the URL is part of a signature and must not be normalised. */
  isUrlSigned?(method: string, pathname: string): Promise<boolean>;
};

/** The place of a base URL: below its path, and only on its host if that is not the public one. */
export const mountPoint = (url: string, { publicUrl }: Addresses): { host: string | undefined; prefix: string } => {
  const { host, pathname } = new URL(url);
  return { host: host === new URL(publicUrl).host ? undefined : host, prefix: pathname.replace(/\/$/, "") };
};

const isBelow = (pathname: string, prefix: string): boolean =>
  prefix === "" || pathname === prefix || pathname.startsWith(`${prefix}/`);

/** Elysia searches the path from this character of a URL: it expects hosts of four characters or more. */
const ELYSIA_SEARCHES_FROM = 11;

/**
 * The URL of a request. Undefined for an invalid Host header, and for a URL with which Elysia would route by another
 * path than the authenticated one.
 */
const urlOf = ({ url }: Request): URL | undefined => {
  const parsed = URL.parse(url);
  const routed = url.slice(url.indexOf("/", ELYSIA_SEARCHES_FROM)).split("?", 1)[0];
  return parsed !== null && parsed.pathname === routed ? parsed : undefined;
};

const unservable = (): Response =>
  Response.json({ error: "the Host header or the path cannot be served" }, { status: 400 });
const tooLong = (): Response => Response.json({ error: LONG_TARGET_MESSAGE }, { status: 414 });
const notFound = (): Response => Response.json({ error: "not found" }, { status: 404 });

/**
 * Selects the mount by host and path, never by credentials: first those with their own host, then the longest prefix.
 * `release` is called for every request when its answer has begun.
 */
export const routeBetween = (mounts: readonly Mounted[], release: (request: Request) => void = () => {}): Handle => {
  const ordered = [...mounts].sort(
    (a, b) => Number(b.host !== undefined) - Number(a.host !== undefined) || b.prefix.length - a.prefix.length,
  );
  const mountFor = ({ host, pathname }: URL): Mounted | undefined =>
    ordered.find((one) => (one.host === undefined || one.host === host) && isBelow(pathname, one.prefix));
  const handle = async (request: Request): Promise<Response> => {
    const url = urlOf(request);
    if (!url) return unservable();
    notePathname(request, url.pathname);
    const mount = mountFor(url);
    const isPlain = isPlainPath(request);
    if (!isPlain && !mount?.isApi) return unservable();
    const href = canonicalUrl(url, (await mount?.isUrlSigned?.(request.method, url.pathname)) ?? false);
    const canonical = href === url.href || !isPlain ? request : standIn(new Request(href, request), request);
    try {
      return mount ? await mount.handle(canonical, pathOf(canonical)) : notFound();
    } finally {
      release(canonical);
    }
  };
  /** The API gets a request for its prefix alone, so that it ignores the path. */
  const refuseLong = async (request: Request): Promise<Response> => {
    const url = URL.parse(request.url);
    const mount = url && mountFor(url);
    if (!url || !mount?.isApi) return mount?.refuseLong?.() ?? tooLong();
    const short = standIn(new Request(`${url.origin}${mount.prefix}/`, request), request);
    noteLongTarget(short);
    try {
      return await mount.handle(short, pathOf(short));
    } finally {
      release(short);
    }
  };
  return (request) => (hasLongTarget(request.url) ? refuseLong(request) : handle(request));
};

export type Listener = { port: number; stop(graceMs: number): Promise<void> };

type ListenOptions = { host: string; port: number; isTrusted(address: string): boolean };
type Self = Bun.Server<unknown>;

/** A pattern for every number of path segments, so that Bun passes on the segments as they were sent. */
const PATTERNS = Array.from(
  { length: MOST_PARTS + 1 },
  (_, parts) => `/${Array.from({ length: parts }, (__, n) => `:p${n}`).join("/")}`,
).flatMap((pattern) => (pattern === "/" ? [pattern] : [pattern, `${pattern}/`]));

/** TABLE: why the server cannot listen on an address, by the code of the error. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there already (ss -ltnp names it): end it, or choose another port",
  EADDRNOTAVAIL: "this machine has no such address: name one of its own, or 0.0.0.0 for all",
  EACCES: "a port below 1024 needs a right of its own: choose another, or use the drop-in low-port.conf",
};

/** @throws Error that names the setting, if the server cannot listen on the address */
const named = <Server>(host: string, port: number, serve: () => Server): Server => {
  try {
    return serve();
  } catch (error) {
    const meaning = LISTEN_FAULTS[String((error as { code?: unknown }).code)];
    if (meaning === undefined) throw error;
    throw new Error(`RECADO_LISTEN=${host}:${port}: ${meaning}`, { cause: error });
  }
};

/**
 * Starts the HTTP server. `handle` is called for each request, because the APIs are made after the port is known.
 * `isTrusted`: whether an address is a trusted proxy.
 */
export const listen = ({ host, port, isTrusted }: ListenOptions, handle: () => Handle, clock: Clock): Listener => {
  const serve = async (request: Request, self: Self, parts: readonly string[] | undefined) => {
    noteOrigin(request, self.requestIP(request)?.address, isTrusted);
    if (!hasLongTarget(request.url)) notePath(request, parts);
    const answer = await handle()(request);
    answer.headers.set("x-content-type-options", "nosniff"); // on every answer of every API, and of the console
    return request.body === null ? answer : lingering(request, answer, clock);
  };
  const server = named(host, port, () =>
    Bun.serve({
      hostname: host,
      port,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the APIs refuse large bodies with their own errors
      idleTimeout: 60, // in seconds; longer than the ping interval of event streams
      development: false, // else Bun answers an error with a page of our sources
      // Bun's default is true outside development: a second server would share the port instead of failing
      reusePort: false,
      routes: Object.fromEntries(
        PATTERNS.map((pattern) => [
          pattern,
          (request: Bun.BunRequest, self: Self) => serve(request, self, Object.values(request.params)),
        ]),
      ),
      fetch: (request, self) => serve(request, self, undefined),
    }),
  );
  return {
    port: server.port ?? port,
    async stop(graceMs) {
      const cancel = clock.timer(graceMs, () => void server.stop(true));
      await server.stop();
      cancel();
    },
  };
};
