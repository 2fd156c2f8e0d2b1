import type { KeyedRequestEnv } from "../../core/tenancy/keys/keyed-requests.ts";
import { requestIdOf } from "./http/request.ts";
import { recordAnswer, recordServerError } from "./idempotency.ts";
import type { RouteTable } from "./route-table.ts";

export type ApiName = "gateway" | "platform" | "cloud" | "evolution" | "waha";

/** A built API: the Elysia app, and the options of its routes. */
export type Api<Options = unknown> = {
  app: { compile(): { fetch: (request: Request) => Response | Promise<Response> } };
  table: RouteTable<Options>;
};

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
/** The label of unknown routes and methods, so that strangers cannot create time series. */
const OTHER = "other";

/**
 * Handles requests with an API, and counts and times them by route pattern. A stream is timed until it begins. An error
 * counts as 5xx and is thrown on to the listener. Each request is one line of the log, by the id that its answer
 * carries: at the level info if the server failed, else at debug, because anybody can cause the others. The answer to a
 * request with an idempotency key is stored first.
 */
export const measured = (env: KeyedRequestEnv, name: ApiName, { app, table }: Api) => {
  const { log, metrics } = env;
  const { fetch } = app.compile();
  return async (request: Request, pathname: string): Promise<Response> => {
    const startedAtMs = performance.now();
    const observe = (status: number) => {
      const route = table.find(request.method, pathname).pattern ?? OTHER;
      const method = METHODS.has(request.method) ? request.method : OTHER;
      const labels = { api: name, route, method, status: `${Math.floor(status / 100)}xx` };
      const tookMs = performance.now() - startedAtMs;
      metrics.observe("recado_http_request_duration_seconds", labels, tookMs / 1000);
      const line = { requestId: requestIdOf(request), api: name, method, route, status, tookMs: Math.round(tookMs) };
      log[status >= 500 ? "info" : "debug"](line, "request answered");
      if (status === 429) metrics.count("recado_rate_limited_total", { api: name });
    };
    try {
      const response = await recordAnswer(env, request, await fetch(request));
      observe(response.status);
      return response;
    } catch (thrown) {
      await recordServerError(env, request);
      observe(500);
      throw thrown;
    }
  };
};
