import type { Metrics } from "../../kernel/metrics.ts";
import type { RouteTable } from "./route-table.ts";

/** An API that is built: what answers its requests, and what its routes state. */
export type Api<Facts = unknown> = {
  app: { compile(): { fetch: (request: Request) => Response | Promise<Response> } };
  table: RouteTable<Facts>;
};

const METHODS: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
/** What stands for all that nobody has foreseen, so that strangers cannot make series. */
const OTHER = "other";

/**
 * Answers with the face, and counts and times each request by the pattern of its route. A stream counts until it
 * begins. What throws is the listener's to answer, and counts as 5xx.
 */
export const measured = ({ metrics }: { metrics: Metrics }, name: "gateway" | "platform", { app, table }: Api) => {
  const { fetch } = app.compile();
  return async (request: Request, pathname: string): Promise<Response> => {
    const startedAtMs = performance.now();
    const told = (status: number) => {
      const route = table.find(request.method, pathname).pattern ?? OTHER;
      const method = METHODS.has(request.method) ? request.method : OTHER;
      const labels = { api: name, route, method, status: `${Math.floor(status / 100)}xx` };
      metrics.observe("recado_http_request_duration_seconds", labels, (performance.now() - startedAtMs) / 1000);
      if (status === 429) metrics.count("recado_rate_limited_total", { api: name });
    };
    try {
      const response = await fetch(request);
      told(response.status);
      return response;
    } catch (thrown) {
      told(500);
      throw thrown;
    }
  };
};
