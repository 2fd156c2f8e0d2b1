import type { PictureSource } from "../../contract/abilities/groups.ts";
import { updateGroup } from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, record, usableGroup } from "./groups.ts";

/**
 * Leaves a group, which is then unknown here.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM if the network has no such call, and what `requireValue`
 * throws.
 */
export const leaveGroup = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  if (!api.leave) throw notOffered("leave a group");
  requireValue(await api.leave(group.upstreamGroupId));
  await env.db.write((tx) => updateGroup(tx, group.id, { isDeleting: true }));
};

/**
 * Sets or removes a group's picture.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM if the network has no such call, and what `requireValue`
 * throws.
 */
export const setGroupPicture = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, picture }: { id: string; picture: PictureSource },
): Promise<void> => {
  const { group, api } = await usableGroup(env, scope, id);
  if (!api.setPicture) throw notOffered("change the picture of a group");
  requireValue(await api.setPicture(group.upstreamGroupId, picture));
};

/** The invite link of a group, from the network. Throws as `askableGroup`, and what `requireValue` throws. */
export const getInviteLink = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<string> => {
  const { group, api } = await askableGroup(env, scope, id);
  const inviteLink = requireValue(await api.inviteLink(group.upstreamGroupId));
  await record(env, scope, group.id, () => ({ inviteLink }));
  return inviteLink;
};
