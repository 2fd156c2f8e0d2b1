import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, ContactId, ConversationId, TenantId } from "../../../kernel/ids.ts";
import { numberKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { type Part, type Passed, passMatching } from "../../engine/counting.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { ifSeen, inSightOf, type Scope, type Viewer } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

export const CONVERSATION_STATUSES = ["OPEN", "CLOSED"] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/**
 * The messages of a tenant and a contact over one channel, until somebody closes the conversation. Each environment has
 * at most one open at a time. `unreadCount`: what the contact wrote since the conversation was last answered or read.
 * `waitingSince`: the first message of the contact that nobody has answered; null if none waits. `snoozedUntil`: who
 * works on it wants to see it then, or with the contact's next message.
 */
export const conversations = sqliteTable(
  "conversations",
  {
    id: text().$type<ConversationId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    contactId: text("contact_id").$type<ContactId>().notNull(),
    environment: text().$type<Environment>().notNull().default("live"),
    status: text().$type<ConversationStatus>().notNull(),
    assignedUserId: text("assigned_user_id"),
    /** The note of the last transfer. */
    transferNote: text("transfer_note"),
    lastMessageAt: integer("last_message_at").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    closedAt: integer("closed_at"),
    waitingSince: integer("waiting_since"),
    snoozedUntil: integer("snoozed_until"),
  },
  (t) => [
    uniqueIndex("conversations_open").on(t.channelId, t.contactId, t.environment).where(sql`status = 'OPEN'`),
    index("conversations_by_tenant").on(t.tenantId, t.id),
    index("conversations_by_status").on(t.tenantId, t.status, t.id),
    index("conversations_by_channel").on(t.tenantId, t.channelId, t.id),
    index("conversations_by_channel_status").on(t.tenantId, t.channelId, t.status, t.id),
    index("conversations_test").on(t.tenantId, t.id).where(sql`environment = 'test'`),
    index("conversations_by_contact").on(t.contactId, t.id),
    // partial ones, which no query without the literal uses
    index("conversations_by_activity").on(t.tenantId, t.status, t.lastMessageAt, t.id).where(sql`environment = 'live'`),
    index("conversations_by_channel_activity")
      .on(t.channelId, t.status, t.lastMessageAt, t.id)
      .where(sql`environment = 'live'`),
    index("conversations_unread")
      .on(t.tenantId, t.lastMessageAt, t.id)
      .where(sql`environment = 'live' AND unread_count > 0`),
    index("conversations_waiting")
      .on(t.tenantId, t.waitingSince, t.id)
      .where(sql`status = 'OPEN' AND environment = 'live' AND waiting_since IS NOT NULL`),
    index("conversations_snoozed")
      .on(t.tenantId, t.lastMessageAt, t.id)
      .where(sql`environment = 'live' AND snoozed_until IS NOT NULL`),
    index("conversations_closed").on(t.closedAt).where(sql`status = 'CLOSED'`),
    index("conversations_assigned")
      .on(t.tenantId, t.assignedUserId, t.lastMessageAt, t.id)
      .where(sql`status = 'OPEN' AND assigned_user_id IS NOT NULL`),
  ],
);
export type ConversationRow = typeof conversations.$inferSelect;

export const conversationsLaws = laws(conversations, {
  keeps: {
    group: "conversations",
    setting: "RECADO_KEEP_CONVERSATIONS",
    rule: "the term after its closing, with its messages; an open conversation stays",
    isSwept: true,
  },
  personal: {
    rowsOf: {
      columns: "v.*, v.tenant_id AS tenantId, p.phone_number, p.alias",
      from: "conversations AS v JOIN contacts AS p ON p.id = contact_id",
      alias: "v",
    },
    by: ["phone_number", "alias"],
    texts: ["transfer_note"],
  },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by messages; one open conversation per channel and contact" },
  files: "none",
  backup: "rows alone",
});

const CONVERSATION = columnsOf(conversations);

type Id = { id: ConversationId };
const TOUCH = `UPDATE conversations SET last_message_at = max(last_message_at, :at),
    unread_count = unread_count * :keep + :add,
    waiting_since = iif(:add, coalesce(waiting_since, :at), iif(:keep, waiting_since, NULL)),
    snoozed_until = iif(:add, NULL, snoozed_until)
  WHERE channel_id = :channelId AND environment = :environment AND status = 'OPEN'`;
type Touching = Pick<Touch, "channelId" | "environment" | "at"> & { keep: number; add: number };
const touch = statement<Id, Touching & Pick<Touch, "contactId">>(`${TOUCH} AND contact_id = :contactId RETURNING id`);

/** The effect of a message on the count of unread messages: one `more`, `none` left, or the `same` as before. */
export type Unread = "more" | "none" | "same";

type Touch = { channelId: ChannelId; contactId: ContactId; environment: Environment; at: number; unread: Unread };

const touching = ({ channelId, environment, at, unread }: Omit<Touch, "contactId">): Touching => ({
  channelId,
  environment,
  at,
  keep: unread === "none" ? 0 : 1,
  add: unread === "more" ? 1 : 0,
});

/**
 * Records a message in the contact's open conversation. Gives its id; undefined if the contact has no open
 * conversation.
 */
export const touchOpen = async (tx: Tx, message: Touch): Promise<ConversationId | undefined> =>
  (await touch.get(tx, { ...touching(message), contactId: message.contactId }))?.id;

const touchOfNumber = statement<Id, Touching & { tenantId: TenantId; numberKey: string }>(
  `${TOUCH} AND contact_id = (SELECT id FROM contacts WHERE tenant_id = :tenantId AND number_key = :numberKey
    AND environment = :environment) RETURNING id`,
);

/** The same for the contact with a number, in one statement. Undefined also without such a contact. */
export const touchOpenOfNumber = async (
  tx: Tx,
  { tenantId, phoneNumber, ...message }: Omit<Touch, "contactId"> & { tenantId: TenantId; phoneNumber: string },
): Promise<ConversationId | undefined> =>
  (await touchOfNumber.get(tx, { ...touching(message), tenantId, numberKey: numberKeyOf(phoneNumber) }))?.id;

type WithContact = Pick<ConversationRow, "channelId" | "contactId" | "environment">;
const newestWith = statement<Id, WithContact>(
  `SELECT id FROM conversations WHERE contact_id = :contactId AND channel_id = :channelId
    AND environment = :environment ORDER BY status = 'OPEN' DESC, id DESC LIMIT 1`,
);

/** The open conversation with a contact on a channel, else the latest one; undefined without any. */
export const findAnyConversation = async (
  tx: Tx,
  { channelId, contactId, environment }: WithContact,
): Promise<ConversationId | undefined> => (await newestWith.get(tx, { channelId, contactId, environment }))?.id;

const anyOfContact = statement<Id, { contactId: ContactId }>(
  "SELECT id FROM conversations WHERE contact_id = :contactId LIMIT 1",
);

/** Whether a contact has no conversation, on any channel. */
export const isContactWithout = async (tx: Tx, contactId: ContactId): Promise<boolean> =>
  (await anyOfContact.get(tx, { contactId })) === undefined;

const note = statement<never, Id & { at: number }>(
  "UPDATE conversations SET last_message_at = :at WHERE id = :id AND last_message_at < :at",
);

/** Records the time of a message, unless a later one is known. */
export const noteMessage = async (tx: Tx, id: ConversationId, at: number): Promise<void> => note.run(tx, { id, at });

const insert = insertInto(conversations);
export const insertConversation = async (tx: Tx, row: ConversationRow): Promise<void> => insert(tx, row);

const byId = statement<ConversationRow, { id: string }>("SELECT * FROM conversations WHERE id = :id", CONVERSATION);

export const findConversation = async (r: Reader, viewer: Viewer, id: string): Promise<ConversationRow | undefined> =>
  ifSeen(await byId.get(r, { id }), viewer);

const update = updateOf<typeof conversations, { id: string; tenantId: TenantId | null }>(
  conversations,
  "WHERE id = :id AND (:tenantId IS NULL OR tenant_id = :tenantId) AND status = 'OPEN' RETURNING *",
);

/** The changed row; undefined if no such open conversation is in scope. */
export const updateOpen = async (
  tx: Tx,
  scope: Scope,
  id: string,
  changes: Partial<ConversationRow>,
): Promise<ConversationRow | undefined> => (await update(tx, changes, { id, tenantId: scope.tenantId ?? null }))[0];

export type ConversationFilter = {
  status: ConversationStatus | undefined;
  channelId: string | undefined;
  contactId: string | undefined;
};

type Page = { limit: number; offset: number; before?: string | undefined };

/** Newest first, from before an id on. */
export const listConversations = (
  r: Reader,
  viewer: Viewer,
  filter: ConversationFilter & Page,
): Promise<ConversationRow[]> =>
  statement<ConversationRow, ConversationFilter & Page & Viewer>(
    lines(
      `SELECT * FROM conversations WHERE ${matching(viewer, filter)}`,
      filter.before !== undefined && "AND id < :before",
      "ORDER BY id DESC LIMIT :limit OFFSET :offset",
    ),
    CONVERSATION,
  ).all(r, { ...viewer, ...filter });

/** Passes part of the conversations. */
export const passConversations = (
  r: Reader,
  viewer: Viewer,
  filter: ConversationFilter,
  part: Part<string>,
): Promise<Passed<string>> =>
  passMatching(
    r,
    { table: "conversations", key: "id", where: matching(viewer, filter), params: { ...viewer, ...filter } },
    part,
  );

/**
 * A contact, and a test key, has few conversations. `+` keeps SQLite from an index that begins with the tenant, which
 * may have many conversations.
 */
const matching = (viewer: Viewer, { status, channelId, contactId }: ConversationFilter): string => {
  const plus = contactId === undefined && viewer.environment === "live" ? "" : "+";
  return lines(
    contactId === undefined ? "tenant_id = :tenantId" : "contact_id = :contactId AND +tenant_id = :tenantId",
    inSightOf(viewer),
    channelId !== undefined && `AND ${plus}channel_id = :channelId`,
    status !== undefined && `AND ${plus}status = :status`,
  );
};

/** Bound: one per channel of the account. */
export const listOpenConversationsOf = (
  r: Reader,
  viewer: Viewer,
  contactId: ContactId,
): Promise<ConversationRow[]> => {
  const filter = { contactId, status: "OPEN", channelId: undefined } as const;
  return statement<ConversationRow, ConversationFilter & Viewer>(
    `SELECT * FROM conversations WHERE ${matching(viewer, filter)}`,
    CONVERSATION,
  ).all(r, { ...viewer, ...filter });
};

/** A person by the number, or by the canonical key of a person without a known number. */
export type MetPerson = { phoneNumber: string | null; alias: string | null };

const metOn = statement<MetPerson, { channelId: ChannelId; status: ConversationStatus; limit: number }>(
  `SELECT c.phone_number AS phoneNumber, c.alias FROM conversations v JOIN contacts c ON c.id = v.contact_id
    WHERE v.channel_id = :channelId AND v.status = :status AND v.environment = 'live' AND c.opted_out_at IS NULL
    ORDER BY v.last_message_at DESC, v.id DESC LIMIT :limit`,
);

/**
 * The people with whom a channel has live conversations of a status, the latest first; without those who want no
 * messages but answers.
 */
export const listMetOn = (
  r: Reader,
  wanted: { channelId: ChannelId; status: ConversationStatus; limit: number },
): Promise<MetPerson[]> => metOn.all(r, wanted);

/** The closed row; undefined when it was closed before. */
export const closeOpenConversation = (
  tx: Tx,
  scope: Scope,
  id: ConversationId,
  closedAt: number,
): Promise<ConversationRow | undefined> =>
  updateOpen(tx, scope, id, { status: "CLOSED", closedAt, waitingSince: null, snoozedUntil: null });

/** Moves all conversations of one contact to another. */
export const moveConversations = async (tx: Tx, viewer: Viewer, from: ContactId, to: ContactId): Promise<void> => {
  const filter = { contactId: from, status: undefined, channelId: undefined };
  statement<never, ConversationFilter & Viewer & { to: ContactId }>(
    `UPDATE conversations SET contact_id = :to WHERE ${matching(viewer, filter)}`,
  ).run(tx, { ...viewer, ...filter, to });
};

const unassign = statement<ConversationRow, { tenantId: TenantId; userId: string; limit: number }>(
  `UPDATE conversations SET assigned_user_id = NULL WHERE id IN (SELECT id FROM conversations
    WHERE tenant_id = :tenantId AND assigned_user_id = :userId AND status = 'OPEN' LIMIT :limit) RETURNING *`,
  CONVERSATION,
);

/** Unassigns at most `limit` open conversations from a user, and returns them. */
export const unassignSome = (tx: Tx, tenantId: TenantId, userId: string, limit: number): Promise<ConversationRow[]> =>
  unassign.all(tx, { tenantId, userId, limit });

// queued messages keep their conversation
const oldClosed = statement<Id, { beforeMs: number; limit: number }>(
  `SELECT id FROM conversations WHERE status = 'CLOSED' AND closed_at < :beforeMs
    AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation_id = conversations.id AND conversation_id IS NOT NULL
    AND status = 'QUEUED') ORDER BY closed_at LIMIT :limit`,
);
const removeMessages = ["messages", "received_messages"].map((table) =>
  statement<unknown, Id & { limit: number }>(
    `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE conversation_id = :id
      AND conversation_id IS NOT NULL LIMIT :limit) RETURNING 1`,
  ),
);
const remove = statement<never, Id>("DELETE FROM conversations WHERE id = :id");

/**
 * Deletes conversations that were closed before `beforeMs`, with their messages; at most `limit` rows. True when there
 * may be more.
 */
export const pruneConversations = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> => {
  let room = limit;
  for (const { id } of await oldClosed.all(tx, { beforeMs, limit })) {
    for (const removeSome of removeMessages) room -= (await removeSome.all(tx, { id, limit: room })).length;
    if (room <= 0) return true;
    remove.run(tx, { id });
    room--;
  }
  return room <= 0;
};

/** A chat with a person, and when the person wrote last in it. */
export type ChatWith = Pick<ConversationRow, "channelId" | "status" | "lastMessageAt"> & { writtenAt: number | null };

const ofContact = statement<ChatWith, { contactId: ContactId }>(
  `SELECT channel_id AS channelId, status, last_message_at AS lastMessageAt,
    (SELECT created_at FROM received_messages AS m WHERE m.conversation_id = conversations.id AND NOT m.is_own
      ORDER BY m.id DESC LIMIT 1) AS writtenAt
    FROM conversations WHERE contact_id = :contactId AND environment = 'live' ORDER BY id DESC LIMIT 100`,
);

/** The newest chats with a person on all channels, newest first. */
export const listChatsWith = (r: Reader, contactId: ContactId): Promise<ChatWith[]> => ofContact.all(r, { contactId });
