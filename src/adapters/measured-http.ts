import type { Http, HttpNoAnswer } from "../contract/http.ts";
import type { Metrics } from "../kernel/metrics.ts";

type Outcome = { ok: true; status: number } | HttpNoAnswer;

/**
 * The same requests, each counted and timed as one to `peer`: one of few names. A stream counts until the head of its
 * answer is there.
 */
export const measuredHttp = (http: Http, metrics: Metrics, peer: string): Http => {
  const told =
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
    guarded: told(http.guarded),
    trusted: told(http.trusted),
    guardedStream: told(http.guardedStream),
    trustedStream: told(http.trustedStream),
  };
};
