import { CREDENTIAL_FAILURES, type FailureCode } from "../../../contract/outcome.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  type FallbackReason,
  type FallbackRow,
  findFallback,
  isUndecided,
  noteCertainty,
} from "../../../store/tables/messaging/fallbacks.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";
import { jobOfFallback } from "./fallback-input.ts";

/**
 * TABLE: the failures for which a fallback is used, beside those of a channel's credentials. A fault of the message
 * itself would fail on any phone.
 */
const REASON_OF: Partial<Record<FailureCode, FallbackReason>> = {
  CHANNEL_UNAVAILABLE: "lost",
  CHANNEL_DELETED: "lost",
  UPSTREAM_UNAVAILABLE: "lost",
  UPSTREAM_ACCOUNT_RESTRICTED: "restricted",
  PRIVACY_TOKEN_MISSING: "restricted",
  UPSTREAM_RATE_LIMIT: "restricted",
  OUTCOME_UNKNOWN: "silent",
  ADAPTER_FAULT: "silent",
};

/** The code of a failed message: `failedReason` begins with it. */
export const failureCodeOf = ({ failedReason }: Pick<MessageRow, "failedReason">): FailureCode | undefined =>
  /^\[(\w+)\]/.exec(failedReason ?? "")?.[1] as FailureCode | undefined; // written by `recordFailure` alone

/** Why the fallback of a failed message is used; undefined if it is not. */
export const reasonAfterFailure = (
  message: Pick<MessageRow, "failedReason">,
  { reasons }: Pick<FallbackRow, "reasons">,
): FallbackReason | undefined => {
  const code = failureCodeOf(message);
  const reason = code && (CREDENTIAL_FAILURES.has(code) ? "lost" : REASON_OF[code]);
  return reason !== undefined && reasons.includes(reason) ? reason : undefined;
};

/**
 * Enqueues the check of a failed message's fallback. True if there is a fallback, whose job then also settles the
 * message in its batch.
 */
export const queueFallback = async (
  env: Pick<MessagingEnv, "jobs">,
  tx: Tx,
  { before, failed, isReport }: { before: MessageRow; failed: MessageRow; isReport: boolean },
): Promise<boolean> => {
  const fallback = await findFallback(tx, EVERY_TENANT, failed.id);
  if (!fallback || !isUndecided(fallback)) return false;
  noteCertainty(tx, failed.id, { isUncertain: mayHaveArrived(before, failed, isReport) });
  env.jobs.replace(tx, "message.fall-back", jobOfFallback(failed));
  return true;
};

/**
 * Whether a failed message may still have arrived: an attempt had no known end, and the network has not reported that
 * its only attempt failed.
 */
const mayHaveArrived = (before: MessageRow, failed: MessageRow, isReport: boolean): boolean => {
  if (["OUTCOME_UNKNOWN", "ADAPTER_FAULT"].includes(failureCodeOf(failed) ?? "")) return true;
  const { sendState, uncertainAttempts } = before;
  if (isReport) return uncertainAttempts > (sendState === "UNKNOWN" ? 1 : 0);
  return sendState !== "NONE" || uncertainAttempts > 0;
};
