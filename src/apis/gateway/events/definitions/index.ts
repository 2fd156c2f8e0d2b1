import type { DomainEvent } from "../../../../core/domain-event.ts";
import type { EventFields } from "../../../../core/events/definitions/index.ts";
import type { Views } from "../event-views.ts";
import { ACCOUNTS } from "./accounts.ts";
import { CHATS } from "./chats.ts";
import type { GatewayEvent, GatewayEvents } from "./definition.ts";
import { INBOX } from "./inbox.ts";
import { MESSAGES } from "./messages.ts";
import { NEWSLETTERS } from "./newsletters.ts";
import { PHONES } from "./phones.ts";
import { REACH } from "./reach.ts";

/** TABLE: the events of this API, by the domain event that each of them shows, in the order of docs/events.md. */
const DEFINITIONS = {
  ...MESSAGES,
  ...CHATS,
  ...INBOX,
  ...PHONES,
  ...REACH,
  ...ACCOUNTS,
  ...NEWSLETTERS,
} satisfies GatewayEvents<EventFields>;

type Table = typeof DEFINITIONS;
/** A type that an event has. */
export type GatewayEventType = { [Type in keyof Table]: keyof Table[Type] }[keyof Table];

type Definition = GatewayEvent<never>;
/** Domain events that accounts do not get have no entry. */
const BY_DOMAIN_EVENT: Readonly<Record<string, Readonly<Record<string, Definition>>>> = DEFINITIONS;

/** The names that a domain event may have, each with its definition. */
export const named = (type: string): [GatewayEventType, Definition][] =>
  Object.entries(BY_DOMAIN_EVENT[type] ?? {}) as [GatewayEventType, Definition][]; // the keys of the table

/** The definition of every type. One type may show several domain events, which then define it alike. */
export const GATEWAY_DEFINITIONS: ReadonlyMap<GatewayEventType, Definition> = new Map(
  Object.keys(DEFINITIONS).flatMap(named),
);

/** The event that shows a domain event; undefined if accounts do not get it. */
export const shownBy = (
  domainEvent: DomainEvent,
  views: Views,
): { type: GatewayEventType; data: unknown } | undefined => {
  for (const [type, { render }] of named(domainEvent.type)) {
    const data: unknown = render(domainEvent as never, views); // its own type has the entry
    if (data !== undefined) return { type, data };
  }
  return undefined;
};
