import { clientAddress } from "../../kernel/client-address.ts";

/**
 * Where a request comes from. `isLocal`: over a connection of this machine; `isTrusted`: from a proxy that is believed;
 * `isProxied`: with the header in which a proxy says for whom it speaks.
 */
export type Origin = { address: string; isLocal: boolean; isTrusted: boolean; isProxied: boolean };

/** What the listener knows of a request and the request does not say. */
const origins = new WeakMap<Request, Origin>();

const isLoopback = (address: string): boolean =>
  address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");

/** Notes where a request came from. A trusted proxy may say for whom it speaks; nobody else is believed. */
export const noteOrigin = (
  request: Request,
  peer: string | undefined,
  isTrusted: (address: string) => boolean,
): void => {
  const said = request.headers.get("x-forwarded-for");
  const address = peer === undefined ? "unknown" : clientAddress(peer, said, isTrusted);
  origins.set(request, {
    address,
    isLocal: peer !== undefined && isLoopback(peer),
    isTrusted: peer !== undefined && isTrusted(peer),
    isProxied: Boolean(said?.trim()),
  });
};

/** Notes the address that another node has noted of the request that it passes on. */
export const noteForwarded = (request: Request, address: string): void =>
  void origins.set(request, { address, isLocal: false, isTrusted: false, isProxied: true });

/** Has one request stand for another: it came from where that one came from. */
export const standIn = (request: Request, given: Request): Request => {
  origins.set(request, originOf(given));
  return request;
};

export const originOf = (request: Request): Origin =>
  origins.get(request) ?? { address: "unknown", isLocal: false, isTrusted: false, isProxied: false };

export const addressOf = (request: Request): string => originOf(request).address;

/** Where somebody signs in from. */
export const visitorOf = (request: Request): { address: string; userAgent: string | null } => ({
  address: addressOf(request),
  userAgent: request.headers.get("user-agent"),
});

const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether a request comes from a program on this machine that speaks for itself: no proxy has passed it on, as far as
 * proxies say so, and it asks for this very machine.
 */
export const isFromThisMachine = (request: Request): boolean =>
  originOf(request).isLocal &&
  !FORWARDED.some((name) => request.headers.has(name)) &&
  LOOPBACK_HOST.test(request.headers.get("host") ?? "");

/**
 * The path that a request is routed by. Read from the URL itself: Elysia's own notion of the path can be bent by a
 * forged Host.
 */
export const pathOf = (request: Request): string => new URL(request.url).pathname;

/** The same below a mount. */
export const pathBelow = (prefix: string, request: Request): string => pathOf(request).slice(prefix.length);

/**
 * The largest JSON body that is read, that of a route which takes 200 texts of 8000 characters, each of which may be
 * escaped in twelve bytes, and that of an upstream's webhook.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_LONG_BODY_BYTES = 20 * 1024 * 1024;
export const MAX_WEBHOOK_BYTES = 4 * 1024 * 1024;

/** What bodies are read by: how large one may be, and under which name the bodies of strangers share room. */
type BodyTerms = { maxBodyBytes: number; receiver: string };
const bodyTerms = new WeakMap<Request, BodyTerms>();

/** Notes what the route of a request says of bodies, before its body is read. */
export const noteBodyTerms = (request: Request, terms: BodyTerms): void => void bodyTerms.set(request, terms);

/** What was noted; without a note the common limit holds, and the path is the name. */
export const bodyTermsOf = (request: Request): BodyTerms =>
  bodyTerms.get(request) ?? { maxBodyBytes: MAX_BODY_BYTES, receiver: pathOf(request) };

export const isTooLarge = (request: Request, maxBytes: number): boolean =>
  Number(request.headers.get("content-length") ?? 0) > maxBytes;

/** The client's own request id when it is harmless, else a new one. */
export const requestIdOf = (request: Request, fresh: () => string): string => {
  const given = request.headers.get("x-request-id");
  return given !== null && /^[\w.:-]{8,128}$/.test(given) ? given : fresh();
};
