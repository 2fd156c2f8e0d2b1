import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf, Text } from "../kernel/schema.ts";
import type { SendOutcome } from "./outcome.ts";
import type { UpstreamResult } from "./upstream.ts";

export const JOIN_MODES = ["AUTO_APPROVE", "APPROVAL_REQUIRED"] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

/**
 * A group as its network has it. `participants` are numbers as digits, or user ids where the network names no number.
 */
export type UpstreamGroup = {
  subject: string;
  description: string;
  joinApprovalMode: JoinMode;
  isSuspended: boolean;
  participants: readonly string[];
  totalParticipantCount: number;
};
export type JoinRequest = { joinRequestId: string; waId: string; requestedAt: number | null };
export type JoinDecision = { decided: string[]; failed: { joinRequestId: string; error: string }[] };

/**
 * What a network offers for groups of a business number. None of it throws. What is asked for is done when the network
 * tells so.
 */
export type GroupsApi = {
  /** Gives the id of the request: the group's own id comes with the network's news of it. */
  create(group: {
    subject: string;
    description?: string;
    joinApprovalMode: JoinMode;
  }): Promise<UpstreamResult<{ requestId: string }>>;
  read(groupId: string): Promise<UpstreamResult<UpstreamGroup>>;
  update(groupId: string, changes: { subject?: string; description?: string }): Promise<UpstreamResult<true>>;
  remove(groupId: string): Promise<UpstreamResult<true>>;
  /** Of more people than the network takes in one call, those before a refused call are done. */
  addParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<true>>;
  removeParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<true>>;
  inviteLink(groupId: string): Promise<UpstreamResult<string>>;
  /** The link before stops working. */
  resetInviteLink(groupId: string): Promise<UpstreamResult<string>>;
  joinRequests(
    groupId: string,
    page: { limit: number; after: string | undefined },
  ): Promise<UpstreamResult<{ requests: JoinRequest[]; after: string | null }>>;
  approve(groupId: string, joinRequestIds: readonly string[]): Promise<UpstreamResult<JoinDecision>>;
  reject(groupId: string, joinRequestIds: readonly string[]): Promise<UpstreamResult<JoinDecision>>;
  send(order: GroupOrder): Promise<SendOutcome>;
};

export const GROUP_MESSAGE_TYPES = ["text", "image", "video", "audio", "document", "sticker", "template"] as const;
export type GroupMessageType = (typeof GROUP_MESSAGE_TYPES)[number];

/**
 * What a message to a group says, as it is stored: in the network's own format, of which nothing is read on its way.
 */
export type GroupContent = { type: "native"; content: { type: GroupMessageType; payload: Record<string, unknown> } };
/** `to` is the group's canonical key; `messageId` is ours, as of every send. */
export type GroupOrder = GroupContent["content"] & { messageId: string; to: string };

const MAX_PAYLOAD_BYTES = 64 * 1024;
const Source = Type.Object({ id: Type.Optional(Text(1, 2048)), link: Type.Optional(Text(1, 2048)) });

/** What the network cannot do without; whatever else a payload holds is the network's to judge. */
const PAYLOAD = {
  text: Type.Object({ body: Text(1, 4096) }),
  image: Source,
  video: Source,
  audio: Source,
  document: Source,
  sticker: Source,
  template: Type.Object({ name: Text(1, 512), language: Type.Object({ code: Text(1, 20) }) }),
} as const satisfies Record<GroupMessageType, TSchema>;

/** What is wrong with a message to a group: empty when nothing is. */
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
