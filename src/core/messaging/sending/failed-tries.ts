import type { FailedTry, MessageRow } from "../../../store/tables/messaging/messages.ts";
import type { Failure } from "./status.ts";

/** The maximum number of stored failed attempts of a message: more than a message has that is not slowed down. */
const KEPT = 20;
const LONGEST_REASON = 500;

/**
 * The failed attempts of a message with one more, for the write that ends that attempt. The oldest of many are left
 * out.
 */
export const triesWith = (
  { failedTries }: Pick<MessageRow, "failedTries">,
  { at, code, reason, upstreamCode }: Failure & { at: number },
  outcome: FailedTry["outcome"],
  more: Pick<FailedTry, "isTemplateMisfit" | "sentAs"> = {},
): FailedTry[] =>
  [
    ...(failedTries ?? []),
    {
      at,
      outcome,
      code,
      reason: reason.slice(0, LONGEST_REASON).toWellFormed(),
      ...(upstreamCode === undefined ? {} : { upstreamCode }),
      ...more,
    },
  ].slice(-KEPT);
