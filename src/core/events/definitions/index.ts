import { personKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import type { DomainEvent } from "../../domain-event.ts";
import { AGENT_EVENTS, type AgentEvents } from "./agents.ts";
import { BILLING_EVENTS, type BillingEvents } from "./billing.ts";
import { CALL_EVENTS, type CallEvents } from "./calls.ts";
import { CHANNEL_EVENTS, type ChannelEvents } from "./channels.ts";
import { CHAT_EVENTS, type ChatEvents } from "./chats.ts";
import type { Addressee, Definition, Definitions, Direction } from "./definition.ts";
import { GROUP_EVENTS, type GroupEvents } from "./groups.ts";
import { INBOX_EVENTS, type InboxEvents } from "./inbox.ts";
import { MESSAGE_EVENTS, type MessageEvents } from "./messages.ts";
import { NEWSLETTER_EVENTS, type NewsletterEvents } from "./newsletters.ts";
import { PEOPLE_EVENTS, type PeopleEvents } from "./people.ts";
import { REACH_EVENTS, type ReachEvents } from "./reach.ts";
import { SUBSCRIPTION_EVENTS, type SubscriptionEvents } from "./subscriptions.ts";

/** The fields of every domain event, by its type. */
export type EventFields = MessageEvents &
  ChannelEvents &
  ChatEvents &
  PeopleEvents &
  InboxEvents &
  ReachEvents &
  AgentEvents &
  GroupEvents &
  NewsletterEvents &
  BillingEvents &
  SubscriptionEvents &
  CallEvents;

/** TABLE: every domain event. APIs list the names of their events in this order. */
export const DEFINITIONS = {
  ...MESSAGE_EVENTS,
  ...CHANNEL_EVENTS,
  ...CHAT_EVENTS,
  ...PEOPLE_EVENTS,
  ...INBOX_EVENTS,
  ...REACH_EVENTS,
  ...AGENT_EVENTS,
  ...GROUP_EVENTS,
  ...NEWSLETTER_EVENTS,
  ...BILLING_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...CALL_EVENTS,
} satisfies Definitions<EventFields>;

export type EventType = keyof EventFields;
export type EventOf<Type extends EventType> = Extract<DomainEvent, { type: Type }>;

/** The types of the events that an addressee may get. */
export type TypesTo<To extends Addressee> = {
  [Type in EventType]: To extends (typeof DEFINITIONS)[Type]["publishedTo"][number] ? Type : never;
}[EventType];

/** The definition of an event takes the fields of its own type. */
const definitionOf = ({ type }: DomainEvent): Omit<Definition<never>, "samples"> => DEFINITIONS[type];

/** The direction of the message that an event is about: received, or sent from here. Null for every other event. */
export const directionOf = (domainEvent: DomainEvent): Direction | null => {
  const { direction } = definitionOf(domainEvent);
  return typeof direction === "function" ? direction(domainEvent as never) : direction;
};

/** The ordering key of an event: the chat that it belongs to. Spellings of one phone number give the same key. */
export const chatOf = (domainEvent: DomainEvent): string =>
  personKeyOf(definitionOf(domainEvent).ordering.keyOf(domainEvent as never));

/** Whether only streams get events of a type. */
export const isForStreams = (type: EventType): boolean => "isForStreams" in DEFINITIONS[type];

/** The subscription that does not get an event: a webhook gets no report of its own failure. */
export const exceptIn = (domainEvent: DomainEvent): string | null =>
  definitionOf(domainEvent).exceptSubscription?.(domainEvent as never) ?? null;

/** The samples of one type, as domain events. */
export const samplesOf = <Type extends EventType>(type: Type): EventOf<Type>[] => {
  const { samples }: { samples: readonly object[] } = DEFINITIONS[type];
  return samples.map((fields) => ({ type, ...fields }) as EventOf<Type>); // the table has the fields of each type
};

export const EVENT_TYPES = Object.keys(DEFINITIONS) as EventType[];

/** The samples of all types, in the order of the table. */
export const SAMPLES: readonly DomainEvent[] = EVENT_TYPES.flatMap((type): DomainEvent[] => samplesOf(type));
