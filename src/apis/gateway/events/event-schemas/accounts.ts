import { Type } from "@sinclair/typebox";
import { JOIN_MODES } from "../../../../contract/abilities/groups.ts";
import { CALL_STATUSES } from "../../../../core/calls/calls.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant } from "../../instants.ts";
import { GroupRules, Id, Peer, shape, TextOrNull, text } from "./parts.ts";

/** Agents, groups, calls, invoices and webhooks. */

export const AgentHandoff = shape("AgentHandoff", {
  conversationId: described(Id, "The agent's conversation", IDS.conversation),
  contactKey: described(text, "The contact's canonical key", "pn:5511988887777"),
  reason: Type.String({ description: "Why the agent hands over", examples: ["keyword: atendente"] }),
  manual: Type.Boolean({ description: "A person asked for it, not the agent" }),
  turnCount: Type.Integer({ description: "How many turns it has", examples: [4] }),
  handoffAt: described(Instant, "When a person took the conversation over"),
});
export const BudgetExhausted = shape("AgentBudgetExhausted", {
  budget: OneOf(["contact", "agent", "account"], { description: "Whose budget is used up" }),
  conversationId: described(
    Nullable(Id),
    "The agent's conversation; null where the whole account's budget is used up",
    IDS.conversation,
  ),
  contactKey: described(
    TextOrNull,
    "The contact's canonical key; null where the whole account's budget is used up",
    "pn:5511988887777",
  ),
  dailyTokens: Type.Integer({ description: "How many tokens the budget has per UTC day", examples: [1000000] }),
  usedTokens: Type.Integer({ description: "Tokens that were used since midnight in UTC", examples: [20000] }),
  resetsAt: described(Instant, "When the count begins anew", "2026-11-23T00:00:00.000Z"),
});

export const AgentDocument = shape("AgentDocumentChange", {
  documentId: described(Id, "The document of the agent", IDS.conversation),
  title: described(TextOrNull, "The title of the document; null without one", "Cardápio da semana"),
  status: OneOf(["READY", "FAILED"], { description: "READY: it is learnt and answers use it" }),
  chunkCount: Type.Integer({ description: "Into how many pieces it was cut", examples: [12] }),
  errorReason: described(TextOrNull, "A code and a few words; null when it is learnt"),
});

export const GroupLifecycle = shape("GroupLifecycle", {
  groupId: described(Id, "The group that changed"),
  upstreamGroupId: described(text, "The network's id of the group", "120363000000000001@g.us"),
  action: OneOf(["created", "deleted", "suspended", "unsuspended"], { description: "What became of the group" }),
});
export const GroupParticipants = shape("GroupParticipantsChange", {
  groupId: described(Id, "The group that changed"),
  action: OneOf(["join", "leave", "remove", "promote", "demote"], { description: "What became of these people" }),
  waIds: Type.Array(text, { description: "Numbers or ids; at most 50", examples: [["5511988887777"]] }),
});
export const GroupSettings = shape("GroupSettingsChange", {
  groupId: described(Id, "The group that changed"),
  subject: Type.Optional(described(text, "The group's name", "Clientes da Padaria")),
  description: Type.Optional(
    described(text, "The new text of the group; absent where it did not change", "Pães e bolos todos os dias"),
  ),
  joinApprovalMode: Type.Optional(
    OneOf(JOIN_MODES, { title: "GroupJoinMode", description: "Whether administrators approve who joins" }),
  ),
  rules: Type.Optional(
    described(GroupRules, "The new rules of the group; absent where they did not change", {
      onlyAdminsSend: false,
      onlyAdminsEdit: true,
      onlyAdminsAdd: false,
    }),
  ),
});
export const GroupStatus = shape("GroupStatusChange", {
  groupId: described(Id, "The group that changed"),
  status: OneOf(["ACTIVE", "SUSPENDED"], { description: "SUSPENDED: nothing can be sent to it" }),
  suspended: Type.Boolean({ description: "Whether the network has suspended it", examples: [false] }),
});

export const CallOffer = shape("CallOffer", {
  callId: described(Id, "The call, as `GET /v1/calls/{id}` answers it", IDS.call),
  upstreamCallId: described(text, "The network's id of the call", "wacid.HBgMNTUxMTk4ODg4Nzc3NxUC"),
  from: described(Peer, "The person who calls"),
  sdpOffer: Type.String({
    description: "The caller's WebRTC offer",
    examples: ["v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"],
  }),
  expiresAt: described(Instant, "Until when the call can be accepted", "2026-11-29T12:00:00.000Z"),
});
export const CallChange = shape("CallChange", {
  callId: described(Id, "The call, as `GET /v1/calls/{id}` answers it", IDS.call),
  upstreamCallId: described(TextOrNull, "The network's id; null before it has one", "wacid.HBgMNTUxMTk4ODg4Nzc3NxUC"),
  direction: OneOf(["INBOUND", "OUTBOUND"], {
    title: "CallDirection",
    description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
    examples: ["OUTBOUND"],
  }),
  status: OneOf(CALL_STATUSES, { title: "CallStatus", description: "How far the call is" }),
  reason: Type.Optional(Type.String({ description: "Why the call ended", examples: ["busy"] })),
  sdpAnswer: Type.Optional(
    Type.String({
      description: "The other side's WebRTC answer",
      examples: ["v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"],
    }),
  ),
  durationSeconds: Type.Optional(Type.Number({ description: "How many seconds the people talked", examples: [180] })),
});

export const InvoicePaid = shape("InvoicePaid", {
  invoiceId: described(Id, "The invoice that was paid"),
  paidAt: described(Instant, "When the payment arrived"),
  totalCents: Type.Integer({ description: "The sum in cents of BRL", examples: [12990] }),
  paidCents: Type.Optional(
    Type.Integer({ description: "What was paid, where it is not the total", examples: [12990] }),
  ),
});
export const InvoiceFailed = shape("InvoiceFailed", {
  invoiceId: described(Id, "The invoice whose payment failed"),
  reason: Type.String({ description: "The processor's own word", examples: ["chargeback"] }),
});

export const WebhookFailure = shape("WebhookFailure", {
  eventId: described(Id, "The event that was not delivered", IDS.event),
  eventType: Type.String({ description: "The type of the event that was given up", examples: ["message:received"] }),
  url: described(text, "Where the delivery went", "https://padaria-estrela.example/eventos"),
  attempts: Type.Integer({ description: "How often delivery was tried" }),
  lastStatusCode: Nullable(
    Type.Integer({ description: "What the endpoint answered last; null without an answer", examples: [200] }),
  ),
  lastError: described(TextOrNull, "Why the last try failed; null where none did"),
});
