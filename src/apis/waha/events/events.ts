/** TABLE: the events of this API. A webhook that asks for `*` gets all of them. */
export const EVENT_TYPES = [
  "session.status",
  "message",
  "message.any",
  "message.reaction",
  "message.ack",
  "message.ack.group",
  "message.revoked",
  "message.edited",
  "group.v2.join",
  "group.v2.leave",
  "group.v2.update",
  "group.v2.participants",
  "group.v2.participants.join_request",
  "presence.update",
  "poll.vote",
  "event.response",
  "chat.archive",
  "call.received",
  "call.accepted",
  "call.rejected",
  "label.upsert",
  "label.deleted",
  "label.chat.added",
  "label.chat.deleted",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** WAHA's other names. A webhook may ask for them, but gets nothing: Recado publishes no such events. */
const SILENT_TYPES = [
  "message.waiting",
  "state.change",
  "group.join",
  "group.leave",
  "poll.vote.failed",
  "event.response.failed",
  "engine.event",
] as const;

const ALL_EVENTS = "*";

/** The names that a webhook may ask for. */
export const ASKED_NAMES = [ALL_EVENTS, ...EVENT_TYPES, ...SILENT_TYPES] as const;

/**
 * TABLE: other names under which a webhook gets an event. WAHA has two events for one thing that happens: a message that
 * comes in is `message` and `message.any`, one that goes out `message.any` and its first `message.ack`. A webhook that asks
 * for both gets one, under the name of the event itself.
 */
const ALSO_AS: { readonly [Type in EventType]?: EventType } = {
  message: "message.any",
  "message.any": "message.ack",
};

const isAskedFor = (events: readonly string[], type: EventType): boolean =>
  events.includes(ALL_EVENTS) || events.includes(type);

/** The name under which a webhook gets an event; undefined if it did not ask for it. */
export const nameFor = (events: readonly string[], type: EventType): EventType | undefined => {
  if (isAskedFor(events, type)) return type;
  const other = ALSO_AS[type];
  return other !== undefined && isAskedFor(events, other) ? other : undefined;
};
