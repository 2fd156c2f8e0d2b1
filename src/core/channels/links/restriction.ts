import { isDeepStrictEqual } from "node:util";
import type { Restriction } from "../../../contract/abilities/restriction.ts";
import { isOpenState, type LinkReport } from "../../../contract/events.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { DomainEvent } from "../../domain-event.ts";

/** The network's restriction of the channel, as far as its last report says; null if nothing is known. */
export const restrictionOf = ({ profile }: Pick<ChannelRow, "profile">): Restriction | null =>
  (profile["restriction"] as Restriction | undefined) ?? null; // stored by `restrictionAfter` alone

/** A restriction lasts over interruptions and restarts, until the network lifts it. */
export const restrictionAfter = ({ state, restriction }: LinkReport): { restriction?: Restriction | undefined } => {
  if (restriction) return { restriction };
  return isOpenState(state) ? { restriction: undefined } : {};
};

/** The event about a restriction in a report: it is new, changed or lifted; undefined if nothing changed. */
export const restrictionChange = (
  channel: Pick<ChannelRow, "profile">,
  report: LinkReport,
): Extract<DomainEvent, { type: "channel.restricted" | "channel.unrestricted" }> | undefined => {
  const before = restrictionOf(channel);
  if (report.restriction && !isDeepStrictEqual(before, report.restriction))
    return { type: "channel.restricted", ...report.restriction };
  return before && isOpenState(report.state) && !report.restriction
    ? { type: "channel.unrestricted", reason: before.reason }
    : undefined;
};
