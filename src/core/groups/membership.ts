import type { ChatAct } from "../../contract/abilities/chats.ts";
import type { PictureSource } from "../../contract/abilities/groups.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import { updateGroup } from "../../store/tables/groups.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { requireValue } from "../channels/links/upstream.ts";
import { notOffered } from "../channels/refusals.ts";
import { acceptActsOnGroup } from "../messaging/chats/chat-acts.ts";
import type { GroupsEnv } from "./env.ts";
import { askableGroup, record, usableGroup } from "./groups.ts";
import { groupRecipient } from "./messages.ts";
import { withLabel } from "./updates.ts";

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

/**
 * Sets the account's own label in a group; null removes it. The members see it, and it is stored at once.
 *
 * @throws AppError as `usableGroup`, NOT_OFFERED_UPSTREAM if the network has no such call, and what `requireValue`
 * throws.
 */
export const setOwnLabel = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, label }: { id: string; label: string | null },
): Promise<void> => {
  const { group, channel, api } = await usableGroup(env, scope, id);
  if (!api.setOwnLabel) throw notOffered("set a label in a group");
  requireValue(await api.setOwnLabel(group.upstreamGroupId, label));
  const { phoneNumber } = channel;
  if (phoneNumber === null) return;
  const waId = asDigits(phoneNumber);
  await record(env, scope, group.id, ({ participants }) => ({ participants: withLabel(participants, waId, label) }));
};

/** Changes how the phone's own app shows a group. Throws as `askableGroup` and `acceptActsOnGroup`. */
export const changeGroupChat = async (
  env: GroupsEnv,
  scope: TenantScope,
  { id, acts }: { id: string; acts: readonly ChatAct[] },
): Promise<void> => {
  const { group, channel } = await askableGroup(env, scope, id);
  const chat = await groupRecipient(env, { group, kind: channel.kind });
  await acceptActsOnGroup(env, scope, { channelId: channel.id, chat }, acts);
};

/** The invite link of a group, from the network. Throws as `askableGroup`, and what `requireValue` throws. */
export const getInviteLink = async (env: GroupsEnv, scope: TenantScope, id: string): Promise<string> => {
  const { group, api } = await askableGroup(env, scope, id);
  const inviteLink = requireValue(await api.inviteLink(group.upstreamGroupId));
  await record(env, scope, group.id, () => ({ inviteLink }));
  return inviteLink;
};
