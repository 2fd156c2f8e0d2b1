import type { AgentEvents } from "../../../../core/events/definitions/agents.ts";
import type { BillingEvents } from "../../../../core/events/definitions/billing.ts";
import type { CallEvents } from "../../../../core/events/definitions/calls.ts";
import type { GroupEvents } from "../../../../core/events/definitions/groups.ts";
import type { EventOf } from "../../../../core/events/definitions/index.ts";
import type { SubscriptionEvents } from "../../../../core/events/definitions/subscriptions.ts";
import { iso } from "../../../../kernel/clock.ts";
import {
  AgentDocument,
  AgentHandoff,
  BudgetExhausted,
  CallChange,
  CallOffer,
  GroupLifecycle,
  GroupParticipants,
  GroupSettings,
  GroupStatus,
  InvoiceFailed,
  InvoicePaid,
  WebhookFailure,
} from "../event-schemas/accounts.ts";
import { person } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Agents, groups, invoices, webhooks and calls. */

const OF_ACCOUNT = "the whole account: `phoneId` is null";

/** The fields of a domain event whose data is all of them. */
const withoutType = <Event extends { type: string }>(domainEvent: Event): Omit<Event, "type"> => {
  const { type: _, ...data } = domainEvent;
  return data;
};

type CallStatus = EventOf<"call.changed">["status"];

/** The event of one status of a call. */
const call = (status: CallStatus, when: string, mayBeCut = false) =>
  event({
    when,
    of: "official numbers",
    data: CallChange,
    mayBeCut,
    render: (changed: EventOf<"call.changed">) => (changed.status === status ? withoutType(changed) : undefined),
  });

/** The events of each status: a status without one does not compile. */
const CALL_CHANGES = {
  "call:ringing": call("RINGING", "The phone of the person that you call rings."),
  "call:accepted": call("ACCEPTED", "The call was accepted. `sdpAnswer` is there when the other side accepted.", true),
  "call:in_progress": call("IN_PROGRESS", "The two sides are connected."),
  "call:completed": call("COMPLETED", "The call is over."),
  "call:rejected": call("REJECTED", "The call was rejected."),
  "call:missed": call("MISSED", "Nobody answered within `RECADO_CALL_RING_TIMEOUT`."),
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
  "group.settings": {
    "group:settings": event({
      when: "The subject, the description, the join mode or the rules of a group changed.",
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
      when: "Somebody calls an official number.",
      of: "official numbers",
      data: CallOffer,
      mayBeCut: true,
      render: ({ callId, upstreamCallId, from, sdpOffer, expiresAt }) => ({
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
