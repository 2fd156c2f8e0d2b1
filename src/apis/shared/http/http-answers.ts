import { promisify } from "node:util";
import { type Allowance, type LimitEnv, secondsUntilReset } from "../../../core/tenancy/accounts/limits.ts";
import type { CommonRouteOptions, RouteTable } from "../route-table.ts";

type Handle = (request: Request, pathname: string) => Promise<Response>;

/**
 * `challenge`: the authentication scheme that a 401 names (RFC 9110, 11.6.1). `corsOrigins`: the origins whose pages may
 * call the API from a browser; `*` stands for all, and an empty list for none.
 */
export type HttpTerms = { challenge: string; corsOrigins: readonly string[] };

/** The place of keys and tokens: each API has its own header. */
export const GATEWAY_CHALLENGE = 'ApiKey realm="recado", header="X-API-Key"';
export const EVOLUTION_CHALLENGE = 'ApiKey realm="recado", header="apikey"';
export const PLATFORM_CHALLENGE = 'Bearer realm="recado"';

type Table = Pick<RouteTable<CommonRouteOptions>, "methodsAt">;

/**
 * Adds to every answer of an API the headers that HTTP requires: CORS headers, `WWW-Authenticate` with a 401, `Allow`
 * with a 405, and `Cache-Control: no-store` unless the route sets another. Compresses long texts for clients that
 * accept gzip. An answer that must not be stored may hold a secret, but only beside the credentials that opened it.
 */
export const withHttpHeaders =
  (table: Table, { challenge, corsOrigins }: HttpTerms, handle: Handle): Handle =>
  async (request, pathname) => {
    const origin = allowedOrigin(corsOrigins, request);
    const preflight = origin === undefined ? undefined : preflightAnswer(table, request, pathname);
    const response = preflight ?? (await handle(request, pathname));
    const { headers } = response;
    if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
    if (response.status === 401) headers.set("www-authenticate", challenge);
    if (response.status === 405 && !headers.has("allow")) headers.set("allow", table.methodsAt(pathname).join(", "));
    if (corsOrigins.length > 0) headers.append("vary", "Origin");
    if (origin) {
      headers.set("access-control-allow-origin", origin);
      headers.set("access-control-expose-headers", EXPOSED.join(", "));
    }
    return compressed(request, response);
  };

/**
 * The window as headers of an answer: the limit, the remainder, and the seconds until the window ends
 * (https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/).
 */
export const rateLimitHeaders = (
  env: Pick<LimitEnv, "clock">,
  allowance: Allowance,
): { "ratelimit-policy": string; ratelimit: string } => ({
  "ratelimit-policy": `"minute";q=${allowance.limit};w=60`,
  ratelimit: `"minute";r=${allowance.remaining};t=${secondsUntilReset(env, allowance)}`,
});

/** The headers of answers that a page of another origin may read. */
const EXPOSED = [
  "Content-Disposition",
  "ETag",
  "Idempotent-Replayed",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];

/** After this time browsers ask again; no browser keeps an answer for longer than a day. */
const PREFLIGHT_SECONDS = 7200;

/**
 * The origin that the answer allows; undefined if the request has no origin, or a forbidden one. Credentials of the
 * browser are never allowed: a key is sent in a header.
 */
export const allowedOrigin = (corsOrigins: readonly string[], { headers }: Request): string | undefined => {
  const origin = headers.get("origin");
  if (origin === null) return undefined;
  return corsOrigins.find((allowed) => allowed === "*" || allowed === origin.toLowerCase());
};

/** The answer to a browser's preflight request. Undefined for any other request. */
const preflightAnswer = (table: Table, request: Request, pathname: string): Response | undefined => {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
  const methods = table.methodsAt(pathname);
  if (methods.length === 0) return undefined;
  const wanted = request.headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": methods.join(", "),
      ...(wanted === null ? {} : { "access-control-allow-headers": wanted }),
      "access-control-max-age": String(PREFLIGHT_SECONDS),
    },
  });
};

/** Shorter texts fit in one packet with their headers. */
const MIN_COMPRESSED_BYTES = 1400;
const TEXT = /^(application\/json|text\/(?!event-stream))/;

/**
 * Only answers to a GET are long. A customer's file is streamed, because it may be larger than the memory should hold.
 */
const compressed = async (request: Request, response: Response): Promise<Response> => {
  const { headers, status } = response;
  if (request.method !== "GET" || status !== 200 || !TEXT.test(headers.get("content-type") ?? "")) return response;
  if (headers.has("content-encoding") || headers.has("content-disposition")) return response;
  if (!/accept-encoding/i.test(headers.get("vary") ?? "")) headers.append("vary", "Accept-Encoding");
  if (!acceptsGzip(request.headers.get("accept-encoding") ?? "")) return response;
  const bytes = await response.arrayBuffer();
  if (bytes.byteLength < MIN_COMPRESSED_BYTES) return new Response(bytes, { status, headers });
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  const { gzip } = process.getBuiltinModule("node:zlib");
  return new Response(await promisify(gzip)(bytes), { status, headers });
};

/** Whether a list such as `gzip, br;q=0.9` names gzip, and does not refuse it with the weight 0. */
const acceptsGzip = (accepted: string): boolean => /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(accepted);
