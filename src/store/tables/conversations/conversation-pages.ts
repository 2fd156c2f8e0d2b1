import { and, eq, inArray } from "drizzle-orm";
import type { ConversationId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type TenantScope, within } from "../scope.ts";
import { type ContactRow, contacts } from "./contacts.ts";
import { type ConversationRow, type ConversationStatus, conversations } from "./conversations.ts";

/** A place among conversations in the order of their last messages. */
export type Place = { lastMessageAt: number; id: string };

/**
 * Conversations of a tenant or of one of its channels; with `isUnread` only those with unread messages; with
 * `assignedUserId` only open ones of that member; with `contactId` only those with that contact.
 */
export type ActivityFilter = {
  channelId: string | undefined;
  status: ConversationStatus | undefined;
  isUnread: boolean;
  assignedUserId?: string | undefined;
  contactId?: string | undefined;
};

// literals, and the row value, let each half be read in the order of its index
const inStatus = (column: string, status: ConversationStatus): string =>
  `SELECT last_message_at, id FROM conversations WHERE ${column} = ?1 AND environment = 'live'
     AND status = '${status}' AND (last_message_at, id) < (?2, ?3)`;
const UNREAD = `SELECT last_message_at, id FROM conversations WHERE tenant_id = ?1 AND environment = 'live'
     AND unread_count > 0 AND (last_message_at, id) < (?2, ?3)`;

const ASSIGNED = `SELECT last_message_at, id FROM conversations WHERE tenant_id = ?1 AND assigned_user_id = ?5
     AND status = 'OPEN' AND assigned_user_id IS NOT NULL AND (last_message_at, id) < (?2, ?3)`;
// the conversations of one contact are few, so they are sorted
const OF_CONTACT = `SELECT last_message_at, id FROM conversations WHERE contact_id = ?1 AND environment = 'live'
     AND (last_message_at, id) < (?2, ?3)`;

const placesFor = ({ channelId, status, isUnread, assignedUserId, contactId }: ActivityFilter): string => {
  if (contactId !== undefined) return OF_CONTACT;
  if (assignedUserId !== undefined) return ASSIGNED;
  if (isUnread) return UNREAD;
  const column = channelId === undefined ? "tenant_id" : "channel_id";
  return status === undefined
    ? `${inStatus(column, "OPEN")} UNION ALL ${inStatus(column, "CLOSED")}`
    : inStatus(column, status);
};

const ownerFor = (tenantId: string, { channelId, isUnread, assignedUserId, contactId }: ActivityFilter): string => {
  if (contactId !== undefined) return contactId;
  return isUnread || assignedUserId !== undefined ? tenantId : (channelId ?? tenantId);
};

/**
 * Conversations in the order of their last messages, from the newest on, after a place. Of `contactId`,
 * `assignedUserId`, `isUnread` and the rest, the first that is given decides; the others are not looked at. The caller
 * has checked that the channel is in scope; a contact's conversations may be of another tenant.
 */
export const placesByActivity = async (
  r: Reader,
  { tenantId }: TenantScope,
  filter: ActivityFilter & { after: Place; limit: number },
): Promise<Place[]> => {
  const { assignedUserId, contactId, after, limit } = filter;
  const isAssigned = assignedUserId !== undefined && contactId === undefined;
  const rows = await r.rows<{ last_message_at: number; id: string }>(
    `${placesFor(filter)} ORDER BY last_message_at DESC, id DESC LIMIT ?4`,
    [ownerFor(tenantId, filter), after.lastMessageAt, after.id, limit, ...(isAssigned ? [assignedUserId] : [])],
  );
  return rows.map(({ last_message_at: lastMessageAt, id }) => ({ lastMessageAt, id }));
};

/** A place with what a search compares of the contact. `tags`: as they are stored, in JSON. */
export type PlaceOfContact = Place & Pick<ContactRow, "name" | "email" | "phoneNumber"> & { tags: string };

const CONTACTS = `SELECT conversations.id, last_message_at AS lastMessageAt, name, email, phone_number AS phoneNumber, tags
  FROM json_each(?1) CROSS JOIN conversations ON conversations.id = value
  JOIN contacts ON contacts.id = contact_id
  WHERE conversations.tenant_id = ?2 AND conversations.environment = 'live'`;

/** The places of live conversations among these that have a contact, in their order. */
export const contactsAt = (r: Reader, { tenantId }: TenantScope, places: readonly Place[]): Promise<PlaceOfContact[]> =>
  r.rows<PlaceOfContact>(CONTACTS, [JSON.stringify(places.map(({ id }) => id)), tenantId]);

/** A conversation with its contact; null after the contact's deletion. */
export type WithContact = { conversation: ConversationRow; contact: ContactRow | null };

/** The live conversations among these ids, in no order. */
export const listWithContacts = (r: Reader, scope: TenantScope, ids: readonly string[]): Promise<WithContact[]> =>
  r.q
    .select({ conversation: conversations, contact: contacts })
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(
      and(
        inArray(conversations.id, ids as ConversationId[]),
        within(conversations.tenantId, scope),
        eq(conversations.environment, "live"),
      ),
    );

/** Counts one more unread message in an open conversation. */
export const countUnread = (tx: Tx, id: ConversationId): void =>
  tx.run("UPDATE conversations SET unread_count = unread_count + 1 WHERE id = ?1 AND status = 'OPEN'", [id]);

/** Marks a conversation as read. The caller has checked that it is in scope. */
export const clearUnread = (tx: Tx, id: ConversationId): void =>
  tx.run("UPDATE conversations SET unread_count = 0 WHERE id = ?1 AND unread_count > 0", [id]);

/**
 * Opens a closed conversation again. False, and nothing changes, where it is open, or another one with the contact on
 * its channel is.
 */
export const reopenClosed = async (tx: Tx, { tenantId }: TenantScope, id: ConversationId): Promise<boolean> =>
  (
    await tx.rows(
      `UPDATE conversations SET status = 'OPEN', closed_at = NULL WHERE id = ?1 AND tenant_id = ?2
        AND status = 'CLOSED' AND NOT EXISTS (SELECT 1 FROM conversations AS o WHERE o.channel_id = conversations.channel_id
        AND o.contact_id = conversations.contact_id AND o.environment = conversations.environment
        AND o.status = 'OPEN') RETURNING 1`,
      [id, tenantId],
    )
  ).length > 0;

/** Each number of chats is counted up to this one. */
const CHATS_COUNTED_UP_TO = 1000;
/** How many open chats are looked at for those that nobody has. */
const LOOKED_AT = 5000;

const counted = (where: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM conversations WHERE tenant_id = ?1 AND ${where} LIMIT ${CHATS_COUNTED_UP_TO}))`;
const COUNTS = `SELECT ${counted("environment = 'live' AND status = 'OPEN'")} AS open,
  ${counted("environment = 'live' AND status = 'CLOSED'")} AS closed,
  ${counted("environment = 'live' AND unread_count > 0")} AS unread,
  ${counted("assigned_user_id = ?2 AND status = 'OPEN' AND assigned_user_id IS NOT NULL")} AS assigned,
  (SELECT count(*) FROM (SELECT 1 FROM (SELECT assigned_user_id FROM conversations WHERE tenant_id = ?1
     AND environment = 'live' AND status = 'OPEN' ORDER BY last_message_at DESC, id DESC LIMIT ${LOOKED_AT})
   WHERE assigned_user_id IS NULL LIMIT ${CHATS_COUNTED_UP_TO})) AS unassigned`;

/** How many chats there are; `assigned`: open ones of the member `userId`. */
export type ChatCounts = { open: number; closed: number; unread: number; unassigned: number; assigned: number };

/** Counts a tenant's live chats, each number up to 1,000. Unassigned ones are counted among the 5,000 newest open ones. */
export const countChats = async (
  r: Reader,
  { tenantId }: TenantScope,
  userId: string | undefined,
): Promise<ChatCounts> =>
  (await r.rows<ChatCounts>(COUNTS, [tenantId, userId ?? ""]))[0] ?? {
    open: 0,
    closed: 0,
    unread: 0,
    unassigned: 0,
    assigned: 0,
  };

// the newest of a conversation that is not the owner's is looked for among its 50 newest received ones
const NEWEST = `SELECT value AS id,
    (SELECT id FROM messages WHERE conversation_id = value AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT 1)
      AS sentId,
    (SELECT id FROM received_messages WHERE conversation_id = value AND conversation_id IS NOT NULL
      ORDER BY id DESC LIMIT 1) AS receivedId,
    (SELECT max(created_at) FROM (SELECT is_own, created_at FROM received_messages WHERE conversation_id = value
      AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT 50) WHERE is_own = 0) AS personAt
  FROM json_each(?1)`;

/** The newest messages of a conversation. `personAt`: when the person last wrote, by the network's time. */
export type NewestOf = { id: string; sentId: string | null; receivedId: string | null; personAt: number | null };

/** The newest messages of these conversations. The caller has checked that they are in scope. */
export const newestOfConversations = (r: Reader, ids: readonly string[]): Promise<NewestOf[]> =>
  r.rows<NewestOf>(NEWEST, [JSON.stringify(ids)]);
