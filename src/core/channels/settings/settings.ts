import { type TSchema, Type } from "@sinclair/typebox";
import { HISTORY_FIELD } from "../../../contract/abilities/history.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue, issuesOf } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, writeVault } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireChannel, unknownChannel } from "../refusals.ts";
import { anyTimeSettings, type CreationSettings, PHONE_SETTINGS, type PhoneSetting } from "./phone-settings.ts";
import type { ProxyEnv } from "./proxies.ts";
import { sealedFields, vaultOf } from "./vault.ts";

/** The settings of a new channel as they are stored: `fields` in its vault, `profile` for everybody who sees it. */
export type StoredSettings = { fields: Record<string, string>; profile: Record<string, string> };

/**
 * Checks the settings of a new channel. A setting with the value of its default is not stored.
 * @throws AppError VALIDATION, also for a setting that the kind does not have, and what a setting's `check` throws
 */
export const checkedSettings = async (
  env: ProxyEnv,
  kind: ChannelKind,
  given: CreationSettings,
): Promise<StoredSettings> => {
  const network = env.registry.declared(kind)?.network;
  const stored: StoredSettings = { fields: {}, profile: {} };
  for (const [name, setting] of Object.entries<PhoneSetting>(PHONE_SETTINGS)) {
    const value = given[name as keyof CreationSettings];
    if (value === undefined || value === setting.default) continue;
    if (!network || !setting.isOf(network)) throw invalid(issue(name, "forbidden", setting.refusal));
    const shown = await setting.check?.(env, kind, value);
    stored.fields[name] = value;
    if (shown !== undefined) stored.profile[name] = shown;
  }
  return stored;
};

/** The settings of a channel by their names; null where the adapter's default holds. */
export type ChannelSettings = Record<string, string | null>;

const settingsOf = async (env: ChannelsEnv, scope: TenantScope, id: string) => {
  const channel = await env.db.read((reader) => requireChannel(reader, scope, id));
  const adapter = env.registry.ofKind(channel.kind);
  const schemas = adapter ? anyTimeSettings(adapter) : {};
  if (Object.keys(schemas).length === 0) throw unknownChannel();
  return { channel, schemas };
};

/** @throws AppError CHANNEL_NOT_FOUND, also for a kind without settings */
export const getChannelSettings = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
): Promise<ChannelSettings> => {
  const { channel, schemas } = await settingsOf(env, scope, id);
  const stored = await vaultOf(env, channel.id).read();
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, stored[name] || null]));
};

/** How much of the earlier chats the channel takes over. @throws AppError CHANNEL_NOT_FOUND */
export const readHistoryMode = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<string> => {
  const channel = await env.db.read((reader) => requireChannel(reader, scope, id));
  return (await vaultOf(env, channel.id).read())[HISTORY_FIELD] || PHONE_SETTINGS[HISTORY_FIELD].default;
};

/** The settings that phones of an adapter show and change at any time. */
export const settingNames = (adapter: ChannelPlugin): string[] => Object.keys(anyTimeSettings(adapter));

/** Stores the settings of a new channel, in the write that makes it. @throws AppError VALIDATION */
export const addChannelSettings = async (
  env: ChannelsEnv,
  tx: Tx,
  channel: Pick<ChannelRow, "id" | "kind">,
  given: ChannelSettings,
): Promise<void> => {
  const adapter = env.registry.ofKind(channel.kind);
  const fields = checkedFields(adapter ? anyTimeSettings(adapter) : {}, given);
  if (Object.keys(fields).length > 0) await writeVault(tx, sealedFields(env, channel.id, fields));
};

/** The known settings, as they are stored. @throws AppError VALIDATION */
const checkedFields = (schemas: Record<string, TSchema>, changes: ChannelSettings): Record<string, string> => {
  const known = Object.entries(changes).filter(([name]) => Object.hasOwn(schemas, name));
  const given = Object.fromEntries(known.filter(([, value]) => value !== null));
  const optional = Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]);
  const issues = issuesOf(Type.Object(Object.fromEntries(optional)), given);
  if (issues.length > 0) throw invalid(...issues);
  return Object.fromEntries(known.map(([name, value]) => [name, value ?? ""]));
};

/**
 * Changes the named settings; null returns a setting to its default. They apply from the next call to the network, and
 * at once where the link does so.
 * Unknown names are ignored; without a known one nothing is changed.
 * @throws AppError CHANNEL_NOT_FOUND, also for a kind without settings, VALIDATION
 */
export const changeChannelSettings = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  changes: ChannelSettings,
): Promise<ChannelSettings> => {
  const { channel, schemas } = await settingsOf(env, caller, id);
  const fields = checkedFields(schemas, changes);
  const isChanged = Object.keys(fields).length > 0;
  if (isChanged)
    await env.db.write(async (tx) => {
      await requireChannel(tx, caller, channel.id); // it may have been deleted meanwhile
      await writeVault(tx, sealedFields(env, channel.id, fields));
      await recordAct(env, tx, caller, {
        action: "channel.change-settings",
        target: channel.id,
        tenantId: channel.tenantId,
        details: { fields: Object.keys(fields) },
      });
    });
  if (isChanged) await env.supervisor.linkOf(channel, "live")?.settings?.changed();
  return getChannelSettings(env, caller, id);
};
