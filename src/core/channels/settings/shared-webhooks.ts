import type { ChannelId, SubscriptionId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { listLinkedChannels, unlinkSharedWebhook } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { ChannelsEnv } from "../env.ts";

/** The channels that link to each of the tenant's shared webhooks. */
export const channelsBySharedWebhook = async (
  env: ChannelsEnv,
  scope: TenantScope,
): Promise<Map<SubscriptionId, ChannelId[]>> => {
  const linked = new Map<SubscriptionId, ChannelId[]>();
  for (const { id, sharedWebhookId } of await env.db.read((reader) => listLinkedChannels(reader, scope))) {
    if (sharedWebhookId !== null) linked.set(sharedWebhookId, [...(linked.get(sharedWebhookId) ?? []), id]);
  }
  return linked;
};

/** The channels that link to one shared webhook. */
export const channelIdsOfShared = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: SubscriptionId,
): Promise<ChannelId[]> => (await channelsBySharedWebhook(env, scope)).get(id) ?? [];

/** Unlinks all channels from a shared webhook, in the write that removes it. */
export const unlinkShared = (tx: Tx, id: SubscriptionId): Promise<void> => unlinkSharedWebhook(tx, id);
