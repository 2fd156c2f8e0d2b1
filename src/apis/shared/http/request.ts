import type { Requester } from "../../../core/tenancy/audit/audit.ts";
import { clientAddress } from "../../../kernel/network/client-address.ts";

/**
 * The origin of a request. `isLocal`: over a connection of this machine. `isTrusted`: from a configured proxy.
 * `isProxied`: with the header in which a proxy names its client.
 */
export type Origin = { address: string; isLocal: boolean; isTrusted: boolean; isProxied: boolean };

/** The listener's knowledge of a request besides its content. */
const origins = new WeakMap<Request, Origin>();

const isLoopback = (address: string): boolean =>
  address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");

/** Stores the origin of a request. Only a trusted proxy may name another client. */
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

/** Stores the client address of a request that another node forwards. */
export const noteForwarded = (request: Request, address: string): void =>
  void origins.set(request, { address, isLocal: false, isTrusted: false, isProxied: true });

/** The request that now has the body of another. */
const replacements = new WeakMap<Request, Request>();

/** Copies the origin of one request to another that is asked on its behalf, with a body of its own. */
export const askedFor = (request: Request, given: Request): Request => {
  origins.set(request, originOf(given));
  return request;
};

/** Copies the origin of one request to another that replaces it, and has its body. */
export const standIn = (request: Request, given: Request): Request => {
  replacements.set(given, request);
  return askedFor(request, given);
};

/** The last of the requests that replaced one another: its body is the one on the connection. */
export const bodyHolderOf = (request: Request): Request => {
  const next = replacements.get(request);
  return next ? bodyHolderOf(next) : request;
};

/** The client's own request, if another request with other headers and another path replaces it. */
const originals = new WeakMap<Request, Request>();
export const noteOriginal = (request: Request, original: Request): void => void originals.set(request, original);
export const originalOf = (request: Request): Request => originals.get(request) ?? request;

export const originOf = (request: Request): Origin =>
  origins.get(request) ?? { address: "unknown", isLocal: false, isTrusted: false, isProxied: false };

export const addressOf = (request: Request): string => originOf(request).address;

/** The origin of a login. */
export const visitorOf = (request: Request): { address: string; userAgent: string | null; door: string } => ({
  address: addressOf(request),
  userAgent: request.headers.get("user-agent"),
  door: pathOf(request),
});

const FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

/** Whether a request comes from a program on this machine: without a proxy's header, and with a local host name. */
export const isFromThisMachine = (request: Request): boolean =>
  originOf(request).isLocal &&
  !FORWARDED.some((name) => request.headers.has(name)) &&
  LOOPBACK_HOST.test(request.headers.get("host") ?? "");

const paths = new WeakMap<Request, string>();
/** Stores the path of a request's URL, so that it is parsed once. */
export const notePathname = (request: Request, pathname: string): void => void paths.set(request, pathname);

/** The path that a request is routed by. Read from the URL: a forged Host header can change Elysia's own path. */
export const pathOf = (request: Request): string => paths.get(request) ?? new URL(request.url).pathname;

/** The path of a request without the prefix of its API. */
export const pathBelow = (prefix: string, request: Request): string => pathOf(request).slice(prefix.length);

/**
 * The largest bodies, in bytes: of a JSON route, of a route with 200 texts of 8000 characters (at most twelve bytes
 * each when escaped), and of an upstream's webhook.
 */
export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_LONG_BODY_BYTES = 20 * 1024 * 1024;
export const MAX_WEBHOOK_BYTES = 4 * 1024 * 1024;

/** The largest body of a route, and the name under which unauthenticated bodies share the budget. */
type BodyTerms = { maxBodyBytes: number; receiver: string };
const bodyTerms = new WeakMap<Request, BodyTerms>();

/** Stores a route's rule for bodies, before the body is read. */
export const noteBodyTerms = (request: Request, terms: BodyTerms): void => void bodyTerms.set(request, terms);

/** The stored rule; without one the common limit, named by the path. */
export const bodyTermsOf = (request: Request): BodyTerms =>
  bodyTerms.get(request) ?? { maxBodyBytes: MAX_BODY_BYTES, receiver: pathOf(request) };

export const isTooLarge = (request: Request, maxBytes: number): boolean =>
  Number(request.headers.get("content-length") ?? 0) > maxBytes;

const requestIds = new WeakMap<Request, string>();

/** Names a request: by the client's id for it when that has a valid form, else by a new one. */
export const nameRequest = (request: Request, fresh: () => string): string => {
  const given = request.headers.get("x-request-id");
  const id = given !== null && /^[\w.:-]{8,128}$/.test(given) ? given : fresh();
  requestIds.set(request, id);
  return id;
};

/** The id of a request; null before it has one. */
export const requestIdOf = (request: Request): string | null => requestIds.get(request) ?? null;

/** The requester of a message, and the id of the request, as the message stores them. */
export const askedBy = ({ actor }: Requester, request: Request): { acceptedBy: string; requestId: string | null } => ({
  acceptedBy: actor.name,
  requestId: requestIdOf(request),
});
