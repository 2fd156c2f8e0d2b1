import { countPairs, listPairs } from "../../store/tables/channels/identities.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";

/** People are counted up to this number. */
const COUNTED_UP_TO = 10_000;

/** A person's number, and the hidden id that the network gave the person. */
export type KnownPair = { pn: string; lid: string };

/**
 * The people of a channel of whom both the number and the hidden id are known, in the order of the ids.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const listKnownPairs = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { channelId, ...part }: { channelId: string; limit: number; offset: number },
): Promise<KnownPair[]> => {
  const { id } = await getChannel(env, scope, channelId);
  return env.db.read((reader) => listPairs(reader, { channelId: id, ...part }));
};

/** How many people these are, counted up to 10,000. @throws AppError CHANNEL_NOT_FOUND */
export const countKnownPairs = async (env: ChannelsEnv, scope: TenantScope, channelId: string): Promise<number> => {
  const { id } = await getChannel(env, scope, channelId);
  return env.db.read((reader) => countPairs(reader, id, COUNTED_UP_TO));
};
