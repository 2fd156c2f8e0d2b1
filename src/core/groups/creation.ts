import type { JoinMode, PersonOutcome } from "../../contract/abilities/groups.ts";
import { HOUR_MS, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  deleteAbandoned,
  deleteGroup,
  findGroupByRequest,
  type Group,
  type GroupRow,
  insertGroup,
  isReported,
} from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered, requireChannel } from "../channels/refusals.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { GroupsEnv } from "./env.ts";
import { distinct, getGroup, newGroupRow, record, requireConnectedApi, unknownGroup } from "./groups.ts";

/** How long a request waits for a group: for the network's answer and its webhook together. */
const CREATION_WAIT_MS = 10 * SECOND_MS;
/** A row that has waited this long without a request to the network belongs to a process that died. */
const ABANDONED_MS = HOUR_MS;

export type GroupInput = {
  channelId: string;
  subject: string;
  description?: string;
  joinApprovalMode?: JoinMode;
  participants?: readonly string[];
  communityId?: string;
};
/** `people`: the outcome for each participant of a new group, if the network reports it at once. */
export type NewGroup = { group: Group; people: readonly PersonOutcome[] | undefined };

/**
 * Makes a group. The network accepts the request and reports the group in a webhook, for which this waits 10 seconds.
 * After UPSTREAM_UNAVAILABLE the request stays stored under `details.requestId`; the group appears when its webhook
 * comes. A group whose request was never answered appears in the same way.
 *
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, NOT_OFFERED_UPSTREAM for participants if the network does
 * not take them with a new group, or for a community if it has none, GROUP_NOT_FOUND for the community, LIMIT_REACHED; what `requireValue` throws; UPSTREAM_REFUSED, also when the webhook
 * reports a failure; UPSTREAM_UNAVAILABLE when no webhook comes in time.
 */
export const createGroup = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channelId, participants = [], communityId, ...asked }: GroupInput,
): Promise<NewGroup> => {
  const channel = await getChannel(env, scope, channelId);
  const api = requireConnectedApi(env, channel);
  if (participants.length > 0 && !api.createsWithPeople) throw notOffered("make a group with people in it");
  const group = { ...asked, joinApprovalMode: asked.joinApprovalMode ?? "AUTO_APPROVE" };
  if (communityId !== undefined && !api.communities) throw notOffered("make a group in a community");
  const community = communityId === undefined ? undefined : await communityOn(env, scope, { channel, communityId });
  const row = { ...newGroupRow(env, channel), ...group };
  await env.db.write((tx) => reserveRow(env, tx, row));
  const listening = env.groupRequests.listen(channel.id, CREATION_WAIT_MS);
  let stopLooking = () => {};
  try {
    const taken = await api.create({
      ...group,
      ...(participants.length > 0 ? { participants: distinct(participants) } : {}),
      ...(community ? { communityId: community.upstreamGroupId } : {}),
    });
    await env.db.write((tx) =>
      taken.ok ? noteRequest(tx, { ...row, requestId: taken.value.requestId }) : deleteGroup(tx, row.id),
    );
    const { requestId, people, description } = requireValue(taken);
    stopLooking = env.node.onHeartbeat(() => void lookForUpdate(env, channel, requestId));
    const outcome = await listening.outcomeOf(requestId);
    if (!outcome?.error) {
      const made = await reportedGroup(env, channel, requestId);
      const isNew = description !== undefined && description !== made.description;
      return { group: isNew ? await record(env, scope, made.id, () => ({ description })) : made, people };
    }
    // the webhook may have come before the request was stored
    await env.db.write((tx) => forgetRequest(tx, channel, requestId));
    return requireValue({ ok: false, kind: "refused", error: outcome.error });
  } finally {
    stopLooking();
    listening.end();
  }
};

/** The community of a channel in which a group is made. Throws GROUP_NOT_FOUND, also for a group that is none. */
const communityOn = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channel, communityId }: { channel: ChannelRow; communityId: string },
): Promise<Group> => {
  const found = await getGroup(env, scope, communityId);
  if (found.channelId !== channel.id || found.community?.isCommunity !== true) throw unknownGroup();
  return found;
};

export const NOT_MADE = { code: null, error_subcode: null, message: "The network did not make the group." };

/** Looks in the database for the outcome: another node may have received the webhook. */
const lookForUpdate = async (env: GroupsEnv, { id }: ChannelRow, requestId: string): Promise<void> => {
  const group = await env.db
    .read((reader) => findGroupByRequest(reader, id, requestId))
    .catch(() => "unknown" as const); // the next look comes soon
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

/** Stores the request under the network's id, unless the group has been reported already. */
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
