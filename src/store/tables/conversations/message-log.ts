import type { ChannelId, ContactId, ConversationId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import type { MessageStatus } from "../messaging/messages.ts";

/** Whose messages are walked through: all of a tenant, those of one channel, or those of one conversation. */
export type LogSource =
  | { of: "tenant"; id: TenantId }
  | { of: "channel"; id: ChannelId }
  | { of: "conversation"; id: ConversationId };

/** The messages between two ids, both excluded, from the newest on. */
export type LogSlice = { before: string; after: string; limit: number };

/** What a message can be found by. `content`: as it is stored, in JSON. */
export type LogEntry = {
  id: MessageId;
  channelId: ChannelId;
  direction: "OUTBOUND" | "INBOUND";
  status: MessageStatus | "RECEIVED";
  type: string;
  content: string;
};

const COLUMNS = { tenant: "tenant_id", channel: "channel_id", conversation: "conversation_id" } as const;
const SENT = "id, channel_id AS channelId, 'OUTBOUND' AS direction, status, type, content FROM messages";
// what the owner wrote in another app was received here, too
const RECEIVED = `id, channel_id, iif(is_own, 'OUTBOUND', 'INBOUND'), iif(is_own, 'SENT', 'RECEIVED'), type, content
  FROM received_messages`;

// a conversation is of one environment; the other indexes hold live messages alone
const part = (columnsOfTable: string, column: string): string =>
  `SELECT ${columnsOfTable} WHERE ${column} = ?1 AND id < ?2 AND id > ?3${column === COLUMNS.conversation ? "" : " AND environment = 'live'"}`;
// each half is read in the order of its index, and the two are merged without sorting
const slice = (sent: string, received: string, column: string): string =>
  `${part(sent, column)} UNION ALL ${part(received, column)} ORDER BY id DESC LIMIT ?4`;
const AMONG = "WHERE id IN (SELECT value FROM json_each(?1))";
const ENTRIES = `SELECT ${SENT} ${AMONG} UNION ALL SELECT ${RECEIVED} ${AMONG} ORDER BY id DESC`;

/** Sent and received messages, newest first. The caller has checked that the source is in scope, and live. */
export const sliceOfMessages = (
  r: Reader,
  { of, id }: LogSource,
  { before, after, limit }: LogSlice,
): Promise<LogEntry[]> => r.rows<LogEntry>(slice(SENT, RECEIVED, COLUMNS[of]), [id, before, after, limit]);

/** The ids of the same, of which the caller wants few. */
export const idsOfMessages = async (
  r: Reader,
  { of, id }: LogSource,
  { before, after, limit }: LogSlice,
): Promise<MessageId[]> => {
  const ids = slice("id FROM messages", "id FROM received_messages", COLUMNS[of]);
  return (await r.rows<{ id: MessageId }>(ids, [id, before, after, limit])).map((row) => row.id);
};

/** The messages with these ids, newest first. The caller has checked that they are in scope, and live. */
export const entriesOfMessages = (r: Reader, ids: readonly MessageId[]): Promise<LogEntry[]> =>
  r.rows<LogEntry>(ENTRIES, [JSON.stringify(ids)]);

/** The newest live conversations with a contact; those of one channel where it is given. */
export const listLiveConversations = async (
  r: Reader,
  contactId: ContactId,
  { channelId, limit }: { channelId: string | undefined; limit: number },
): Promise<ConversationId[]> =>
  (
    await r.rows<{ id: ConversationId }>(
      `SELECT id FROM conversations WHERE contact_id = ?1 AND environment = 'live' AND (?2 IS NULL OR channel_id = ?2)
        ORDER BY id DESC LIMIT ?3`,
      [contactId, channelId ?? null, limit],
    )
  ).map(({ id }) => id);

/** The first message that was sent from here in a conversation after one of its messages. */
export const firstSentAfter = async (
  r: Reader,
  conversationId: ConversationId,
  id: MessageId,
): Promise<{ id: MessageId; createdAt: number; acceptedBy: string | null } | undefined> =>
  (
    await r.rows<{ id: MessageId; createdAt: number; acceptedBy: string | null }>(
      `SELECT id, created_at AS createdAt, accepted_by AS acceptedBy FROM messages WHERE conversation_id = ?1
        AND conversation_id IS NOT NULL AND id > ?2 ORDER BY id LIMIT 1`,
      [conversationId, id],
    )
  )[0];

/** The newest messages of a conversation that a person wrote to this app; among its `limit` newest received ones. */
export const newestOfPerson = async (r: Reader, id: ConversationId, limit: number): Promise<MessageId[]> =>
  (
    await r.rows<{ id: MessageId; isTheirs: number }>(
      `SELECT id, is_own = 0 AND held_by IS NULL AS isTheirs FROM received_messages WHERE conversation_id = ?1
        AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT ?2`,
      [id, limit],
    )
  )
    .filter(({ isTheirs }) => isTheirs === 1)
    .map((row) => row.id);
