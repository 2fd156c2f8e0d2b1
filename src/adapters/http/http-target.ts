import type { DeliveryOutcome, DeliveryTarget } from "../../contract/ports/delivery-target.ts";
import type { Http, HttpResult } from "../../contract/ports/http.ts";
import type { Clock } from "../../kernel/clock.ts";
import { retryAfterMs } from "../../kernel/network/retry-after.ts";

const LIMITS = { timeoutMs: 15_000, maxResponseBytes: 64 * 1024 };
const KEPT_RESPONSE_CHARACTERS = 4096;

type HttpTargetPorts = {
  http: Pick<Http, "guarded"> & { refusalOf(url: string): Promise<string | undefined> };
  clock: Pick<Clock, "now">;
};

/**
 * Posts deliveries to customers' endpoints through the guarded client. Only an answer with a 2xx status is a success,
 * whatever its headers and its body, and however they end. A 410 means that the endpoint is gone. The body is awaited
 * within the limits, for the log: an endpoint that still works while it answers gets its next delivery no earlier.
 */
export const createHttpTarget = ({ http, clock }: HttpTargetPorts): DeliveryTarget => ({
  schemes: ["https:", "http:"],
  refusalOf: (url) => http.refusalOf(url),
  async send({ url, headers, body }) {
    const request = { url, method: "POST", headers, body, ...LIMITS, statusDecides: true, isRepeatable: true } as const;
    return outcomeOf(await http.guarded(request), clock.now());
  },
  close: () => {}, // the client serves others too
});

const outcomeOf = (result: HttpResult, nowMs: number): DeliveryOutcome => {
  const { durationMs } = result;
  const silent = { statusCode: 0, response: null, retryAfterMs: 0, isGone: false, durationMs };
  if (!result.ok) return { ...silent, failure: result.failure, error: `${result.failure}: ${result.message}` };
  const { status: statusCode, body } = result;
  const isSuccess = statusCode >= 200 && statusCode < 300;
  return {
    failure: isSuccess ? null : `http_${statusCode >= 500 ? 5 : Math.floor(statusCode / 100)}xx`,
    error: isSuccess ? null : `HTTP ${statusCode}`,
    statusCode,
    response: body.length > 0 ? new TextDecoder().decode(body).slice(0, KEPT_RESPONSE_CHARACTERS) : null,
    retryAfterMs: askedWaitMs(result, nowMs),
    isGone: statusCode === 410,
    durationMs,
  };
};

/** The wait of `Retry-After`, which counts only with a 429 or 503. */
const askedWaitMs = ({ status, headers }: Extract<HttpResult, { ok: true }>, nowMs: number): number =>
  status === 429 || status === 503 ? (retryAfterMs(headers["retry-after"], nowMs) ?? 0) : 0;
