import type { ProviderMessageId } from "../../contract/events.ts";
import { HOUR_MS, MINUTE_MS, utcDayOf } from "../../kernel/clock.ts";
import {
  type ChannelId,
  type ContactId,
  type ConversationId,
  type MessageId,
  newId,
  type TenantId,
} from "../../kernel/ids.ts";
import type { Random } from "../../kernel/random.ts";
import type { Db, Tx } from "../../store/engine/db.ts";
import { countMessage } from "../../store/tables/billing/usage.ts";
import { insertContact } from "../../store/tables/conversations/contacts.ts";
import { insertConversation } from "../../store/tables/conversations/conversations.ts";
import { insertReceived } from "../../store/tables/conversations/received.ts";
import { insertMessage, updateMessage } from "../../store/tables/messaging/messages.ts";
import {
  ACTIVITY_COUNTS,
  type ActivityCount,
  addActivity,
  type CountedHour,
} from "../../store/tables/tenancy/activity.ts";

/** The size of the past. Each conversation is with a contact of its own, on one of the channels in turn. */
export type Past = {
  tenantId: TenantId;
  channelIds: readonly ChannelId[];
  conversations: number;
  /** In each conversation; received and sent in turn. */
  messages: number;
  /** Who sent the messages, in turn, as rows keep it; nobody by default. */
  senders?: readonly string[];
  fromMs: number;
  toMs: number;
};

type PastEnv = { db: Db; random: Random };

const FIRST = [
  "Ana",
  "Bruno",
  "Carla",
  "Davi",
  "Elisa",
  "Fábio",
  "Gabriela",
  "Hugo",
  "Inês",
  "João",
  "Larissa",
  "Nádia",
];
const LAST = ["Ribeiro", "Lima", "Souza", "Nunes", "Prado", "Moura", "Dias", "Teixeira", "Melo", "Farias", "Rocha"];
const TALK = [
  "Olá! Vocês abrem no domingo?",
  "Bom dia! Abrimos das 7h às 13h.",
  "Quanto custa o bolo de cenoura inteiro?",
  "O bolo de cenoura inteiro custa R$ 48,00 e serve doze pessoas. 🎂",
  "Pode separar um para amanhã às 10h?",
  "Separado! Retire no balcão a partir das 10h.",
  "Obrigada! 🙏",
  "Nós que agradecemos. Até amanhã!",
];
const CONVERSATIONS_PER_WRITE = 25;
/** One of this many messages fails. */
const FAILED_EVERY = 41;

/**
 * Writes contacts, conversations and messages of the past straight into the tables, with the counts for pictures.
 * Nothing is sent or published. Only for a data directory that the program itself has made.
 */
export const writePast = async (env: PastEnv, past: Past): Promise<void> => {
  const counts = new Map<string, CountedHour & { counts: number[] }>();
  for (let first = 0; first < past.conversations; first += CONVERSATIONS_PER_WRITE) {
    const last = Math.min(past.conversations, first + CONVERSATIONS_PER_WRITE);
    await env.db.write(
      async (tx) => {
        for (let index = first; index < last; index++) await writeConversation(env, tx, { past, index, counts });
      },
      { isDurable: false },
    );
  }
  const hours = [...counts.values()];
  while (hours.length > 0) await env.db.write((tx) => addActivity(tx, hours.splice(0, 250)));
};

/** Twelve first and eleven last names have no common divisor: 132 people have names of their own. */
const nameOf = (index: number): string => {
  const round = Math.floor(index / (FIRST.length * LAST.length));
  return `${FIRST[index % FIRST.length]} ${LAST[index % LAST.length]}${round === 0 ? "" : ` ${round + 1}`}`;
};

type Written = { past: Past; index: number; counts: Map<string, CountedHour & { counts: number[] }> };
type Talk = { tenantId: TenantId; channelId: ChannelId; conversationId: ConversationId; number: string };

const writeConversation = async (
  { random }: PastEnv,
  tx: Tx,
  { past: { tenantId, channelIds, conversations, messages, senders = [], fromMs, toMs }, index, counts }: Written,
): Promise<void> => {
  const idAt = <Id extends string>(at: number): Id => newId<Id>({ clock: { now: () => at }, random });
  // more of them lately
  const beginsAt = fromMs + Math.floor((toMs - fromMs) * ((index + random.float()) / conversations) ** 0.6);
  const channelId = channelIds[index % channelIds.length] as ChannelId;
  const number = `55119${String(80_000_000 + index)}`;
  const contactId = idAt<ContactId>(beginsAt);
  const conversationId = idAt<ConversationId>(beginsAt);
  const stepMs = Math.max(1, Math.min(7 * MINUTE_MS, (toMs - beginsAt) / (messages + 1)));
  const unreadCount = index % 5 === 0 ? 1 : 0;
  await insertContact(tx, {
    id: contactId,
    tenantId,
    environment: "live",
    phoneNumber: number,
    alias: null,
    name: nameOf(index),
    email: null,
    tags: index % 3 === 0 ? ["cliente"] : [],
    metadata: {},
    createdAt: beginsAt,
    updatedAt: beginsAt,
  });
  await insertConversation(tx, {
    id: conversationId,
    tenantId,
    channelId,
    contactId,
    environment: "live",
    status: "OPEN",
    assignedUserId: null,
    transferNote: null,
    lastMessageAt: Math.floor(beginsAt + stepMs * (messages - 1)),
    unreadCount,
    createdAt: beginsAt,
    closedAt: null,
    waitingSince: unreadCount === 0 ? null : Math.floor(beginsAt + stepMs * (messages - 1)),
    snoozedUntil: null,
  });
  for (let turn = 0; turn < messages; turn++) {
    const at = Math.floor(beginsAt + stepMs * turn);
    const talk = { tenantId, channelId, conversationId, number };
    const text = TALK[(turn + 2 * (index % 4)) % TALK.length] ?? ""; // an even one is a question
    const isFailed = (index * messages + turn) % FAILED_EVERY === FAILED_EVERY - 1;
    const id = idAt<MessageId>(at);
    const kind = turn % 2 === 0 ? "received" : isFailed ? "failed" : "sent";
    if (kind === "received") await writeReceived(tx, talk, { id, text, at });
    else {
      const acceptedBy = senders[(index + (turn - 1) / 2) % senders.length] ?? null; // an odd turn is an answer
      await writeSent(tx, talk, { id, text, at, acceptedBy, isFailed, isRead: turn + 1 < messages });
    }
    note(counts, { tenantId, channelId }, { at, kind, lag: random.float() });
  }
};

type Line = { id: MessageId; text: string; at: number };

const writeReceived = async (
  tx: Tx,
  { tenantId, channelId, conversationId, number }: Talk,
  { id, text, at }: Line,
): Promise<void> => {
  await insertReceived(tx, {
    id,
    tenantId,
    channelId,
    conversationId,
    environment: "live",
    type: "text",
    sender: `pn:${number}`,
    recipient: null,
    isOwn: false,
    heldBy: null,
    quotedMessageId: null,
    createdAt: at,
    content: { text },
    raw: null,
  });
  countMessage(tx, "received", { tenantId, channelId, day: utcDayOf(at) });
};

const writeSent = async (
  tx: Tx,
  { tenantId, channelId, conversationId, number }: Talk,
  {
    id,
    text,
    at,
    acceptedBy,
    isFailed,
    isRead,
  }: Line & {
    acceptedBy: string | null;
    isFailed: boolean;
    isRead: boolean;
  },
): Promise<void> => {
  await insertMessage(tx, {
    id,
    tenantId,
    channelId,
    environment: "live",
    type: "text",
    recipient: `pn:${number}`,
    content: { text },
    quotedProviderMessageId: null,
    quotedMessageId: null,
    createdAt: at,
    conversationId,
    batchId: null,
    acceptedBy,
    requestId: null,
  });
  if (isFailed) {
    const failedReason = "[RECIPIENT_UNREACHABLE] the number has no account";
    await updateMessage(tx, id, ["QUEUED"], { status: "FAILED", failedReason, failedAt: at });
    return;
  }
  await updateMessage(tx, id, ["QUEUED"], {
    status: isRead ? "READ" : "DELIVERED",
    providerMessageId: `PAST${id}` as ProviderMessageId,
    sentAt: at + 400,
    deliveredAt: at + 900,
    readAt: isRead ? at + 5000 : null,
  });
  countMessage(tx, "sent", { tenantId, channelId, day: utcDayOf(at) });
};

type Happened = { at: number; kind: "received" | "sent" | "failed"; lag: number };

/** The counts that a message adds to its hour; its events reach a webhook within a second or two. */
const addedBy = ({ kind, lag }: Happened): ActivityCount[] => {
  const arrived: ActivityCount[] = ["notified", lag < 0.6 ? "lag50" : lag < 0.93 ? "lag100" : "lag1000"];
  if (kind === "received") return ["received", ...arrived];
  return kind === "failed" ? ["accepted", "failed", ...arrived] : ["accepted", "sent", "delivered", "read", ...arrived];
};

const note = (
  counts: Written["counts"],
  place: Pick<CountedHour, "tenantId" | "channelId">,
  happened: Happened,
): void => {
  const hour = Math.floor(happened.at / HOUR_MS);
  const key = `${place.channelId}/${hour}`;
  const found = counts.get(key) ?? { ...place, hour, counts: ACTIVITY_COUNTS.map(() => 0) };
  counts.set(key, found);
  for (const name of addedBy(happened)) {
    const at = ACTIVITY_COUNTS.indexOf(name);
    found.counts[at] = (found.counts[at] ?? 0) + 1;
  }
};
