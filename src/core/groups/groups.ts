import type { GroupRules, GroupsApi, JoinMode } from "../../contract/abilities/groups.ts";
import { isOpenState } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import { type ChannelId, newId } from "../../kernel/ids.ts";
import { asDigits, numberKeyOf } from "../../kernel/numbers/phone-numbers.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import {
  findGroup,
  findGroupByUpstreamId,
  type Group,
  type GroupRow,
  isReported,
  listGroups,
  updateGroup,
} from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notConnected, notOffered } from "../channels/refusals.ts";
import type { GroupsEnv } from "./env.ts";

export type { Group } from "../../store/tables/groups.ts";

export const unknownGroup = () => new AppError("GROUP_NOT_FOUND", { message: "There is no such group." });
export const suspendedGroup = () =>
  new AppError("GROUP_SUSPENDED", { message: "The network has suspended the group." });

/**
 * The groups API of a channel's network. Throws CHANNEL_NOT_FOUND for a kind of channel without groups, and for a
 * channel that is not linked with a device of its owner: it has no account at the network.
 */
const groupsApiOf = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const isUnlinked = env.registry.declared(channel.kind)?.network.isPaired && channel.state === "PENDING_QR";
  const api = isUnlinked ? undefined : env.supervisor.linkOf(channel, "live")?.groups;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has groups." });
  return api;
};

/** The groups API of a connected channel. Throws CHANNEL_NOT_FOUND and CHANNEL_NOT_CONNECTED. */
export const requireConnectedApi = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const api = groupsApiOf(env, channel);
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return api;
};

/** The people whom a client names: numbers as digits, each once, in its first spelling. */
export const distinct = (waIds: readonly string[]): string[] => {
  const digits = waIds.map(asDigits);
  const keys = digits.map(numberKeyOf);
  return digits.filter((_, at) => keys.indexOf(keys[at] ?? "") === at);
};

/** The channel of a group, by our id or the network's; undefined for an unknown group. */
export const channelOfGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<ChannelId | undefined> =>
  (await env.db.read((reader) => findGroup(reader, scope, id)))?.channelId;

type Known = { group: Group; channel: ChannelRow };

const findKnown = (env: GroupsEnv, scope: TenantScope, id: string): Promise<Known> =>
  env.db.read(async (reader) => {
    const group = await findGroup(reader, scope, id);
    // the groups of a deleted channel are removed a little later
    const channel = group && (await findChannel(reader, scope, group.channelId));
    if (!group || !channel) throw unknownGroup();
    return { group, channel };
  });

/** A group on a connected channel, by our id or the network's. Throws GROUP_NOT_FOUND and CHANNEL_NOT_CONNECTED. */
export const askableGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
): Promise<Known & { api: GroupsApi }> => {
  const known = await findKnown(env, scope, id);
  return { ...known, api: requireConnectedApi(env, known.channel) };
};

/** A group that can be changed or sent to. Throws GROUP_NOT_FOUND, GROUP_SUSPENDED and CHANNEL_NOT_CONNECTED. */
export const usableGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
): Promise<Known & { api: GroupsApi }> => {
  const { group, channel } = await findKnown(env, scope, id);
  if (group.isSuspended) throw suspendedGroup();
  return { group, channel, api: requireConnectedApi(env, channel) };
};

/** A row for a new group, with defaults and a new id. */
export const newGroupRow = (env: GroupsEnv, { id: channelId, tenantId }: ChannelRow): GroupRow => {
  const createdAt = env.clock.now();
  return {
    id: newId(env),
    tenantId,
    channelId,
    upstreamGroupId: null,
    requestId: null,
    subject: "",
    description: "",
    joinApprovalMode: "AUTO_APPROVE",
    inviteLink: null,
    participants: [],
    totalParticipantCount: 0,
    isSuspended: false,
    isDeleting: false,
    deletedAt: null,
    providerUpdatedAt: {},
    createdAt,
    updatedAt: createdAt,
    rules: null,
    community: null,
  };
};

export type GroupPage = { channelId: string; withSuspended: boolean; cursor: string | undefined; limit: number };

/**
 * A page of a channel's groups, newest first.
 *
 * @throws AppError CHANNEL_NOT_FOUND, and VALIDATION for a cursor that is not one of its groups.
 */
export const groupsPage = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channelId, cursor, limit, ...filter }: GroupPage,
): Promise<{ items: Group[]; nextCursor: string | null }> => {
  const channel = await getChannel(env, scope, channelId);
  groupsApiOf(env, channel);
  return env.db.read(async (reader) => {
    const last = cursor === undefined ? undefined : await findGroup(reader, scope, cursor);
    if (cursor !== undefined && last?.channelId !== channel.id) throw unknownCursor();
    const found = await listGroups(reader, channel.id, { ...filter, beforeId: last?.id, limit: limit + 1 });
    return cutPage(found, limit, ({ id }) => id);
  });
};

/** Throws GROUP_NOT_FOUND, also for a group of another tenant. */
export const getGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<Group> =>
  (await findKnown(env, scope, id)).group;

/**
 * A channel's group by its address or the network's id. Throws GROUP_NOT_FOUND, also for a group of another channel.
 */
export const requireGroupOn = (
  env: GroupsEnv,
  { tenantId }: TenantScope,
  { channelId, groupJid }: { channelId: ChannelId; groupJid: string },
): Promise<Group> =>
  env.db.read(async (reader) => {
    const find = (id: string) => findGroupByUpstreamId(reader, channelId, id);
    const group = (await find(groupJid)) ?? (await find(groupJid.split("@", 1)[0] ?? ""));
    if (!isReported(group) || group.tenantId !== tenantId || group.deletedAt !== null) throw unknownGroup();
    return group;
  });

export type GroupChanges = {
  subject?: string;
  description?: string;
  joinApprovalMode?: JoinMode;
  rules?: GroupRules;
};

/**
 * Changes a group's subject, description, join mode and rules at the network, and stores them at once.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM for another join mode or rules if the network has no call for
 * them, and what `requireValue` throws.
 */
export const changeGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
  { joinApprovalMode, rules, ...changes }: GroupChanges,
): Promise<Group> => {
  const { group, api } = await usableGroup(env, scope, id);
  const newMode = joinApprovalMode === group.joinApprovalMode ? undefined : joinApprovalMode;
  if (newMode !== undefined && !api.setJoinMode) throw notOffered("change how people join a group");
  if (rules && !api.setRules) throw notOffered("say what only administrators may do");
  const hasTexts = Object.keys(changes).length > 0;
  if (hasTexts) requireValue(await api.update(group.upstreamGroupId, changes));
  if (newMode !== undefined && api.setJoinMode) requireValue(await api.setJoinMode(group.upstreamGroupId, newMode));
  if (rules && api.setRules) requireValue(await api.setRules(group.upstreamGroupId, rules));
  if (!hasTexts && newMode === undefined && !rules) return group;
  return record(env, scope, group.id, (known) => ({
    ...changes,
    ...(newMode === undefined ? {} : { joinApprovalMode: newMode }),
    ...(rules ? { rules: { ...known.rules, ...rules } } : {}),
  }));
};

/**
 * Asks the network to delete a group, which is hidden at once. A webhook confirms the deletion.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM, and what `requireValue` throws.
 */
export const removeGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  if (!api.remove) throw notOffered("delete a group for everybody: leave it");
  requireValue(await api.remove(group.upstreamGroupId));
  await env.db.write((tx) => updateGroup(tx, group.id, { isDeleting: true }));
};

/** Replaces a group's invite link; the old one stops working. Throws as `usableGroup`, and what `requireValue` throws. */
export const resetInviteLink = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<string> => {
  const { group, api } = await usableGroup(env, scope, id);
  const inviteLink = requireValue(await api.resetInviteLink(group.upstreamGroupId));
  await record(env, scope, group.id, () => ({ inviteLink }));
  return inviteLink;
};
/** Stores changes of a group. Throws GROUP_NOT_FOUND when it was deleted meanwhile. */
export const record = (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
  changesOf: (group: Group) => Partial<GroupRow>,
): Promise<Group> =>
  env.db.write(async (tx) => {
    const group = await findGroup(tx, scope, id);
    const changed = group && (await updateGroup(tx, group.id, { ...changesOf(group), updatedAt: env.clock.now() }));
    if (!isReported(changed)) throw unknownGroup();
    return changed;
  });
