import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Issue, issue, issuesOf, Text } from "../kernel/schema.ts";
import type { SendOutcome } from "./outcome.ts";
import type { UpstreamResult } from "./upstream.ts";

export const JOIN_MODES = ["AUTO_APPROVE", "APPROVAL_REQUIRED"] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

/**
 * A group, as its network describes it. `participants` are numbers as digits, or user ids where the network gives no
 * number.
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

/** The group functions of a business number. No function throws. A request is complete when the network reports it. */
export type GroupsApi = {
  /** Gives the id of the request. The network reports the group's own id later. */
  create(group: {
    subject: string;
    description?: string;
    joinApprovalMode: JoinMode;
  }): Promise<UpstreamResult<{ requestId: string }>>;
  read(groupId: string): Promise<UpstreamResult<UpstreamGroup>>;
  update(groupId: string, changes: { subject?: string; description?: string }): Promise<UpstreamResult<true>>;
  remove(groupId: string): Promise<UpstreamResult<true>>;
  /** Splits a list that is longer than the network allows per call. After a refusal, the calls before it stay done. */
  addParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<true>>;
  removeParticipants(groupId: string, people: readonly string[]): Promise<UpstreamResult<true>>;
  inviteLink(groupId: string): Promise<UpstreamResult<string>>;
  /** Creates a new invite link. The earlier link stops working. */
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
