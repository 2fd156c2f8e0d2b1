import { isOpenState } from "../../contract/events.ts";
import type { GroupsApi, JoinMode } from "../../contract/groups.ts";
import { HOUR_MS, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { type ChannelRow, findChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import {
  deleteAbandoned,
  deleteGroup,
  findGroup,
  findGroupByRequest,
  type Group,
  type GroupRow,
  insertGroup,
  isReported,
  listGroups,
  updateGroup,
} from "../../store/groups.ts";
import type { TenantScope } from "../../store/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { notConnected, requireChannel } from "../channels/refusals.ts";
import { valueOf } from "../channels/upstream.ts";
import { requireRoom } from "../tenancy/collections.ts";
import type { GroupsEnv } from "./env.ts";

export type { Group } from "../../store/groups.ts";

/** How long a request waits for a group: for the network's answer and its webhook together. */
const CREATION_WAIT_MS = 10 * SECOND_MS;
/** A row that has waited this long without a request to the network belongs to a process that died. */
const ABANDONED_MS = HOUR_MS;

export type GroupInput = { channelId: string; subject: string; description?: string; joinApprovalMode?: JoinMode };

export const unknownGroup = () => new AppError("GROUP_NOT_FOUND", { message: "There is no such group." });
export const suspendedGroup = () =>
  new AppError("GROUP_SUSPENDED", { message: "The network has suspended the group." });

/** The groups API of a channel's network. Throws CHANNEL_NOT_FOUND for a kind of channel without groups. */
const groupsApiOf = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const api = env.supervisor.linkOf(channel, "live")?.groups;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has groups." });
  return api;
};

/** The groups API of a connected channel. Throws CHANNEL_NOT_FOUND and CHANNEL_NOT_CONNECTED. */
const connectedApiOf = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const api = groupsApiOf(env, channel);
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return api;
};

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
  return { ...known, api: connectedApiOf(env, known.channel) };
};

/** A group that can be changed or sent to. Throws GROUP_NOT_FOUND, GROUP_SUSPENDED and CHANNEL_NOT_CONNECTED. */
export const usableGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
): Promise<Known & { api: GroupsApi }> => {
  const { group, channel } = await findKnown(env, scope, id);
  if (group.isSuspended) throw suspendedGroup();
  return { group, channel, api: connectedApiOf(env, channel) };
};

/**
 * Makes a group. The network accepts the request and reports the group in a webhook, for which this waits 10 seconds.
 * After UPSTREAM_UNAVAILABLE the request stays stored under `details.requestId`; the group appears when its webhook
 * comes. A group whose request was never answered appears in the same way.
 *
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, LIMIT_REACHED; what `valueOf` throws; UPSTREAM_REFUSED,
 * also when the webhook reports a failure; UPSTREAM_UNAVAILABLE when no webhook comes in time.
 */
export const createGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channelId, ...asked }: GroupInput,
): Promise<Group> => {
  const channel = await getChannel(env, scope, channelId);
  const api = connectedApiOf(env, channel);
  const group = { ...asked, joinApprovalMode: asked.joinApprovalMode ?? "AUTO_APPROVE" };
  const row = { ...newGroupRow(env, channel), ...group };
  await env.db.write((tx) => reserveRow(env, tx, row));
  const listening = env.groupRequests.listen(channel.id, CREATION_WAIT_MS);
  let stopLooking = () => {};
  try {
    const taken = await api.create(group);
    await env.db.write((tx) =>
      taken.ok ? noteRequest(tx, { ...row, requestId: taken.value.requestId }) : deleteGroup(tx, row.id),
    );
    const { requestId } = valueOf(taken);
    stopLooking = env.node.onHeartbeat(() => void lookForUpdate(env, channel, requestId));
    const outcome = await listening.outcomeOf(requestId);
    if (!outcome?.error) return await reportedGroup(env, channel, requestId);
    // the webhook may have come before the request was stored
    await env.db.write((tx) => forgetRequest(tx, channel, requestId));
    return valueOf({ ok: false, kind: "refused", error: outcome.error });
  } finally {
    stopLooking();
    listening.end();
  }
};

export const NOT_MADE = { code: null, error_subcode: null, message: "The network did not make the group." };

/** Looks in the database for the outcome: another node may have received the webhook. */
const lookForUpdate = async (env: GroupsEnv, { id }: ChannelRow, requestId: string): Promise<void> => {
  const group = await env.db
    .read((reader) => findGroupByRequest(reader, id, requestId))
    .catch(() => "unknown" as const); // the next look is soon
  if (group === "unknown" || (group && !isReported(group))) return;
  env.groupRequests.notify(id, requestId, { error: group ? null : NOT_MADE });
};

/**
 * Stores the row before the network is asked, so that concurrent requests keep to the limit. No API shows the row
 * before the network reports its group.
 */
const reserveRow = async (env: GroupsEnv, tx: Tx, row: GroupRow): Promise<void> => {
  deleteAbandoned(tx, row.tenantId, row.createdAt - ABANDONED_MS);
  await requireRoom(env, tx, { collection: "groups", owner: row.tenantId });
  await insertGroup(tx, row);
};

/** Stores the request under the network's id of it, unless the group has been reported already. */
const noteRequest = async (tx: Tx, row: GroupRow & { requestId: string }): Promise<void> => {
  await deleteGroup(tx, row.id);
  await requireChannel(tx, row, row.channelId);
  if (!(await findGroupByRequest(tx, row.channelId, row.requestId))) await insertGroup(tx, row);
};

/** Deletes the row of a request whose group was not reported. */
export const forgetRequest = async (tx: Tx, { id }: ChannelRow, requestId: string): Promise<void> => {
  const asked = await findGroupByRequest(tx, id, requestId);
  if (asked && !isReported(asked)) await deleteGroup(tx, asked.id);
};

const reportedGroup = async (env: GroupsEnv, { id }: ChannelRow, requestId: string): Promise<Group> => {
  const group = await env.db.read((reader) => findGroupByRequest(reader, id, requestId));
  if (isReported(group)) return group;
  throw new AppError("UPSTREAM_UNAVAILABLE", {
    message:
      "The network has accepted the request and has not reported the group yet. " +
      "The group is listed when it does: do not repeat the request at once.",
    details: { requestId },
  });
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

/** Throws GROUP_NOT_FOUND, for another tenant's too. */
export const getGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<Group> =>
  (await findKnown(env, scope, id)).group;

/** Fetches a group from the network and stores it. Throws as `askableGroup`, and what `valueOf` throws. */
export const refreshGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<Group> => {
  const { group, api } = await askableGroup(env, scope, id);
  const askedAt = env.clock.now();
  const { participants, ...settings } = valueOf(await api.read(group.upstreamGroupId));
  const inviteLink = settings.isSuspended ? group.inviteLink : valueOf(await api.inviteLink(group.upstreamGroupId));
  return record(env, scope, group.id, (known) => {
    if (known.updatedAt > askedAt) return { inviteLink }; // an update has come since
    const joinedAt = new Map(known.participants.map((one) => [one.waId, one.joinedAt]));
    return {
      ...settings,
      inviteLink,
      participants: participants.map((waId) => ({ waId, joinedAt: joinedAt.get(waId) ?? null })),
    };
  });
};

export type GroupChanges = { subject?: string; description?: string; joinApprovalMode?: JoinMode };

/**
 * Changes a group's subject and description at the network, and stores them at once.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM for another join mode, and what `valueOf` throws.
 */
export const changeGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
  { joinApprovalMode, ...changes }: GroupChanges,
): Promise<Group> => {
  const { group, api } = await usableGroup(env, scope, id);
  if (joinApprovalMode !== undefined && joinApprovalMode !== group.joinApprovalMode)
    throw notOffered("change how people join a group");
  if (Object.keys(changes).length === 0) return group;
  valueOf(await api.update(group.upstreamGroupId, changes));
  return record(env, scope, group.id, () => changes);
};

/**
 * Asks the network to delete a group, which is hidden at once. A webhook confirms the deletion.
 *
 * @throws AppError as `usableGroup`, and what `valueOf` throws.
 */
export const removeGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  valueOf(await api.remove(group.upstreamGroupId));
  await env.db.write((tx) => updateGroup(tx, group.id, { isDeleting: true }));
};

/** Replaces a group's invite link; the old one stops working. Throws as `usableGroup`, and what `valueOf` throws. */
export const resetInviteLink = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<string> => {
  const { group, api } = await usableGroup(env, scope, id);
  const inviteLink = valueOf(await api.resetInviteLink(group.upstreamGroupId));
  await record(env, scope, group.id, () => ({ inviteLink }));
  return inviteLink;
};

const notOffered = (what: string) =>
  new AppError("NOT_OFFERED_UPSTREAM", {
    message: `The network offers no call to ${what}.`,
    details: { reason: "NOT_OFFERED_BY_UPSTREAM" },
  });

/** Refuses an operation that no network offers: throws as `usableGroup`, then NOT_OFFERED_UPSTREAM. Sends nothing. */
export const refuseUnoffered = async (env: GroupsEnv, scope: TenantScope, id: string, what: string): Promise<never> => {
  await usableGroup(env, scope, id);
  throw notOffered(what);
};

/** Stores changes of a group. Throws GROUP_NOT_FOUND when it was deleted meanwhile. */
const record = (
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
