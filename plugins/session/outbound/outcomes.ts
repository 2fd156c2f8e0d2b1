import type { FailureCode, SendOutcome } from "../../../src/contract/outcome.ts";

/** What was not sent, and why. */
export type Failure = Extract<SendOutcome, { ok: false }>;

/** It will never be taken. */
export const refused = (
  reason: string,
  { code = "UPSTREAM_BAD_REQUEST", upstreamCode }: { code?: FailureCode; upstreamCode?: number } = {},
): Failure => ({
  ok: false,
  kind: "refused",
  code,
  reason,
  ...(upstreamCode === undefined ? {} : { upstreamCode }),
});

/** Nothing left this machine; it may go better later. */
export const later = (reason: string, code: FailureCode = "UPSTREAM_UNAVAILABLE"): Failure => ({
  ok: false,
  kind: "retry",
  code,
  reason,
});

/** Bytes may have left, and no answer came. */
export const unknown = (reason: string): Failure => ({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason });

export const NOT_CONNECTED: Failure = later("the channel is not connected", "CHANNEL_UNAVAILABLE");

export const ACCOUNT_RESTRICTED = 463;
/** A stanza that the network cannot use: the devices or sessions that it was made with are old. */
export const STALE_DEVICES = 479;
/** The group goes by other addresses now. */
export const STALE_ADDRESSING = 421;
/** No keys: the network does not know a device of the list any more. */
export const UNKNOWN_DEVICE = 406;
const TOO_MANY = 429;
const UNAVAILABLE = 503;

export const RESTRICTED: Failure = refused(
  "the network does not let this account write to people who have not written to it",
  {
    code: "UPSTREAM_ACCOUNT_RESTRICTED",
    upstreamCode: ACCOUNT_RESTRICTED,
  },
);

/** What the network's refusal of a stanza means for its message. */
export const rejection = (error: number): Failure => {
  if (error === ACCOUNT_RESTRICTED) return RESTRICTED;
  if (error === TOO_MANY)
    return {
      ...later("the network wants fewer messages", "UPSTREAM_RATE_LIMIT"),
      isRateLimit: true,
      upstreamCode: error,
    };
  if (error === UNAVAILABLE) return { ...later("the network cannot take messages at the moment"), upstreamCode: error };
  return refused(`the network refused the message (${error})`, { upstreamCode: error });
};

/**
 * Ends the making of a message, with what becomes of its send; it passes through the library, which knows nothing of
 * outcomes.
 */
export class Unsendable extends Error {
  override name = "Unsendable";
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}
