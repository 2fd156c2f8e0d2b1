import type { Reader } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { findAppSubscription } from "../../../store/tables/events/subscriptions.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { PublishedEvent } from "../../domain-event.ts";

/** The fields of the channel in an event for its program. `url`: the URL to which the program's events go. */
export type AppContext = Pick<ChannelRow, "id" | "label" | "phoneNumber"> & { url: string | null };

/** Undefined for an event without a channel, or of a deleted channel. `audience`: that of the program. */
export const appContextOf = async (
  r: Reader,
  { tenantId, channelId }: PublishedEvent,
  audience: string,
): Promise<AppContext | undefined> => {
  const channel = channelId === null ? undefined : await findChannel(r, EVERY_TENANT, channelId);
  if (!channel) return undefined;
  const app = await findAppSubscription(r, { tenantId }, { channelId: channel.id, audience });
  return { id: channel.id, label: channel.label, phoneNumber: channel.phoneNumber, url: app?.url ?? null };
};
