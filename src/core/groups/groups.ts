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

/** How long a request waits for a group: for the network's answer, and its news of it. */
const CREATION_WAIT_MS = 10 * SECOND_MS;
/** A place that was taken so long ago, and has not been asked for since, is of a process that died. */
const ABANDONED_MS = HOUR_MS;

export type GroupInput = { channelId: string; subject: string; description?: string; joinApprovalMode?: JoinMode };

export const unknownGroup = () => new AppError("GROUP_NOT_FOUND", { message: "There is no such group." });
export const suspendedGroup = () =>
  new AppError("GROUP_SUSPENDED", { message: "The network has suspended the group." });

/** What a channel's network offers for groups. Throws CHANNEL_NOT_FOUND for a kind that has none. */
const groupsApiOf = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const api = env.supervisor.linkOf(channel, "live")?.groups;
  if (!api) throw new AppError("CHANNEL_NOT_FOUND", { message: "There is no such channel that has groups." });
  return api;
};

/** The same for a call to the network. Throws CHANNEL_NOT_CONNECTED too. */
const connectedApiOf = (env: GroupsEnv, channel: ChannelRow): GroupsApi => {
  const api = groupsApiOf(env, channel);
  if (channel.state !== "CONNECTED") throw notConnected(channel);
  return api;
};

type Known = { group: Group; channel: ChannelRow };

const findKnown = (env: GroupsEnv, scope: TenantScope, id: string): Promise<Known> =>
  env.db.read(async (reader) => {
    const group = await findGroup(reader, scope, id);
    const channel = group && (await findChannel(reader, scope, group.channelId)); // its groups go soon after a channel
    if (!group || !channel) throw unknownGroup();
    return { group, channel };
  });

/**
 * A group of which the network can be asked, by our id or the network's. Throws GROUP_NOT_FOUND and
 * CHANNEL_NOT_CONNECTED.
 */
export const askableGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
): Promise<Known & { api: GroupsApi }> => {
  const known = await findKnown(env, scope, id);
  return { ...known, api: connectedApiOf(env, known.channel) };
};

/** A group with which something can be done. Throws GROUP_NOT_FOUND, GROUP_SUSPENDED and CHANNEL_NOT_CONNECTED. */
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
 * Makes a group: the network takes the request and tells of the group later, for which this waits until 10 seconds are
 * over. Throws CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, LIMIT_REACHED, what `valueOf` throws, UPSTREAM_REFUSED also
 * where the network tells so later, and UPSTREAM_UNAVAILABLE when it tells nothing in time: then what was asked for
 * stays noted under `details.requestId`, and the group is there as soon as the network tells of it, as is one whose
 * request was never answered.
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
  await env.db.write((tx) => takePlace(env, tx, row));
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
    await env.db.write((tx) => forgetRequest(tx, channel, requestId)); // it may have been noted after the news
    return valueOf({ ok: false, kind: "refused", error: outcome.error });
  } finally {
    stopLooking();
    listening.end();
  }
};

export const NOT_MADE = { code: null, error_subcode: null, message: "The network did not make the group." };

/** Another node may have taken the network's news in: what it made of what was noted tells. */
const lookForUpdate = async (env: GroupsEnv, { id }: ChannelRow, requestId: string): Promise<void> => {
  const group = await env.db
    .read((reader) => findGroupByRequest(reader, id, requestId))
    .catch(() => "unknown" as const); // the next look is soon
  if (group === "unknown" || (group && !isReported(group))) return;
  env.groupRequests.tell(id, requestId, { error: group ? null : NOT_MADE });
};

/**
 * Before the network is asked, so that two requests do not take one last place. Nobody sees the row before the network
 * tells of its group.
 */
const takePlace = async (env: GroupsEnv, tx: Tx, row: GroupRow): Promise<void> => {
  deleteAbandoned(tx, row.tenantId, row.createdAt - ABANDONED_MS);
  await requireRoom(env, tx, { collection: "groups", owner: row.tenantId });
  await insertGroup(tx, row);
};

/** Keeps what was asked for until the network tells of it, unless it has already. */
const noteRequest = async (tx: Tx, row: GroupRow & { requestId: string }): Promise<void> => {
  await deleteGroup(tx, row.id);
  await requireChannel(tx, row, row.channelId);
  if (!(await findGroupByRequest(tx, row.channelId, row.requestId))) await insertGroup(tx, row);
};

/** Takes back what was asked for and will not be. */
export const forgetRequest = async (tx: Tx, { id }: ChannelRow, requestId: string): Promise<void> => {
  const asked = await findGroupByRequest(tx, id, requestId);
  if (asked && !isReported(asked)) await deleteGroup(tx, asked.id);
};

const reportedGroup = async (env: GroupsEnv, { id }: ChannelRow, requestId: string): Promise<Group> => {
  const group = await env.db.read((reader) => findGroupByRequest(reader, id, requestId));
  if (isReported(group)) return group;
  throw new AppError("UPSTREAM_UNAVAILABLE", {
    message:
      "The network has taken the request and not told of the group yet. The group will be listed when it does: do not ask for it again at once.",
    details: { requestId },
  });
};

/** A group of which nothing is known. */
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
 * A page of a channel's groups, newest first. Throws CHANNEL_NOT_FOUND, and VALIDATION for a cursor that is none of its
 * groups.
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

/** Takes over what the network says of a group. Throws as `askableGroup`, and what `valueOf` throws. */
export const refreshGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<Group> => {
  const { group, api } = await askableGroup(env, scope, id);
  const askedAt = env.clock.now();
  const { participants, ...facts } = valueOf(await api.read(group.upstreamGroupId));
  const inviteLink = facts.isSuspended ? group.inviteLink : valueOf(await api.inviteLink(group.upstreamGroupId));
  return record(env, scope, group.id, (known) => {
    if (known.updatedAt > askedAt) return { inviteLink }; // the network has told more of it since
    const joinedAt = new Map(known.participants.map((one) => [one.waId, one.joinedAt]));
    return {
      ...facts,
      inviteLink,
      participants: participants.map((waId) => ({ waId, joinedAt: joinedAt.get(waId) ?? null })),
    };
  });
};

export type GroupChanges = { subject?: string; description?: string; joinApprovalMode?: JoinMode };

/**
 * Has the network change what a group is called and says of itself; it shows here at once. Throws as `usableGroup`,
 * NOT_OFFERED_UPSTREAM for another join mode, and what `valueOf` throws.
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
 * Deletes a group: it is no longer there, and the network tells when it has done so. Throws as `usableGroup`, and what
 * `valueOf` throws.
 */
export const removeGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  valueOf(await api.remove(group.upstreamGroupId));
  await env.db.write((tx) => updateGroup(tx, group.id, { isDeleting: true }));
};

/** A new invite link: the one before no longer works. Throws as `usableGroup`, and what `valueOf` throws. */
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

/**
 * What this API promises and no network offers: throws as `usableGroup`, and then NOT_OFFERED_UPSTREAM. Nothing is
 * sent.
 */
export const refuseUnoffered = async (env: GroupsEnv, scope: TenantScope, id: string, what: string): Promise<never> => {
  await usableGroup(env, scope, id);
  throw notOffered(what);
};

/** Changes a group here. Throws GROUP_NOT_FOUND when it has gone meanwhile. */
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
