import type { InvitedGroup } from "../../contract/abilities/groups.ts";
import type { Group } from "../../core/groups/groups.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { addressOfNumber, groupJidOf } from "../shared/compatible/addresses.ts";

/** What is shown of a group. */
export type ShownGroup = Pick<
  Group,
  | "upstreamGroupId"
  | "subject"
  | "description"
  | "participants"
  | "totalParticipantCount"
  | "rules"
  | "community"
  | "createdAt"
>;

/** The address of a member, whom a group names by digits or by an id. */
export const personJid = (waId: string): string =>
  waId.startsWith("lid:") ? `${waId.slice(4)}@lid` : addressOfNumber(waId);

export const peopleView = ({ participants }: ShownGroup) =>
  participants.map(({ waId, isAdmin }) => ({ id: personJid(waId), admin: isAdmin ? "admin" : null }));

const communityView = (community: Group["community"] | undefined) => ({
  isCommunity: community?.isCommunity ?? false,
  isCommunityAnnounce: community?.isAnnouncementGroup ?? false,
  ...(community?.communityId === undefined ? {} : { linkedParent: community.communityId }),
});

export const groupView = (group: ShownGroup) => ({
  id: groupJidOf(group),
  subject: group.subject,
  subjectOwner: null,
  subjectTime: null,
  pictureUrl: null,
  size: group.totalParticipantCount,
  creation: Math.floor(group.createdAt / SECOND_MS),
  owner: null,
  desc: group.description,
  restrict: group.rules?.onlyAdminsEdit ?? false,
  announce: group.rules?.onlyAdminsSend ?? false,
  ...communityView(group.community),
});
/** A group that somebody is invited to. The network does not say who made it. */
export const invitedView = ({ groupId, subject, description, totalParticipantCount, ...group }: InvitedGroup) => ({
  id: groupId,
  subject,
  pictureUrl: group.pictureUrl,
  size: totalParticipantCount,
  desc: description,
  joinApprovalMode: group.joinApprovalMode === "APPROVAL_REQUIRED",
  ...communityView(group.community),
});
export const withPeople = (group: ShownGroup) => ({ ...groupView(group), participants: peopleView(group) });
