import type { InvitedGroup, PersonOutcome } from "../../../contract/abilities/groups.ts";
import type { Group } from "../../../core/groups/groups.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { groupJidOf } from "./addresses.ts";

/** Groups as the library shows them on which programs of other APIs are built. */

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

/** The people of a group. `addressOf` writes the address of a person, whom the core names by digits or a hidden id. */
export const membersView = ({ participants }: Pick<ShownGroup, "participants">, addressOf: (waId: string) => string) =>
  participants.map(({ waId, isAdmin }) => ({ id: addressOf(waId), admin: isAdmin ? "admin" : null }));

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

/** TABLE: the number of an outcome for which the network gave none. */
const CODES: Readonly<Record<PersonOutcome["outcome"], string>> = {
  done: "200",
  "invitation-needed": "403",
  "left-recently": "408",
  already: "409",
  blocked: "401",
  "not-on-network": "404",
  refused: "400",
};

/** The network's number for the outcome of a change for one person. */
export const statusOfOutcome = ({ outcome, code }: PersonOutcome): string =>
  outcome === "done" || code === undefined ? CODES[outcome] : String(code);

/** The code of an invite link. */
export const inviteCodeIn = (link: string): string => link.slice(link.lastIndexOf("/") + 1);
