import type { Identity, ProviderMessageId } from "./events.ts";

/**
 * What a network says of the size and the price of a message, in an outcome or a receipt. `parts`: how many it made of
 * it, such as segments. `price`: what it charges the account, `amount` in millionths; of several, the last one counts.
 */
export type Measured = { parts?: number; price?: MessagePrice };
export type MessagePrice = { amount: number; currency: string };

/**
 * The form in which a message went out, because its own form could not: buttons as a text. `upstreamCode`: the
 * network's refusal of its own form.
 */
export type PlainerForm = { sentAs: "text"; reason: string; upstreamCode?: number };

/**
 * The outcome of a send.
 * - `ok`: the network accepted the message; `key` is its id there.
 * - `refused`: the network will never accept it. No retry.
 * - `retry`: the network did not accept it now, but may do so later. `isRateLimit`: the channel must slow down, and the
 *   attempt does not count. `isUncertain`: an intermediary refused it and may still have forwarded it, so the retry is
 *   recorded as a possible duplicate. With CHANNEL_UNAVAILABLE (the link is not open) the attempt does not count
 *   either.
 * - `unknown`: the request may have left, and no answer came. Never retried blindly.
 *
 * `furtherKeys`: the ids of the other messages, if the network makes several of one. `identity`: the recipient's ids,
 * if the answer names more of them than the send did. `isTemplateMisfit`: the values do not fit the template as the
 * network has it, so that the known template may be old. `plainer`: the message went out in a plainer form.
 * `disappearsAfter`: the seconds after which the message disappears from its chat.
 */
export type SendOutcome =
  | (Measured & {
      ok: true;
      key: ProviderMessageId;
      recipient?: string;
      furtherKeys?: readonly ProviderMessageId[];
      identity?: Identity;
      plainer?: PlainerForm;
      disappearsAfter?: number;
    })
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
      /** The rate limit applies to one recipient only; other recipients need not wait. */
      isOfChat?: boolean;
      /** With `isOfChat`: a quota is used up, and the message waits for its next cycle, at most 31 days. */
      isQuota?: boolean;
      isTemplateMisfit?: boolean;
    };

/**
 * The gateway codes of a failed send or operation, which clients see in `failedReason` and `errors[0].title`. With
 * CREDENTIALS_REFUSED and `retry`, the channel becomes TOKEN_EXPIRED, and a message waits until it connects again.
 * RECIPIENT_UNREACHABLE: the person or group takes no messages of this channel (it was blocked, removed, or never
 * written to). RECIPIENT_OPTED_OUT: the network knows that the person wants no messages of this sender, which Recado
 * then knows too. THREAD_HELD: another app, or an agent of the network, holds the conversation. ADAPTER_FAULT: the
 * adapter threw, hung or answered nonsense; only the server says it, and the message may have arrived. WITHDRAWN: the
 * message was taken back before it left. The documents of the networks define the codes that contain WABA, IG or SESSION.
 */
export type FailureCode =
  | "CREDENTIALS_REFUSED"
  | "UPSTREAM_BAD_REQUEST"
  | "UPSTREAM_RATE_LIMIT"
  | "UPSTREAM_UNAVAILABLE"
  | "UPSTREAM_NO_ID"
  | "UPSTREAM_ACCOUNT_RESTRICTED"
  | "PRIVACY_TOKEN_MISSING"
  | "RECIPIENT_NOT_ON_NETWORK"
  | "RECIPIENT_UNREACHABLE"
  | "RECIPIENT_OPTED_OUT"
  | "SESSION_NO_ID"
  | "INVALID_PTT_FORMAT"
  | "WABA_TOKEN_INVALID"
  | "WABA_CREDS_MISSING"
  | "IG_TOKEN_BAD"
  | "IG_CREDS_MISSING"
  | "UPSTREAM_UNSUPPORTED"
  | "THREAD_HELD"
  | "OUTCOME_UNKNOWN"
  | "ADAPTER_FAULT"
  | "CHANNEL_UNAVAILABLE"
  | "CHANNEL_DELETED"
  | "BATCH_CANCELLED"
  | "FALLBACK_TAKEN"
  | "WITHDRAWN"
  | "INTERNAL_ERROR";

/** TABLE: failures caused by missing or invalid credentials of the channel. Its owner has to replace them. */
export const CREDENTIAL_FAILURES: ReadonlySet<FailureCode> = new Set([
  "CREDENTIALS_REFUSED",
  "WABA_TOKEN_INVALID",
  "WABA_CREDS_MISSING",
  "IG_TOKEN_BAD",
  "IG_CREDS_MISSING",
]);

/**
 * TABLE: failures that stop the whole channel until its token is replaced or its link is open again. Then its queue
 * continues at once.
 */
export const CHANNEL_FAILURES: ReadonlySet<FailureCode> = new Set([
  "CREDENTIALS_REFUSED",
  "WABA_TOKEN_INVALID",
  "IG_TOKEN_BAD",
  "CHANNEL_UNAVAILABLE",
]);
