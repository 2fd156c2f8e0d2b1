import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** The receipts of one person for a message. The earliest of each kind is stored. */
export const RECEIPT_KINDS = ["delivered", "read", "played"] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];
/** The acts of which each person's last one is shown. */
const SHOWN_KINDS = [
  "reaction",
  "edit",
  "deletion",
  "transcript",
  "vote",
  "pin",
  "keep",
  "response",
  "star",
  "removal",
  "expiry",
] as const;
export const ACT_KINDS = [...SHOWN_KINDS, ...RECEIPT_KINDS] as const;

/**
 * Acts on messages: the last reaction and edit of each person, and deletions. `author`: a canonical key; empty for the
 * channel's owner. `text`: the emoji, empty if the reaction was taken back, or the new text. `chat`: the canonical key
 * of the chat. A vote, a pin, a keep and an answer to an event are JSON of their own. A `transcript` is the text of a voice note: its author's words, read by a model. A receipt is of its
 * author, and has no text. A `star` of the owner has the text `1`, or none after it was taken away. After a `removal` the
 * owner's app no longer shows the message. An `expiry` is the end of a message that disappears; it has the text `held` while
 * the message is kept beyond it.
 */
export const messageActs = sqliteTable(
  "message_acts",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    messageId: text("message_id").$type<MessageId>().notNull(),
    kind: text({ enum: ACT_KINDS }).notNull(),
    author: text().notNull(),
    chat: text().notNull(),
    text: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    uniqueIndex("message_acts_by_message").on(t.messageId, t.kind, t.author),
    index("message_acts_starred").on(t.tenantId, t.messageId).where(sql`kind = 'star' AND text = '1'`),
  ],
);
export type MessageActRow = typeof messageActs.$inferSelect;

export const messageActsLaws = laws(messageActs, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the person's first reaction, edit or receipt of the message",
    isSwept: true,
  },
  personal: {
    rowsOf: {
      columns: `id, message_id, kind, author, chat, text, message_acts.at AS acted_at, tenant_id AS tenantId`,
      from: "message_acts",
    },
    by: ["author", "chat"],
    texts: ["text"],
  },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "one act and receipt of each kind of a person per message" },
  files: "none",
  backup: "rows alone",
});

const ACT = columnsOf(messageActs);

const upsert = insertInto(
  messageActs,
  `ON CONFLICT (message_id, kind, author) DO UPDATE SET text = excluded.text, at = excluded.at
    WHERE excluded.at >= message_acts.at`,
);

/** Keeps an act in place of the author's earlier one of its kind. An older act than the stored one changes nothing. */
export const putMessageAct = async (tx: Tx, row: MessageActRow): Promise<void> => upsert(tx, row);

const receive = insertInto(messageActs, "ON CONFLICT (message_id, kind, author) DO NOTHING");

/** Keeps a receipt. A later one of the same kind and person changes nothing: a person has several devices. */
export const putReceipt = async (
  tx: Tx,
  row: Omit<MessageActRow, "text" | "kind"> & { kind: ReceiptKind },
): Promise<void> => receive(tx, { ...row, text: "" });

type ReceiptRow = { kind: ReceiptKind; author: string; at: number };

/** The receipts of a message by person, at most `limit`, in the order of time. */
export const listReceipts = (r: Reader, scope: Scope, messageId: MessageId, limit: number): Promise<ReceiptRow[]> =>
  statement<ReceiptRow, { messageId: MessageId; limit: number } & Scope>(
    `SELECT kind, author, at FROM message_acts WHERE message_id = :messageId
      AND kind IN ('delivered', 'read', 'played') ${inScope(scope)} ORDER BY at, id LIMIT :limit`,
  ).all(r, { ...scope, messageId, limit });

/**
 * The acts on these messages, in the order of time, without receipts. Bound: for each message of the caller one act of
 * each kind of each person in the chat.
 */
export const listMessageActs = (r: Reader, scope: Scope, messageIds: readonly MessageId[]): Promise<MessageActRow[]> =>
  statement<MessageActRow, { messageIds: readonly MessageId[] } & Scope>(
    `SELECT * FROM message_acts WHERE message_id IN (SELECT value FROM json_each(:messageIds))
      AND kind IN ('reaction', 'edit', 'deletion', 'transcript', 'vote', 'pin', 'keep', 'response', 'star', 'removal', 'expiry') ${inScope(scope)}
      ORDER BY at, id`,
    ACT,
  ).all(r, { ...scope, messageIds });

/**
 * The acts that change the words of these messages: edits, deletions and transcripts. Bound: for each message of the
 * caller one of each kind and person.
 */
export const listWordActs = (r: Reader, scope: Scope, messageIds: readonly MessageId[]): Promise<MessageActRow[]> =>
  statement<MessageActRow, { messageIds: readonly MessageId[] } & Scope>(
    `SELECT * FROM message_acts WHERE message_id IN (SELECT value FROM json_each(:messageIds))
      AND kind IN ('edit', 'deletion', 'transcript') ${inScope(scope)} ORDER BY at, id`,
    ACT,
  ).all(r, { ...scope, messageIds });

export type StarredRow = Pick<MessageActRow, "messageId" | "at">;
type StarredAfter = { tenantId: TenantId; after: string; limit: number };
const starredAfter = statement<StarredRow, StarredAfter>(
  `SELECT message_id AS messageId, at FROM message_acts WHERE tenant_id = :tenantId AND message_id > :after
    AND kind = 'star' AND text = '1' ORDER BY message_id LIMIT :limit`,
);

/** The messages of a tenant that have a star, after this one. `at`: since when. */
export const listStarredAfter = (r: Reader, page: StarredAfter): Promise<StarredRow[]> => starredAfter.all(r, page);

const deletion = statement<{ at: number }, { messageId: MessageId }>(
  "SELECT at FROM message_acts WHERE message_id = :messageId AND kind = 'deletion' ORDER BY at LIMIT 1",
);

/** When a message was deleted for everyone; null if it was not. */
export const deletionTime = async (r: Reader, messageId: MessageId): Promise<number | null> =>
  (await deletion.get(r, { messageId }))?.at ?? null;

export const pruneMessageActs = deleteOldRows("message_acts");
