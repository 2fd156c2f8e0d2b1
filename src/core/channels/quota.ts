import type { NewChatQuota } from "../../contract/abilities/quota.ts";
import { isOpenState } from "../../contract/events.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { requireValue } from "./links/upstream.ts";
import { notConnected } from "./refusals.ts";

const UNLIMITED: NewChatQuota = { network: null, own: null };

/**
 * How many chats a channel may begin. Without a limit if nothing counts them.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, and what `requireValue` throws
 */
export const newChatQuota = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<NewChatQuota> => {
  const channel = await getChannel(env, scope, id);
  const quota = env.supervisor.linkOf(channel, "live")?.quota;
  if (!quota) return UNLIMITED;
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return requireValue(await quota.read());
};
