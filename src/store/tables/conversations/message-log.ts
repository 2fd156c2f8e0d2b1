import type { ChannelId, ContactId, ConversationId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { lines, statement } from "../../engine/statement.ts";
import type { MessageStatus } from "../messaging/messages.ts";

/** The messages to read: those of a tenant, of one channel, or of one conversation. */
export type LogSource =
  | { of: "tenant"; id: TenantId }
  | { of: "channel"; id: ChannelId }
  | { of: "conversation"; id: ConversationId };

/** The messages between two ids, both excluded, from the newest on. */
export type LogSlice = { before: string; after: string; limit: number };

/**
 * The fields that a search of messages compares. `content`: the stored JSON. `acceptedBy`: the sender, such as
 * `user:<id>`; `phone:<id>` for what the owner wrote elsewhere; null for a message of another person, or not recorded.
 */
export type LogEntry = {
  id: MessageId;
  channelId: ChannelId;
  direction: "OUTBOUND" | "INBOUND";
  status: MessageStatus | "RECEIVED";
  type: string;
  content: string;
  acceptedBy: string | null;
};

const SENT = `id, channel_id AS channelId, 'OUTBOUND' AS direction, status, type, content,
  accepted_by AS acceptedBy FROM messages`;
// Recado also received the messages that the owner wrote in another app
const RECEIVED = `id, channel_id, iif(is_own, 'OUTBOUND', 'INBOUND'), iif(is_own, 'SENT', 'RECEIVED'), type, content,
  iif(is_own, 'phone:' || channel_id, NULL) FROM received_messages`;

// a conversation is of one environment; the other indexes hold live messages alone
const part = (columns: string, of: LogSource["of"]): string =>
  lines(
    `SELECT ${columns} WHERE ${of}_id = :id AND id < :before AND id > :after`,
    of !== "conversation" && "AND environment = 'live'",
  );
// SQLite reads each half in the order of its index, and merges the two without sorting
const slice = <Row>(sent: string, received: string) => {
  const sliceOf = (of: LogSource["of"]) =>
    statement<Row, { id: string } & LogSlice>(
      `${part(sent, of)} UNION ALL ${part(received, of)} ORDER BY id DESC LIMIT :limit`,
    );
  return { tenant: sliceOf("tenant"), channel: sliceOf("channel"), conversation: sliceOf("conversation") };
};
const entries = slice<LogEntry>(SENT, RECEIVED);
const ids = slice<{ id: MessageId }>("id FROM messages", "id FROM received_messages");

/** Sent and received messages, newest first. The caller has checked that the source is in scope, and live. */
export const sliceOfMessages = (
  r: Reader,
  { of, id }: LogSource,
  { before, after, limit }: LogSlice,
): Promise<LogEntry[]> => entries[of].all(r, { id, before, after, limit });

/** The ids of the same messages. The caller wants few of them. */
export const idsOfMessages = async (
  r: Reader,
  { of, id }: LogSource,
  { before, after, limit }: LogSlice,
): Promise<MessageId[]> => (await ids[of].all(r, { id, before, after, limit })).map((row) => row.id);

const AMONG = "WHERE id IN (SELECT value FROM json_each(:ids))";
const entriesAmong = statement<LogEntry, { ids: readonly MessageId[] }>(
  `SELECT ${SENT} ${AMONG} UNION ALL SELECT ${RECEIVED} ${AMONG} ORDER BY id DESC`,
);

/**
 * The messages with these ids, newest first. The caller has checked that they are in scope, and live. Bound: the ids
 * of the caller.
 */
export const entriesOfMessages = (r: Reader, among: readonly MessageId[]): Promise<LogEntry[]> =>
  entriesAmong.all(r, { ids: among });

/** The newest live conversations with a contact; with a channel: those on it alone. */
export const listLiveConversations = async (
  r: Reader,
  contactId: ContactId,
  { channelId, limit }: { channelId: string | undefined; limit: number },
): Promise<ConversationId[]> => {
  const live = statement<
    { id: ConversationId },
    { contactId: ContactId; channelId: string | undefined; limit: number }
  >(
    lines(
      "SELECT id FROM conversations WHERE contact_id = :contactId AND environment = 'live'",
      channelId !== undefined && "AND +channel_id = :channelId",
      "ORDER BY id DESC LIMIT :limit",
    ),
  );
  return (await live.all(r, { contactId, channelId, limit })).map(({ id }) => id);
};

type SentMessage = { id: MessageId; createdAt: number; acceptedBy: string | null };
const sentAfter = statement<SentMessage, { conversationId: ConversationId; id: MessageId }>(
  `SELECT id, created_at AS createdAt, accepted_by AS acceptedBy FROM messages
    WHERE conversation_id = :conversationId AND conversation_id IS NOT NULL AND id > :id ORDER BY id LIMIT 1`,
);

/** The first message that was sent from here in a conversation after one of its messages. */
export const firstSentAfter = (
  r: Reader,
  conversationId: ConversationId,
  id: MessageId,
): Promise<SentMessage | undefined> => sentAfter.get(r, { conversationId, id });

const newest = statement<{ id: MessageId; isTheirs: number }, { id: ConversationId; limit: number }>(
  `SELECT id, is_own = 0 AND held_by IS NULL AS isTheirs FROM received_messages WHERE conversation_id = :id
    AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT :limit`,
);

/**
 * The newest messages that a person wrote to this app in a conversation, among its `limit` newest received messages.
 */
export const newestOfPerson = async (r: Reader, id: ConversationId, limit: number): Promise<MessageId[]> =>
  (await newest.all(r, { id, limit })).filter(({ isTheirs }) => isTheirs === 1).map((row) => row.id);
