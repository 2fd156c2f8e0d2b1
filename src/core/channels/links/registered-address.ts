import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { ChannelsEnv } from "../env.ts";

/** The field of a channel's profile with the address of this server that its network has for the channel's webhook. */
const REGISTERED = "registeredUrl";

/** Whether the network of a channel has this address of the server. */
export const isRegisteredAt = ({ profile }: Pick<ChannelRow, "profile">, url: string): boolean =>
  profile[REGISTERED] === url;

/** Records the address at which the network reaches a channel that has just connected. */
export const rememberAddress = async (
  env: Pick<ChannelsEnv, "registry" | "gatewayUrl">,
  tx: Tx,
  channel: ChannelRow,
): Promise<void> => {
  const url = env.gatewayUrl();
  if (!env.registry.declared(channel.kind)?.webhook || isRegisteredAt(channel, url)) return;
  await updateChannel(tx, EVERY_TENANT, channel.id, { profile: { ...channel.profile, [REGISTERED]: url } });
};
