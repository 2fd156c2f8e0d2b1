import { isOpenState } from "../../../contract/events.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { AppError } from "../../../kernel/errors.ts";
import {
  type ChannelRow,
  deleteVaultFields,
  updateChannel,
  writeVault,
} from "../../../store/tables/channels/channels.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import { firstStateOf, refuseSecondHolder } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { resumeSends } from "../links/channel-queues.ts";
import { BY_OWNER } from "../links/report.ts";
import { adapterMissing, requireChannel, unknownChannel } from "../refusals.ts";
import { checkedCredentials, credentialNames, routeIdsOf } from "./credential-fields.ts";
import { sealedFields } from "./vault.ts";

/**
 * Replaces the credentials of a channel, which keeps its id, its webhook and its history. An optional credential that
 * is missing is removed. The channel connects anew, and its waiting messages go on; a channel that its owner has
 * disconnected stays so.
 * @throws AppError CHANNEL_NOT_FOUND, ADAPTER_MISSING, CREDENTIALS_NOT_APPLICABLE for a kind without credentials,
 *   VALIDATION or CHANNEL_CREDENTIALS_REQUIRED, CREDENTIALS_MISMATCH for those of another number, CHANNEL_EXISTS
 */
export const replaceCredentials = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  given: unknown,
): Promise<ChannelRow> => {
  const { kind } = await env.db.read((reader) => requireChannel(reader, caller, id));
  const plugin = env.registry.ofKind(kind);
  if (!plugin) throw adapterMissing(kind);
  const names = credentialNames(env, kind);
  if (!names)
    throw new AppError("CREDENTIALS_NOT_APPLICABLE", { message: "A channel of this kind has no credentials to give." });
  const fields = checkedCredentials(env, kind, given, "credentials");
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, id);
    const ids = idsBy(plugin, channel, fields);
    await refuseSecondHolder(env, tx, { ...channel, ...ids });
    await writeVault(tx, sealedFields(env, channel.id, fields));
    const missing = names.filter((name) => !Object.hasOwn(fields, name));
    deleteVaultFields(tx, channel.id, missing);
    await recordAct(env, tx, caller, {
      action: "channel.change-credentials",
      target: channel.id,
      tenantId: channel.tenantId,
      details: { fields: Object.keys(fields) },
    });
    const changed = await updateChannel(tx, caller, channel.id, changesBy(env, plugin, channel, ids));
    if (!changed) throw unknownChannel();
    if (isAtRest(channel)) return changed;
    resumeSends(env, tx, channel.id, "away");
    await env.supervisor.connect(tx, changed);
    return changed;
  });
};

/** A channel that its owner has disconnected, or never connected. */
const isAtRest = ({ state, profile: { stateReason = null } }: ChannelRow): boolean =>
  state === "DISCONNECTED" && (stateReason === BY_OWNER || stateReason === null);

/** A connected channel stays so until its link says otherwise: the old credentials may have been good. */
const changesBy = (
  { clock }: ChannelsEnv,
  plugin: ChannelPlugin,
  channel: ChannelRow,
  ids: Partial<ChannelRow>,
): Partial<ChannelRow> => {
  const now = clock.now();
  const isKept = isOpenState(channel.state) || isAtRest(channel);
  const profile = { ...channel.profile, credentialsAt: now };
  if (isKept) return { ...ids, profile, updatedAt: now };
  const state = channel.validatedAt === null ? firstStateOf(plugin) : "CONNECTING";
  return { ...ids, state, profile: { ...profile, stateReason: null }, updatedAt: now };
};

/**
 * The ids at the network that the credentials name. A channel never becomes that of another number: its chats, and who
 * may see them, would change hands. Ids that it lacked are new to the network's confirmation, too.
 * @throws AppError CREDENTIALS_MISMATCH
 */
const idsBy = (plugin: ChannelPlugin, channel: ChannelRow, fields: Record<string, string>): Partial<ChannelRow> => {
  const ids = routeIdsOf(plugin, fields);
  const { numberId, accountId, verifyTokenHash } = ids;
  const differs = (before: string | null, now: string | null) => Boolean(before) && before !== now;
  if (differs(channel.numberId, numberId) || differs(channel.accountId, accountId))
    throw new AppError("CREDENTIALS_MISMATCH", {
      message: "These credentials are of another number or account: make a channel of its own for it.",
    });
  const isNew = numberId !== channel.numberId || accountId !== channel.accountId;
  return {
    ...ids,
    isWebhookConfigured: channel.isWebhookConfigured && verifyTokenHash === channel.verifyTokenHash,
    ...(isNew ? { validatedAt: null } : {}),
  };
};
