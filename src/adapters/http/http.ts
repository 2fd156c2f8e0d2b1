import { isIP } from "node:net";
import type {
  Http,
  HttpNoAnswer,
  HttpOpened,
  HttpOpenRequest,
  HttpRequest,
  HttpResult,
} from "../../contract/ports/http.ts";
import { withTimeout } from "../../kernel/async.ts";
import { leave } from "../../kernel/network/bodies.ts";
import {
  allowListOf,
  hostnameOf,
  isLinkName,
  isPrivateName,
  isPublicAddress,
  ownAddresses,
  type Resolve,
  resolveName,
} from "./addresses.ts";
import type { Destination } from "./destination.ts";
import { createConnections } from "./exchange.ts";
import { following } from "./redirects.ts";

export type HttpOptions = {
  /** Host names, addresses and CIDRs that may be reached although they are not public, and over plain http. */
  allow: readonly string[];
  /** PEM text of trust anchors beside the public ones. */
  extraCa: string | undefined;
  /** How names are resolved. @default c-ares */
  resolve?: Resolve;
  /** How long connecting may take, TLS included, in ms; resolving the name may take as long again. @default 5000 */
  connectTimeoutMs?: number;
};

/** The HTTP client for requests to others. */
export type OutboundHttp = Http & {
  /**
   * Whether a URL may be registered: https, or http to a host of the allow list, without userinfo. Its addresses are
   * checked at every request.
   */
  isUrlAllowed(url: string): boolean;
  /**
   * Whether the name or address in a URL belongs to a private network. Resolves no name.
   */
  isPrivateUrl(url: string): boolean;
  /**
   * Why a URL may not be registered, in words for its owner; undefined if it may. Resolves the name: a name with
   * private addresses only is refused; a name that cannot be resolved now is not.
   */
  refusalOf(url: string): Promise<string | undefined>;
  /**
   * The addresses of a host, if customers may name it; else why they are refused. `isPlain`: for a connection without
   * TLS, which only hosts of the allow list get. Never throws.
   */
  checkedAddresses(
    host: string,
    options?: { isPlain?: boolean },
  ): Promise<readonly string[] | { failure: "dns" | "blocked"; message: string }>;
  /** Closes every connection; requests in flight end as `aborted`. */
  close(): void;
};

type Refusal = { failure: "dns" | "blocked"; message: string };
type Failed = Omit<HttpNoAnswer, "durationMs">;
/** The remaining time of a request, in ms. */
type Unspent = { connectMs: number; totalMs: number };

const NOT_HTTPS = "must be an HTTPS URL; http is for hosts that RECADO_OUTBOUND_ALLOW lists";
const PRIVATE = "leads to a private address: only those that RECADO_OUTBOUND_ALLOW lists are reached";

/** Short, because a client waits for the answer. */
const LOOK_UP_MS = 2000;
const CONNECT_TIMEOUT_MS = 5000;
const TOTAL_TIMEOUT_MS = 15_000;
const STREAM_TIMEOUT_MS = 600_000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

const isWebUrl = (url: URL | null): url is URL =>
  url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";

const isPrivateUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (!isWebUrl(url)) return false;
  const hostname = hostnameOf(url);
  return isIP(hostname) === 0 ? isPrivateName(hostname) : !isPublicAddress(hostname);
};

/** Decides which hosts may be reached. Throws for an allow list that cannot be read. */
const createGuard = (entries: readonly string[]) => {
  const allow = allowListOf(entries);
  const isOwn = ownAddresses();
  const isNameAllowed = (url: URL) => allow.hasName(hostnameOf(url));
  const isReachable = (address: string) => allow.hasAddress(address) || (isPublicAddress(address) && !isOwn(address));
  return {
    isUrlAllowed: (text: string): boolean => {
      const url = URL.parse(text);
      return isWebUrl(url) && (url.protocol === "https:" || isNameAllowed(url) || allow.hasAddress(hostnameOf(url)));
    },
    /** Whether a name is refused before it is resolved. */
    refusesName: (url: URL): boolean => isLinkName(hostnameOf(url)) && !isNameAllowed(url),
    /** Whether none of these addresses may be reached. */
    isOutOfReach: (url: URL, addresses: readonly string[]): boolean =>
      !isNameAllowed(url) && addresses.length > 0 && !addresses.some(isReachable),
    /** Why a destination is refused: one forbidden address is enough. */
    refusal: ({ url, addresses }: Destination): string | undefined => {
      if (isNameAllowed(url)) return undefined;
      if (!addresses.every(isReachable)) return "the host has an address that may not be reached";
      return url.protocol === "http:" && !addresses.every(allow.hasAddress)
        ? "a connection without TLS is not allowed to this host"
        : undefined;
    },
  };
};

type AddressesOf = (hostname: string, limits: Unspent) => Promise<string[] | Refusal>;

const refusalBy =
  (guard: ReturnType<typeof createGuard>, addressesOf: AddressesOf): OutboundHttp["refusalOf"] =>
  async (text) => {
    if (!guard.isUrlAllowed(text)) return NOT_HTTPS;
    const url = new URL(text);
    if (guard.refusesName(url)) return PRIVATE;
    const addresses = await addressesOf(hostnameOf(url), { connectMs: LOOK_UP_MS, totalMs: LOOK_UP_MS });
    return Array.isArray(addresses) && guard.isOutOfReach(url, addresses) ? PRIVATE : undefined;
  };

/** The requests that may follow redirects. */
const guardedBy = (
  send: (request: HttpRequest, isGuarded: boolean) => Promise<HttpResult>,
  open: (request: HttpOpenRequest, isGuarded: boolean) => Promise<HttpOpened>,
): Pick<Http, "guarded" | "guardedStream"> => ({
  guarded: (request) =>
    following(request, {
      totalMs: request.timeoutMs ?? TOTAL_TIMEOUT_MS,
      send: (asked) => send(asked, true),
      leave() {},
    }),
  guardedStream: (request) =>
    following(request, {
      totalMs: request.timeoutMs ?? STREAM_TIMEOUT_MS,
      send: (asked) => open(asked, true),
      leave: ({ body }) => leave(body),
    }),
});

/**
 * The only client for requests to customers' addresses (`guarded`) and to the operator's own upstreams (`trusted`). A
 * guarded request resolves its name every time, is refused when any address is forbidden, and connects to the checked
 * addresses only. So it is with the address of each redirect, if the request follows redirects.
 *
 * @throws for an allow list that cannot be read.
 */
export const createHttp = ({
  allow,
  extraCa,
  resolve = resolveName,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: HttpOptions): OutboundHttp => {
  const guard = createGuard(allow);
  const connections = createConnections(extraCa);

  const addressesOf: AddressesOf = async (hostname, limits) => {
    if (isIP(hostname) !== 0) return [hostname];
    try {
      const addresses = await withTimeout(Math.min(limits.connectMs, limits.totalMs), resolve(hostname));
      return addresses.length > 0 ? addresses : { failure: "dns", message: "the name has no address" };
    } catch (error) {
      return { failure: "dns", message: error instanceof Error ? error.message : String(error) };
    }
  };
  const destinationOf = async (text: string, isGuarded: boolean, limits: Unspent): Promise<Destination | Refusal> => {
    const url = URL.parse(text);
    if (!isWebUrl(url)) return { failure: "blocked", message: "not an http(s) URL without userinfo" };
    if (isGuarded && guard.refusesName(url)) return { failure: "blocked", message: "the host's name is a local one" };
    const hostname = hostnameOf(url);
    const addresses = await addressesOf(hostname, limits);
    if (!Array.isArray(addresses)) return addresses;
    const destination = { url, hostname, addresses };
    const message = isGuarded ? guard.refusal(destination) : undefined;
    return message === undefined ? destination : { failure: "blocked", message };
  };
  /** Calls `ask` with the checked destination and the remaining time. */
  const reach = async <Answer extends object>(
    { url, isGuarded }: { url: string; isGuarded: boolean },
    totalMs: number,
    ask: (to: Destination, limits: Unspent) => Promise<Answer | Failed>,
  ): Promise<(Answer | Failed) & { durationMs: number }> => {
    const startedAtMs = performance.now();
    const spentMs = () => performance.now() - startedAtMs;
    const destination = await destinationOf(url, isGuarded, { connectMs: connectTimeoutMs, totalMs });
    if ("failure" in destination) return { ok: false, ...destination, mayHaveArrived: false, durationMs: spentMs() };
    const answer = await ask(destination, { connectMs: connectTimeoutMs, totalMs: totalMs - spentMs() });
    return { ...answer, durationMs: spentMs() };
  };
  const send = (request: HttpRequest, isGuarded: boolean): Promise<HttpResult> =>
    reach({ url: request.url, isGuarded }, request.timeoutMs ?? TOTAL_TIMEOUT_MS, (to, limits) =>
      connections.exchange(to, request, { ...limits, responseBytes: request.maxResponseBytes ?? MAX_RESPONSE_BYTES }),
    );
  const open = (request: HttpOpenRequest, isGuarded: boolean): Promise<HttpOpened> =>
    reach({ url: request.url, isGuarded }, request.timeoutMs ?? STREAM_TIMEOUT_MS, (to, limits) =>
      connections.open(to, request, { ...limits, idleMs: request.idleMs ?? IDLE_TIMEOUT_MS }),
    );

  return {
    ...guardedBy(send, open),
    trusted: (request) => send(request, false),
    trustedStream: (request) => open(request, false),
    isUrlAllowed: guard.isUrlAllowed,
    isPrivateUrl,
    refusalOf: refusalBy(guard, addressesOf),
    async checkedAddresses(host, { isPlain = false } = {}) {
      const limits = { connectMs: connectTimeoutMs, totalMs: TOTAL_TIMEOUT_MS };
      const destination = await destinationOf(`${isPlain ? "http" : "https"}://${host}/`, true, limits);
      return "failure" in destination ? destination : destination.addresses;
    },
    close: () => connections.close(),
  };
};
