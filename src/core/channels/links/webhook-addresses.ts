import { OPEN_STATES } from "../../../contract/events.ts";
import type { ChannelsEnv } from "../env.ts";
import { eachChannel } from "./adapters.ts";
import { isRegisteredAt } from "./registered-address.ts";

/**
 * Connects the channels anew whose networks have another address of this server than its present one. Links that keep
 * a connection are opened at every start anyway.
 */
export const renewAddresses = async (env: ChannelsEnv): Promise<void> => {
  const kinds = env.registry.adapters
    .filter(({ webhook, network }) => webhook && !network.holdsConnection)
    .map(({ kind }) => kind);
  const url = env.gatewayUrl();
  for (const state of OPEN_STATES)
    await eachChannel(env, { kinds, state }, async (tx, channel) => {
      if (!isRegisteredAt(channel, url)) await env.supervisor.connect(tx, channel);
    });
};
