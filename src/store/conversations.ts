import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { index, integer, type SQLiteColumn, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, ContactId, ConversationId, TenantId } from "../kernel/ids.ts";
import { countRows } from "./counting.ts";
import { hot, type Reader, type Tx } from "./db.ts";
import { ifWithin, type Scope, within } from "./scope.ts";

export const CONVERSATION_STATUSES = ["OPEN", "CLOSED"] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** What an institution and a contact write each other through one channel, until somebody closes it: one is open at a time. */
export const conversations = sqliteTable(
  "conversations",
  {
    id: text().$type<ConversationId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    contactId: text("contact_id").$type<ContactId>().notNull(),
    status: text().$type<ConversationStatus>().notNull(),
    assignedUserId: text("assigned_user_id"),
    /** What whoever transferred it last had to say. */
    transferNote: text("transfer_note"),
    lastMessageAt: integer("last_message_at").notNull(),
    createdAt: integer("created_at").notNull(),
    closedAt: integer("closed_at"),
  },
  (t) => [
    uniqueIndex("conversations_open").on(t.channelId, t.contactId).where(sql`status = 'OPEN'`),
    index("conversations_by_tenant").on(t.tenantId, t.id),
    index("conversations_by_status").on(t.tenantId, t.status, t.id),
    index("conversations_by_channel").on(t.tenantId, t.channelId, t.id),
    index("conversations_by_channel_status").on(t.tenantId, t.channelId, t.status, t.id),
    index("conversations_by_contact").on(t.contactId, t.id),
    index("conversations_assigned").on(t.tenantId, t.assignedUserId).where(sql`status = 'OPEN' AND assigned_user_id IS NOT NULL`),
  ],
);
export type ConversationRow = typeof conversations.$inferSelect;

const IS_OPEN = sql.raw("status = 'OPEN'");

const touch = hot((q) =>
  q
    .update(conversations)
    .set({ lastMessageAt: sql`max(last_message_at, ${sql.placeholder("at")})` })
    .where(and(eq(conversations.channelId, sql.placeholder("channelId")), eq(conversations.contactId, sql.placeholder("contactId")), IS_OPEN))
    .returning({ id: conversations.id })
    .prepare(),
);

/** Notes a message of the conversation that is open with the contact; its id. Undefined when none is. */
export const touchOpen = async (tx: Tx, message: { channelId: ChannelId; contactId: ContactId; at: number }): Promise<ConversationId | undefined> =>
  (await touch(tx).all(message))[0]?.id;

export const insertConversation = async (tx: Tx, row: ConversationRow): Promise<void> => void (await tx.q.insert(conversations).values(row));

export const findConversation = async (r: Reader, scope: Scope, id: string): Promise<ConversationRow | undefined> =>
  ifWithin(
    await r.q
      .select()
      .from(conversations)
      .where(eq(conversations.id, id as ConversationId))
      .get(),
    scope,
  );

/** The row as changed; undefined when there is none in scope that is open. */
export const updateOpen = async (tx: Tx, scope: Scope, id: string, changes: Partial<ConversationRow>): Promise<ConversationRow | undefined> =>
  (
    await tx.q
      .update(conversations)
      .set(changes)
      .where(and(eq(conversations.id, id as ConversationId), within(conversations.tenantId, scope), IS_OPEN))
      .returning()
  )[0];

export type ConversationFilter = { status: ConversationStatus | undefined; channelId: string | undefined; contactId: string | undefined };

/** Newest first. */
export const listConversations = (r: Reader, scope: Scope, filter: ConversationFilter & { limit: number; offset: number }): Promise<ConversationRow[]> =>
  r.q.select().from(conversations).where(matching(scope, filter)).orderBy(desc(conversations.id)).limit(filter.limit).offset(filter.offset);

export const countConversations = (r: Reader, scope: Scope, filter: ConversationFilter): Promise<number> => countRows(r, conversations, matching(scope, filter));

/** Those of a contact are few: `+` keeps SQLite from an index that begins with the tenant, who may have many. */
const matching = (scope: Scope, { status, channelId, contactId }: ConversationFilter): SQL | undefined => {
  const is = (column: SQLiteColumn, value: string | undefined): SQL | undefined => {
    if (value === undefined) return undefined;
    return contactId === undefined ? eq(column, value) : sql`+${column} = ${value}`;
  };
  return and(
    contactId === undefined ? undefined : eq(conversations.contactId, contactId as ContactId),
    is(conversations.tenantId, scope.tenantId),
    is(conversations.channelId, channelId),
    is(conversations.status, status),
  );
};

export const listOpenConversationsOf = (r: Reader, scope: Scope, contactId: ContactId): Promise<ConversationRow[]> =>
  r.q
    .select()
    .from(conversations)
    .where(matching(scope, { contactId, status: "OPEN", channelId: undefined }));

/** The row as closed; undefined when it was closed before. */
export const closeOpenConversation = (tx: Tx, scope: Scope, id: ConversationId, closedAt: number): Promise<ConversationRow | undefined> =>
  updateOpen(tx, scope, id, { status: "CLOSED", closedAt });

/** Everything that was written with one contact was written with another. */
export const moveConversations = async (tx: Tx, scope: Scope, from: ContactId, to: ContactId): Promise<void> =>
  void (await tx.q
    .update(conversations)
    .set({ contactId: to })
    .where(matching(scope, { contactId: from, status: undefined, channelId: undefined })));

/** Takes some of their open conversations from a user; true when there may be more. */
export const unassignSome = async (tx: Tx, tenantId: TenantId, userId: string, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `UPDATE conversations SET assigned_user_id = NULL
     WHERE id IN (SELECT id FROM conversations WHERE tenant_id = ?1 AND assigned_user_id = ?2 AND status = 'OPEN' LIMIT ?3) RETURNING id`,
      [tenantId, userId, limit],
    )
  ).length === limit;
