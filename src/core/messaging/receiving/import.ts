import { isKnown, type Received } from "../../../contract/events.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { claimInbound } from "../../../store/tables/channels/inbox.ts";
import { findIdOfKey } from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { keepImported } from "../../conversations/imported.ts";
import { contactOf } from "../../domain-event.ts";
import type { MessagingEnv } from "../env.ts";

/**
 * Imports a message from before the channel was linked: it is stored in its conversation, at its place in time, and
 * nothing is published. A repeat changes nothing.
 */
export const importMessage = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  event: Received,
): Promise<void> => {
  const { channel, environment } = context;
  const isOwn = event.isOwn ?? false;
  if (!isKnown(event.chat) || event.chat.group !== undefined) return;
  const name = isOwn ? null : event.pushName;
  const chat = contactOf(await learnIdentity(tx, context, { identity: event.chat, at: event.at, name }));
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
  if (!isNew) return;
  const { at, content, raw = null, quotedProviderMessageId: quoted } = event;
  const quotedMessageId = quoted === undefined ? null : ((await findIdOfKey(tx, channel.id, quoted)) ?? null);
  await keepImported(env, tx, context, { id, chat, from, name, isOwn, at, content, quotedMessageId, raw });
};
