import type { FailureCode, SendOutcome } from "../../../src/contract/outcome.ts";

/** What was not sent, and why. */
export type Failure = Extract<SendOutcome, { ok: false }>;

/** It will never be taken. */
export const refused = (reason: string, { code = "UPSTREAM_BAD_REQUEST", upstreamCode }: { code?: FailureCode; upstreamCode?: number } = {}): Failure => ({
  ok: false,
  kind: "refused",
  code,
  reason,
  ...(upstreamCode === undefined ? {} : { upstreamCode }),
});

/** Nothing left this machine; it may go better later. */
export const later = (reason: string, code: FailureCode = "UPSTREAM_UNAVAILABLE"): Failure => ({ ok: false, kind: "retry", code, reason });

/** Bytes may have left, and no answer came. */
export const unknown = (reason: string): Failure => ({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason });

export const NOT_CONNECTED: Failure = later("the channel is not connected", "CHANNEL_UNAVAILABLE");

/** Ends the making of a message, with what becomes of its send; it passes through the library, which knows nothing of outcomes. */
export class Unsendable extends Error {
  override name = "Unsendable";
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}
