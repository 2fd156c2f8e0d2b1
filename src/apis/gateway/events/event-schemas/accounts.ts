import { Type } from "@sinclair/typebox";
import { JOIN_MODES } from "../../../../contract/abilities/groups.ts";
import { CALL_STATUSES } from "../../../../core/calls/calls.ts";
import { Nullable, OneOf } from "../../../../kernel/schema.ts";
import { Instant } from "../../schemas.ts";
import { GroupRules, Id, Peer, shape, TextOrNull, text } from "./parts.ts";

/** Agents, groups, calls, invoices and webhooks. */

export const AgentHandoff = shape("AgentHandoff", {
  conversationId: Id,
  contactKey: text,
  reason: Type.String({ description: "Why the agent hands over" }),
  manual: Type.Boolean({ description: "A person asked for it, not the agent" }),
  turnCount: Type.Integer(),
  handoffAt: Instant,
});
export const BudgetExhausted = shape("AgentBudgetExhausted", {
  budget: OneOf(["contact", "agent", "account"]),
  conversationId: Nullable(Id),
  contactKey: TextOrNull,
  dailyTokens: Type.Integer(),
  usedTokens: Type.Integer({ description: "Tokens used today" }),
  resetsAt: Instant,
});

export const AgentDocument = shape("AgentDocumentChange", {
  documentId: Id,
  title: TextOrNull,
  status: OneOf(["READY", "FAILED"]),
  chunkCount: Type.Integer(),
  errorReason: TextOrNull,
});

export const GroupLifecycle = shape("GroupLifecycle", {
  groupId: Id,
  upstreamGroupId: text,
  action: OneOf(["created", "deleted", "suspended", "unsuspended"]),
});
export const GroupParticipants = shape("GroupParticipantsChange", {
  groupId: Id,
  action: OneOf(["join", "leave", "remove", "promote", "demote"]),
  waIds: Type.Array(text),
});
export const GroupSettings = shape("GroupSettingsChange", {
  groupId: Id,
  subject: Type.Optional(text),
  description: Type.Optional(text),
  joinApprovalMode: Type.Optional(OneOf(JOIN_MODES, { title: "GroupJoinMode" })),
  rules: Type.Optional(GroupRules),
});
export const GroupStatus = shape("GroupStatusChange", {
  groupId: Id,
  status: OneOf(["ACTIVE", "SUSPENDED"]),
  suspended: Type.Boolean({ description: "Whether the network has suspended it" }),
});

export const CallOffer = shape("CallOffer", {
  callId: Id,
  upstreamCallId: text,
  from: Peer,
  sdpOffer: Type.String({ description: "The caller's WebRTC offer" }),
  expiresAt: Instant,
});
export const CallChange = shape("CallChange", {
  callId: Id,
  upstreamCallId: TextOrNull,
  direction: OneOf(["INBOUND", "OUTBOUND"], { title: "CallDirection" }),
  status: OneOf(CALL_STATUSES, { title: "CallStatus" }),
  reason: Type.Optional(Type.String({ description: "Why the call ended" })),
  sdpAnswer: Type.Optional(Type.String({ description: "The other side's WebRTC answer" })),
  durationSeconds: Type.Optional(Type.Number({ description: "Seconds of talk" })),
});

export const InvoicePaid = shape("InvoicePaid", {
  invoiceId: Id,
  paidAt: Instant,
  totalCents: Type.Integer(),
  paidCents: Type.Optional(Type.Integer({ description: "What was paid, where it is not the total" })),
});
export const InvoiceFailed = shape("InvoiceFailed", {
  invoiceId: Id,
  reason: Type.String({ description: "The processor's own word" }),
});

export const WebhookFailure = shape("WebhookFailure", {
  eventId: Id,
  eventType: Type.String({ description: "The type of the event that was given up" }),
  url: text,
  attempts: Type.Integer(),
  lastStatusCode: Nullable(Type.Integer()),
  lastError: TextOrNull,
});
