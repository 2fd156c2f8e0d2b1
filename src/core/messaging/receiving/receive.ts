import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import { isKnown, type Received } from "../../../contract/events.ts";
import { type MessageId, newId } from "../../../kernel/ids.ts";
import { cleanFilename } from "../../../kernel/texts/file-names.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { claimInbound, fillPlaceholder, releaseInbound } from "../../../store/tables/channels/inbox.ts";
import { listMediaOf } from "../../../store/tables/media.ts";
import { findIdOfKey } from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, learnIdentity, readContactOn } from "../../channels/identity.ts";
import { fillReceived, type KeptMessage, keepReceived, releaseReceived } from "../../conversations/history.ts";
import { recordMessageHolder } from "../../conversations/holders.ts";
import type { ImportContext } from "../../conversations/imported.ts";
import { type Contact, contactOf, type HeldBy, type MediaMetadata, type MessageReceived } from "../../domain-event.ts";
import { mediaMetadataOf } from "../../media/media.ts";
import { publishReceived } from "../../media/received.ts";
import type { MessagingEnv } from "../env.ts";
import { receiveEarlyActs, revokeLateParts } from "./acts.ts";
import { recordOwnSend } from "./echo.ts";
import { expireLater } from "./expiry.ts";
import { importMessage } from "./import.ts";
import { readOptOutWord } from "./opt-out-words.ts";
import { asMessages } from "./parts.ts";

/** A network passes on the file name that the sender wrote; it may name folders, or hide its end. */
const withCleanName = (inbound: InboundContent): InboundContent => {
  if (!("filename" in inbound.content) || inbound.content.filename === undefined) return inbound;
  const { filename, ...rest } = inbound.content;
  const clean = cleanFilename(filename);
  // only one of its fields has changed
  return { ...inbound, content: { ...rest, ...(clean === undefined ? {} : { filename: clean }) } } as InboundContent;
};

/**
 * The sender, the chat and our id of a message. `as`: a new message, a message whose id a placeholder has reserved, or
 * a message that came for information earlier, while another app led the conversation.
 */
type MessageHead = {
  messageId: MessageId;
  from: Contact;
  chat: Contact;
  isOwn: boolean;
  as: "new" | "filled" | "released";
};

/**
 * Receives a message, each of its contents as a message of its own. A repeat changes nothing, nor does a message that
 * was sent here and that the network reports too. Acts that came before the message follow it, and a revocation that came
 * before one of its contents does.
 */
export const receiveMessage = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  event: Received,
): Promise<void> => {
  const { channel } = context;
  if (event.isImported) {
    await receiveImported(env, tx, context, event);
    return;
  }
  if (event.isOwn && (await recordOwnSend(env, tx, context, event))) return;
  const parts = asMessages(channel.id, event);
  const came: Received[] = [];
  for (const part of parts) if (await receivePart(env, tx, context, part)) came.push(part);
  if (came.length === 0) return;
  await revokeLateParts(env, tx, context, { event, came });
  await receiveEarlyActs(env, tx, channel.id, event.key);
};

/**
 * Imports a message from before the channel was linked, each of its contents as a message of its own. False if the
 * message is known.
 */
export const receiveImported = async (
  env: MessagingEnv,
  tx: Tx,
  context: ImportContext,
  event: Received,
): Promise<boolean> => {
  if (event.isOwn && (await recordOwnSend(env, tx, context, event))) return false;
  let isNew = false;
  for (const part of asMessages(context.channel.id, event))
    if (await importMessage(env, tx, context, { ...part, content: withCleanName(part.content) })) isNew = true;
  return isNew;
};

/**
 * Gives a message an id of ours and publishes it once its file is there or has failed. A message to the channel, or by
 * its owner in the network's own app, is stored in its conversation. A message after its placeholder is published under
 * the placeholder's id. So is a message that came for information earlier: it stays once in its conversation, and is
 * published as a message for this app. A word by which a person refuses messages is read last. False for a repeat.
 */
const receivePart = async (env: MessagingEnv, tx: Tx, context: InboundContext, event: Received): Promise<boolean> => {
  const { channel, environment } = context;
  const head = (await newHead(env, tx, context, event)) ?? (await earlierHead(tx, context, event));
  if (!head) return false;
  const heldBy = await recordMessageHolder(env, tx, context, { chat: head.chat, event });
  const domainEvent = await eventOf(tx, context, { head, event, heldBy });
  const conversationId = await keep(env, tx, context, { head, domainEvent, raw: event.raw ?? null });
  if (!event.isHistory)
    expireLater(
      env,
      tx,
      { messageId: head.messageId, channelId: channel.id, chat: head.chat.canonicalKey, environment },
      { from: event.at, seconds: event.content.content.disappearsAfter },
    );
  const stored = head.as === "released" ? await fileOf(tx, channel, head.messageId) : undefined;
  await publishReceived(
    env,
    tx,
    { channel, environment },
    {
      domainEvent: { ...domainEvent, conversationId, ...(stored ? { media: stored } : {}) },
      file: stored ? undefined : event.media,
    },
  );
  if (head.as !== "released") await readOptOutWord(env, tx, context, { ...domainEvent, conversationId });
  return true;
};

type Arrival = { head: MessageHead; event: Received; heldBy: HeldBy | null };

/** The domain event of a message, without its conversation and its file. */
const eventOf = async (
  tx: Tx,
  { channel }: InboundContext,
  { head: { messageId, from, chat, isOwn }, event, heldBy }: Arrival,
): Promise<Omit<MessageReceived, "conversationId">> => {
  const { at, isHistory = false, pushName, quotedProviderMessageId: quoted } = event;
  return {
    type: "message.received",
    messageId,
    at,
    direction: isOwn ? "outbound" : "inbound",
    isHistory,
    media: null,
    from,
    chat,
    pushName,
    content: withCleanName(event.content),
    quotedMessageId: quoted === undefined ? null : ((await findIdOfKey(tx, channel.id, quoted)) ?? null),
    to: isOwn ? chat.pn : channel.phoneNumber,
    ...(event.heldBy ? { heldBy: heldBy ?? { role: event.heldBy.role ?? null, since: at } } : {}),
  };
};

/** Stores a message in the history of its conversation, and returns the conversation's id if it is known. */
const keep = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { head, ...received }: { head: MessageHead } & KeptMessage,
) => {
  switch (head.as) {
    case "filled":
      await fillReceived(tx, head.messageId, { ...received.domainEvent.content, raw: received.raw });
      return null;
    case "released":
      return releaseReceived(tx, head.messageId);
    case "new":
      return received.domainEvent.isHistory ? null : keepReceived(env, tx, context, received);
  }
};

/** The file of a message, if it was fetched earlier. */
const fileOf = async (tx: Tx, { tenantId }: ChannelRow, messageId: MessageId): Promise<MediaMetadata | undefined> => {
  const [file] = (await listMediaOf(tx, { tenantId }, [messageId])).filter(({ deletedAt }) => deletedAt === null);
  return file && mediaMetadataOf(file);
};

/** The context of a new message. Undefined for a repeat, or a message without a chat. */
const newHead = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  event: Received,
): Promise<MessageHead | undefined> => {
  if (!isKnown(event.chat)) return undefined;
  const messageId = newId<MessageId>(env);
  const { from, chat } = await peopleOf(tx, context, event);
  const isOwn = event.isOwn ?? false;
  const isNew = await claimInbound(tx, {
    channelId: context.channel.id,
    providerMessageId: event.key,
    messageId,
    chat: chat.canonicalKey,
    sender: from.canonicalKey,
    isOwn,
    isPlaceholder: event.isPlaceholder ?? false,
    isHeld: event.heldBy !== undefined,
    receivedAt: env.clock.now(),
    environment: context.environment,
  });
  return isNew ? { messageId, from, chat, isOwn, as: "new" } : undefined;
};

/** The sender and the chat with all known names. The owner of the channel and groups are not learned as people. */
const peopleOf = async (
  tx: Tx,
  context: InboundContext,
  { from, chat, at, isOwn, pushName: name }: Received,
): Promise<{ from: Contact; chat: Contact }> => {
  if (isOwn)
    return { from: contactOf(from), chat: contactOf(await learnIdentity(tx, context, { identity: chat, at })) };
  const sender = contactOf(await learnIdentity(tx, context, { identity: from, at, name }));
  return { from: sender, chat: chat.group === undefined ? sender : contactOf(chat) };
};

/** The earlier context of a message; undefined if the message is a repeat. */
const earlierHead = async (tx: Tx, { channel }: InboundContext, event: Received): Promise<MessageHead | undefined> => {
  const message = { channelId: channel.id, providerMessageId: event.key };
  const filled = event.isPlaceholder ? undefined : await fillPlaceholder(tx, message);
  const earlier = filled ?? (event.heldBy ? undefined : await releaseInbound(tx, message));
  if (!earlier) return undefined;
  const { messageId, sender, chat, isOwn } = earlier;
  return {
    messageId,
    isOwn,
    as: filled ? "filled" : "released",
    from: await readContactOn(tx, channel.id, sender),
    chat: await readContactOn(tx, channel.id, chat),
  };
};
