import { AppError } from "../../kernel/errors.ts";
import { type ConversationId, newId } from "../../kernel/ids.ts";
import { numberKeysOf } from "../../kernel/numbers/phone-numbers.ts";
import { type Part, placeByNumber } from "../../store/engine/counting.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { findContact } from "../../store/tables/conversations/contacts.ts";
import {
  type ConversationFilter,
  type ConversationRow,
  findConversation,
  insertConversation,
  listConversations,
  passConversations,
  touchOpen,
  touchOpenOfNumber,
  type Unread,
  updateOpen,
} from "../../store/tables/conversations/conversations.ts";
import type { Viewer } from "../../store/tables/scope.ts";
import { isMember } from "../../store/tables/tenancy/users.ts";
import { type Contact, type HeldBy, isMany } from "../domain-event.ts";
import { type Origin, publish } from "../events/publish.ts";
import type { Requester } from "../tenancy/audit/audit.ts";
import { closeWithin } from "./closing.ts";
import { chatWith, ensureContact } from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";
import { findChatHolder } from "./holders.ts";
import { publishUpdate } from "./updates.ts";

export { CONVERSATION_STATUSES, type ConversationRow } from "../../store/tables/conversations/conversations.ts";

/** The channel on which a tenant exchanges messages. */
export type Counter = Required<Omit<Origin, "isQuiet">> & { channel: NonNullable<Origin["channel"]> };

/**
 * The other person, their reported name if there is one, the time, and the effect of the message on the unread count.
 */
type Exchange = { who: Contact; name: string | null; at: number; unread: Unread };

/**
 * The open conversation of a tenant with a person, in the environment of the message. A missing conversation or contact
 * is made, and publishes its event. Null for a group, and for other recipients of many people.
 */
export const joinConversation = async (
  env: ConversationsEnv,
  tx: Tx,
  origin: Counter,
  { who, name, at, unread }: Exchange,
): Promise<ConversationId | null> => {
  if (isMany(who)) return null;
  const { tenantId, channel, environment } = origin;
  if (isNumberAlone(who) && name === null) {
    const message = { tenantId, channelId: channel.id, environment, at, unread, phoneNumber: who.pn };
    const known = await touchOpenOfNumber(tx, message);
    if (known !== undefined) return known;
  }
  const { contact, isNew } = await ensureContact(env, tx, origin, { who, name });
  const { id: contactId } = contact;
  const open = isNew ? undefined : await touchOpen(tx, { channelId: channel.id, contactId, environment, at, unread });
  if (open !== undefined) return open;
  const conversation: ConversationRow = {
    id: newId<ConversationId>(env),
    tenantId,
    channelId: channel.id,
    contactId,
    environment,
    status: "OPEN",
    assignedUserId: null,
    transferNote: null,
    lastMessageAt: at,
    unreadCount: unread === "more" ? 1 : 0,
    createdAt: env.clock.now(),
    closedAt: null,
    waitingSince: unread === "more" ? at : null,
    snoozedUntil: null,
  };
  await insertConversation(tx, conversation);
  await publish(env, tx, origin, { type: "conversation.created", conversation, chat: who.canonicalKey });
  return conversation.id;
};

/** Whether only the number of a person is known, under one key, so that no contacts can prove to be one person. */
const isNumberAlone = (who: Contact): who is Contact & { pn: string } =>
  who.pn !== null &&
  who.type === "pn" &&
  who.lid === null &&
  who.bsuid === undefined &&
  numberKeysOf(who.pn).length === 1;

/** A page of conversations, newest first. A filter that names an unknown id gives an empty page. */
export const conversationsPage = async (
  { db }: Pick<ConversationsEnv, "db">,
  viewer: Viewer,
  filter: ConversationFilter & { limit: number; offset: number },
): Promise<{ rows: ConversationRow[]; total: number }> => {
  const pass = (reader: Reader, part: Part<string>) => passConversations(reader, viewer, filter, part);
  const { total, ...place } = await placeByNumber(db, pass, filter.offset);
  return { rows: await db.read((reader) => listConversations(reader, viewer, { ...filter, ...place })), total };
};

/** @throws AppError CONVERSATION_NOT_FOUND. */
export const getConversation = (env: ConversationsEnv, viewer: Viewer, id: string): Promise<ConversationRow> =>
  env.db.read((reader) => known(reader, viewer, id));

/**
 * The apps that lead conversations, in the order of these; null if this app leads, or no app does. No app leads a
 * closed conversation.
 */
export const holdersOfConversations = (
  env: ConversationsEnv,
  viewer: Viewer,
  rows: readonly ConversationRow[],
): Promise<(HeldBy | null)[]> =>
  env.db.read(async (reader) => {
    const holders: (HeldBy | null)[] = [];
    for (const { channelId, contactId, status, environment } of rows) {
      const isLive = status === "OPEN" && environment === "live";
      const contact = isLive ? await findContact(reader, viewer, contactId) : undefined;
      holders.push(contact ? await findChatHolder(env, reader, channelId, chatWith(contact)) : null);
    }
    return holders;
  });

const known = async (r: Reader, viewer: Viewer, id: string): Promise<ConversationRow> => {
  const conversation = await findConversation(r, viewer, id);
  if (!conversation) throw new AppError("CONVERSATION_NOT_FOUND", { message: "There is no such conversation." });
  return conversation;
};

/**
 * Assigns a conversation to a member of the institution, or to nobody. Publishes what it changes.
 * @throws AppError CONVERSATION_NOT_FOUND, USER_NOT_FOUND, CONVERSATION_CLOSED.
 */
export const assignConversation = (
  env: ConversationsEnv,
  viewer: Viewer & Requester,
  id: string,
  assignedUserId: string | null,
): Promise<ConversationRow> => env.db.write((tx) => handOver(env, tx, viewer, { id, assignedUserId }));

/**
 * Assigns a conversation, with a note for its new assignee. Without a note the previous one is deleted.
 * @throws AppError CONVERSATION_NOT_FOUND, USER_NOT_FOUND, CONVERSATION_CLOSED.
 */
export const transferConversation = (
  env: ConversationsEnv,
  viewer: Viewer & Requester,
  id: string,
  { userId, note }: { userId: string; note: string | null },
): Promise<ConversationRow> =>
  env.db.write((tx) => handOver(env, tx, viewer, { id, assignedUserId: userId, transferNote: note }));

type Assignment = { id: string; assignedUserId: string | null; transferNote?: string | null };

const handOver = async (
  env: ConversationsEnv,
  tx: Tx,
  viewer: Viewer & Requester,
  { id, ...changes }: Assignment,
): Promise<ConversationRow> => {
  const before = await known(tx, viewer, id);
  const { assignedUserId, transferNote = before.transferNote } = changes;
  if (assignedUserId !== null && !(await isMember(tx, viewer.tenantId, assignedUserId)))
    throw new AppError("USER_NOT_FOUND", { message: "There is no such member of the institution." });
  const changed = await updateOpen(tx, viewer, id, changes);
  if (!changed) throw new AppError("CONVERSATION_CLOSED", { message: "The conversation is closed." });
  if (assignedUserId !== before.assignedUserId || transferNote !== before.transferNote)
    await publishUpdate(env, tx, changed, {
      chat: await chatOfConversation(tx, changed),
      changed: ["assignee"],
      by: viewer,
    });
  return changed;
};

/** The key of the person of a conversation; null after the contact's deletion. */
export const chatOfConversation = async (
  r: Reader,
  { tenantId, environment, contactId }: Pick<ConversationRow, "tenantId" | "environment" | "contactId">,
): Promise<string | null> => {
  const contact = await findContact(r, { tenantId, environment }, contactId);
  return contact ? chatWith(contact) : null;
};

/**
 * Closes a conversation and publishes `conversation.closed`. A closed conversation is returned unchanged.
 * @throws AppError CONVERSATION_NOT_FOUND.
 */
export const closeConversation = (
  env: ConversationsEnv,
  viewer: Viewer & Requester,
  id: string,
): Promise<ConversationRow> =>
  env.db.write(async (tx) => {
    const conversation = await known(tx, viewer, id);
    // the conversations of a deleted contact are closed
    const chat = (await chatOfConversation(tx, conversation)) ?? conversation.contactId;
    return (await closeWithin(env, tx, { chat, by: viewer }, conversation)) ?? conversation;
  });
