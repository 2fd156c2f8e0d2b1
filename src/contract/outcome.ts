import type { ProviderMessageId } from "./events.ts";

/**
 * What became of a send.
 * - `ok`: the network took it; `key` is its id there.
 * - `refused`: it will never take it. Not tried again.
 * - `retry`: it was not taken and may be later. `isRateLimit`: the channel must slow down; the try does not count.
 *   `isUncertain`: somebody in between said no, and
 *   may have passed it on all the same: the repeat is recorded as one that may be a second. With CHANNEL_UNAVAILABLE
 *   (the link is not open at the moment) the try does
 *   not count either.
 * - `unknown`: bytes may have left and no answer came. Never tried again blindly.
 *
 * `furtherKeys`: ids of what else the network took for this message, where it makes several of one.
 */
export type SendOutcome =
  | { ok: true; key: ProviderMessageId; recipient?: string; furtherKeys?: readonly ProviderMessageId[] }
  | {
      ok: false;
      furtherKeys?: readonly ProviderMessageId[];
      kind: "refused" | "retry" | "unknown";
      code: FailureCode;
      reason: string;
      upstreamCode?: number;
      retryAfterMs?: number;
      isRateLimit?: boolean;
      isUncertain?: boolean;
      /** Of a rate limit: it is that of one person, and the others need not wait. */
      isOfChat?: boolean;
    };

/**
 * The gateway codes of a failed send or operation, as customers see them in `failedReason` and `errors[0].title`. With
 * CREDENTIALS_REFUSED and `retry` a message waits until its channel connects again; the codes with WABA, IG or SESSION
 * in them are those that the documents of these networks fix.
 */
export type FailureCode =
  | "CREDENTIALS_REFUSED"
  | "UPSTREAM_BAD_REQUEST"
  | "UPSTREAM_RATE_LIMIT"
  | "UPSTREAM_UNAVAILABLE"
  | "UPSTREAM_NO_ID"
  | "UPSTREAM_ACCOUNT_RESTRICTED"
  | "RECIPIENT_NOT_ON_NETWORK"
  | "SESSION_NO_ID"
  | "INVALID_PTT_FORMAT"
  | "WABA_TOKEN_INVALID"
  | "WABA_CREDS_MISSING"
  | "IG_TOKEN_BAD"
  | "IG_CREDS_MISSING"
  | "UPSTREAM_UNSUPPORTED"
  | "OUTCOME_UNKNOWN"
  | "CHANNEL_UNAVAILABLE"
  | "CHANNEL_DELETED"
  | "BATCH_CANCELLED"
  | "INTERNAL_ERROR";
