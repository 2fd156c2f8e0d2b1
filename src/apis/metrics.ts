import { allowAddress, type LimitEnv, secondsUntilReset } from "../core/tenancy/accounts/limits.ts";
import { type AdminEnv, adminAccess } from "../core/tenancy/keys/admin-token.ts";
import { isSameSecret } from "../kernel/crypto.ts";
import { METRICS_TYPE } from "../kernel/metrics.ts";
import { addressOf, isFromThisMachine } from "./shared/http/request.ts";

/** The environment of the metrics page. */
export type MetricsEnv = AdminEnv &
  LimitEnv & {
    localToken: string;
    /** All metrics in Prometheus' text format, at most a few seconds old. */
    scrape(): Promise<string>;
  };

const WAYS_IN = "Ask from this machine itself, or with the admin token: X-Admin-Token, or Authorization: Bearer.\n";

/**
 * Serves `/metrics` for Prometheus to programs of this machine and to holders of an admin token. Other
 * requests get 403, and are rate-limited by IP address.
 */
export const metricsPage =
  (env: MetricsEnv) =>
  async (request: Request, pathname: string): Promise<Response> => {
    if (pathname !== "/metrics") return new Response("not found\n", { status: 404 });
    if (request.method !== "GET" && request.method !== "HEAD")
      return new Response("only GET\n", { status: 405, headers: { allow: "GET, HEAD" } });
    if (!isFromThisMachine(request) && !(await hasToken(env, request))) return refusal(env, request);
    return new Response(await env.scrape(), { headers: { "content-type": METRICS_TYPE, "cache-control": "no-store" } });
  };

const tokenIn = ({ headers }: Request): string | undefined =>
  headers.get("x-admin-token") ?? /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

const hasToken = async (env: MetricsEnv, request: Request): Promise<boolean> => {
  const given = tokenIn(request);
  return given !== undefined && (isSameSecret(given, env.localToken) || (await adminAccess(env, given)) === "open");
};

const refusal = (env: MetricsEnv, request: Request): Response => {
  const allowance = allowAddress(env, {
    at: "metrics",
    address: addressOf(request),
    perMinute: env.rates.addressPerMinute,
  });
  if (!allowance.isExceeded) return new Response(WAYS_IN, { status: 403 });
  return new Response("too many requests\n", {
    status: 429,
    headers: { "retry-after": String(secondsUntilReset(env, allowance)) },
  });
};
