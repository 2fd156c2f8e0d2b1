import type { FailureCode, SendOutcome } from "../../src/contract/outcome.ts";
import type { Fault } from "./api.ts";

/** A send that did not succeed. */
export type SendFailure = Extract<SendOutcome, { ok: false }>;

const LIMIT_WAIT_MS = 10_000;

export const without = (kind: SendFailure["kind"], code: FailureCode, reason: string): SendFailure => ({
  ok: false,
  kind,
  code,
  reason,
});

/** The message will never be sent. */
export const never = (reason: string): SendFailure => without("refused", "UPSTREAM_BAD_REQUEST", reason);
/** The provider has no such call. */
export const unsupported = (reason: string): SendFailure => without("refused", "UPSTREAM_UNSUPPORTED", reason);

/** What the numbers of a provider mean. A number in none of them only names the failure by its text. */
export type ErrorTable = {
  /** Refusals with a meaning of their own. */
  codes: ReadonlyMap<number, FailureCode>;
  /** The provider takes no more messages at present. */
  limits: ReadonlySet<number>;
  /** The provider does not accept the credentials. */
  tokens: ReadonlySet<number>;
};

/** Whether the provider does not accept the token. */
export const isTokenRefused = (fault: Fault, { tokens }: Pick<ErrorTable, "tokens">): boolean =>
  fault.kind === "error" && (fault.status === 401 || tokens.has(fault.code ?? 0));

/** Whether the same call would be refused again. A limit (429) ends. */
export const isFinal = (fault: Fault): boolean =>
  fault.kind === "error" && fault.status >= 400 && fault.status < 500 && fault.status !== 429;

/**
 * The meaning of a failed call for a send. No provider recognises a repeat, so a message that may have arrived is
 * `unknown`, even after an error of its servers (5xx): https://www.twilio.com/docs/api/errors/20500. An answer 429 was
 * never processed: https://www.twilio.com/docs/api/errors/20429.
 */
export const failureOf = (fault: Fault, table: ErrorTable): SendFailure => {
  if (fault.kind === "silence" && !fault.mayHaveArrived)
    return without("retry", "UPSTREAM_UNAVAILABLE", `the provider could not be reached (${fault.failure})`);
  if (fault.kind !== "error") return without("unknown", "OUTCOME_UNKNOWN", textOfFault(fault));
  const { status, code, text: reason, retryAfterMs = LIMIT_WAIT_MS } = fault;
  const upstream = code === undefined ? {} : { upstreamCode: code };
  if (isTokenRefused(fault, table)) return { ...without("retry", "CREDENTIALS_REFUSED", reason), ...upstream };
  if (status === 429 || table.limits.has(code ?? 0))
    return {
      ...without("retry", "UPSTREAM_RATE_LIMIT", reason),
      ...upstream,
      isRateLimit: true,
      retryAfterMs,
    };
  if (status >= 500) return { ...without("unknown", "OUTCOME_UNKNOWN", reason), ...upstream };
  if (status < 400) return without("retry", "UPSTREAM_UNAVAILABLE", reason); // a redirect: nobody has read the message
  return { ...without("refused", table.codes.get(code ?? 0) ?? "UPSTREAM_BAD_REQUEST", reason), ...upstream };
};

/** A fault in words, without secrets. */
export const textOfFault = (fault: Fault): string => {
  if (fault.kind === "error") return fault.text;
  return fault.kind === "silence"
    ? `no answer came (${fault.failure})`
    : `the answer (HTTP ${fault.status}) could not be read`;
};
