import { invalid } from "../../../kernel/errors.ts";
import { issuesOf } from "../../../kernel/schema.ts";
import { findChannel, writeVault } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { unknownChannel } from "../refusals.ts";
import { sealedFields, vaultOf } from "./vault.ts";

/** The settings of a channel by their names; null where the adapter's default holds. */
export type ChannelSettings = Record<string, string | null>;

const settingsOf = async (env: ChannelsEnv, scope: TenantScope, id: string) => {
  const channel = await getChannel(env, scope, id);
  const schema = env.registry.ofKind(channel.kind)?.channelSettings;
  if (!schema) throw unknownChannel();
  return { channel, schema, names: Object.keys(schema["properties"] as object) };
};

/** @throws AppError CHANNEL_NOT_FOUND, also for a kind without settings */
export const getChannelSettings = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
): Promise<ChannelSettings> => {
  const { channel, names } = await settingsOf(env, scope, id);
  const stored = await vaultOf(env, channel.id).read();
  return Object.fromEntries(names.map((name) => [name, stored[name] || null]));
};

/**
 * Changes the named settings; null takes one back to its default. They count from the next call to the network on.
 * @throws AppError CHANNEL_NOT_FOUND, also for a kind without settings, VALIDATION
 */
export const changeChannelSettings = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  changes: ChannelSettings,
): Promise<ChannelSettings> => {
  const { channel, schema, names } = await settingsOf(env, scope, id);
  const known = Object.entries(changes).filter(([name]) => names.includes(name));
  const given = Object.fromEntries(known.filter(([, value]) => value !== null));
  const issues = issuesOf(schema, given);
  if (issues.length > 0) throw invalid(...issues);
  const fields = Object.fromEntries(known.map(([name, value]) => [name, value ?? ""]));
  await env.db.write(async (tx) => {
    if (!(await findChannel(tx, scope, channel.id))) throw unknownChannel(); // deleted meanwhile
    await writeVault(tx, sealedFields(env, channel.id, fields));
  });
  return getChannelSettings(env, scope, id);
};
