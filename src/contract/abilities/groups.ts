import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf, Text } from "../../kernel/schema.ts";
import type { ProviderMessageId } from "../events.ts";
import type { SendOutcome } from "../outcome.ts";
import type { UpstreamResult } from "../upstream.ts";

export const JOIN_MODES = ["AUTO_APPROVE", "APPROVAL_REQUIRED"] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

/**
 * A group, as its network describes it. `participants` are numbers as digits, or user ids if the network gives no
 * number.
 */
export type UpstreamGroup = {
  subject: string;
  description: string;
  joinApprovalMode: JoinMode;
  isSuspended: boolean;
  participants: readonly string[];
  totalParticipantCount: number;
  /** The participants who administer the group, if the network names them. */
  admins?: readonly string[];
  rules?: GroupRules;
  /** The group's place in a community; absent if the network has no communities. */
  community?: CommunityPlace;
};

/**
 * A group's place in a community: `communityId` is the network's id of the community that the group is linked to.
 * `isCommunity`: the group is a community itself, to which groups are linked. `isAnnouncementGroup`: the group that
 * every member of the community is in, and in which administrators alone write.
 */
export type CommunityPlace = { communityId?: string; isCommunity?: boolean; isAnnouncementGroup?: boolean };

/** What only administrators may do: write, change the group's subject and picture, and add people. */
export type GroupRules = { onlyAdminsSend?: boolean; onlyAdminsEdit?: boolean; onlyAdminsAdd?: boolean };

/**
 * The outcome of a change for one person.
 * - `invitation-needed`: the person must be invited; send them the invite link. `left-recently`: the person left a
 *   short while ago.
 * - `already`: nothing had to be done. `blocked`: the person has blocked this account. `refused`: the network gave
 *   another reason, or no reason.
 */
export const PERSON_OUTCOMES = [
  "done",
  "invitation-needed",
  "left-recently",
  "already",
  "blocked",
  "not-on-network",
  "refused",
] as const;
/** `code`: the network's own number for the refusal. */
export type PersonOutcome = { waId: string; outcome: (typeof PERSON_OUTCOMES)[number]; code?: number };

/** The outcomes of a change of people; `true` if the network reports them later. */
export type PeopleChange = true | readonly PersonOutcome[];

/** A picture by its address, or its bytes. Null removes the picture. */
export type PictureSource = { url: string } | { bytes: Uint8Array } | null;

/**
 * An invitation to a group: the code of an invite link (or the whole link), or the message in which a member has sent
 * an invitation to this account alone.
 */
export type GroupInvitation = { code: string } | { key: ProviderMessageId };

/** A group as its network shows it to the invited. `pictureUrl` is null without a picture. */
export type InvitedGroup = {
  groupId: string;
  subject: string;
  description: string;
  totalParticipantCount: number;
  joinApprovalMode: JoinMode;
  pictureUrl: string | null;
  community?: CommunityPlace;
};

/** `awaiting-approval`: the account has asked to join, and an administrator decides. */
export const JOIN_STATES = ["joined", "awaiting-approval"] as const;
export type JoinOutcome = { groupId: string; state: (typeof JOIN_STATES)[number] };

/** How a person came, or asked to come, into a group: by its invite link, by its community, or named by a member. */
export const JOIN_WAYS = ["invite-link", "community", "member"] as const;
export type JoinWay = (typeof JOIN_WAYS)[number];

/** A group that is linked to a community, as the community names it. */
export type LinkedGroup = { groupId: string; subject: string; isAnnouncementGroup: boolean };

export type JoinRequest = { joinRequestId: string; waId: string; requestedAt: number | null };
export type JoinDecision = { decided: string[]; failed: { joinRequestId: string; error: string }[] };

/** The group functions of a channel. No function throws. A request is complete when the network reports it. */
export type GroupsApi = {
  /**
   * Gives the id of the request. The network reports the group's own id later. `description`: the description that the
   * new group really got; absent if it got none. `communityId`: the community to make it in, if there are `communities`.
   */
  create(group: {
    subject: string;
    description?: string;
    joinApprovalMode: JoinMode;
    participants?: readonly string[];
    communityId?: string;
  }): Promise<UpstreamResult<{ requestId: string; people?: readonly PersonOutcome[]; description?: string }>>;
  /** True if `create` takes participants. */
  readonly createsWithPeople?: boolean;
  /** The groups of the account, at most 1000. Present if the network lists them. */
  list?(): Promise<UpstreamResult<readonly (UpstreamGroup & { groupId: string })[]>>;
  read(groupId: string): Promise<UpstreamResult<UpstreamGroup>>;
  update(groupId: string, changes: { subject?: string; description?: string }): Promise<UpstreamResult<true>>;
  /** Deletes the group for everybody. This function and the next ones are present if the network offers them. */
  remove?(groupId: string): Promise<UpstreamResult<true>>;
  leave?(groupId: string): Promise<UpstreamResult<true>>;
  setJoinMode?(groupId: string, mode: JoinMode): Promise<UpstreamResult<true>>;
  setRules?(groupId: string, rules: GroupRules): Promise<UpstreamResult<true>>;
  setPicture?(groupId: string, picture: PictureSource): Promise<UpstreamResult<true>>;
  promote?(groupId: string, people: readonly string[]): Promise<UpstreamResult<PeopleChange>>;
  demote?(groupId: string, people: readonly string[]): Promise<UpstreamResult<PeopleChange>>;
  /** Splits a list that is longer than the network allows per call. The calls before a refusal stay in effect. */
  addParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<PeopleChange>>;
  removeParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<PeopleChange>>;
  inviteLink(groupId: string): Promise<UpstreamResult<string>>;
  /** Creates a new invite link. The earlier link stops working. */
  resetInviteLink(groupId: string): Promise<UpstreamResult<string>>;
  /** What an invitation leads to, without joining. This function and `join` are present if the network offers them. */
  look?(invitation: GroupInvitation): Promise<UpstreamResult<InvitedGroup>>;
  /** Joins a group, or asks to join. */
  join?(invitation: GroupInvitation): Promise<UpstreamResult<JoinOutcome>>;
  /** Sets the account's own label in a group; null removes it. Present if the network has labels of members. */
  setOwnLabel?(groupId: string, label: string | null): Promise<UpstreamResult<true>>;
  /** Present if the network has communities. */
  readonly communities?: CommunitiesApi;
  joinRequests(
    groupId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<UpstreamResult<{ requests: JoinRequest[]; after: string | null }>>;
  approve(groupId: string, joinRequestIds: readonly string[]): Promise<UpstreamResult<JoinDecision>>;
  reject(groupId: string, joinRequestIds: readonly string[]): Promise<UpstreamResult<JoinDecision>>;
  send(order: GroupOrder): Promise<SendOutcome>;
};

/** The functions of communities. `communityId` is the network's id of a group that is a community. */
export type CommunitiesApi = {
  /** Makes a community, with its announcement group. Reports both, and gives the community's own id. */
  create(community: { subject: string; description?: string }): Promise<UpstreamResult<{ groupId: string }>>;
  /** The groups that are linked to it, with its announcement group. */
  linkedGroups(communityId: string): Promise<UpstreamResult<readonly LinkedGroup[]>>;
  link(communityId: string, groupId: string): Promise<UpstreamResult<true>>;
  unlink(communityId: string, groupId: string): Promise<UpstreamResult<true>>;
  /** The people in its groups, at most 10,000. */
  participants(communityId: string): Promise<UpstreamResult<readonly string[]>>;
  /** Ends the community. Its groups stay, without it; its announcement group ends too. */
  deactivate(communityId: string): Promise<UpstreamResult<true>>;
};

export const GROUP_MESSAGE_TYPES = ["text", "image", "video", "audio", "document", "sticker", "template"] as const;
export type GroupMessageType = (typeof GROUP_MESSAGE_TYPES)[number];

/** The stored content of a group message, in the network's own format. Recado does not interpret it. */
export type GroupContent = { type: "native"; content: { type: GroupMessageType; payload: Record<string, unknown> } };
/** `to` is the group's canonical key. `messageId` is Recado's id, as in every send. */
export type GroupOrder = GroupContent["content"] & { messageId: string; to: string };

const MAX_PAYLOAD_BYTES = 64 * 1024;
const Source = Type.Object({ id: Type.Optional(Text(1, 2048)), link: Type.Optional(Text(1, 2048)) });

/** The fields that the network requires. The network validates all others. */
const PAYLOAD = {
  text: Type.Object({ body: Text(1, 4096) }),
  image: Source,
  video: Source,
  audio: Source,
  document: Source,
  sticker: Source,
  template: Type.Object({ name: Text(1, 512), language: Type.Object({ code: Text(1, 20) }) }),
} as const satisfies Record<GroupMessageType, TSchema>;

/** The issues of a group message; empty when there are none. */
export const groupPayloadIssues = (type: GroupMessageType, payload: Record<string, unknown>): Issue[] => {
  if (Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES)
    return [issue("payload", "maxLength", `must be at most ${MAX_PAYLOAD_BYTES} bytes of JSON`)];
  const issues = issuesOf(PAYLOAD[type], payload, "payload");
  return issues.length === 0 && PAYLOAD[type] === Source ? sourceIssues(payload) : issues;
};

const sourceIssues = ({ id, link }: Static<typeof Source>): Issue[] => {
  if (id === undefined && link === undefined)
    return [issue("payload.link", "required", "one of id and link is required")];
  return id !== undefined && link !== undefined
    ? [issue("payload.link", "forbidden", "only one of id and link may be given")]
    : [];
};
