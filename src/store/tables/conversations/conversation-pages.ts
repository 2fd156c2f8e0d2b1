import type { ConversationId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, columnsOfEach, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { type ContactRow, contacts } from "./contacts.ts";
import { type ConversationRow, type ConversationStatus, conversations } from "./conversations.ts";

/** A place among conversations in the order of their last messages. */
export type Place = { lastMessageAt: number; id: string };

/**
 * Conversations of a tenant or of one of its channels; with `isUnread` only those with unread messages; with
 * `isSnoozed` only those that are or were snoozed; with `assignedUserId` only open ones of that member; with `contactId`
 * only those with that contact.
 */
export type ActivityFilter = {
  channelId: string | undefined;
  status: ConversationStatus | undefined;
  isUnread: boolean;
  isSnoozed?: boolean | undefined;
  assignedUserId?: string | undefined;
  contactId?: string | undefined;
};

const AFTER = "(last_message_at, id) < (:lastMessageAt, :id)";
/** TABLE: statuses as literals. */
const LITERALS: Readonly<Record<ConversationStatus, string>> = { OPEN: "'OPEN'", CLOSED: "'CLOSED'" };
// literals, and the row value, let each half be read in the order of its index
const inStatus = (column: string, status: ConversationStatus): string =>
  `SELECT last_message_at, id FROM conversations WHERE ${column} = :owner AND environment = 'live'
     AND status = ${LITERALS[status]} AND ${AFTER}`;
const UNREAD = `SELECT last_message_at, id FROM conversations WHERE tenant_id = :owner AND environment = 'live'
     AND unread_count > 0 AND ${AFTER}`;
const SNOOZED = `SELECT last_message_at, id FROM conversations WHERE tenant_id = :owner AND environment = 'live'
     AND snoozed_until IS NOT NULL AND ${AFTER}`;

const ASSIGNED = `SELECT last_message_at, id FROM conversations WHERE tenant_id = :owner
     AND assigned_user_id = :assignedUserId AND status = 'OPEN' AND assigned_user_id IS NOT NULL AND ${AFTER}`;
// the conversations of one contact are few, so they are sorted
const OF_CONTACT = `SELECT last_message_at, id FROM conversations WHERE contact_id = :owner AND environment = 'live'
     AND ${AFTER}`;

const placesFor = ({ channelId, status, isUnread, isSnoozed, ...who }: ActivityFilter): string => {
  if (who.contactId !== undefined) return OF_CONTACT;
  if (who.assignedUserId !== undefined) return ASSIGNED;
  if (isSnoozed) return SNOOZED;
  if (isUnread) return UNREAD;
  const column = channelId === undefined ? "tenant_id" : "channel_id";
  return status === undefined
    ? `${inStatus(column, "OPEN")} UNION ALL ${inStatus(column, "CLOSED")}`
    : inStatus(column, status);
};

const ownerFor = (tenantId: string, { channelId, isUnread, isSnoozed, ...who }: ActivityFilter): string => {
  if (who.contactId !== undefined) return who.contactId;
  return isUnread || isSnoozed || who.assignedUserId !== undefined ? tenantId : (channelId ?? tenantId);
};

/**
 * Conversations in the order of their last messages, from the newest on, after a place. The first given field of
 * `contactId`, `assignedUserId`, `isSnoozed`, `isUnread` and the rest decides; the others have no effect. The caller has checked
 * that the channel is in scope; a contact's conversations may be of another tenant.
 */
export const placesByActivity = async (
  r: Reader,
  { tenantId }: TenantScope,
  filter: ActivityFilter & { after: Place; limit: number },
): Promise<Place[]> => {
  const { assignedUserId, after, limit } = filter;
  const rows = await statement<
    { last_message_at: number; id: string },
    Place & { owner: string; assignedUserId: string | undefined; limit: number }
  >(`${placesFor(filter)} ORDER BY last_message_at DESC, id DESC LIMIT :limit`).all(r, {
    ...after,
    owner: ownerFor(tenantId, filter),
    assignedUserId,
    limit,
  });
  return rows.map(({ last_message_at: lastMessageAt, id }) => ({ lastMessageAt, id }));
};

/** A place among conversations that wait for an answer, in the order of their waiting. */
export type WaitingPlace = { waitingSince: number; id: string };

const waiting = statement<Place & WaitingPlace, TenantScope & WaitingPlace & { until: number; limit: number }>(
  `SELECT id, waiting_since AS waitingSince, last_message_at AS lastMessageAt FROM conversations
    WHERE tenant_id = :tenantId AND status = 'OPEN' AND environment = 'live' AND waiting_since IS NOT NULL
    AND (waiting_since, id) > (:waitingSince, :id) AND waiting_since <= :until ORDER BY waiting_since, id LIMIT :limit`,
);

/** Open conversations that have waited for an answer since `until` or longer, the longest first, after a place. */
export const placesByWaiting = (
  r: Reader,
  { tenantId }: TenantScope,
  { after, until, limit }: { after: WaitingPlace; until: number; limit: number },
): Promise<(Place & WaitingPlace)[]> => waiting.all(r, { tenantId, ...after, until, limit });

/** A place with the fields of the contact that a search compares. `tags`: the stored JSON. */
export type PlaceOfContact = Place & Pick<ContactRow, "name" | "email" | "phoneNumber"> & { tags: string };

const contactsOf = statement<PlaceOfContact, TenantScope & { ids: readonly string[] }>(
  `SELECT conversations.id, last_message_at AS lastMessageAt, name, email, phone_number AS phoneNumber, tags
    FROM json_each(:ids) CROSS JOIN conversations ON conversations.id = value
    JOIN contacts ON contacts.id = contact_id
    WHERE conversations.tenant_id = :tenantId AND conversations.environment = 'live'`,
);

/**
 * The places of the live conversations among these ids that have a contact, in the order of places. Bound: the places
 * of the caller.
 */
export const contactsAt = (r: Reader, { tenantId }: TenantScope, places: readonly Place[]): Promise<PlaceOfContact[]> =>
  contactsOf.all(r, { tenantId, ids: places.map(({ id }) => id) });

/** A conversation with its contact; null after the contact's deletion. */
export type WithContact = { conversation: ConversationRow; contact: ContactRow | null };

const CONVERSATION = columnsOf(conversations);
const CONTACT = columnsOf(contacts);
const withContacts = statement<WithContact, TenantScope & { ids: readonly string[] }>(
  // + keeps SQLite from the index of the tenant's conversations
  `SELECT * FROM conversations AS conversation LEFT JOIN contacts AS contact ON contact.id = conversation.contact_id
    WHERE conversation.id IN (SELECT value FROM json_each(:ids)) AND +conversation.tenant_id = :tenantId
    AND conversation.environment = 'live'`,
  columnsOfEach({ conversation: CONVERSATION, contact: CONTACT }),
);

/** The live conversations among these ids, in no order. Bound: the ids of the caller. */
export const listWithContacts = (
  r: Reader,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<WithContact[]> => withContacts.all(r, { tenantId, ids });

type Id = { id: ConversationId };
const addUnread = statement<never, Id>(
  `UPDATE conversations SET unread_count = unread_count + 1,
    waiting_since = coalesce(waiting_since, last_message_at), snoozed_until = NULL WHERE id = :id AND status = 'OPEN'`,
);

/** Counts one more unread message in an open conversation, which waits for an answer. */
export const countUnread = (tx: Tx, id: ConversationId): void => addUnread.run(tx, { id });

const clear = statement<never, Id & { left: number }>(
  "UPDATE conversations SET unread_count = :left WHERE id = :id AND unread_count > :left",
);

/** Marks a conversation as read, but for the newest messages that are `left`. The caller has checked that it is in scope. */
export const clearUnread = (tx: Tx, id: ConversationId, left = 0): void => clear.run(tx, { id, left });

const reopen = statement<unknown, Id & TenantScope>(
  `UPDATE conversations SET status = 'OPEN', closed_at = NULL WHERE id = :id AND tenant_id = :tenantId
    AND status = 'CLOSED' AND NOT EXISTS (SELECT 1 FROM conversations AS o WHERE o.channel_id = conversations.channel_id
    AND o.contact_id = conversations.contact_id AND o.environment = conversations.environment
    AND o.status = 'OPEN') RETURNING 1`,
);

/**
 * Opens a closed conversation again. False, and changes nothing, if this conversation or another one with the contact
 * on its channel is open.
 */
export const reopenClosed = async (tx: Tx, { tenantId }: TenantScope, id: ConversationId): Promise<boolean> =>
  (await reopen.get(tx, { id, tenantId })) !== undefined;

const snooze = statement<ConversationRow, Id & { until: number }>(
  `UPDATE conversations SET snoozed_until = :until, unread_count = 0 WHERE id = :id AND status = 'OPEN' RETURNING *`,
  CONVERSATION,
);

/** Snoozes an open conversation, and marks it as read. Undefined, and changes nothing, if it is closed. */
export const putSnooze = (tx: Tx, id: ConversationId, until: number): Promise<ConversationRow | undefined> =>
  snooze.get(tx, { id, until });

const wake = statement<ConversationRow, Id & { upTo: number }>(
  "UPDATE conversations SET snoozed_until = NULL WHERE id = :id AND snoozed_until <= :upTo RETURNING *",
  CONVERSATION,
);

/** Ends the snooze of a conversation, if that ends by itself before `upTo`. Undefined if there is no such snooze. */
export const endSnooze = (tx: Tx, id: ConversationId, upTo: number): Promise<ConversationRow | undefined> =>
  wake.get(tx, { id, upTo });

/** The highest number of chats that is counted. */
const CHATS_COUNTED_UP_TO = 1000;
/** The number of open chats that are read to find chats without an assignee. */
const LOOKED_AT = 5000;

/** The numbers of chats. `assigned`: open chats of the member `userId`. Snoozed ones are counted by `snoozed` alone. */
export type ChatCounts = {
  open: number;
  closed: number;
  unread: number;
  unassigned: number;
  assigned: number;
  snoozed: number;
};

const counted = (where: string): string =>
  `(SELECT count(*) FROM
    (SELECT 1 FROM conversations WHERE tenant_id = :tenantId AND ${where} LIMIT ${CHATS_COUNTED_UP_TO}))`;
const SNOOZED_NOW = "environment = 'live' AND snoozed_until IS NOT NULL AND snoozed_until > :nowMs";
type Counted = ChatCounts & { snoozedOfUser: number; snoozedOfNobody: number };
const counts = statement<Counted, TenantScope & { userId: string; nowMs: number }>(
  `SELECT ${counted("environment = 'live' AND status = 'OPEN'")} AS open,
    ${counted("environment = 'live' AND status = 'CLOSED'")} AS closed,
    ${counted("environment = 'live' AND unread_count > 0")} AS unread,
    ${counted("assigned_user_id = :userId AND status = 'OPEN' AND assigned_user_id IS NOT NULL")} AS assigned,
    ${counted(SNOOZED_NOW)} AS snoozed,
    ${counted(`${SNOOZED_NOW} AND +assigned_user_id = :userId`)} AS snoozedOfUser,
    ${counted(`${SNOOZED_NOW} AND +assigned_user_id IS NULL`)} AS snoozedOfNobody,
    (SELECT count(*) FROM (SELECT 1 FROM (SELECT assigned_user_id FROM conversations WHERE tenant_id = :tenantId
       AND environment = 'live' AND status = 'OPEN' ORDER BY last_message_at DESC, id DESC LIMIT ${LOOKED_AT})
     WHERE assigned_user_id IS NULL LIMIT ${CHATS_COUNTED_UP_TO})) AS unassigned`,
);

/**
 * Counts a tenant's live chats, each number up to 1,000, from which snoozed ones are taken off. Unassigned ones are
 * counted among the 5,000 newest open ones.
 */
export const countChats = async (
  r: Reader,
  { tenantId }: TenantScope,
  { userId = "", nowMs }: { userId?: string | undefined; nowMs: number },
): Promise<ChatCounts> => {
  const found = await counts.get(r, { tenantId, userId, nowMs });
  if (!found) throw new Error("a count has no row");
  const { snoozedOfUser, snoozedOfNobody, ...numbers } = found;
  return {
    ...numbers,
    open: Math.max(0, numbers.open - numbers.snoozed),
    assigned: Math.max(0, numbers.assigned - snoozedOfUser),
    unassigned: Math.max(0, numbers.unassigned - snoozedOfNobody),
  };
};

/** The newest messages of a conversation. `personAt`: when the person last wrote, by the network's time. */
export type NewestOf = { id: string; sentId: string | null; receivedId: string | null; personAt: number | null };

// reads only the 50 newest received messages to find the newest message of the person
const newest = statement<NewestOf, { ids: readonly string[] }>(
  `SELECT value AS id,
    (SELECT id FROM messages WHERE conversation_id = value AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT 1)
      AS sentId,
    (SELECT id FROM received_messages WHERE conversation_id = value AND conversation_id IS NOT NULL
      ORDER BY id DESC LIMIT 1) AS receivedId,
    (SELECT max(created_at) FROM (SELECT is_own, created_at FROM received_messages WHERE conversation_id = value
      AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT 50) WHERE is_own = 0) AS personAt
    FROM json_each(:ids)`,
);

/** The newest messages of these conversations. The caller has checked that they are in scope. */
export const newestOfConversations = (r: Reader, ids: readonly string[]): Promise<NewestOf[]> => newest.all(r, { ids });
