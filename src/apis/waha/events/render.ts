import type { DomainEvent, MessageSent, PublishedEvent } from "../../../core/domain-event.ts";
import type { AttemptContext, Audience, Rendered } from "../../../core/events/audience.ts";
import type { EventOf, TypesTo } from "../../../core/events/definitions/index.ts";
import type { LinkEnv } from "../../../core/media/links.ts";
import { hmacSha512 } from "../../../kernel/crypto.ts";
import { ACCOUNT_RETRY } from "../../shared/account-retry.ts";
import { type EventContext, eventContextOf, sampleContext } from "../../shared/compatible/event-context.ts";
import { sampleBy } from "../../shared/docs/sample-events.ts";
import { chatIdOf } from "../addresses.ts";
import { labelView } from "../chats/label-views.ts";
import { ENGINE, ENVIRONMENT, meOf } from "../session-views.ts";
import { type EventType, nameFor } from "./events.ts";
import {
  ackData,
  archiveData,
  callData,
  editedData,
  groupData,
  isAboutArchive,
  isIncoming,
  isInGroup,
  joinedData,
  joinRequestData,
  leftData,
  participantsData,
  presenceData,
  reactionData,
  receivedData,
  responseData,
  revokedData,
  sentData,
  statusData,
  voteData,
} from "./views.ts";
import { adaptedBody, filledBy } from "./webhook-form.ts";

/** The name of this API's audience of events. */
export const WAHA = "waha";

/**
 * How an event of this API shows a domain event. `takes`: whether the event has this name; without it, it always has.
 * No data: what the event is about is gone, and nobody gets the event. `ack`: the same as an acknowledgement.
 */
type Shown<Event> = {
  takes?: (event: Event) => boolean;
  data: (event: Event, session: EventContext) => unknown;
  ack?: (event: Event, session: EventContext) => unknown;
};

const acknowledged = (ackName: Parameters<typeof ackData>[0]) => {
  const data = ackData(ackName);
  return {
    "message.ack.group": { takes: isInGroup, data },
    "message.ack": { data },
  } satisfies { [Name in EventType]?: Shown<MessageSent> };
};

/** TABLE: the names of each domain event that apps get; null for an event that WAHA does not have. */
const EVENTS: {
  readonly [Type in TypesTo<"apps">]: { readonly [Name in EventType]?: Shown<EventOf<Type>> } | null;
} = {
  "message.received": {
    // a bot must not answer messages of a chat that another app leads, nor what was written before it was there
    message: {
      takes: (event) => !event.heldBy && !event.isHistory && event.direction === "inbound",
      data: receivedData,
    },
    "message.any": {
      takes: (event) => !event.heldBy && !event.isHistory && event.direction === "outbound",
      data: receivedData,
      ack: ({ chat: to, messageId }, session) => ackData("SERVER")({ to, messageId, error: null }, session),
    },
  },
  "message.sent": { "message.any": { data: sentData, ack: ackData("SERVER") } },
  "message.delivered": acknowledged("DEVICE"),
  "message.read": acknowledged("READ"),
  "message.failed": acknowledged("ERROR"),
  "message.deleted": { "message.revoked": { data: revokedData } },
  "message.edited": { "message.edited": { data: editedData } },
  "message.reacted": { "message.reaction": { data: reactionData } },
  "message.poll_vote": { "poll.vote": { data: voteData } },
  "message.event_response": { "event.response": { data: responseData } },
  "contacts.synced": null,
  "contact.presence": { "presence.update": { data: presenceData } },
  "group.lifecycle": {
    "group.v2.join": { takes: ({ action }) => action === "created", data: joinedData },
    "group.v2.leave": { takes: ({ action }) => action === "deleted", data: leftData },
  },
  "group.settings": { "group.v2.update": { data: groupData } },
  "group.participants": { "group.v2.participants": { data: participantsData } },
  "group.join-requests": { "group.v2.participants.join_request": { data: joinRequestData } },
  "conversation.created": null,
  "chat.changed": { "chat.archive": { takes: isAboutArchive, data: archiveData } },
  "contact.updated": null,
  "label.changed": {
    "label.deleted": { takes: ({ isDeleted }) => isDeleted, data: ({ label }) => labelView(label) },
    "label.upsert": { data: ({ label }) => labelView(label) },
  },
  "chat.labelled": {
    "label.chat.added": {
      takes: ({ isLabelled }) => isLabelled,
      data: ({ chat, label }) => ({ labelId: label.id, label: labelView(label), chatId: chatIdOf(chat) }),
    },
    "label.chat.deleted": {
      data: ({ chat, label }) => ({ labelId: label.id, label: labelView(label), chatId: chatIdOf(chat) }),
    },
  },
  "call.offer": { "call.received": { takes: isIncoming, data: callData } },
  "call.changed": {
    "call.received": { takes: (event) => isIncoming(event) && event.status === "RINGING", data: callData },
    "call.accepted": {
      takes: (event) => isIncoming(event) && event.status === "ACCEPTED",
      data: callData,
    },
    "call.rejected": {
      // a call that was answered has ended otherwise
      takes: (event) => isIncoming(event) && ["REJECTED", "MISSED", "FAILED"].includes(event.status),
      data: callData,
    },
  },
  "history.progressed": null,
  "channel.connected": { "session.status": { data: statusData("WORKING") } },
  "channel.disconnected": { "session.status": { data: statusData("STOPPED") } },
  "channel.qr_issued": { "session.status": { data: statusData("SCAN_QR_CODE") } },
  "channel.restricted": null,
  "template.changed": null,
};

/** Domain events that apps do not get have no entry. */
const BY_DOMAIN_EVENT: Readonly<Record<string, Readonly<Partial<Record<EventType, Shown<never>>>> | null>> = EVENTS;

/** The names that a domain event may have here. */
export const wahaNames = (type: string): EventType[] => Object.keys(BY_DOMAIN_EVENT[type] ?? {}) as EventType[];

type Named = {
  type: EventType;
  data: (session: EventContext) => unknown;
  ack: ((session: EventContext) => unknown) | undefined;
};

const shownBy = (event: DomainEvent): Named | undefined => {
  const own = event as never; // its own type has the entry
  for (const [type, { takes, data, ack }] of Object.entries(BY_DOMAIN_EVENT[event.type] ?? {}))
    if (takes?.(own) ?? true)
      return {
        type: type as EventType,
        data: (session) => data(own, session),
        ack: ack && ((session) => ack(own, session)),
      };
  return undefined;
};

/** WAHA's id of an event. */
const eventIdOf = (id: string): string => `evt_${id.replaceAll("-", "")}`;

const rendered = (published: PublishedEvent, session: EventContext): Rendered | undefined => {
  const shown = shownBy(published.domainEvent);
  if (shown === undefined) return undefined;
  const payload = shown.data(session);
  if (payload === null) return undefined;
  const body = {
    id: eventIdOf(published.id),
    timestamp: published.createdAt,
    event: shown.type,
    session: session.label,
    metadata: null, // each webhook has its own
    me: meOf(session),
    payload,
    environment: ENVIRONMENT,
    engine: ENGINE,
    ...(shown.ack ? { ack: shown.ack(session) } : {}),
  };
  return { type: shown.type, body: JSON.stringify(body) };
};

/** The session of samples. */
const SAMPLE = sampleContext("default");

const cut = (body: string): string => {
  const { payload, ...event } = JSON.parse(body) as { payload: Record<string, unknown> }; // as made above
  const { id, timestamp, from, fromMe, to, participant } = payload;
  const place = { id, timestamp, from, fromMe, to, participant };
  return JSON.stringify({ ...event, payload: { ...place, isCut: true, sizeBytes: Buffer.byteLength(body) } });
};

/** WAHA's headers: the HMAC is SHA-512 of the body as it goes out, in hexadecimal. */
const headers = ({ eventId, body, secret, atMs }: AttemptContext): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": "Recado",
  "X-Webhook-Request-Id": eventId,
  "X-Webhook-Timestamp": String(atMs),
  "X-Webhook-Hmac": hmacSha512(secret, body),
  "X-Webhook-Hmac-Algorithm": "sha512",
});

/** The audience of programs that expect WAHA's webhooks. `env` signs the addresses of files that programs get. */
export const wahaAudience = (env: () => LinkEnv): Audience => ({
  name: WAHA,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: false,
  retry: ACCOUNT_RETRY,
  // only its name: the body is made when a program of the session gets it
  render({ domainEvent }) {
    const shown = shownBy(domainEvent);
    return shown && { type: shown.type, body: "" };
  },
  async complete(reader, published) {
    const session = await eventContextOf(reader, published, WAHA);
    return session && rendered(published, session);
  },
  adapt: adaptedBody,
  filled: filledBy(env),
  sample: sampleBy((published) => rendered(published, SAMPLE)),
  cut,
  headers,
  isSubscribed: (events, type) => nameFor(events, type as EventType) !== undefined,
  reportsLossOf: () => true,
});
