import type { ErrorCode as GatewayErrorCode } from "./generated/gateway.ts";
import type { ErrorCode as PlatformErrorCode } from "./generated/platform.ts";

/**
 * The reason of a refusal, as Recado names it. `UNKNOWN`: the answer has no code, for instance because a proxy gave
 * it. A newer server may answer with a code that this list does not have yet.
 */
export type RecadoErrorCode = GatewayErrorCode | PlatformErrorCode | "UNKNOWN";

/** What an answer says about its refusal. */
type Refusal = {
  status: number;
  code: RecadoErrorCode;
  message: string;
  details: unknown;
  requestId: string | undefined;
  retryAfterMs: number | undefined;
};

/** Recado refused a request, or could not do it. */
export class RecadoError extends Error {
  override readonly name = "RecadoError";
  /** The HTTP status. */
  readonly status: number;
  readonly code: RecadoErrorCode;
  /** What the code does not say: the fields that are wrong, the network's own error. */
  readonly details: unknown;
  /** The id under which the server's log has the request. */
  readonly requestId: string | undefined;
  /** How long to wait before another try, where the server says so. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, message, details, requestId, retryAfterMs }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No complete answer came: the server was not reached, the connection broke off, or the time was over. */
export class RecadoConnectionError extends Error {
  override readonly name = "RecadoConnectionError";
  /** Whether `timeoutMs` was over. */
  readonly isTimeout: boolean;

  constructor(message: string, { cause, isTimeout = false }: { cause?: unknown; isTimeout?: boolean } = {}) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}

/** A webhook that Recado did not sign, or that is too old; its message says what is wrong. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string");

/** `Retry-After` in seconds or as a date; undefined where it is missing or neither. */
const retryAfterOf = (header: string | null): number | undefined => {
  if (!header) return undefined;
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
};

/** The error of an answer that is not a success. `text` is its body. */
export const errorOf = ({ status, headers }: Response, text: string): RecadoError => {
  let body: Record<string, unknown> = {};
  try {
    body = recordOf(JSON.parse(text));
  } catch {
    // a proxy's page: the status is all there is
  }
  const { error } = body;
  const inner = recordOf(error);
  const code = textOf(inner["code"], body["code"], error);
  return new RecadoError({
    status,
    code: code && /^[A-Z][A-Z0-9_]*$/.test(code) ? (code as RecadoErrorCode) : "UNKNOWN",
    message: textOf(inner["message"], body["message"], error) ?? `The answer has the status ${status}.`,
    details: inner["details"] ?? body["details"] ?? body["errors"],
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfterOf(headers.get("retry-after")),
  });
};
