import type { GroupsApi, UpstreamGroup } from "../../contract/abilities/groups.ts";
import type { Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import {
  findGroupByUpstreamId,
  type Group,
  type GroupRow,
  insertGroup,
  updateGroup,
} from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "../channels/channel.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, newGroupRow, record, requireConnectedApi } from "./groups.ts";

/** Fetches a group from the network and stores it. Throws as `askableGroup`, and what `requireValue` throws. */
export const refreshGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<Group> => {
  const { group, api } = await askableGroup(env, scope, id);
  const askedAt = env.clock.now();
  const read = requireValue(await api.read(group.upstreamGroupId));
  const inviteLink = read.isSuspended ? group.inviteLink : await linkFor(api, group, read);
  return record(env, scope, group.id, (known) => {
    if (known.updatedAt > askedAt) return { inviteLink }; // an update has come since
    return { ...asReported(known, read), inviteLink };
  });
};

/** The fields of a group that its network has described. */
const asReported = (
  known: Pick<GroupRow, "participants" | "rules" | "community">,
  { participants, admins, rules, community, ...settings }: UpstreamGroup,
): Partial<GroupRow> => {
  const before = new Map(known.participants.map((one) => [one.waId, one]));
  return {
    ...settings,
    rules: rules ?? known.rules,
    community: community ?? known.community,
    participants: participants.map((waId) => {
      const { joinedAt = null, label } = before.get(waId) ?? {};
      return {
        waId,
        joinedAt,
        ...(admins ? { isAdmin: admins.includes(waId) } : {}),
        ...(label === undefined ? {} : { label }),
      };
    }),
  };
};

/** A network that names the administrators gives the link only to them; for other members the known link stays. */
const linkFor = async (api: GroupsApi, group: Group, { admins }: UpstreamGroup): Promise<string | null> => {
  const found = await api.inviteLink(group.upstreamGroupId);
  return admins && !found.ok && found.kind === "refused" ? group.inviteLink : requireValue(found);
};

/**
 * Fetches a channel's groups from the network and stores them; groups that the network does not list stay unchanged.
 *
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_NOT_CONNECTED, NOT_OFFERED_UPSTREAM if the network lists none,
 * LIMIT_REACHED for more groups than the account may have, and what `requireValue` throws.
 */
export const refreshGroups = async (env: GroupsEnv, scope: TenantScope, channelId: string): Promise<void> => {
  const channel = await getChannel(env, scope, channelId);
  const api = requireConnectedApi(env, channel);
  if (!api.list) throw notOffered("list the groups of a number");
  for (const group of requireValue(await api.list())) await env.db.write((tx) => storeListed(env, tx, channel, group));
};

const storeListed = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  listed: UpstreamGroup & { groupId: string },
): Promise<void> => {
  if (!(await findGroupByUpstreamId(tx, channel.id, listed.groupId)))
    await requireRoom(env, tx, { collection: "groups", owner: channel.tenantId });
  await storeDescribed(env, tx, channel, listed);
};

/** Stores a group that the account is in, as its network has described it. */
export const storeDescribed = async (
  env: GroupsEnv,
  tx: Tx,
  channel: ChannelRow,
  { groupId: upstreamGroupId, ...group }: UpstreamGroup & { groupId: string },
): Promise<void> => {
  const known = await findGroupByUpstreamId(tx, channel.id, upstreamGroupId);
  const updatedAt = env.clock.now();
  if (known) {
    // the account is a member, although it may have left before
    await updateGroup(tx, known.id, { ...asReported(known, group), isDeleting: false, deletedAt: null, updatedAt });
    return;
  }
  const fresh = newGroupRow(env, channel);
  await insertGroup(tx, { ...fresh, ...asReported(fresh, group), upstreamGroupId });
};
