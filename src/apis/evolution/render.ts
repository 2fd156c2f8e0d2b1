import { type AppContext, appContextOf } from "../../core/channels/settings/app-context.ts";
import {
  type Contact,
  contactOf,
  type DomainEvent,
  type MessageReceived,
  type MessageSent,
  type PublishedEvent,
} from "../../core/domain-event.ts";
import type { Audience, Rendered } from "../../core/events/audience.ts";
import { iso, SECOND_MS } from "../../kernel/clock.ts";
import { ACCOUNT_RETRY } from "../shared/account-retry.ts";
import { sampleBy } from "../shared/docs/sample-events.ts";
import { standardHeaders } from "../shared/standard-webhooks.ts";
import { EVENT_NAMES, type EventName, type EventType } from "./events.ts";
import { ownerOf } from "./instance-views.ts";
import { groupJidOf, jidOf, messageView } from "./message-views.ts";

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

const receivedData = (received: MessageReceived, { id: instanceId }: AppContext) => {
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
  { id: instanceId }: AppContext,
) => ({ messageId, keyId: messageId, remoteJid: jidOf(to), fromMe: true, status, instanceId });

const presenceData = ({ contact, chat, state, lastSeenAt }: Of<"contact.presence">) => ({
  id: jidOf(chat),
  presences: {
    [jidOf(contact)]: {
      lastKnownPresence: state,
      ...(lastSeenAt === null ? {} : { lastSeen: Math.floor(lastSeenAt / SECOND_MS) }),
    },
  },
});

/** TABLE: this API's event for each domain event; the others have none in Evolution. */
const TYPES: Partial<Record<DomainEvent["type"], EventType>> = {
  "message.received": "messages.upsert",
  "message.sent": "send.message",
  "message.delivered": "messages.update",
  "message.read": "messages.update",
  "message.failed": "messages.update",
  "message.deleted": "messages.delete",
  "message.edited": "messages.edited",
  "message.reacted": "messages.upsert",
  "message.poll_vote": "messages.update",
  "contacts.synced": "contacts.upsert",
  "contact.presence": "presence.update",
  "group.lifecycle": "groups.upsert",
  "channel.connected": "connection.update",
  "channel.disconnected": "connection.update",
  "channel.qr_issued": "qrcode.updated",
};

const typeOf = (event: DomainEvent): EventType | undefined => {
  if (event.type === "message.received" && event.heldBy) return undefined; // a bot must not answer what another app leads
  if (event.type === "message.received" && event.isHistory) return "messages.set";
  if (event.type === "group.lifecycle" && event.action !== "created") return undefined;
  return TYPES[event.type];
};

const dataOf = (event: DomainEvent, instance: AppContext): unknown => {
  const { id: instanceId, label } = instance;
  switch (event.type) {
    case "message.received":
      return event.isHistory ? [receivedData(event, instance)] : receivedData(event, instance);
    case "message.sent":
      return sentData(event, instance);
    case "message.delivered":
      return updateData(event, "DELIVERY_ACK", instance);
    case "message.read":
      return updateData(event, "READ", instance);
    case "message.failed":
      return { ...updateData(event, "ERROR", instance), error: event.error?.message ?? null };
    case "message.deleted":
      return { ...keyOf(event.to, event.messageId, true), status: "DELETED", instanceId };
    case "message.edited":
      return editData(event, instance);
    case "message.reacted":
      return reactionData(event, instance);
    case "message.poll_vote":
      return voteData(event, instance);
    case "contacts.synced":
      return event.contacts.map(({ identity, name }) => ({
        remoteJid: jidOf(contactOf(identity)),
        pushName: name ?? null,
        profilePicUrl: null,
        instanceId,
      }));
    case "contact.presence":
      return presenceData(event);
    case "group.lifecycle":
      return [{ id: groupJidOf(event) }];
    case "channel.connected":
      return { instance: label, wuid: ownerOf(event), ...NO_PROFILE, state: "open", statusReason: 200 };
    case "channel.disconnected":
      return { instance: label, state: "close", statusReason: CLOSED, reason: event.reason };
    case "channel.qr_issued":
      // without its picture: /instance/connect draws one
      return { qrcode: { instance: label, pairingCode: null, code: event.qr, base64: null } };
    default:
      return null;
  }
};

const NO_PROFILE = { profileName: null, profilePictureUrl: null };
/** The reason that Evolution gives for a closed connection without one of its own. */
const CLOSED = 428;

type Of<Type extends DomainEvent["type"]> = Extract<DomainEvent, { type: Type }>;

const sentData = ({ to, messageId, said, at }: MessageSent, { id: instanceId }: AppContext) =>
  messageView({ key: keyOf(to, messageId, true), pushName: null, status: "SERVER_ACK", said, at, instanceId });

const authorKey = ({ chat, messageId, from }: { chat: Contact; messageId: string; from: Contact | null }) =>
  keyOf(chat, messageId, from === null, from ?? undefined);

const editData = (event: Of<"message.edited">, { id: instanceId }: AppContext) => ({
  key: authorKey(event),
  type: "MESSAGE_EDIT",
  editedMessage: { conversation: event.text },
  timestampMs: String(event.at),
  instanceId,
});

const voteData = ({ messageId, chat, from, options, totals }: Of<"message.poll_vote">, instance: AppContext) => ({
  ...updateData({ messageId, to: chat }, "DELIVERY_ACK", instance),
  pollUpdates: totals.map(({ option, votes }) => ({
    name: option,
    votes,
    voters: options.includes(option) ? [jidOf(from)] : [],
  })),
});

const reactionData = (event: Of<"message.reacted">, { id: instanceId }: AppContext) => ({
  key: authorKey(event),
  pushName: null,
  status: "DELIVERY_ACK",
  messageType: "reactionMessage",
  message: { reactionMessage: { key: { id: event.messageId, remoteJid: jidOf(event.chat) }, text: event.emoji } },
  contextInfo: null,
  messageTimestamp: Math.floor(event.at / SECOND_MS),
  instanceId,
  source: "unknown",
});

const rendered = (published: PublishedEvent, instance: AppContext, baseUrl: string): Rendered | undefined => {
  const event = typeOf(published.domainEvent);
  if (event === undefined) return undefined;
  const body = {
    event,
    instance: instance.label,
    data: dataOf(published.domainEvent, instance),
    destination: instance.url,
    date_time: iso(published.createdAt),
    sender: ownerOf(instance),
    server_url: baseUrl,
    apikey: null, // no event holds a secret
  };
  return { type: event, body: JSON.stringify(body) };
};

/** The instance of samples. */
const SAMPLE: AppContext = {
  id: "01a5c0de-0000-4000-8000-000000000003" as AppContext["id"],
  label: "recado",
  phoneNumber: "5511900000001",
  url: null,
};

const cut = (body: string): string => {
  const { data, ...envelope } = JSON.parse(body) as { data: { key?: unknown; messageType?: unknown } }; // as made above
  const { key, messageType } = data;
  return JSON.stringify({ ...envelope, data: { key, messageType, isCut: true, sizeBytes: Buffer.byteLength(body) } });
};

const typeFor = (name: string): string | undefined => EVENT_NAMES[name as EventName];

/** The audience of programs that expect Evolution's webhooks. `baseUrl`: the public URL of this API, once it listens. */
export const evolutionAudience = (baseUrl: () => string): Audience => ({
  name: EVOLUTION,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: false,
  retry: ACCOUNT_RETRY,
  // only its name: the body is made where a program of the instance gets it
  render({ domainEvent }) {
    const type = typeOf(domainEvent);
    return type && { type, body: "" };
  },
  async complete(reader, published) {
    const instance = await appContextOf(reader, published, EVOLUTION);
    return instance && rendered(published, instance, baseUrl());
  },
  sample: sampleBy((published) => rendered(published, SAMPLE, baseUrl())),
  cut,
  headers: standardHeaders,
  isSubscribed: (events, type) => events.length === 0 || events.some((name) => typeFor(name) === type),
  reportsLossOf: () => true,
});
