import { GATEWAY } from "../../src/apis/gateway/events/render.ts";
import { PLATFORM } from "../../src/apis/platform/events/render.ts";
import type { App } from "../../src/app.ts";
import type { ProviderMessageId } from "../../src/contract/events.ts";
import { contactOf, type DomainEvent } from "../../src/core/domain-event.ts";
import { chatOf, directionOf } from "../../src/core/events/definitions/index.ts";
import { DAY_MS, HOUR_MS, utcDayOf } from "../../src/kernel/clock.ts";
import type { ChannelId, ContactId, ConversationId, MessageId } from "../../src/kernel/ids.ts";
import type { Tx } from "../../src/store/engine/db.ts";
import { countMessage } from "../../src/store/tables/billing/usage.ts";
import { claimInbound } from "../../src/store/tables/channels/inbox.ts";
import { insertContact } from "../../src/store/tables/conversations/contacts.ts";
import {
  closeOpenConversation,
  insertConversation,
  touchOpen,
} from "../../src/store/tables/conversations/conversations.ts";
import { insertReceived } from "../../src/store/tables/conversations/received.ts";
import { insertAttempt } from "../../src/store/tables/events/attempts.ts";
import { insertDelivery, insertEvent, updateDelivery } from "../../src/store/tables/events/events.ts";
import { insertMessage, updateMessage } from "../../src/store/tables/messaging/messages.ts";
import {
  ACTIVITY_COUNTS,
  type ActivityCount,
  addActivity,
  type CountedHour,
} from "../../src/store/tables/tenancy/activity.ts";
import { type Owner, ownerAt } from "./year-people.ts";

/** A contact of the year with its one conversation. */
type Person = {
  owner: Owner;
  channelId: ChannelId;
  number: string;
  contactId: ContactId;
  conversationId: ConversationId;
  lastAt: number;
  unread: number;
};

export type Talk = {
  env: App["env"];
  owners: readonly Owner[];
  people: Person[];
  newIdAt<Id extends string>(at: number): Id;
  startMs: number;
  endMs: number;
};

const WORDS =
  "bom dia pedido bolo cenoura entrega hoje amanhã loja domingo preço inteiro fatia obrigado endereço troco pix nota pronto balcão".split(
    " ",
  );
const FIRST = "Ana Bruno Carla Davi Elisa Fábio Gabriela Hugo Inês João Larissa Nádia Paulo Rita Sônia Túlio".split(
  " ",
);
const LAST = "Ribeiro Lima Souza Nunes Prado Moura Dias Teixeira Melo Farias Rocha Silva Santos Pereira Costa".split(
  " ",
);
/** The rows that tables keep for a shorter time than a year. */
const INBOX_MS = 90 * DAY_MS;
const ACTIVITY_MS = 90 * DAY_MS;
const FAILED_EVERY = 41;
const DEAD_EVERY = 500;
const PENDING_EVERY = 1000;
const CALL_EVERY = 2000;
const CLOSED_EVERY = 4;

/** The n-th contact and its conversation, made when they first write. */
export const addPerson = async (tx: Tx, talk: Talk, at: number): Promise<Person> => {
  const n = talk.people.length;
  const owner = ownerAt(talk.owners, n);
  const { tenantId, channels } = owner;
  const channelId = channels[Math.floor(n / 10) % channels.length] as ChannelId;
  const [contactId, conversationId] = [talk.newIdAt<ContactId>(at), talk.newIdAt<ConversationId>(at)];
  const number = `5511${String(900_000_000 + ((n * 7919) % 99_000_000))}`;
  const name = `${FIRST[n % FIRST.length]} ${LAST[Math.floor(n / FIRST.length) % LAST.length]} ${n}`;
  const said = { name, email: null, tags: n % 5 === 0 ? ["cliente"] : [], metadata: {} };
  const kept = { tenantId, environment: "live", createdAt: at } as const;
  await insertContact(tx, { ...kept, ...said, id: contactId, phoneNumber: number, alias: null, updatedAt: at });
  const unset = { assignedUserId: null, transferNote: null, closedAt: null, waitingSince: null, snoozedUntil: null };
  const conversation = { ...kept, ...unset, id: conversationId, channelId, contactId, lastMessageAt: at };
  await insertConversation(tx, { ...conversation, status: "OPEN", unreadCount: 0 });
  const person = { owner, channelId, number, contactId, conversationId, lastAt: at, unread: 0 };
  talk.people.push(person);
  return person;
};

/** One message of a person, with its event, its delivery and its attempt. `k`: its number among all messages. */
export const addMessage = async (
  tx: Tx,
  talk: Talk,
  { person, k, at }: { person: Person; k: number; at: number },
): Promise<ActivityCount[]> => {
  const id = talk.newIdAt<MessageId>(at);
  const text = Array.from({ length: 6 + (k % 9) }, (_, turn) => WORDS[(k * 7 + turn * 3) % WORDS.length]).join(" ");
  const isReceived = k % 2 === 0;
  const isFailed = !isReceived && k % FAILED_EVERY === 0;
  person.lastAt = at;
  person.unread = isReceived ? person.unread + 1 : 0;
  if (isReceived) await addReceived(tx, talk, person, { id, text, at, k });
  else await addSent(tx, person, { id, text, at, k, isFailed });
  const happened = isReceived
    ? receivedEvent(person, { id, text, at })
    : sentEvent(person, { id, text, at }, isFailed ? "message.failed" : "message.delivered");
  const isForPlatform = !isFailed && person.owner === talk.owners[0] && k % 3 === 0;
  await addEvent(tx, talk, person, { happened, at, k, audience: isForPlatform ? PLATFORM : GATEWAY });
  if (isReceived) return ["received", "notified", "lag50"];
  return isFailed ? ["accepted", "failed", "notified"] : ["accepted", "sent", "delivered", "notified", "lag100"];
};

type Line = { id: MessageId; text: string; at: number; k: number };

const addReceived = async (
  tx: Tx,
  { endMs }: Talk,
  { owner: { tenantId }, channelId, conversationId, number }: Person,
  { id, text, at, k }: Line,
): Promise<void> => {
  const unset = { recipient: null, isOwn: false, heldBy: null, quotedMessageId: null, raw: null };
  const row = { id, tenantId, channelId, conversationId, environment: "live", type: "text" } as const;
  await insertReceived(tx, { ...row, ...unset, sender: `pn:${number}`, createdAt: at, content: { text } });
  countMessage(tx, "received", { tenantId, channelId, day: utcDayOf(at) });
  if (at < endMs - INBOX_MS) return;
  await claimInbound(tx, {
    channelId,
    providerMessageId: keyOf("IN", k),
    messageId: id,
    chat: `pn:${number}`,
    sender: `pn:${number}`,
    isOwn: false,
    isPlaceholder: false,
    receivedAt: at,
    environment: "live",
  });
};

const keyOf = (way: string, k: number): ProviderMessageId =>
  `wamid.HBgNNTUxMTkwMDAwMDAwMBUCABEYEj${way}${String(k).padStart(16, "0")}AA==` as ProviderMessageId;

const addSent = async (
  tx: Tx,
  { owner: { tenantId }, channelId, conversationId, number }: Person,
  { id, text, at, k, isFailed }: Line & { isFailed: boolean },
): Promise<void> => {
  const unset = {
    quotedProviderMessageId: null,
    quotedMessageId: null,
    batchId: null,
    acceptedBy: null,
    requestId: null,
  };
  const row = { id, tenantId, channelId, conversationId, environment: "live", type: "text", ...unset } as const;
  await insertMessage(tx, { ...row, recipient: `pn:${number}`, content: { text }, createdAt: at });
  if (isFailed) {
    const failedReason = "[RECIPIENT_UNREACHABLE] the number has no account";
    await updateMessage(tx, id, ["QUEUED"], { status: "FAILED", failedReason, failedAt: at });
    return;
  }
  const isRead = k % 5 !== 0;
  await updateMessage(tx, id, ["QUEUED"], {
    status: isRead ? "READ" : "DELIVERED",
    providerMessageId: keyOf("OUT", k),
    sentAt: at + 400,
    deliveredAt: at + 900,
    readAt: isRead ? at + 5000 : null,
  });
  countMessage(tx, "sent", { tenantId, channelId, day: utcDayOf(at) });
};

const receivedEvent = ({ number, conversationId }: Person, { id, text, at }: Omit<Line, "k">): DomainEvent => ({
  type: "message.received",
  messageId: id,
  at,
  direction: "inbound",
  isHistory: false,
  media: null,
  from: contactOf({ pn: number }),
  chat: contactOf({ pn: number }),
  pushName: "Ana",
  content: { type: "text", content: { text } },
  quotedMessageId: null,
  to: null,
  conversationId,
});

const sentEvent = (
  { number, conversationId }: Person,
  { id, text, at }: Omit<Line, "k">,
  type: "message.delivered" | "message.failed",
): DomainEvent => ({
  type,
  messageId: id,
  at: at + 900,
  to: contactOf({ pn: number }),
  conversationId,
  said: { type: "text", content: { text } },
  error: null,
  isFirst: false,
});

const CALL = { type: "call.changed", upstreamCallId: null, direction: "INBOUND", status: "COMPLETED" } as const;

type Published = { happened: DomainEvent; at: number; k: number; audience: string };

const addEvent = async (
  tx: Tx,
  talk: Talk,
  { owner: { tenantId, webhooks }, channelId }: Person,
  { happened, at, k, audience: wanted }: Published,
): Promise<void> => {
  const isCall = k % CALL_EVERY === 0;
  const audience = isCall ? GATEWAY : wanted;
  const domainEvent: DomainEvent = isCall ? { ...CALL, callId: talk.newIdAt(at) } : happened;
  const id = talk.newIdAt(at);
  const published = { id, tenantId, channelId, kind: null, environment: "live", createdAt: at, domainEvent } as const;
  const rendered = talk.env.audiences.of(audience).render(published);
  if (!rendered) throw new Error(`${audience} gets no ${domainEvent.type}`);
  const eventSeq = await insertEvent(tx, {
    ...rendered,
    id,
    tenantId,
    channelId,
    chat: chatOf(domainEvent),
    callId: "callId" in domainEvent ? domainEvent.callId : null,
    messageId: "messageId" in domainEvent ? domainEvent.messageId : null,
    direction: directionOf(domainEvent),
    audience,
    createdAt: at,
  });
  const webhook = webhooks.find((one) => one.audience === audience) ?? webhooks[0];
  if (webhook) await addDelivery(tx, talk, webhook, { tenantId, eventSeq, type: rendered.type, at, k });
};

type Delivered = { tenantId: Owner["tenantId"]; eventSeq: number; type: string; at: number; k: number };

/** Few deliveries wait, few were given up; the rest arrived at the first attempt. */
const addDelivery = async (
  tx: Tx,
  talk: Talk,
  { id: subscriptionId, url }: Owner["webhooks"][number],
  { tenantId, eventSeq, type, at, k }: Delivered,
): Promise<void> => {
  const id = talk.newIdAt(at);
  const row = { id, eventSeq, tenantId, subscriptionId, url, chat: "", lastError: null, createdAt: at };
  await insertDelivery(tx, { ...row, status: "PENDING", nextAt: talk.endMs });
  if (k % PENDING_EVERY === 1) return;
  const isDead = k % DEAD_EVERY === 3;
  const [statusCode, error] = isDead ? [500, "the endpoint answered 500"] : [200, null];
  const deliveredAt = isDead ? null : at + 30;
  const status = isDead ? "DEAD" : "DELIVERED";
  const tried = { attempts: 1, nextAt: null, lastStatusCode: statusCode, lastError: error, deliveredAt };
  await updateDelivery(tx, id, ["PENDING"], { status, ...tried });
  await insertAttempt(tx, {
    publicId: talk.newIdAt(at),
    deliveryId: id,
    subscriptionId,
    eventType: type,
    attempt: 1,
    isDelivered: !isDead,
    statusCode,
    failure: isDead ? "status" : null,
    error,
    response: isDead ? "no room" : "ok",
    durationMs: 20 + (k % 60),
    at: at + 30,
  });
};

/** The counts that the messages of one write add to the pictures, by account, phone and hour. */
export const createHours = (endMs: number) => {
  const hours = new Map<string, CountedHour & { counts: number[] }>();
  return {
    note({ owner: { tenantId }, channelId }: Person, at: number, happened: readonly ActivityCount[]): void {
      if (at < endMs - ACTIVITY_MS) return;
      const hour = Math.floor(at / HOUR_MS);
      const key = `${channelId}/${hour}`;
      const found = hours.get(key) ?? { tenantId, channelId, hour, counts: ACTIVITY_COUNTS.map(() => 0) };
      hours.set(key, found);
      for (const name of happened) {
        const index = ACTIVITY_COUNTS.indexOf(name);
        found.counts[index] = (found.counts[index] ?? 0) + 1;
      }
    },
    write: (tx: Tx): Promise<void> => addActivity(tx, [...hours.values()]),
  };
};

/** The conversation after its messages; every fourth is closed. */
export const endTalk = async (tx: Tx, { channelId, contactId, ...person }: Person, n: number): Promise<void> => {
  const touched = { channelId, contactId, environment: "live", at: person.lastAt } as const;
  await touchOpen(tx, { ...touched, unread: person.unread > 0 && n % 3 === 0 ? "more" : "none" });
  if (n % CLOSED_EVERY === 3)
    await closeOpenConversation(tx, { tenantId: person.owner.tenantId }, person.conversationId, person.lastAt);
};
