import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { index, integer, type SQLiteColumn, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, ContactId, ConversationId, TenantId } from "../../../kernel/ids.ts";
import { numberKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { type Part, type Passed, passRows } from "../../engine/counting.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import { ifSeen, type Scope, seenBy, type Viewer, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

export const CONVERSATION_STATUSES = ["OPEN", "CLOSED"] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/**
 * The messages of a tenant and a contact over one channel, until somebody closes the conversation. Each environment has
 * at most one open at a time. `unreadCount`: what the contact wrote since the conversation was last answered or read.
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
    rule: "an open one stays; a closed one goes with what was written in it",
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
  grows: { bound: "made by messages: one is open per channel and contact" },
  files: "none",
  backup: "rows alone",
});

const IS_OPEN = sql.raw("status = 'OPEN'");

const touch = hot((q) =>
  q
    .update(conversations)
    .set({
      lastMessageAt: sql`max(last_message_at, ${sql.placeholder("at")})`,
      unreadCount: sql`unread_count * ${sql.placeholder("keep")} + ${sql.placeholder("add")}`,
    })
    .where(
      and(
        eq(conversations.channelId, sql.placeholder("channelId")),
        eq(conversations.contactId, sql.placeholder("contactId")),
        eq(conversations.environment, sql.placeholder("environment")),
        IS_OPEN,
      ),
    )
    .returning({ id: conversations.id })
    .prepare(),
);

/** What a message does to the count of unread ones: one `more`, `none` left, or the `same` as before. */
export type Unread = "more" | "none" | "same";

type Touch = { channelId: ChannelId; contactId: ContactId; environment: Environment; at: number; unread: Unread };

/** Records a message in the contact's open conversation. Gives its id; undefined when none is open. */
export const touchOpen = async (tx: Tx, { unread, ...message }: Touch): Promise<ConversationId | undefined> =>
  (await touch(tx).all({ ...message, keep: unread === "none" ? 0 : 1, add: unread === "more" ? 1 : 0 }))[0]?.id;

const TOUCH_OF_NUMBER = `UPDATE conversations SET last_message_at = max(last_message_at, ?5),
    unread_count = unread_count * ?6 + ?7
  WHERE channel_id = ?1 AND environment = ?2 AND status = 'OPEN' AND contact_id = (SELECT id FROM contacts
    WHERE tenant_id = ?3 AND number_key = ?4 AND environment = ?2) RETURNING id`;

/** The same for the contact with a number, in one statement. Undefined where there is no such contact too. */
export const touchOpenOfNumber = async (
  tx: Tx,
  { tenantId, phoneNumber, unread, ...to }: Omit<Touch, "contactId"> & { tenantId: TenantId; phoneNumber: string },
): Promise<ConversationId | undefined> =>
  (
    await tx.rows<{ id: ConversationId }>(TOUCH_OF_NUMBER, [
      to.channelId,
      to.environment,
      tenantId,
      numberKeyOf(phoneNumber),
      to.at,
      unread === "none" ? 0 : 1,
      unread === "more" ? 1 : 0,
    ])
  )[0]?.id;

/** The open conversation with a contact on a channel, else the latest one; undefined when there was none. */
export const findAnyConversation = async (
  tx: Tx,
  { channelId, contactId, environment }: Pick<ConversationRow, "channelId" | "contactId" | "environment">,
): Promise<ConversationId | undefined> =>
  (
    await tx.rows<{ id: ConversationId }>(
      "SELECT id FROM conversations WHERE contact_id = ?1 AND channel_id = ?2 AND environment = ?3 ORDER BY status = 'OPEN' DESC, id DESC LIMIT 1",
      [contactId, channelId, environment],
    )
  )[0]?.id;

/** Records the time of a message, unless a later one is known. */
export const noteMessage = async (tx: Tx, id: ConversationId, at: number): Promise<void> =>
  tx.run("UPDATE conversations SET last_message_at = ?2 WHERE id = ?1 AND last_message_at < ?2", [id, at]);

const insert = hot((q) =>
  q
    .insert(conversations)
    .values({
      id: sql.placeholder("id"),
      tenantId: sql.placeholder("tenantId"),
      channelId: sql.placeholder("channelId"),
      contactId: sql.placeholder("contactId"),
      environment: sql.placeholder("environment"),
      status: sql.placeholder("status"),
      assignedUserId: sql.placeholder("assignedUserId"),
      transferNote: sql.placeholder("transferNote"),
      lastMessageAt: sql.placeholder("lastMessageAt"),
      unreadCount: sql.placeholder("unreadCount"),
      createdAt: sql.placeholder("createdAt"),
      closedAt: sql.placeholder("closedAt"),
    })
    .prepare(),
);

export const insertConversation = async (tx: Tx, row: ConversationRow): Promise<void> =>
  void (await insert(tx).run(row));

export const findConversation = async (r: Reader, viewer: Viewer, id: string): Promise<ConversationRow | undefined> =>
  ifSeen(
    await r.q
      .select()
      .from(conversations)
      .where(eq(conversations.id, id as ConversationId))
      .get(),
    viewer,
  );

/** The changed row; undefined when no open one is in scope. */
export const updateOpen = async (
  tx: Tx,
  scope: Scope,
  id: string,
  changes: Partial<ConversationRow>,
): Promise<ConversationRow | undefined> =>
  (
    await tx.q
      .update(conversations)
      .set(changes)
      .where(and(eq(conversations.id, id as ConversationId), within(conversations.tenantId, scope), IS_OPEN))
      .returning()
  )[0];

export type ConversationFilter = {
  status: ConversationStatus | undefined;
  channelId: string | undefined;
  contactId: string | undefined;
};

/** Newest first, from before an id on. */
export const listConversations = (
  r: Reader,
  viewer: Viewer,
  { before, ...filter }: ConversationFilter & { limit: number; offset: number; before?: string | undefined },
): Promise<ConversationRow[]> =>
  r.q
    .select()
    .from(conversations)
    .where(
      and(matching(viewer, filter), before === undefined ? undefined : lt(conversations.id, before as ConversationId)),
    )
    .orderBy(desc(conversations.id))
    .limit(filter.limit)
    .offset(filter.offset);

/** Passes part of the conversations. */
export const passConversations = (
  r: Reader,
  viewer: Viewer,
  filter: ConversationFilter,
  part: Part<string>,
): Promise<Passed<string>> =>
  passRows(r, { table: conversations, key: conversations.id, where: matching(viewer, filter) }, part);

/**
 * Conversations of one contact, and of test keys, are few. `+` keeps SQLite from an index that begins with the tenant,
 * which may have many.
 */
const matching = (viewer: Viewer, { status, channelId, contactId }: ConversationFilter): SQL | undefined => {
  const is = (column: SQLiteColumn, value: string | undefined): SQL | undefined => {
    if (value === undefined) return undefined;
    return contactId === undefined && viewer.environment === "live" ? eq(column, value) : sql`+${column} = ${value}`;
  };
  return and(
    contactId === undefined
      ? eq(conversations.tenantId, viewer.tenantId)
      : eq(conversations.contactId, contactId as ContactId),
    contactId === undefined ? undefined : is(conversations.tenantId, viewer.tenantId),
    seenBy(conversations.environment, viewer),
    is(conversations.channelId, channelId),
    is(conversations.status, status),
  );
};

export const listOpenConversationsOf = (r: Reader, viewer: Viewer, contactId: ContactId): Promise<ConversationRow[]> =>
  r.q
    .select()
    .from(conversations)
    .where(matching(viewer, { contactId, status: "OPEN", channelId: undefined }));

/** The closed row; undefined when it was closed before. */
export const closeOpenConversation = (
  tx: Tx,
  scope: Scope,
  id: ConversationId,
  closedAt: number,
): Promise<ConversationRow | undefined> => updateOpen(tx, scope, id, { status: "CLOSED", closedAt });

/** Moves all conversations of one contact to another. */
export const moveConversations = async (tx: Tx, viewer: Viewer, from: ContactId, to: ContactId): Promise<void> =>
  void (await tx.q
    .update(conversations)
    .set({ contactId: to })
    .where(matching(viewer, { contactId: from, status: undefined, channelId: undefined })));

/** Unassigns at most `limit` open conversations from a user; true when there may be more. */
export const unassignSome = async (tx: Tx, tenantId: TenantId, userId: string, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `UPDATE conversations SET assigned_user_id = NULL
     WHERE id IN (SELECT id FROM conversations WHERE tenant_id = ?1 AND assigned_user_id = ?2
     AND status = 'OPEN' LIMIT ?3) RETURNING id`,
      [tenantId, userId, limit],
    )
  ).length === limit;

// queued messages keep their conversation
const OLD_CLOSED = `SELECT id FROM conversations WHERE status = 'CLOSED' AND closed_at < ?1
  AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation_id = conversations.id AND conversation_id IS NOT NULL
  AND status = 'QUEUED') ORDER BY closed_at LIMIT ?2`;
const DELETE_FROM = (table: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE conversation_id = ?1
    AND conversation_id IS NOT NULL LIMIT ?2) RETURNING 1`;

/**
 * Deletes conversations that were closed before `beforeMs`, with their messages; at most `limit` rows. True when there
 * may be more.
 */
export const pruneConversations = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> => {
  let room = limit;
  for (const { id } of await tx.rows<{ id: ConversationId }>(OLD_CLOSED, [beforeMs, limit])) {
    for (const table of ["messages", "received_messages"])
      room -= (await tx.rows(DELETE_FROM(table), [id, room])).length;
    if (room <= 0) return true;
    tx.run("DELETE FROM conversations WHERE id = ?1", [id]);
    room--;
  }
  return room <= 0;
};

const OF_CONTACT = `SELECT channel_id AS channelId, status, last_message_at AS lastMessageAt,
  (SELECT created_at FROM received_messages AS m WHERE m.conversation_id = conversations.id AND NOT m.is_own
    ORDER BY m.id DESC LIMIT 1) AS writtenAt
  FROM conversations WHERE contact_id = ?1 AND environment = 'live' ORDER BY id DESC LIMIT 100`;

/** A chat with a person, and when the person wrote last in it. */
export type ChatWith = Pick<ConversationRow, "channelId" | "status" | "lastMessageAt"> & { writtenAt: number | null };

/** The newest chats with a person on all channels, newest first. */
export const listChatsWith = (r: Reader, contactId: ContactId): Promise<ChatWith[]> =>
  r.rows<ChatWith>(OF_CONTACT, [contactId]);
