import type { DomainEvent, MessageSent, PublishedEvent } from "../../../core/domain-event.ts";
import type { Rendered } from "../../../core/events/audience.ts";
import type { EventOf, TypesTo } from "../../../core/events/definitions/index.ts";
import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { bodyOf, type Change, type Field } from "./envelope.ts";
import { actChange, echoChange, receivedChange } from "./messages.ts";
import { isGroup } from "./people.ts";
import { statusChange } from "./statuses.ts";
import { endedChange, isEnd, restrictedChange, templateChange } from "./updates.ts";

/**
 * How a change of a field shows a domain event. `takes`: whether the event has this field; without it, it always has.
 * No change: this phone's program does not get the event.
 */
type Shown<Event> = {
  takes?: (event: Event) => boolean;
  change: (event: Event, context: EventContext, published: PublishedEvent) => Change | undefined;
};

/** This API has no history, no groups, and no messages that another app answers. */
const isShown = ({ isHistory, heldBy, chat }: EventOf<"message.received">): boolean =>
  !isHistory && !heldBy && !isGroup(chat);

const STATUS = { messages: { takes: ({ to }: MessageSent) => !isGroup(to), change: statusChange } };

/** An act of the owner is not an act of the person in the chat. */
const ACT = {
  messages: {
    takes: ({ from, chat }: EventOf<"message.reacted" | "message.edited">) => from?.canonicalKey === chat.canonicalKey,
    change: (act: EventOf<"message.reacted" | "message.edited">, context: EventContext, published: PublishedEvent) =>
      actChange(published, act, context),
  },
};

/** TABLE: the fields of each domain event that apps get; null for an event that this API does not have. */
const EVENTS: {
  readonly [Type in TypesTo<"apps">]: { readonly [Name in Field]?: Shown<EventOf<Type>> } | null;
} = {
  "message.received": {
    messages: { takes: (event) => isShown(event) && event.direction === "inbound", change: receivedChange },
    smb_message_echoes: { takes: (event) => isShown(event) && event.direction === "outbound", change: echoChange },
  },
  "message.sent": STATUS,
  "message.delivered": STATUS,
  "message.read": STATUS,
  "message.failed": STATUS,
  "message.deleted": {
    messages: {
      takes: ({ to }) => !isGroup(to),
      change: (act, context, published) => (context.isTheirs ? actChange(published, act, context) : undefined),
    },
  },
  "message.reacted": ACT,
  "message.edited": ACT,
  "message.poll_vote": null,
  "contacts.synced": null,
  "contact.updated": null,
  "conversation.created": null,
  "chat.changed": null,
  "chat.labelled": null,
  "label.changed": null,
  "call.offer": null,
  "call.changed": null,
  "contact.presence": null,
  "group.lifecycle": null,
  "group.participants": null,
  "group.settings": null,
  "group.join-requests": null,
  "message.event_response": null,
  "template.changed": {
    message_template_status_update: { takes: ({ status }) => status !== "DRAFT", change: templateChange },
  },
  "channel.restricted": { account_update: { change: restrictedChange } },
  "channel.connected": null,
  "channel.disconnected": { account_update: { takes: isEnd, change: endedChange } },
  "channel.qr_issued": null,
  "history.progressed": null,
};

/** Domain events that apps do not get have no entry. */
const BY_DOMAIN_EVENT: Readonly<Record<string, Readonly<Partial<Record<Field, Shown<never>>>> | null>> = EVENTS;

/** The fields of the changes that a domain event may become. */
export const cloudFields = (type: string): Field[] => Object.keys(BY_DOMAIN_EVENT[type] ?? {}) as Field[];

const shownBy = (event: DomainEvent): { field: Field; shown: Shown<never> } | undefined => {
  for (const [field, shown] of Object.entries(BY_DOMAIN_EVENT[event.type] ?? {}))
    if (shown.takes?.(event as never) ?? true) return { field: field as Field, shown }; // its own type has the entry
  return undefined;
};

/** The field of the change that a domain event becomes; undefined for an event that this API does not have. */
export const fieldOf = (domainEvent: DomainEvent): Field | undefined => shownBy(domainEvent)?.field;

/** The webhook of an event; undefined for an event that this API does not have. */
export const rendered = (published: PublishedEvent, context: EventContext): Rendered | undefined => {
  const change = shownBy(published.domainEvent)?.shown.change(published.domainEvent as never, context, published);
  return change && { type: change.field, body: bodyOf(context, change) };
};
