import { AppError } from "../../kernel/errors.ts";
import { unknownCursor } from "../../kernel/page.ts";
import { walk } from "../../kernel/walk.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import {
  type ActivityFilter,
  clearUnread,
  contactsAt,
  listWithContacts,
  type Place,
  placesByActivity,
  placesByWaiting,
  reopenClosed,
  type WithContact,
} from "../../store/tables/conversations/conversation-pages.ts";
import type { ConversationRow } from "../../store/tables/conversations/conversations.ts";
import { newestOfPerson } from "../../store/tables/conversations/message-log.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { Caller, Requester } from "../tenancy/audit/audit.ts";
import { type ChatState, chatStatesOf } from "./chat-states.ts";
import { contactFinder } from "./contact-log.ts";
import { chatWith } from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";
import { publishUpdate, snoozedUntil } from "./updates.ts";

/** A live conversation with its contact, as the gateway shows it. `contact`: null after its deletion. */
export type Chat = WithContact;

/** TABLE: the orders of lists of chats: the newest message first, or the longest wait for an answer. */
export const CHAT_ORDERS = ["activity", "waiting"] as const;
export type ChatOrder = (typeof CHAT_ORDERS)[number];

/**
 * The filter of a list of chats. `q` are words of the contact's name, e-mail and tags, or a part of the number.
 * `assignee`: a member's id; null for chats without an assignee.
 */
export type ChatFilter = {
  assignee?: string | null | undefined;
  contactId?: string | undefined;
  channelId?: string | undefined;
  status?: ConversationRow["status"] | undefined;
  isUnread?: boolean | undefined;
  /** How the account's own app shows the chat. */
  isArchived?: boolean | undefined;
  /** A label of the account's own app. */
  labelId?: string | undefined;
  q?: string | undefined;
  /** A tag of the contact. */
  tag?: string | undefined;
  isSnoozed?: boolean | undefined;
  /** Only open chats that have waited for an answer since this time, or longer. */
  waitingUntil?: number | undefined;
  /** @default "activity" */
  order?: ChatOrder | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** How many chats are read for one page. */
const MOST_SEEN = 3000;
const NEWEST: Place = { lastMessageAt: Number.MAX_SAFE_INTEGER, id: "g" };

/** A way through the chats: where it begins, and what it reads next. */
type Way = {
  from: Place;
  placeOf(chat: Chat): Place;
  read(r: Reader, after: Place, limit: number): Promise<Place[]>;
};

/**
 * A page of chats; the chat with the newest message comes first, or with the order `waiting` the chat that has waited
 * longest, among those that wait. One page reads at most 3,000 chats: it may be short,
 * or empty, although `nextCursor` says that more follows. A filter that names an unknown phone gives an empty page.
 * @throws AppError VALIDATION for a cursor that is not one of this list
 */
export const chatsPage = async (
  env: Pick<ConversationsEnv, "db" | "clock">,
  scope: TenantScope,
  { cursor, limit, q, tag, isArchived, labelId, order = "activity", ...filter }: ChatFilter,
): Promise<{ items: Chat[]; nextCursor: string | null }> => {
  const isFound = contactTest({ q, tag });
  const way = order === "activity" ? await byActivity(env, scope, filter) : byWaiting(scope, filter);
  const { rows, next } = await walk<Chat, Place>({
    from: cursor === undefined ? way.from : placeIn(cursor, order),
    limit,
    most: MOST_SEEN,
    placeOf: way.placeOf,
    isWanted: wanted(filter, env.clock.now()),
    read: (after, size) =>
      env.db.read(async (reader) => {
        const places = await way.read(reader, after, size);
        const end = places.length < size ? undefined : places.at(-1);
        const found = isFound ? await placesWith(reader, scope, places, isFound) : places;
        return { rows: await shownSo(reader, await chatsOf(reader, scope, found), { isArchived, labelId }), end };
      }),
  });
  return { items: rows, nextCursor: next ? cursorAt(next, order) : null };
};

type Narrowed = Omit<ChatFilter, "cursor" | "limit" | "q" | "tag" | "isArchived" | "labelId" | "order">;

const byActivity = async (env: Pick<ConversationsEnv, "db">, scope: TenantScope, filter: Narrowed): Promise<Way> => {
  const by = await env.db.read((reader) => indexFor(reader, scope, filter));
  return {
    from: NEWEST,
    placeOf: ({ conversation }) => conversation,
    read: (reader, after, limit) => placesByActivity(reader, scope, { ...by, after, limit }),
  };
};

/** Here `lastMessageAt` of a place is the time since when the chat waits. */
const byWaiting = (scope: TenantScope, { waitingUntil: until = Number.MAX_SAFE_INTEGER }: Narrowed): Way => ({
  from: { lastMessageAt: 0, id: "" },
  placeOf: ({ conversation: { waitingSince, id } }) => ({ lastMessageAt: waitingSince ?? 0, id }),
  read: async (reader, { lastMessageAt: waitingSince, id }, limit) =>
    (await placesByWaiting(reader, scope, { after: { waitingSince, id }, until, limit })).map((place) => ({
      lastMessageAt: place.waitingSince,
      id: place.id,
    })),
});

/** The cursor of the page after a chat. */
export const cursorAfter = ({ conversation }: Chat, order: ChatOrder = "activity"): string => {
  const { id, lastMessageAt, waitingSince } = conversation;
  return cursorAt({ id, lastMessageAt: order === "activity" ? lastMessageAt : (waitingSince ?? 0) }, order);
};

/** A chat moves when somebody writes, so a cursor names a place and not a chat. */
const cursorAt = ({ lastMessageAt, id }: Place, order: ChatOrder): string =>
  `${order === "waiting" ? "~" : ""}${lastMessageAt.toString(36)}.${id}`;

const placeIn = (cursor: string, order: ChatOrder): Place => {
  const [, mark, time, id] = /^(~?)([0-9a-z]{1,11})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined || (mark === "~") !== (order === "waiting")) throw unknownCursor();
  return { lastMessageAt: Number.parseInt(time, 36), id };
};

type ContactTest = (contact: Parameters<ReturnType<typeof contactFinder>>[0]) => boolean;

/** Whether a search and a tag find a contact; undefined without either. */
const contactTest = ({ q, tag }: Pick<ChatFilter, "q" | "tag">): ContactTest | undefined => {
  if (q === undefined && tag === undefined) return undefined;
  const isFound = q === undefined ? () => true : contactFinder(q);
  return (contact) => (tag === undefined || contact.tags.includes(tag)) && isFound(contact);
};

/** The chats of a channel that no longer exists are looked for among all chats. */
const indexFor = async (
  r: Reader,
  scope: TenantScope,
  { channelId, status, isUnread = false, isSnoozed, assignee, contactId }: Narrowed,
): Promise<ActivityFilter> => ({
  channelId: channelId === undefined ? undefined : (await findChannel(r, scope, channelId))?.id,
  status,
  isUnread,
  isSnoozed: isSnoozed === true,
  contactId,
  // the index has only open chats
  assignedUserId: status === "OPEN" ? (assignee ?? undefined) : undefined,
});

/** The places whose contacts a search finds: few places, so that only their rows are read completely. */
const placesWith = async (
  r: Reader,
  scope: TenantScope,
  places: readonly Place[],
  isFound: ContactTest,
): Promise<Place[]> =>
  (await contactsAt(r, scope, places)).filter(({ tags, ...contact }) =>
    isFound({ ...contact, tags: JSON.parse(tags) as string[] }),
  );

const chatsOf = async (r: Reader, scope: TenantScope, places: readonly Place[]): Promise<Chat[]> => {
  const ids = places.map(({ id }) => id);
  const found = new Map<string, Chat>();
  for (const chat of await listWithContacts(r, scope, ids)) found.set(chat.conversation.id, chat);
  return ids.flatMap((id) => found.get(id) ?? []);
};

/** The chats that the account's own app shows in this way. */
const shownSo = async (
  r: Reader,
  chats: Chat[],
  { isArchived, labelId }: Pick<ChatFilter, "isArchived" | "labelId">,
): Promise<Chat[]> => {
  if (isArchived === undefined && labelId === undefined) return chats;
  const states = await chatStatesOf(r, chats.map(placeInApp));
  return chats.filter((_, index) => {
    const state = states[index];
    const isWanted = isArchived === undefined || state?.isArchived === isArchived;
    return isWanted && (labelId === undefined || state?.labels.some(({ id }) => id === labelId));
  });
};

/** How the account's own app shows each of these chats. */
export const readChatStates = (env: Pick<ConversationsEnv, "db">, chats: readonly Chat[]): Promise<ChatState[]> =>
  env.db.read((reader) => chatStatesOf(reader, chats.map(placeInApp)));

const placeInApp = ({ conversation, contact }: Chat) =>
  contact && { channelId: conversation.channelId, key: chatWith(contact) };

const wanted =
  ({ channelId, status, isUnread, isSnoozed, waitingUntil, ...who }: Narrowed, nowMs: number) =>
  ({ conversation }: Chat): boolean =>
    (isSnoozed === undefined || (snoozedUntil(conversation, nowMs) !== null) === isSnoozed) &&
    (waitingUntil === undefined || (conversation.waitingSince ?? Number.MAX_SAFE_INTEGER) <= waitingUntil) &&
    (channelId === undefined || conversation.channelId === channelId) &&
    (status === undefined || conversation.status === status) &&
    (who.assignee === undefined || conversation.assignedUserId === who.assignee) &&
    (who.contactId === undefined || conversation.contactId === who.contactId) &&
    (isUnread === undefined || conversation.unreadCount > 0 === isUnread);

/** @throws AppError CONVERSATION_NOT_FOUND, also for a chat of test keys or of another tenant */
export const getChat = (env: Pick<ConversationsEnv, "db">, scope: TenantScope, id: string): Promise<Chat> =>
  env.db.read((reader) => requireChat(reader, scope, id));

/** @throws AppError CONVERSATION_NOT_FOUND */
export const requireChat = async (r: Reader, scope: TenantScope, id: string): Promise<Chat> => {
  const [chat] = await listWithContacts(r, scope, [id]);
  if (!chat) throw new AppError("CONVERSATION_NOT_FOUND", { message: "There is no such chat." });
  return chat;
};

/** The canonical key of the person of a chat. @throws AppError CONTACT_NOT_FOUND after the contact's deletion */
export const keyOfChat = ({ contact }: Chat): string => {
  if (contact === null) throw new AppError("CONTACT_NOT_FOUND", { message: "The contact of the chat was deleted." });
  return chatWith(contact);
};

const keyIn = ({ contact }: Chat): string | null => contact && chatWith(contact);

/**
 * The recipient of an answer in a chat.
 * @throws AppError CONVERSATION_NOT_FOUND, CONVERSATION_CLOSED, and CONTACT_NOT_FOUND after the contact's deletion
 */
export const answerableChat = async (
  env: Pick<ConversationsEnv, "db">,
  scope: TenantScope,
  id: string,
): Promise<{ channelId: string; to: string }> => {
  const chat = await getChat(env, scope, id);
  if (chat.conversation.status === "CLOSED")
    throw new AppError("CONVERSATION_CLOSED", { message: "The chat is closed; open it again to answer in it." });
  return { channelId: chat.conversation.channelId, to: keyOfChat(chat) };
};

/** How many of the newest messages of a chat are searched for messages of the person, beside as many as are unread. */
const NEWEST_RECEIVED = 50;
const MOST_UNREAD = 1000;
/** How many messages of a chat the network marks at most when the chat is read. */
const MOST_MARKED = 20;

/**
 * Marks a chat as read, and returns the messages that were unread, newest first: 20 at most.
 * @throws AppError CONVERSATION_NOT_FOUND
 */
export const markChatRead = (
  env: ConversationsEnv,
  caller: Caller,
  id: string,
): Promise<{ chat: Chat; messageIds: string[] }> =>
  env.db.write(async (tx) => {
    const { chat, unread } = await unreadIn(tx, caller, id);
    return { chat: await readUpTo(env, tx, caller, { chat, left: 0 }), messageIds: unread.slice(0, MOST_MARKED) };
  });

/**
 * Marks the oldest unread messages of a chat as read, and returns them, newest first. The others stay unread.
 * @throws AppError CONVERSATION_NOT_FOUND
 */
export const markOldestRead = (
  env: ConversationsEnv,
  caller: Caller,
  { id, most }: { id: string; most: number },
): Promise<string[]> =>
  env.db.write(async (tx) => {
    const { chat, unread } = await unreadIn(tx, caller, id);
    const left = Math.max(0, unread.length - most);
    await readUpTo(env, tx, caller, { chat, left });
    return unread.slice(left);
  });

/**
 * Marks a chat as read, but for the newest messages that are `left`. Publishes it if messages were unread. `by`: null if
 * nobody of the account asked.
 */
const readUpTo = async (
  env: ConversationsEnv,
  tx: Tx,
  by: Requester | null,
  { chat, left }: { chat: Chat; left: number },
): Promise<Chat> => {
  const { unreadCount } = chat.conversation;
  if (unreadCount <= left) return chat;
  clearUnread(tx, chat.conversation.id, left);
  const conversation = { ...chat.conversation, unreadCount: left };
  await publishUpdate(env, tx, conversation, { chat: keyIn(chat), changed: ["unread"], by });
  return { ...chat, conversation };
};

/** How many of the newest unread messages `markReadUpTo` asks about. */
const MOST_ASKED = 50;

/**
 * Marks the unread messages of a chat as read up to the newest that `isSeen` says was seen, among its newest 50. Returns
 * 20 of them at most, newest first. Nobody of the account asks for it: another program says who has seen what.
 * @throws AppError CONVERSATION_NOT_FOUND
 */
export const markReadUpTo = (
  env: ConversationsEnv,
  scope: TenantScope,
  { id, isSeen }: { id: string; isSeen: (tx: Tx, messageId: string) => Promise<boolean> },
): Promise<string[]> =>
  env.db.write(async (tx) => {
    const { chat, unread } = await unreadIn(tx, scope, id);
    for (const [left, messageId] of unread.slice(0, MOST_ASKED).entries()) {
      if (!(await isSeen(tx, messageId))) continue;
      await readUpTo(env, tx, null, { chat, left });
      return unread.slice(left, left + MOST_MARKED);
    }
    return [];
  });

/** The unread messages of a chat, newest first. */
const unreadIn = async (r: Reader, scope: TenantScope, id: string): Promise<{ chat: Chat; unread: string[] }> => {
  const chat = await requireChat(r, scope, id);
  const { id: conversationId, unreadCount } = chat.conversation;
  if (unreadCount === 0) return { chat, unread: [] };
  const newest = await newestOfPerson(r, conversationId, Math.min(unreadCount, MOST_UNREAD) + NEWEST_RECEIVED);
  return { chat, unread: newest.slice(0, unreadCount) };
};

/**
 * Opens a closed chat again, and publishes it. An open chat stays unchanged.
 * @throws AppError CONVERSATION_NOT_FOUND, and CONVERSATION_OPEN if a newer chat with the contact is open
 */
export const reopenChat = (env: ConversationsEnv, caller: Caller, id: string): Promise<Chat> =>
  env.db.write(async (tx) => {
    const chat = await requireChat(tx, caller, id);
    if (chat.conversation.status === "OPEN") return chat;
    if (!(await reopenClosed(tx, caller, chat.conversation.id)))
      throw new AppError("CONVERSATION_OPEN", { message: "A newer chat with this contact is open." });
    const open = await requireChat(tx, caller, id);
    await publishUpdate(env, tx, open.conversation, { chat: keyIn(open), changed: ["state"], by: caller });
    return open;
  });
