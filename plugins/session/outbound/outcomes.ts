import type { FailureCode, SendOutcome } from "../../../src/contract/outcome.ts";

/** The failure of a send, and its reason. */
export type Failure = Extract<SendOutcome, { ok: false }>;

/** The message will never be accepted. */
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

/** Nothing left this machine; a later attempt may succeed. */
export const later = (reason: string, code: FailureCode = "UPSTREAM_UNAVAILABLE"): Failure => ({
  ok: false,
  kind: "retry",
  code,
  reason,
});

/** Bytes may have left, but no answer came. */
export const unknown = (reason: string): Failure => ({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason });

export const NOT_CONNECTED: Failure = later("the channel is not connected", "CHANNEL_UNAVAILABLE");

/** Buttons of old apps, or in a form that the network does not take from web clients. */
export const NOT_ALLOWED = 405;
/** Buttons of a named flow. */
export const FLOW_REFUSED = 473;
export const ACCOUNT_RESTRICTED = 463;
/** A stanza that the network cannot use: its devices or sessions are old. */
export const STALE_DEVICES = 479;
/** The group uses other addresses now. */
export const STALE_ADDRESSING = 421;
/** No keys: the network no longer knows a device of the list. */
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

/** The network requires the recipient's privacy token, or ours for them, and refuses only this message (W26 §7.3.1). */
export const NO_TOKEN: Failure = refused(
  "the network accepts no message to this person without their privacy token; the account is not restricted",
  { code: "PRIVACY_TOKEN_MISSING", upstreamCode: ACCOUNT_RESTRICTED },
);

export const NEW_CHATS_CAPPED = 475;
const CAPPED: Failure = refused("QUOTA: the account has begun as many chats as the network allows it in this cycle", {
  code: "UPSTREAM_ACCOUNT_RESTRICTED",
  upstreamCode: NEW_CHATS_CAPPED,
});

/** A first message that waits in the queue while others pass it. */
export const waitingForQuota = (reason: string, retryAfterMs: number): Failure => ({
  ...later(reason, "UPSTREAM_RATE_LIMIT"),
  isRateLimit: true,
  isOfChat: true,
  isQuota: true,
  retryAfterMs,
});

/** The network has refused a message, and may not be asked yet whether the refusal concerns the account. */
export const waitingForCause = (retryAfterMs: number): Failure => ({
  ...later("463: the network refused the message, and is asked why as soon as it may be", "UPSTREAM_RATE_LIMIT"),
  upstreamCode: ACCOUNT_RESTRICTED,
  isRateLimit: true,
  isOfChat: true,
  retryAfterMs,
});

/** TABLE: the network's words for its refusals (W26 §7.3.1). */
const WORDS: Readonly<Record<number, string>> = {
  401: "not authorized",
  403: "forbidden",
  404: "not found",
  405: "not allowed",
  406: "not acceptable",
  410: "gone",
  419: "resource limit",
  421: "stale addressing of the group",
  423: "locked",
  473: "flow not allowed",
  479: "old devices",
  530: "partial",
};

/** The meaning of the network's refusal of a stanza for its message. */
export const rejection = (error: number): Failure => {
  if (error === ACCOUNT_RESTRICTED) return RESTRICTED;
  if (error === NEW_CHATS_CAPPED) return CAPPED;
  if (error === TOO_MANY)
    return {
      ...later("the network wants fewer messages", "UPSTREAM_RATE_LIMIT"),
      isRateLimit: true,
      upstreamCode: error,
    };
  if (error === UNAVAILABLE) return { ...later("the network cannot take messages at the moment"), upstreamCode: error };
  const word = WORDS[error];
  return refused(`the network refused the message (${error}${word === undefined ? "" : `: ${word}`})`, {
    upstreamCode: error,
  });
};

/**
 * Ends the making of a message, with the outcome of its send; it passes through the library, which does not know
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
