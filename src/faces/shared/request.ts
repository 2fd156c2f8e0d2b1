/** Where a request comes from. `isLocal`: over a connection of this machine; `isProxied`: with the header in which a proxy says whom it speaks for. */
export type Origin = { address: string; isLocal: boolean; isProxied: boolean };

/** What the listener knows of a request and the request does not say. */
const origins = new WeakMap<Request, Origin>();

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");

/** Notes where a request came from. A proxy on this machine may say whom it speaks for; nobody else is believed. */
export const noteAddress = (request: Request, peer: string | undefined): void => {
  const isLocal = peer !== undefined && isLoopback(peer);
  const said = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  origins.set(request, { address: (isLocal && said) || (peer ?? "unknown"), isLocal, isProxied: Boolean(said) });
};

/** Has one request stand for another: it came from where that one came from. */
export const standIn = (request: Request, given: Request): Request => {
  origins.set(request, originOf(given));
  return request;
};

export const originOf = (request: Request): Origin => origins.get(request) ?? { address: "unknown", isLocal: false, isProxied: false };

export const addressOf = (request: Request): string => originOf(request).address;

const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/** Whether a request comes from a program on this machine that speaks for itself: no proxy has passed it on, as far as proxies say so, and it asks for this very machine. */
export const isFromThisMachine = (request: Request): boolean =>
  originOf(request).isLocal && !FORWARDED.some((name) => request.headers.has(name)) && LOOPBACK_HOST.test(request.headers.get("host") ?? "");

/** The path below a face's mount. Read from the URL itself: Elysia's own notion of the path can be bent by a forged Host. */
export const pathBelow = (prefix: string, request: Request): string => new URL(request.url).pathname.slice(prefix.length);

/** The largest JSON body that is read, that of a route which takes 200 texts of 8000 characters, each of which may be escaped in twelve bytes, and that of an upstream's webhook. */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_LONG_BODY_BYTES = 20 * 1024 * 1024;
export const MAX_WEBHOOK_BYTES = 4 * 1024 * 1024;

export const isTooLarge = (request: Request, maxBytes: number): boolean => Number(request.headers.get("content-length") ?? 0) > maxBytes;

/** The client's own request id when it is harmless, else a new one. */
export const requestIdOf = (request: Request, fresh: () => string): string => {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{8,128}$/.test(given) ? given : fresh();
};
