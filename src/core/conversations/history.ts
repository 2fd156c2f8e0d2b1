import type { ChannelKind } from "../../contract/kind.ts";
import type { Measured } from "../../contract/outcome.ts";
import { AppError } from "../../kernel/errors.ts";
import { type BatchId, type ChannelId, type ConversationId, type MessageId, madeAt } from "../../kernel/ids.ts";
import { type Part, placeByNumber } from "../../store/engine/counting.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { countUnread } from "../../store/tables/conversations/conversation-pages.ts";
import type { Unread } from "../../store/tables/conversations/conversations.ts";
import {
  idsOfConversation,
  insertReceived,
  listReceived,
  markReleased,
  passMessages,
  type ReceivedRow,
} from "../../store/tables/conversations/received.ts";
import { listMediaOf, type StoredMedia } from "../../store/tables/media.ts";
import {
  findIdOfKey,
  listMessages,
  type MessageRow,
  type MessageStatus,
} from "../../store/tables/messaging/messages.ts";
import { ifSeen, type Viewer } from "../../store/tables/scope.ts";
import { findDeparted } from "../../store/tables/tenancy/departed.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import type { InboundContext } from "../channels/identity.ts";
import { simulatedConnectionOf } from "../channels/sandbox.ts";
import { type Contact, contactOf, contactOfKey, type MediaMetadata, type MessageReceived } from "../domain-event.ts";
import { mediaMetadataOf } from "../media/media.ts";
import { actsOn, type MessageActs, NO_ACTS } from "./acts.ts";
import { getConversation, joinConversation } from "./conversations.ts";
import type { ConversationsEnv } from "./env.ts";
import { type SentBy, sendersOf } from "./senders.ts";

export { fillReceived } from "../../store/tables/conversations/received.ts";

/**
 * A sent or received message, as its conversation shows it. `media`: the file that came with it; null while it is not
 * available. A message that was deleted for everyone has no content, file, edit or reaction here: its row keeps the
 * content for as long as rows of messages stay.
 */
export type HistoryMessage = {
  id: MessageId;
  channelId: ChannelId;
  /** The kind of its channel; null if that was deleted long ago. */
  kind: ChannelKind | null;
  conversationId: ConversationId | null;
  batchId: BatchId | null;
  direction: "INBOUND" | "OUTBOUND";
  /** It was sent from here; the owner's own messages in the network's app were not. */
  isSentHere: boolean;
  /** Who sent it; null for a message of another person, or if it was not recorded. */
  sentBy: SentBy | null;
  type: MessageRow["type"] | ReceivedRow["type"];
  content: MessageRow["content"] | ReceivedRow["content"] | Record<never, never>;
  /** Null while the number of its channel is not known. */
  from: Contact | null;
  to: Contact | null;
  media: MediaMetadata | null;
  status: MessageStatus | "RECEIVED";
  /** The app that led the conversation when the message came for information; null for every other message. */
  heldBy: { role: string | null } | null;
  /** Recado's id of the message that this one answers, if it is known. */
  quotedMessageId: string | null;
  failedReason: string | null;
  /** What the network says of its parts and price; null if it says nothing, and for a received message. */
  pricing: Measured | null;
  environment: Environment;
  /** When it was accepted or received; conversations are in this order. */
  createdAt: number;
  /** When it was sent; for a received message, the time that its network reports. */
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
} & MessageActs;

/** A message to be stored. `raw`: the network's own form, if it is kept. */
export type KeptMessage = { domainEvent: Omit<MessageReceived, "conversationId">; raw: string | null };

/**
 * Stores a message that has just been received, in the conversation with its sender, and returns that conversation's
 * id. A message that the owner wrote in the network's own app is stored in the same way. A message of a group belongs
 * to no conversation.
 */
export const keepReceived = async (
  env: ConversationsEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { domainEvent, raw }: KeptMessage,
): Promise<ConversationId | null> => {
  const { tenantId, id: channelId } = channel;
  const conversationId = await joinConversation(
    env,
    tx,
    { tenantId, channel, environment },
    { who: domainEvent.chat, name: domainEvent.pushName, at: domainEvent.at, unread: unreadAfter(domainEvent) },
  );
  const { messageId: id, from, at: createdAt, content } = domainEvent;
  const isOwn = domainEvent.direction === "outbound";
  await insertReceived(tx, {
    id,
    tenantId,
    channelId,
    conversationId,
    environment,
    type: content.type,
    sender: from.canonicalKey,
    recipient: isOwn ? domainEvent.chat.canonicalKey : domainEvent.to,
    isOwn,
    heldBy: domainEvent.heldBy ? (domainEvent.heldBy.role ?? "") : null,
    quotedMessageId: domainEvent.quotedMessageId,
    createdAt,
    content: content.content,
    raw,
  });
  return conversationId;
};

/**
 * Turns a message for information into a message for this app: it is unread now. Returns its conversation; null if it
 * has none.
 */
export const releaseReceived = async (tx: Tx, id: MessageId): Promise<ConversationId | null> => {
  const released = await markReleased(tx, id);
  const conversationId = released?.conversationId ?? null;
  if (conversationId !== null && !released?.isOwn) countUnread(tx, conversationId);
  return conversationId;
};

/** An owner who writes elsewhere has read the conversation. Messages that another app answers need not be read here. */
const unreadAfter = ({ direction, heldBy }: Pick<MessageReceived, "direction" | "heldBy">): Unread => {
  if (heldBy) return "same";
  return direction === "inbound" ? "more" : "none";
};

/**
 * A page of the messages of a conversation, newest first.
 * @throws AppError CONVERSATION_NOT_FOUND.
 */
export const messagesPage = async (
  env: ConversationsEnv,
  viewer: Viewer,
  conversationId: string,
  page: { limit: number; offset: number },
): Promise<{ rows: HistoryMessage[]; total: number }> => {
  const { id } = await getConversation(env, viewer, conversationId);
  const pass = (reader: Reader, part: Part<string>) => passMessages(reader, id, part);
  const { total, ...place } = await placeByNumber(env.db, pass, page.offset);
  return env.db.read(async (reader) => {
    const ids = await idsOfConversation(reader, id, { limit: page.limit, ...place });
    return { rows: await readConversationMessages(reader, viewer, ids, env.clock.now()), total };
  });
};

/**
 * A sent or received message.
 * @throws AppError MESSAGE_NOT_FOUND.
 */
export const getHistoryMessage = async (
  env: Pick<ConversationsEnv, "db" | "clock">,
  viewer: Viewer,
  id: string,
): Promise<HistoryMessage> => {
  const [message] = await env.db.read((reader) => readConversationMessages(reader, viewer, [id], env.clock.now()));
  if (!message) throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message." });
  return message;
};

/** In the order of the ids, without those that the caller may not see. */
export const readConversationMessages = async (
  r: Reader,
  viewer: Viewer,
  ids: readonly string[],
  nowMs: number,
): Promise<HistoryMessage[]> => {
  const found = new Map<string, Omit<HistoryMessage, "sentBy">>();
  const acceptedBy = new Map<string, string | null>();
  const channelOf = channelsBehind(r, viewer);
  for (const row of await listMessages(r, viewer, ids)) {
    if (!ifSeen(row, viewer)) continue;
    acceptedBy.set(row.id, row.acceptedBy);
    found.set(row.id, { ...sent(row, await channelOf(row.channelId)), quotedMessageId: await quotedBy(r, row) });
  }
  const files = (await listMediaOf(r, viewer, ids)).filter(
    ({ deletedAt, expiresAt }) => deletedAt === null && expiresAt > nowMs,
  );
  const fileOf = new Map(files.map((file) => [file.messageId, file]));
  for (const row of await listReceived(r, viewer, ids)) {
    if (!ifSeen(row, viewer)) continue;
    acceptedBy.set(row.id, row.isOwn ? `phone:${row.channelId}` : null);
    found.set(row.id, received(row, await channelOf(row.channelId), fileOf.get(row.id)));
  }
  const senders = await sendersOf(
    r,
    viewer,
    [...acceptedBy.values()].filter((name) => name !== null),
  );
  const acts = await actsOn(
    r,
    viewer,
    [...found.values()].map(({ id }) => id),
  );
  return ids.flatMap((id) => {
    const message = found.get(id);
    const sentBy = senders.get(acceptedBy.get(id) ?? "") ?? null;
    return message ? withActs({ ...message, sentBy }, acts.get(id)) : [];
  });
};

/** The channel of a message, and its kind; a deleted channel has the kind alone, while that is known. */
type Behind = { channel: ChannelRow | undefined; kind: ChannelKind | null };

/** Finds the channels of messages, each of them once. */
const channelsBehind = (r: Reader, viewer: Viewer): ((id: ChannelId) => Promise<Behind>) => {
  const known = new Map<ChannelId, Behind>();
  return async (id) => {
    const before = known.get(id);
    if (before) return before;
    const channel = await findChannel(r, viewer, id);
    const behind = { channel, kind: (channel ?? (await findDeparted(r, id)))?.kind ?? null };
    known.set(id, behind);
    return behind;
  };
};

const withActs = (message: HistoryMessage, acts: MessageActs = NO_ACTS): HistoryMessage =>
  acts.deletedAt === null
    ? { ...message, ...acts }
    : { ...message, ...NO_ACTS, content: {}, media: null, deletedAt: acts.deletedAt };

/** The message that a sent message answers. Its id is stored only until the network's id of it is known. */
const quotedBy = async (
  r: Reader,
  { channelId, quotedMessageId, quotedProviderMessageId: key }: MessageRow,
): Promise<string | null> =>
  quotedMessageId ?? (key === null ? null : ((await findIdOfKey(r, channelId, key)) ?? null));

const sent = (row: MessageRow, { channel, kind }: Behind): Omit<HistoryMessage, "sentBy"> => ({
  ...row,
  kind,
  direction: "OUTBOUND",
  isSentHere: true,
  from: numberOf(numberIn(row.environment, channel)),
  to: contactOfKey(row.recipient),
  media: null,
  heldBy: null,
  ...NO_ACTS,
});

const received = (
  { sender, recipient, isOwn, heldBy, createdAt: sentAt, ...row }: Omit<ReceivedRow, "raw">,
  { kind }: Behind,
  file: StoredMedia | undefined,
): Omit<HistoryMessage, "sentBy"> => ({
  ...row,
  kind,
  batchId: null,
  direction: isOwn ? "OUTBOUND" : "INBOUND",
  isSentHere: false,
  from: contactOfKey(sender),
  to: isOwn ? contactOfKey(recipient ?? "") : numberOf(recipient),
  media: file ? mediaMetadataOf(file) : null,
  status: isOwn ? "SENT" : "RECEIVED",
  failedReason: null,
  pricing: null,
  heldBy: heldBy === null ? null : { role: heldBy || null },
  createdAt: madeAt(row.id),
  sentAt,
  deliveredAt: null,
  readAt: null,
  ...NO_ACTS,
});

/** The number of a channel, for a message that was sent through it. */
const numberIn = (environment: Environment, channel: ChannelRow | undefined): string | null => {
  const simulated = environment === "test" && channel ? simulatedConnectionOf(channel) : undefined;
  return simulated?.phoneNumber ?? channel?.phoneNumber ?? null;
};

const numberOf = (pn: string | null): Contact | null => (pn === null ? null : contactOf({ pn }));
