import { type Identity, isKnown, type Received } from "../../../contract/events.ts";
import { type ChannelId, type MessageId, newId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { claimInbound } from "../../../store/tables/channels/inbox.ts";
import { findIdOfKey } from "../../../store/tables/messaging/messages.ts";
import { findPerson, type IdentityUpdate, learnIdentity, namesOf } from "../../channels/identity.ts";
import { type ImportContext, keepImported } from "../../conversations/imported.ts";
import { type Contact, contactOf } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";

/** The names that are known of a person whom another program knows, and those that it names. Stores nothing. */
export const namesOfImported = async (r: Reader, channelId: ChannelId, identity: Identity): Promise<Contact> => {
  const row = await findPerson(r, channelId, identity);
  return contactOf({ ...(row && namesOf(row)), ...identity });
};

/** Learns the names of a person whom another program, or the owner's phone, knows. */
export const learnImported = async (
  tx: Tx,
  { note, ...context }: ImportContext,
  update: IdentityUpdate,
): Promise<Contact> => {
  const before = note && (await findPerson(tx, context.channel.id, update.identity));
  const who = contactOf(await learnIdentity(tx, context, update));
  const made = note && !before ? await findPerson(tx, context.channel.id, update.identity) : undefined;
  if (made) note?.("identity", String(made.id));
  return who;
};

/**
 * Imports a message from before the channel was linked: it is stored in its conversation, at its place in time, and
 * nothing is published. A repeat changes nothing, and is false.
 */
export const importMessage = async (
  env: MessagingEnv,
  tx: Tx,
  context: ImportContext,
  event: Received,
): Promise<boolean> => {
  const { channel, environment } = context;
  const isOwn = event.isOwn ?? false;
  if (!isKnown(event.chat) || event.chat.group !== undefined) return false;
  const name = isOwn ? null : event.pushName;
  const chat = await learnImported(tx, context, { identity: event.chat, at: event.at, name });
  const from = isOwn ? contactOf(event.from) : chat;
  // its id says when it was written, because conversations are in the order of ids
  const id = newId<MessageId>({ clock: { now: () => event.at }, random: env.random });
  const isNew = await claimInbound(tx, {
    channelId: channel.id,
    providerMessageId: event.key,
    messageId: id,
    chat: chat.canonicalKey,
    sender: from.canonicalKey,
    isOwn,
    isPlaceholder: false,
    receivedAt: env.clock.now(),
    environment,
  });
  if (!isNew) return false;
  const { at, content, raw = null, quotedProviderMessageId: quoted } = event;
  const quotedMessageId = quoted === undefined ? null : ((await findIdOfKey(tx, channel.id, quoted)) ?? null);
  await keepImported(env, tx, context, { id, chat, from, name, isOwn, at, content, quotedMessageId, raw });
  return true;
};
