import {
  type Contact,
  contactOf,
  type DomainEvent,
  type MessageReceived,
  type MessageSent,
  type PublishedEvent,
} from "../../../core/domain-event.ts";
import type { Audience, Rendered } from "../../../core/events/audience.ts";
import type { EventOf, TypesTo } from "../../../core/events/definitions/index.ts";
import { iso, SECOND_MS } from "../../../kernel/clock.ts";
import { ACCOUNT_RETRY } from "../../shared/account-retry.ts";
import { jidOf } from "../../shared/compatible/addresses.ts";
import { type EventContext, eventContextOf, sampleContext } from "../../shared/compatible/event-context.ts";
import { sampleBy } from "../../shared/docs/sample-events.ts";
import { standardHeaders } from "../../shared/standard-webhooks.ts";
import { ownerOf } from "../instance-views.ts";
import { messageView } from "../message-views.ts";
import {
  callData,
  changedChatData,
  changedContactData,
  groupData,
  historyData,
  isGone,
  isIncoming,
  labelData,
  labelledData,
  newChatData,
  newGroupData,
  participantsData,
} from "./event-views.ts";
import { EVENT_NAMES, type EventName, type EventType } from "./events.ts";
import { type FillEnv, filledBy, webhookAddress } from "./webhook-form.ts";

/** The name of this API's audience of events. */
export const EVOLUTION = "evolution";

/** The key of a message. A person who has another address too is named by both. */
const keyOf = (chat: Contact, id: string, fromMe: boolean, author?: Contact) => ({
  remoteJid: jidOf(chat),
  fromMe,
  id,
  ...(chat.type === "pn" && chat.lid !== null ? { remoteJidAlt: `${chat.lid}@lid` } : {}),
  ...(chat.type === "group" && author ? { participant: jidOf(author) } : {}),
});

const receivedData = (received: MessageReceived, { id: instanceId }: EventContext) => {
  const { messageId, at, direction, chat, from, pushName, content, quotedMessageId } = received;
  const fromMe = direction === "outbound";
  return messageView({
    key: keyOf(chat, messageId, fromMe, from),
    pushName,
    status: fromMe ? "SERVER_ACK" : "DELIVERY_ACK",
    said: content,
    at,
    instanceId,
    quotedId: quotedMessageId,
  });
};

const updateData = (
  { messageId, to }: { messageId: string; to: Contact },
  status: string,
  { id: instanceId }: EventContext,
) => ({ messageId, keyId: messageId, remoteJid: jidOf(to), fromMe: true, status, instanceId });

const presenceData = ({ contact, chat, state, lastSeenAt }: EventOf<"contact.presence">) => ({
  id: jidOf(chat),
  presences: {
    [jidOf(contact)]: {
      lastKnownPresence: state,
      ...(lastSeenAt === null ? {} : { lastSeen: Math.floor(lastSeenAt / SECOND_MS) }),
    },
  },
});

const NO_PROFILE = { profileName: null, profilePictureUrl: null };
/** Evolution's reason for a closed connection without a reason of its own. */
const CLOSED = 428;

const sentData = ({ to, messageId, said, at }: MessageSent, { id: instanceId }: EventContext) =>
  messageView({ key: keyOf(to, messageId, true), pushName: null, status: "SERVER_ACK", said, at, instanceId });

const authorKey = ({ chat, messageId, from }: { chat: Contact; messageId: string; from: Contact | null }) =>
  keyOf(chat, messageId, from === null, from ?? undefined);

const editData = (event: EventOf<"message.edited">, { id: instanceId }: EventContext) => ({
  key: authorKey(event),
  type: "MESSAGE_EDIT",
  editedMessage: { conversation: event.text },
  timestampMs: String(event.at),
  instanceId,
});

const voteData = (
  { messageId, chat, from, options, totals }: EventOf<"message.poll_vote">,
  instance: EventContext,
) => ({
  ...updateData({ messageId, to: chat }, "DELIVERY_ACK", instance),
  fromMe: instance.author === null,
  pollUpdates: totals.map(({ option, votes }) => ({
    name: option,
    votes,
    voters: options.includes(option) ? [jidOf(from)] : [],
  })),
});

/** The key of the message that an event is about. */
const subjectKey = (chat: Contact, messageId: string, author: Contact | null) =>
  keyOf(chat, messageId, author === null, author ?? undefined);

/** A reaction has an id of its own: programs that keep messages by their ids take another for a repeat. */
const reactionData = (event: EventOf<"message.reacted">, { id: instanceId, eventId, author }: EventContext) => ({
  key: { ...authorKey(event), id: eventId },
  pushName: null,
  status: "DELIVERY_ACK",
  messageType: "reactionMessage",
  message: { reactionMessage: { key: subjectKey(event.chat, event.messageId, author), text: event.emoji } },
  contextInfo: null,
  messageTimestamp: Math.floor(event.at / SECOND_MS),
  instanceId,
  source: "unknown",
});

/**
 * How an event of this API shows a domain event. `takes`: whether the event has this name; without it, it always has.
 * No data: what the event is about is gone, and nobody gets the event.
 */
type Shown<Event> = {
  takes?: (event: Event) => boolean;
  data: (event: Event, instance: EventContext) => unknown;
};

const updated = (status: string) => ({
  "messages.update": { data: (event: MessageSent, instance: EventContext) => updateData(event, status, instance) },
});

/** TABLE: the names of each domain event that apps get; null for an event that Evolution does not have. */
const EVENTS: {
  readonly [Type in TypesTo<"apps">]: { readonly [Name in EventType]?: Shown<EventOf<Type>> } | null;
} = {
  "message.received": {
    // a bot must not answer messages of a chat that another app leads
    "messages.upsert": { takes: (event) => !event.heldBy && !event.isHistory, data: receivedData },
    "messages.set": {
      takes: (event) => !event.heldBy && event.isHistory,
      data: (event, instance) => [receivedData(event, instance)],
    },
  },
  "message.sent": { "send.message": { data: sentData } },
  "message.delivered": updated("DELIVERY_ACK"),
  "message.read": updated("READ"),
  "message.failed": {
    "messages.update": {
      data: (event, instance) => ({ ...updateData(event, "ERROR", instance), error: event.error?.message ?? null }),
    },
  },
  "message.deleted": {
    "messages.delete": {
      data: ({ to, messageId }, { id: instanceId, author }) => ({
        ...subjectKey(to, messageId, author),
        status: "DELETED",
        instanceId,
      }),
    },
  },
  "message.edited": { "messages.edited": { data: editData } },
  "message.reacted": { "messages.upsert": { data: reactionData } },
  "message.poll_vote": { "messages.update": { data: voteData } },
  "contacts.synced": {
    "contacts.upsert": {
      data: ({ contacts }, { id: instanceId }) =>
        contacts.map(({ identity, name }) => ({
          remoteJid: jidOf(contactOf(identity)),
          pushName: name ?? null,
          profilePicUrl: null,
          instanceId,
        })),
    },
  },
  "contact.presence": { "presence.update": { data: presenceData } },
  "group.lifecycle": {
    "groups.upsert": {
      takes: ({ action }) => action === "created",
      data: newGroupData,
    },
  },
  "group.settings": { "groups.update": { data: groupData } },
  "group.participants": { "group-participants.update": { data: participantsData } },
  "conversation.created": { "chats.upsert": { data: newChatData } },
  "chat.changed": {
    "chats.delete": { takes: isGone, data: ({ chat }) => [jidOf(chat)] },
    "chats.update": { data: changedChatData },
  },
  "contact.updated": { "contacts.update": { data: changedContactData } },
  "label.changed": { "labels.edit": { data: labelData } },
  "chat.labelled": { "labels.association": { data: labelledData } },
  "call.offer": { call: { takes: isIncoming, data: callData } },
  "call.changed": { call: { takes: isIncoming, data: callData } },
  "history.progressed": {
    "messaging-history.set": { takes: ({ percent }) => percent === 100, data: historyData },
  },
  "channel.connected": {
    "connection.update": {
      data: (event, { label }) => ({
        instance: label,
        wuid: ownerOf(event),
        ...NO_PROFILE,
        state: "open",
        statusReason: 200,
      }),
    },
  },
  "channel.disconnected": {
    "connection.update": {
      data: ({ reason }, { label }) => ({ instance: label, state: "close", statusReason: CLOSED, reason }),
    },
  },
  "channel.qr_issued": {
    // without its picture: /instance/connect draws one
    "qrcode.updated": {
      data: ({ qr }, { label }) => ({ qrcode: { instance: label, pairingCode: null, code: qr, base64: null } }),
    },
  },
  "message.event_response": null,
  "group.join-requests": null,
  "channel.restricted": null,
  "template.changed": null,
};

/** Domain events that apps do not get have no entry. */
const BY_DOMAIN_EVENT: Readonly<Record<string, Readonly<Partial<Record<EventType, Shown<never>>>> | null>> = EVENTS;

/** The names that a domain event may have here. */
export const evolutionNames = (type: string): EventType[] => Object.keys(BY_DOMAIN_EVENT[type] ?? {}) as EventType[];

type Named = { type: EventType; data: (instance: EventContext) => unknown };

const shownBy = (event: DomainEvent): Named | undefined => {
  const own = event as never; // its own type has the entry
  for (const [type, { takes, data }] of Object.entries(BY_DOMAIN_EVENT[event.type] ?? {}))
    if (takes?.(own) ?? true) return { type: type as EventType, data: (instance) => data(own, instance) };
  return undefined;
};

const rendered = (published: PublishedEvent, instance: EventContext, baseUrl: string): Rendered | undefined => {
  const shown = shownBy(published.domainEvent);
  if (shown === undefined) return undefined;
  const { type: event } = shown;
  const data = shown.data(instance);
  if (data === null) return undefined;
  const body = {
    event,
    instance: instance.label,
    data,
    destination: instance.url,
    date_time: iso(published.createdAt),
    sender: ownerOf(instance),
    server_url: baseUrl,
    apikey: null, // no event holds a secret
  };
  return { type: event, body: JSON.stringify(body) };
};

/** The instance of samples. */
const SAMPLE = sampleContext("recado");

const cut = (body: string): string => {
  const { data, ...envelope } = JSON.parse(body) as { data: { key?: unknown; messageType?: unknown } }; // as made above
  const { key, messageType } = data;
  return JSON.stringify({ ...envelope, data: { key, messageType, isCut: true, sizeBytes: Buffer.byteLength(body) } });
};

const typeFor = (name: string): string | undefined => EVENT_NAMES[name as EventName];

/**
 * The audience of programs that expect Evolution's webhooks. `baseUrl`: the public URL of this API, once it listens.
 * `env` opens and signs the files that programs get.
 */
export const evolutionAudience = (baseUrl: () => string, env: () => FillEnv): Audience => ({
  name: EVOLUTION,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: false,
  retry: ACCOUNT_RETRY,
  // only its name: the body is made when a program of the instance gets it
  render({ domainEvent }) {
    const shown = shownBy(domainEvent);
    return shown && { type: shown.type, body: "" };
  },
  async complete(reader, published) {
    const instance = await eventContextOf(reader, published, EVOLUTION);
    return instance && rendered(published, instance, baseUrl());
  },
  addressOf: webhookAddress,
  filled: filledBy(env),
  sample: sampleBy((published) => rendered(published, SAMPLE, baseUrl())),
  cut,
  headers: standardHeaders,
  isSubscribed: (events, type) => events.length === 0 || events.some((name) => typeFor(name) === type),
  reportsLossOf: () => true,
});
