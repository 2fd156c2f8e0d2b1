import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import type { ProviderMessageId } from "../../../contract/events.ts";
import {
  type ChannelId,
  type ContactId,
  type ConversationId,
  idBoundAt,
  type MessageId,
  type TenantId,
} from "../../../kernel/ids.ts";
import type { Part, Passed } from "../../engine/counting.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, columnsWithout, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

/**
 * Messages that a tenant's channels received. `sender` and `recipient` are as the network reported them. A group's
 * message is in no conversation. `isOwn`: the channel's owner wrote it in the network's own app, and `recipient` is the
 * canonical key of the chat. `heldBy`: the role of the app that led the conversation, empty if unknown; null if this
 * app led it.
 */
export const receivedMessages = sqliteTable(
  "received_messages",
  {
    id: text().$type<MessageId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    conversationId: text("conversation_id").$type<ConversationId>(),
    environment: text().$type<Environment>().notNull(),
    type: text().$type<InboundContent["type"]>().notNull(),
    sender: text().notNull(),
    recipient: text(),
    isOwn: integer("is_own", { mode: "boolean" }).notNull().default(false),
    heldBy: text("held_by"),
    /** Recado's id of the message that it answers, if known. */
    quotedMessageId: text("quoted_message_id"),
    /** The network's time of the message; the id contains the time of receipt. */
    createdAt: integer("created_at").notNull(),
    content: text({ mode: "json" }).$type<InboundContent["content"]>().notNull(),
    /** The message in its network's form, without its secrets, in base64. Null if Recado could read the message. */
    raw: text(),
  },
  (t) => [
    index("received_by_conversation").on(t.conversationId, t.id).where(sql`conversation_id IS NOT NULL`),
    // partial ones, which no query without the literal uses
    index("received_by_tenant").on(t.tenantId, t.id).where(sql`environment = 'live'`),
    index("received_by_channel").on(t.channelId, t.id).where(sql`environment = 'live'`),
  ],
);
export type ReceivedRow = typeof receivedMessages.$inferSelect;

export const receivedMessagesLaws = laws(receivedMessages, {
  keeps: { group: "messages", setting: "RECADO_KEEP_MESSAGES", rule: "the term", isSwept: true },
  personal: { rowsOf: "tenant", by: ["sender", "recipient"], texts: ["content"], bytes: ["raw"] },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by people who write" },
  files: { content: "received content is not sent" },
  backup: "rows alone",
});

const insert = insertInto(receivedMessages);
export const insertReceived = async (tx: Tx, row: ReceivedRow): Promise<void> => insert(tx, row);

const fill = updateOf<typeof receivedMessages, { id: MessageId }>(receivedMessages, "WHERE id = :id");

/** Fills the content of a placeholder. Nothing happens if the message is not stored. */
export const fillReceived = async (
  tx: Tx,
  id: MessageId,
  { type, content, raw }: InboundContent & { raw: string | null },
): Promise<void> => void (await fill(tx, { type, content, raw }, { id }));

type Released = Pick<ReceivedRow, "conversationId" | "isOwn">;
const release = statement<Released, { id: MessageId }>(
  "UPDATE received_messages SET held_by = NULL WHERE id = :id RETURNING *",
  columnsOf(receivedMessages, "conversationId", "isOwn"),
);

/** Marks a message that came for information as a message for this app. Undefined if it is not stored. */
export const markReleased = (tx: Tx, id: MessageId): Promise<Released | undefined> => release.get(tx, { id });

/** A received message by its id at the network. */
export type ReceivedKey = { providerMessageId: ProviderMessageId; at: number; isOwn: boolean };

type WithContact = { channelId: ChannelId; contactId: ContactId };
const oldest = statement<{ key: ProviderMessageId; at: number; own: number }, WithContact>(
  `SELECT i.provider_message_id AS key, m.created_at AS at, m.is_own AS own
    FROM conversations c
    JOIN received_messages m ON m.conversation_id = c.id
    JOIN inbox i ON i.message_id = m.id
    WHERE c.contact_id = :contactId AND c.channel_id = :channelId AND c.environment = 'live'
    ORDER BY m.created_at, m.id LIMIT 1`,
);

/** The oldest message with a contact on a channel whose id at the network is still known. */
export const findOldestReceived = async (
  r: Reader,
  { channelId, contactId }: WithContact,
): Promise<ReceivedKey | undefined> => {
  const row = await oldest.get(r, { channelId, contactId });
  return row && { providerMessageId: row.key, at: row.at, isOwn: row.own === 1 };
};

// + keeps SQLite from the indexes of the channel's conversations
const written = statement<{ found: number }, WithContact & { afterMs: number; bound: string }>(
  `SELECT 1 AS found FROM conversations c JOIN received_messages m ON m.conversation_id = c.id
    WHERE c.contact_id = :contactId AND +c.channel_id = :channelId AND +c.environment = 'live'
    AND m.id >= :bound AND m.created_at > :afterMs AND NOT m.is_own LIMIT 1`,
);

/** Whether a contact wrote on a channel after a time, by the network's clock and by ours. */
export const hasWritten = async (r: Reader, who: WithContact, afterMs: number): Promise<boolean> =>
  (await written.get(r, { ...who, afterMs, bound: idBoundAt(afterMs + 1) })) !== undefined;

const SHOWN = columnsWithout(receivedMessages, "raw");

/** The received messages among these ids, without their raw bytes. Bound: the ids of the caller. */
export const listReceived = (r: Reader, scope: Scope, ids: readonly string[]): Promise<Omit<ReceivedRow, "raw">[]> =>
  statement<Omit<ReceivedRow, "raw">, { ids: readonly string[] } & Scope>(
    // + keeps SQLite from the index of the tenant's messages
    `SELECT * FROM received_messages WHERE id IN (SELECT value FROM json_each(:ids)) ${inScope(scope, "+tenant_id")}`,
    SHOWN,
  ).all(r, { ...scope, ids });

// SQLite reads each half in the order of its index, and merges the two without sorting
const HALF = (table: string): string => `SELECT id FROM ${table} WHERE conversation_id = :id AND id < :before`;
const MERGED = `${HALF("messages")} UNION ALL ${HALF("received_messages")} ORDER BY id DESC LIMIT :limit`;
type PartOf = { id: ConversationId; before: string; limit: number };
const pass = statement<{ n: number; last: string | null }, PartOf>(
  `SELECT count(*) AS n, min(id) AS last FROM (${MERGED})`,
);
const idsOf = statement<{ id: MessageId }, PartOf & { offset: number }>(`${MERGED} OFFSET :offset`);
const NEWEST = "g"; // after every id

/** Passes part of a conversation's messages, sent and received. The caller has checked that it is in scope. */
export const passMessages = async (
  r: Reader,
  id: ConversationId,
  { before = NEWEST, limit }: Part<string>,
): Promise<Passed<string>> => {
  const passed = await pass.get(r, { id, before, limit });
  const n = passed?.n ?? 0;
  return { n, last: n < limit ? undefined : (passed?.last ?? undefined) };
};

/** The ids of a conversation's messages, sent and received, newest first. The caller has checked that it is in scope. */
export const idsOfConversation = async (
  r: Reader,
  id: ConversationId,
  { limit, offset, before = NEWEST }: { limit: number; offset: number; before?: string | undefined },
): Promise<MessageId[]> => (await idsOf.all(r, { id, before, limit, offset })).map((row) => row.id);

export const pruneReceived = deleteOldRows("received_messages");
