import { Type } from "@sinclair/typebox";
import { JOIN_MODES, JOIN_WAYS } from "../../../../contract/abilities/groups.ts";
import { CALL_STATUSES } from "../../../../core/calls/calls.ts";
import type { AgentEvents } from "../../../../core/events/definitions/agents.ts";
import type { BillingEvents } from "../../../../core/events/definitions/billing.ts";
import type { CallEvents } from "../../../../core/events/definitions/calls.ts";
import type { GroupEvents } from "../../../../core/events/definitions/groups.ts";
import type { EventOf } from "../../../../core/events/definitions/index.ts";
import type { SubscriptionEvents } from "../../../../core/events/definitions/subscriptions.ts";
import { iso } from "../../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant } from "../../instants.ts";
import { GroupRules, Id, Peer, shape, TextOrNull, TrialCause, text } from "../event-schemas/parts.ts";
import type { Views } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Agents, groups, invoices, webhooks and calls. */

const AgentHandoff = shape("AgentHandoff", {
  conversationId: described(Id, "The agent's conversation", IDS.conversation),
  contactKey: described(text, "The contact's canonical key", "pn:5511988887777"),
  reason: Type.String({ description: "Why the agent hands over", examples: ["keyword: atendente"] }),
  manual: Type.Boolean({ description: "A person asked for it, not the agent" }),
  turnCount: Type.Integer({ description: "How many turns it has", examples: [4] }),
  handoffAt: described(Instant, "When a person took the conversation over"),
});
const BudgetExhausted = shape("AgentBudgetExhausted", {
  budget: OneOf(["contact", "agent", "account"], { description: "Whose budget is used up" }),
  conversationId: described(
    Nullable(Id),
    "The agent's conversation; null if the whole account's budget is used up",
    IDS.conversation,
  ),
  contactKey: described(
    TextOrNull,
    "The contact's canonical key; null if the whole account's budget is used up",
    "pn:5511988887777",
  ),
  dailyTokens: Type.Integer({ description: "How many tokens the budget has per UTC day", examples: [1000000] }),
  usedTokens: Type.Integer({ description: "Tokens that were used since midnight in UTC", examples: [20000] }),
  resetsAt: described(Instant, "When the count begins anew", "2026-11-23T00:00:00.000Z"),
});

const AgentDocument = shape("AgentDocumentChange", {
  documentId: described(Id, "The document of the agent", IDS.conversation),
  title: described(TextOrNull, "The title of the document; null without one", "Cardápio da semana"),
  status: OneOf(["READY", "FAILED"], { description: "READY: it is learnt and answers use it" }),
  chunkCount: Type.Integer({ description: "Into how many pieces it was cut", examples: [12] }),
  errorReason: described(TextOrNull, "A code and a few words; null once the document is learnt"),
});

const AgentWorsened = shape("AgentWorsened", {
  runId: described(Id, "The run of the agent's questions, as `GET /v1/phones/{id}/ai-agent/trials/runs` lists it"),
  comparedWith: described(Id, "The earlier run in which these answers were right"),
  cause: TrialCause,
  questionCount: Type.Integer({ description: "All questions of the run", examples: [12] }),
  passedCount: Type.Integer({ description: "Answers that are as expected", examples: [10] }),
  brokenCount: Type.Integer({ description: "Answers that were right in the earlier run, and are not now" }),
  broken: Type.Array(
    Type.Object(
      {
        question: Type.String({
          description: "The question, as the set had it",
          examples: ["Vocês abrem no domingo?"],
        }),
        missing: Type.Array(text, { description: "The facts that the answer has not" }),
      },
      { title: "BrokenTrial" },
    ),
    { description: "Their questions, 10 at most" },
  ),
});

const GroupLifecycle = shape("GroupLifecycle", {
  groupId: described(Id, "The group that changed"),
  upstreamGroupId: described(text, "The network's id of the group", "120363000000000001@g.us"),
  action: OneOf(["created", "deleted", "suspended", "unsuspended"], { description: "What happened to the group" }),
});
const GroupJoinWay = OneOf(JOIN_WAYS, {
  title: "GroupJoinWay",
  description: "How people came, or asked to come; absent if the network does not say",
  examples: ["invite-link"],
});
const GroupDoer = described(
  text,
  "The person who did it; absent if unknown, or if the person did it alone",
  "5511977776666",
);
const GroupParticipants = shape("GroupParticipantsChange", {
  groupId: described(Id, "The group that changed"),
  action: OneOf(["join", "leave", "remove", "promote", "demote"], { description: "What happened to these people" }),
  waIds: Type.Array(text, { description: "Numbers or ids; at most 50", examples: [["5511988887777"]] }),
  way: Type.Optional(GroupJoinWay),
  by: Type.Optional(GroupDoer),
});
const GroupJoinRequests = shape("GroupJoinRequestsChange", {
  groupId: described(Id, "The group that people want to join"),
  action: OneOf(["requested", "withdrawn", "rejected"], {
    description: "What happened to the requests; approved people are in a group:participants event",
  }),
  waIds: Type.Array(text, { description: "The people who ask", examples: [["5511988887777"]] }),
  way: Type.Optional(GroupJoinWay),
});
const GroupMemberLabel = shape("GroupMemberLabelChange", {
  groupId: described(Id, "The group in which the label counts"),
  waId: described(text, "The member's number or id", "5511988887777"),
  label: described(TextOrNull, "The label from now on; null if it was removed", "Entregador"),
});
const GroupCommunity = shape("GroupCommunityChange", {
  groupId: described(Id, "The group that changed"),
  action: OneOf(["linked", "unlinked"], { description: "Whether the group belongs to the community from now on" }),
  communityId: described(text, "The network's id of the community", "120363000000000009@g.us"),
});
const GroupSettings = shape("GroupSettingsChange", {
  groupId: described(Id, "The group that changed"),
  subject: Type.Optional(described(text, "The group's name", "Clientes da Padaria")),
  description: Type.Optional(
    described(text, "The new text of the group; absent if it did not change", "Pães e bolos todos os dias"),
  ),
  joinApprovalMode: Type.Optional(
    OneOf(JOIN_MODES, { title: "GroupJoinMode", description: "Whether administrators approve who joins" }),
  ),
  rules: Type.Optional(
    described(GroupRules, "The new rules of the group; absent if they did not change", {
      onlyAdminsSend: false,
      onlyAdminsEdit: true,
      onlyAdminsAdd: false,
    }),
  ),
  inviteLink: Type.Optional(
    described(text, "The new invite link; absent if it did not change", "https://chat.whatsapp.com/Zk3vX9pQ2rT"),
  ),
  by: Type.Optional(GroupDoer),
});
const GroupStatus = shape("GroupStatusChange", {
  groupId: described(Id, "The group that changed"),
  status: OneOf(["ACTIVE", "SUSPENDED"], { description: "SUSPENDED: nothing can be sent to it" }),
  suspended: Type.Boolean({ description: "Whether the network has suspended it", examples: [false] }),
});

const CallOffer = shape("CallOffer", {
  callId: described(Id, "The call, as `GET /v1/calls/{id}` answers it", IDS.call),
  upstreamCallId: described(text, "The network's id of the call", "wacid.HBgMNTUxMTk4ODg4Nzc3NxUC"),
  from: described(Peer, "The person who calls"),
  sdpOffer: Type.String({
    description: "The caller's WebRTC offer",
    examples: ["v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"],
  }),
  expiresAt: described(Instant, "The call can be accepted until this time", "2026-11-29T12:00:00.000Z"),
});
const CallChange = shape("CallChange", {
  callId: described(Id, "The call, as `GET /v1/calls/{id}` answers it", IDS.call),
  upstreamCallId: described(TextOrNull, "The network's id; null before it has one", "wacid.HBgMNTUxMTk4ODg4Nzc3NxUC"),
  direction: OneOf(["INBOUND", "OUTBOUND"], {
    title: "CallDirection",
    description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
    examples: ["OUTBOUND"],
  }),
  status: OneOf(CALL_STATUSES, { title: "CallStatus", description: "The progress of the call" }),
  from: Type.Optional(described(Peer, "The person who calls a session; absent once it no longer rings")),
  isVideo: Type.Optional(
    Type.Boolean({ description: "Whether the call that rings has video; only of sessions", examples: [false] }),
  ),
  group: Type.Optional(
    Type.String({
      description: "The group that is called; absent for a call to one person",
      examples: ["120363025246125244"],
    }),
  ),
  reason: Type.Optional(Type.String({ description: "Why the call ended", examples: ["busy"] })),
  sdpAnswer: Type.Optional(
    Type.String({
      description: "The other side's WebRTC answer",
      examples: ["v=0\r\no=- 4611 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"],
    }),
  ),
  durationSeconds: Type.Optional(Type.Number({ description: "How many seconds the people talked", examples: [180] })),
});

const InvoicePaid = shape("InvoicePaid", {
  invoiceId: described(Id, "The invoice that was paid"),
  paidAt: described(Instant, "When the payment arrived"),
  totalCents: Type.Integer({ description: "The sum in cents of BRL", examples: [12990] }),
  paidCents: Type.Optional(Type.Integer({ description: "The paid amount, if it is not the total", examples: [12990] })),
});
const InvoiceFailed = shape("InvoiceFailed", {
  invoiceId: described(Id, "The invoice whose payment failed"),
  reason: Type.String({ description: "The processor's own word", examples: ["chargeback"] }),
});

const WebhookFailure = shape("WebhookFailure", {
  eventId: described(Id, "The event that was not delivered", IDS.event),
  eventType: Type.String({ description: "The type of the event that was given up", examples: ["message:received"] }),
  url: described(text, "The address to which the delivery went", "https://padaria-estrela.example/eventos"),
  attempts: Type.Integer({ description: "How often delivery was tried" }),
  lastStatusCode: Nullable(
    Type.Integer({ description: "The last answer of the endpoint; null without an answer", examples: [200] }),
  ),
  lastError: described(TextOrNull, "Why the last try failed; null if none did"),
});

const OF_ACCOUNT = "the whole account: `phoneId` is null";

/** The fields of a domain event that publishes all of them. */
const withoutType = <Event extends { type: string }>(domainEvent: Event): Omit<Event, "type"> => {
  const { type: _, ...data } = domainEvent;
  return data;
};

const callChangeView = ({ from, ...changed }: EventOf<"call.changed">, person: Views["person"]) => ({
  ...withoutType(changed),
  ...(from === undefined ? {} : { from: person(from) }),
});

type CallStatus = EventOf<"call.changed">["status"];

/** The event of one status of a call. */
const call = (status: CallStatus, when: string, mayBeCut = false) =>
  event({
    when,
    of: "official numbers and sessions",
    data: CallChange,
    mayBeCut,
    render: (changed: EventOf<"call.changed">, { person }: Views) =>
      changed.status === status ? callChangeView(changed, person) : undefined,
  });

/** The events of each status: a status without one does not compile. */
const CALL_CHANGES = {
  "call:ringing": call(
    "RINGING",
    "The phone of the person that you call rings; on a session, a person calls the owner.",
  ),
  "call:accepted": call("ACCEPTED", "The call was accepted. `sdpAnswer` is there when the other side accepted.", true),
  "call:in_progress": call("IN_PROGRESS", "The two sides are connected."),
  "call:completed": call("COMPLETED", "The call is over."),
  "call:rejected": call("REJECTED", "The call was rejected."),
  "call:missed": call("MISSED", "The call was not answered: on an official number within `RECADO_CALL_RING_TIMEOUT`."),
  "call:failed": call("FAILED", "The call could not be made, or broke off."),
} satisfies Record<`call:${Lowercase<CallStatus>}`, unknown>;

export const ACCOUNTS = {
  "agent.handoff": {
    "agent:handoff": event({
      when: "An agent hands a conversation to a person.",
      of: "any phone",
      data: AgentHandoff,
      mayBeCut: false,
      render: ({ conversationId, contactKey, reason, manual, turnCount, handoffAt }) => ({
        conversationId,
        contactKey,
        reason,
        manual,
        turnCount,
        handoffAt: iso(handoffAt),
      }),
    }),
  },
  "agent.document": {
    "agent:document": event({
      when: "An agent has learnt a document, or cannot.",
      of: "any phone",
      data: AgentDocument,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "agent.worsened": {
    "agent:worsened": event({
      when: "A run of an agent's questions has answers that were right in the run before, and are not now.",
      of: "any phone",
      data: AgentWorsened,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "agent.budget_exhausted": {
    "agent:budget_exhausted": event({
      when: "An agent has used up a budget of tokens for the UTC day.",
      of: "any phone",
      data: BudgetExhausted,
      mayBeCut: false,
      render: ({ resetsAt, ...spent }) => ({ ...withoutType(spent), resetsAt: iso(resetsAt) }),
    }),
  },
  "group.lifecycle": {
    "group:lifecycle": event({
      when: "A group was created, deleted, suspended or is no longer suspended.",
      of: "sessions and official numbers",
      data: GroupLifecycle,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "group.participants": {
    "group:participants": event({
      when:
        "People joined or left a group, were removed from it, or became administrators or ceased to be " +
        "(`promote`, `demote`).",
      of: "sessions and official numbers",
      data: GroupParticipants,
      mayBeCut: true,
      render: withoutType,
    }),
  },
  "group.join-requests": {
    "group:join-requests": event({
      when: "People ask to join a group that the phone administers, ask no longer, or were refused.",
      of: "sessions",
      data: GroupJoinRequests,
      mayBeCut: true,
      render: withoutType,
    }),
  },
  "group.member-label": {
    "group:member-label": event({
      when: "A member of a group has another label there, or none any more.",
      of: "sessions",
      data: GroupMemberLabel,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "group.community": {
    "group:community": event({
      when: "A group was linked to a community, or belongs to it no longer.",
      of: "sessions",
      data: GroupCommunity,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "group.settings": {
    "group:settings": event({
      when: "The subject, the description, the join mode, the invite link or the rules of a group changed.",
      of: "sessions and official numbers",
      data: GroupSettings,
      mayBeCut: true,
      render: withoutType,
    }),
  },
  "group.status": {
    "group:status": event({
      when: "The network suspended a group, or ended its suspension.",
      of: "official numbers",
      data: GroupStatus,
      mayBeCut: false,
      render: withoutType,
    }),
  },
  "invoice.paid": {
    "billing:invoice.paid": event({
      when: "An invoice of the account was paid.",
      of: OF_ACCOUNT,
      data: InvoicePaid,
      mayBeCut: false,
      render: ({ paidAt, ...invoice }) => ({ ...withoutType(invoice), paidAt: iso(paidAt) }),
    }),
  },
  "invoice.failed": {
    "billing:invoice.failed": event({
      when: "A payment of an invoice failed. `reason` is the payment processor's own word.",
      of: OF_ACCOUNT,
      data: InvoiceFailed,
      mayBeCut: false,
      render: ({ invoiceId, reason }) => ({ invoiceId, reason }),
    }),
  },
  "subscription.failed": {
    "webhook:failed": event({
      when: "An event was given up for another webhook of the account. It is a dead letter now.",
      of: OF_ACCOUNT,
      data: WebhookFailure,
      mayBeCut: false,
      render: ({ eventId, eventType, url, attempts, lastStatusCode, lastError }) => ({
        eventId,
        eventType,
        url,
        attempts,
        lastStatusCode,
        lastError,
      }),
    }),
  },
  "call.offer": {
    "call:offer": event({
      when: "A person calls an official number.",
      of: "official numbers",
      data: CallOffer,
      mayBeCut: true,
      render: ({ callId, upstreamCallId, from, sdpOffer, expiresAt }, { person }) => ({
        callId,
        upstreamCallId,
        from: person(from),
        sdpOffer,
        expiresAt: iso(expiresAt),
      }),
    }),
  },
  "call.changed": CALL_CHANGES,
} satisfies GatewayEvents<AgentEvents & GroupEvents & BillingEvents & SubscriptionEvents & CallEvents>;
