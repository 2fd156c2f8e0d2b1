import type { DomainEvent, PublishedEvent } from "../../../core/domain-event.ts";
import type { Rendered } from "../../../core/events/audience.ts";
import type { CloudContext } from "../../../core/messaging/receiving/cloud-context.ts";
import { bodyOf, type Change, type Field } from "./envelope.ts";
import { actChange, echoChange, receivedChange } from "./messages.ts";
import { isGroup } from "./people.ts";
import { statusChange } from "./statuses.ts";
import { endedChange, isEnd, restrictedChange, templateChange } from "./updates.ts";

/** TABLE: the field of the change that each domain event becomes; undefined for an event that this API does not have. */
export const fieldOf = (domainEvent: DomainEvent): Field | undefined => {
  switch (domainEvent.type) {
    case "message.received":
      if (domainEvent.isHistory || domainEvent.heldBy || isGroup(domainEvent.chat)) return undefined;
      return domainEvent.direction === "inbound" ? "messages" : "smb_message_echoes";
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
    case "message.deleted":
      return isGroup(domainEvent.to) ? undefined : "messages";
    case "message.reacted":
    case "message.edited":
      // an act of the owner's is none of the person that the chat is with
      return domainEvent.from?.canonicalKey === domainEvent.chat.canonicalKey ? "messages" : undefined;
    case "template.changed":
      return domainEvent.status === "DRAFT" ? undefined : "message_template_status_update";
    case "channel.restricted":
      return "account_update";
    case "channel.disconnected":
      return isEnd(domainEvent) ? "account_update" : undefined;
    default:
      return undefined;
  }
};

const changeOf = (published: PublishedEvent, context: CloudContext): Change | undefined => {
  const { domainEvent } = published;
  switch (domainEvent.type) {
    case "message.received":
      return domainEvent.direction === "inbound"
        ? receivedChange(domainEvent, context)
        : echoChange(domainEvent, context);
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
      return statusChange(domainEvent, context);
    case "message.deleted":
      return context.isTheirs ? actChange(published, domainEvent, context) : undefined;
    case "message.reacted":
    case "message.edited":
      return actChange(published, domainEvent, context);
    case "template.changed":
      return templateChange(domainEvent);
    case "channel.restricted":
      return restrictedChange(domainEvent, context);
    case "channel.disconnected":
      return endedChange(domainEvent, context);
    default:
      return undefined;
  }
};

/** The webhook of an event; undefined for an event that this API does not have. */
export const rendered = (published: PublishedEvent, context: CloudContext): Rendered | undefined => {
  if (fieldOf(published.domainEvent) === undefined) return undefined;
  const change = changeOf(published, context);
  return change && { type: change.field, body: bodyOf(context, change) };
};
