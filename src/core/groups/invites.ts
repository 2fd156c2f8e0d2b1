import type { GroupInvitation, GroupsApi, InvitedGroup, JoinOutcome } from "../../contract/abilities/groups.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import { findGroupByUpstreamId, type Group, isReported } from "../../store/tables/groups.ts";
import { findKnown } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { GroupsEnv } from "./env.ts";
import { requireConnectedApi } from "./groups.ts";
import { storeDescribed } from "./refresh.ts";

/** An invitation as clients name it: by the code of a link, or by the message that brought it. */
export type InvitationInput = { channelId: string } & ({ code: string } | { messageId: string });

/**
 * What an invite link leads to, without joining.
 *
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, NOT_OFFERED_UPSTREAM, MESSAGE_KEY_UNKNOWN, and what
 * `requireValue` throws.
 */
export const lookAtInvitation = async (
  env: GroupsEnv,
  scope: TenantScope,
  input: InvitationInput,
): Promise<InvitedGroup> => {
  const channel = await getChannel(env, scope, input.channelId);
  const api = requireConnectedApi(env, channel);
  if (!api.look) throw notOffered("look at a group by an invitation");
  return requireValue(await api.look(await invitationOf(env, channel, input)));
};

/** `group` is undefined while an administrator has to approve, or if the network did not describe it in time. */
export type Joined = JoinOutcome & { group: Group | undefined };

/**
 * Joins a group by an invitation, or asks to join it.
 *
 * @throws AppError as `lookAtInvitation`, and LIMIT_REACHED for more groups than the account may have.
 */
export const joinByInvitation = async (env: GroupsEnv, scope: TenantScope, input: InvitationInput): Promise<Joined> => {
  const channel = await getChannel(env, scope, input.channelId);
  const api = requireConnectedApi(env, channel);
  if (!api.join) throw notOffered("join a group by an invitation");
  const invitation = await invitationOf(env, channel, input);
  await env.db.write((tx) => requireRoom(env, tx, { collection: "groups", owner: channel.tenantId }));
  const outcome = requireValue(await api.join(invitation));
  if (outcome.state !== "joined") return { ...outcome, group: undefined };
  return { ...outcome, group: await storeJoined(env, channel, api, outcome.groupId) };
};

/** Stores a group as the network describes it to its new member. Its report may have come before. */
export const storeJoined = async (
  env: GroupsEnv,
  channel: ChannelRow,
  api: GroupsApi,
  upstreamGroupId: string,
): Promise<Group | undefined> => {
  const read = await api.read(upstreamGroupId);
  return env.db.write(async (tx) => {
    if (read.ok) await storeDescribed(env, tx, channel, { ...read.value, groupId: upstreamGroupId });
    const stored = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId);
    return isReported(stored) && !stored.isDeleting ? stored : undefined;
  });
};

const invitationOf = async (env: GroupsEnv, { id }: ChannelRow, input: InvitationInput): Promise<GroupInvitation> => {
  if ("code" in input) return { code: input.code };
  const known = await env.db.read((reader) => findKnown(reader, id, input.messageId));
  if (known?.direction !== "inbound")
    throw new AppError("MESSAGE_KEY_UNKNOWN", { message: "No such message came to this channel, or it is too old." });
  return { key: known.key };
};
