import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { FallbackReason, FallbackRow } from "../../../store/tables/messaging/fallbacks.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { restrictionOf } from "../../channels/links/restriction.ts";
import { mayHaveLeft } from "../sending/uncertain.ts";
import { reasonAfterFailure } from "./fallback-causes.ts";

/** A message with an open fallback, as one check finds it. `isCancelled`: its batch was cancelled. */
export type Looked = {
  fallback: FallbackRow;
  message: MessageRow;
  channel: ChannelRow | undefined;
  isAway: boolean;
  isCancelled: boolean;
  now: number;
};

/** `leave`: the message has left, and only its failure leads to another check. */
export type Verdict =
  | { is: "not-needed" | "leave" }
  | { is: "look-again"; atMs: number }
  | { is: "withhold"; reason: FallbackReason }
  | { is: "send"; reason: FallbackReason; isUncertain: boolean };

/**
 * The decision about a message with a fallback. Nothing replaces the message while it may have left, unless both may
 * arrive. Pure.
 */
export const verdictOf = (looked: Looked): Verdict => {
  const { fallback, message, isCancelled } = looked;
  if (isCancelled || message.deliveredAt !== null) return { is: "not-needed" };
  switch (message.status) {
    case "DELIVERED":
    case "READ":
      return { is: "not-needed" };
    case "FAILED": {
      const reason = reasonAfterFailure(message, fallback);
      return reason === undefined ? { is: "not-needed" } : decided(fallback, reason, fallback.isUncertain);
    }
    case "SENT":
      if (!fallback.reasons.includes("silent")) return { is: "leave" };
      return isOver(looked) ? decided(fallback, "silent", true) : lookAgain(looked);
    case "QUEUED": {
      const reason = reasonOfWaiting(looked);
      return reason === undefined ? lookAgain(looked) : decided(fallback, reason, mayHaveLeft(message));
    }
  }
};

const decided = ({ mayArriveTwice }: FallbackRow, reason: FallbackReason, isUncertain: boolean): Verdict =>
  isUncertain && !mayArriveTwice ? { is: "withhold", reason } : { is: "send", reason, isUncertain };

/** Whether the phone's time is over. */
const isOver = ({ fallback, message, now }: Looked): boolean => now >= message.createdAt + fallback.afterMs;

const reasonOfWaiting = (looked: Looked): FallbackReason | undefined => {
  const { fallback, channel, isAway, now } = looked;
  const { reasons, afterMs } = fallback;
  const awaySince = channel?.stateSince ?? now;
  if (reasons.includes("lost") && isAway && (isOver(looked) || now >= awaySince + afterMs)) return "lost";
  const restriction = channel && restrictionOf(channel);
  if (reasons.includes("restricted") && restriction && (restriction.allows === "none" || isOver(looked)))
    return "restricted";
  return reasons.includes("silent") && isOver(looked) ? "silent" : undefined;
};

/** At the end of the phone's time; afterwards at growing intervals, because the phone may still be lost. */
const lookAgain = ({ fallback, message, now }: Looked): Verdict => {
  const endsAt = message.createdAt + fallback.afterMs;
  return { is: "look-again", atMs: now < endsAt ? endsAt : now + Math.max(fallback.afterMs, now - message.createdAt) };
};
