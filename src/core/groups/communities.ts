import type { CommunitiesApi, LinkedGroup } from "../../contract/abilities/groups.ts";
import { invalid } from "../../kernel/errors.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { issue } from "../../kernel/schema.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  findGroup,
  findGroupByUpstreamId,
  type Group,
  listCommunities,
  updateGroup,
} from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, requireConnectedApi, unknownGroup, usableGroup } from "./groups.ts";
import { storeJoined } from "./invites.ts";

const notThere = () => notOffered("work with communities");

/** A community on a connected channel. */
type Community = { group: Group; channel: ChannelRow; api: CommunitiesApi };

/** Requires a group that is a community. Throws GROUP_NOT_FOUND for any other, NOT_OFFERED_UPSTREAM, and as `find`. */
const requireCommunity = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
  find: typeof askableGroup,
): Promise<Community> => {
  const { group, channel, api } = await find(env, scope, id);
  if (!api.communities) throw notThere();
  if (group.community?.isCommunity !== true) throw unknownGroup();
  return { group, channel, api: api.communities };
};

type CommunityInput = { channelId: string; subject: string; description?: string };

/**
 * Makes a community, with its announcement group.
 *
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, NOT_OFFERED_UPSTREAM, LIMIT_REACHED, GROUP_NOT_FOUND if
 * the network has made it and does not describe it yet, and what `requireValue` throws.
 */
export const createCommunity = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channelId, ...asked }: CommunityInput,
): Promise<Group> => {
  const channel = await getChannel(env, scope, channelId);
  const api = requireConnectedApi(env, channel);
  if (!api.communities) throw notThere();
  await env.db.write((tx) => requireRoom(env, tx, { collection: "groups", owner: channel.tenantId }));
  const { groupId } = requireValue(await api.communities.create(asked));
  const community = await storeJoined(env, channel, api, groupId);
  if (!community) throw unknownGroup();
  return community;
};

export type CommunityPage = { channelId: string; cursor: string | undefined; limit: number };

/** A page of a channel's communities, newest first. Throws CHANNEL_NOT_FOUND, and VALIDATION for a foreign cursor. */
export const communitiesPage = async (
  env: GroupsEnv,
  scope: TenantScope,
  { channelId, cursor, limit }: CommunityPage,
): Promise<{ items: Group[]; nextCursor: string | null }> => {
  const channel = await getChannel(env, scope, channelId);
  return env.db.read(async (reader) => {
    const last = cursor === undefined ? undefined : await findGroup(reader, scope, cursor);
    if (cursor !== undefined && last?.channelId !== channel.id) throw unknownCursor();
    const found = await listCommunities(reader, channel.id, { beforeId: last?.id, limit: limit + 1 });
    return cutPage(found, limit, ({ id }) => id);
  });
};

/** `id`: the group's id here, if it is known. */
export type LinkedGroupView = LinkedGroup & { id: string | null };

/** The groups of a community, from the network. Throws as `requireCommunity`, and what `requireValue` throws. */
export const linkedGroups = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<LinkedGroupView[]> => {
  const { group, channel, api } = await requireCommunity(env, scope, id, askableGroup);
  const found = requireValue(await api.linkedGroups(group.upstreamGroupId));
  return env.db.read(async (reader) => {
    const views: LinkedGroupView[] = [];
    for (const one of found) {
      const known = await findGroupByUpstreamId(reader, channel.id, one.groupId);
      views.push({ ...one, id: known && !known.isDeleting ? known.id : null });
    }
    return views;
  });
};

/** The people in the groups of a community, from the network. Throws as `linkedGroups`. */
export const communityParticipants = async (
  env: GroupsEnv,
  scope: TenantScope,
  id: string,
): Promise<readonly string[]> => {
  const { group, api } = await requireCommunity(env, scope, id, askableGroup);
  return requireValue(await api.participants(group.upstreamGroupId));
};

type LinkInput = { id: string; groupId: string; change: "link" | "unlink" };

/**
 * Links a group of the same channel to a community, or unlinks it. The network reports the change, and an event
 * follows.
 *
 * @throws AppError GROUP_NOT_FOUND for either, VALIDATION for a community as the group, GROUP_SUSPENDED,
 * CHANNEL_NOT_CONNECTED, NOT_OFFERED_UPSTREAM, and what `requireValue` throws.
 */
export const changeLink = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, groupId, change }: LinkInput,
): Promise<void> => {
  const { group, channel, api } = await requireCommunity(env, scope, id, usableGroup);
  const other = (await usableGroup(env, scope, groupId)).group;
  if (other.channelId !== channel.id) throw unknownGroup();
  if (other.community?.isCommunity === true)
    throw invalid(issue("groupId", "forbidden", "a community cannot be linked to a community"));
  requireValue(await api[change](group.upstreamGroupId, other.upstreamGroupId));
};

/** Ends a community. It is hidden at once, and its groups stay. Throws as `requireCommunity`, with `usableGroup`. */
export const deactivateCommunity = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { group, api } = await requireCommunity(env, scope, id, usableGroup);
  requireValue(await api.deactivate(group.upstreamGroupId));
  await env.db.write((tx) => updateGroup(tx, group.id, { isDeleting: true }));
};
