import type { CommunityPlace, GroupRules, UpstreamGroup } from "../../../src/contract/abilities/groups.ts";
import type { KeyStore } from "../../../src/contract/ports/key-store.ts";
import { childOf, type Stanza } from "../active-socket.ts";
import { textIn } from "../ask.ts";
import { participantsIn, waIdsOf } from "./members.ts";

/** The address of a group, by an id of a stanza, which may lack its server. */
export const groupJid = (id: string): string => (id.includes("@") ? id : `${id}@g.us`);

const isOn = (group: Stanza, tag: string): boolean => childOf(group, tag) !== undefined;

/** The actions that only administrators may take, as the network describes a group. */
const rulesOf = (group: Stanza): GroupRules => ({
  onlyAdminsSend: isOn(group, "announcement"),
  onlyAdminsEdit: isOn(group, "locked"),
  onlyAdminsAdd: textIn(childOf(group, "member_add_mode")) !== "all_member_add",
});

/** The place of a group in a community, as the network describes it. */
const communityOf = (group: Stanza): CommunityPlace => {
  const communityId = childOf(group, "linked_parent")?.attrs["jid"];
  return {
    ...(communityId === undefined ? {} : { communityId: groupJid(communityId) }),
    ...(isOn(group, "parent") ? { isCommunity: true } : {}),
    ...(isOn(group, "default_sub_group") ? { isAnnouncementGroup: true } : {}),
  };
};

/** A group of an answer or a notification; undefined if there is none. */
export const groupIn = async (
  keyStore: Pick<KeyStore, "read">,
  group: Stanza | undefined,
): Promise<(UpstreamGroup & { groupId: string }) | undefined> => {
  const id = group?.attrs["id"];
  if (!group || !id) return undefined;
  const people = participantsIn(group).filter(({ attrs }) => attrs["error"] === undefined);
  const participants = await waIdsOf(keyStore, people);
  return {
    groupId: groupJid(id),
    subject: group.attrs["subject"] ?? "",
    description: textIn(childOf(childOf(group, "description"), "body")),
    joinApprovalMode: isOn(group, "membership_approval_mode") ? "APPROVAL_REQUIRED" : "AUTO_APPROVE",
    isSuspended: isOn(group, "suspended"),
    participants,
    totalParticipantCount: Number(group.attrs["size"] ?? participants.length) || participants.length,
    admins: await waIdsOf(
      keyStore,
      people.filter(({ attrs }) => attrs["type"] === "admin" || attrs["type"] === "superadmin"),
    ),
    rules: rulesOf(group),
    community: communityOf(group),
  };
};
