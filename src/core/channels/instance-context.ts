import { type ChannelRow, findChannel } from "../../store/channels.ts";
import type { Reader } from "../../store/db.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { findAppSubscription } from "../../store/subscriptions.ts";
import type { PublishedEvent } from "../domain-event.ts";

/** What an event in Evolution's shape says of its channel; `url`: where the channel's program gets its events. */
export type InstanceContext = Pick<ChannelRow, "id" | "label" | "phoneNumber"> & { url: string | null };

/** Undefined for an event without a channel, or of a deleted one. `audience`: that of the program. */
export const instanceContextOf = async (
  r: Reader,
  { tenantId, channelId }: PublishedEvent,
  audience: string,
): Promise<InstanceContext | undefined> => {
  const channel = channelId === null ? undefined : await findChannel(r, EVERY_TENANT, channelId);
  if (!channel) return undefined;
  const app = await findAppSubscription(r, { tenantId }, { channelId: channel.id, audience });
  return { id: channel.id, label: channel.label, phoneNumber: channel.phoneNumber, url: app?.url ?? null };
};
