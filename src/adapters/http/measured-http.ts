import type { Http, HttpNoAnswer } from "../../contract/ports/http.ts";
import type { Metrics } from "../../kernel/metrics.ts";

type Outcome = { ok: true; status: number } | HttpNoAnswer;

/**
 * Counts and times each request under the label `peer`. A stream is timed until the head of its answer.
 */
export const measuredHttp = (http: Http, metrics: Metrics, peer: string): Http => {
  const observed =
    <Request, Answer extends Outcome>(send: (request: Request) => Promise<Answer>) =>
    async (request: Request): Promise<Answer> => {
      const startedAtMs = performance.now();
      const answer = await send(request);
      const outcome = answer.ok ? `${Math.floor(answer.status / 100)}xx` : answer.failure;
      metrics.observe(
        "recado_outbound_request_duration_seconds",
        { peer, outcome },
        (performance.now() - startedAtMs) / 1000,
      );
      return answer;
    };
  return {
    guarded: observed(http.guarded),
    trusted: observed(http.trusted),
    guardedStream: observed(http.guardedStream),
    trustedStream: observed(http.trustedStream),
  };
};
