import { AppError } from "../../kernel/errors.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { notConnected } from "../channels/refusals.ts";
import type { Env } from "../env.ts";

/**
 * Asks a network which numbers it knows. Throws CHANNEL_NOT_FOUND, LOOKUP_UNSUPPORTED where the network has no such question, and
 * CHANNEL_NOT_CONNECTED.
 */
export const startLookup = async (env: Env, scope: TenantScope, { channelId }: { channelId: string; numbers: readonly string[] }): Promise<never> => {
  const channel = await getChannel(env, scope, channelId);
  if (channel.kind === "SESSION" && channel.state !== "CONNECTED") throw notConnected(channel);
  throw new AppError("LOOKUP_UNSUPPORTED", { message: "A channel of this kind cannot look up numbers." }); // no adapter can yet
};
