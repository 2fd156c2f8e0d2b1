import type { InboundContent } from "../../contract/content/inbound-content.ts";
import { type ConversationId, type MessageId, newId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import {
  findAnyConversation,
  insertConversation,
  noteMessage,
} from "../../store/tables/conversations/conversations.ts";
import { insertReceived } from "../../store/tables/conversations/received.ts";
import type { AddedKind } from "../../store/tables/messaging/history-imports.ts";
import type { InboundContext } from "../channels/identity.ts";
import type { Contact } from "../domain-event.ts";
import { requireRoom } from "../tenancy/accounts/collections.ts";
import { type ContactRow, ensureContact, listContactsOfPerson, type Met } from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";

/** Is called with every row that an import adds, so that it can be taken back. */
export type NoteAdded = (kind: AddedKind, ref: string) => void;

/** The channel that gets what is imported. `note`: present if the import can be taken back. */
export type ImportContext = InboundContext & { note?: NoteAdded };

type Person = { who: Contact; name: string | null };

const quietOrigin = ({ channel, environment }: InboundContext): Met => ({
  tenantId: channel.tenantId,
  channel,
  environment,
  isQuiet: true,
});

/** The contact of a person, made or completed. */
const importedContact = async (
  env: ConversationsEnv,
  tx: Tx,
  { note, ...context }: ImportContext,
  { who, name }: Person,
): Promise<ContactRow> => {
  const origin = quietOrigin(context);
  const [before] = note ? await listContactsOfPerson(tx, origin, who) : [];
  const { contact, isNew } = await ensureContact(env, tx, origin, { who, name });
  if (isNew) note?.("contact", contact.id);
  else if (before?.id === contact.id && before.name === null && contact.name !== null) note?.("name", contact.id);
  return contact;
};

const isComplete = (known: ContactRow | undefined, name: string | null): boolean =>
  known !== undefined && (known.name !== null || name === null);

/** Whether the import of a person would change nothing. */
export const isContactKnown = async (r: Reader, context: InboundContext, { who, name }: Person): Promise<boolean> => {
  const [known] = await listContactsOfPerson(r, quietOrigin(context), who);
  return isComplete(known, name);
};

/**
 * Stores a person whom another program knows as a contact, or the name of one that is here without a name. Publishes
 * nothing. False if it changes nothing.
 * @throws AppError LIMIT_REACHED
 */
export const keepImportedContact = async (
  env: ConversationsEnv,
  tx: Tx,
  context: ImportContext,
  person: Person,
): Promise<boolean> => {
  const { tenantId } = context.channel;
  const [known] = await listContactsOfPerson(tx, quietOrigin(context), person.who);
  if (isComplete(known, person.name)) return false;
  if (!known) await requireRoom(env, tx, { collection: "contacts", owner: tenantId });
  await importedContact(env, tx, context, person);
  return true;
};

/** A message from before the channel was linked. `name`: of the person with whom the owner wrote, if it is known. */
type Imported = {
  id: MessageId;
  chat: Contact;
  from: Contact;
  name: string | null;
  isOwn: boolean;
  at: number;
  content: InboundContent;
  quotedMessageId: MessageId | null;
  raw: string | null;
};

/**
 * Stores an old message in the conversation with its person: the open one, the latest, or a new closed one, because
 * nobody needs to answer it. Publishes nothing.
 */
export const keepImported = async (
  env: ConversationsEnv,
  tx: Tx,
  context: ImportContext,
  { id, chat, from, name, isOwn, at, content, quotedMessageId, raw }: Imported,
): Promise<void> => {
  const { channel, environment, note } = context;
  const { tenantId, id: channelId } = channel;
  const { id: contactId } = await importedContact(env, tx, context, { who: chat, name });
  const known = await findAnyConversation(tx, { channelId, contactId, environment });
  const now = env.clock.now();
  const conversationId = known ?? newId<ConversationId>(env);
  if (known) await noteMessage(tx, known, at);
  else {
    note?.("conversation", conversationId);
    await insertConversation(tx, {
      id: conversationId,
      tenantId,
      channelId,
      contactId,
      environment,
      status: "CLOSED",
      assignedUserId: null,
      transferNote: null,
      lastMessageAt: at,
      unreadCount: 0,
      createdAt: now,
      closedAt: now,
      waitingSince: null,
      snoozedUntil: null,
    });
  }
  note?.("message", id);
  await insertReceived(tx, {
    id,
    tenantId,
    channelId,
    conversationId,
    environment,
    type: content.type,
    sender: from.canonicalKey,
    recipient: isOwn ? chat.canonicalKey : channel.phoneNumber,
    isOwn,
    heldBy: null,
    quotedMessageId,
    createdAt: at,
    content: content.content,
    raw,
  });
};
