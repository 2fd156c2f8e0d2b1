import type { Received } from "../../contract/events.ts";
import { MINUTE_MS } from "../../kernel/clock.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/db.ts";
import { claimInbound, fillPlaceholder } from "../../store/inbox.ts";
import { findIdOfKey, findMessageByNativeKey, listSending } from "../../store/messages.ts";
import { contactOn, type Inlet, learnIdentity } from "../channels/identity.ts";
import type { Env } from "../env.ts";
import { type Contact, contactOf } from "../events/fact.ts";
import { publish } from "../events/publish.ts";

type People = { from: Contact; chat: Contact };
/** Whose message it is, under an id of ours. */
type Place = People & { messageId: MessageId; isOwn: boolean };

/**
 * Takes in a message: gives it an id of ours and tells of it. One that has come before changes nothing, nor does one that was sent here and that
 * the network tells of, too. One that an earlier placeholder stood for is told under that one's id. False, with nothing told, while a send is
 * under way that may be this very message: its answer says.
 */
export const receiveMessage = async (env: Env, tx: Tx, inlet: Inlet, event: Received): Promise<boolean> => {
  if (event.isOwn && (await findMessageByNativeKey(tx, inlet.channel.id, event.key))) return true;
  const people = await peopleOf(tx, inlet, event);
  if (event.isOwn && !event.isHistory && (await isBeingSent(tx, inlet, { chat: people.chat, at: event.at }))) return false;
  const place = (await newPlace(env, tx, inlet, { event, people })) ?? (await placeHeld(tx, inlet, event));
  if (place) await tell(env, tx, inlet, { event, place });
  return true;
};

/** How much later than the network's time of a message ours of its send may be. */
const CLOCKS_APART_MS = MINUTE_MS;

const isBeingSent = async (tx: Tx, { channel }: Inlet, { chat, at }: { chat: Contact; at: number }): Promise<boolean> => {
  const names = [chat.canonicalKey, `bsuid:${chat.bsuid}`];
  return (await listSending(tx, channel.id)).some(({ recipient, createdAt }) => names.includes(recipient) && createdAt <= at + CLOCKS_APART_MS);
};

const tell = async (env: Env, tx: Tx, { channel, environment }: Inlet, { event, place }: { event: Received; place: Place }): Promise<void> => {
  const { messageId, from, chat, isOwn } = place;
  const quotedMessageId = event.quotedKey === undefined ? null : ((await findIdOfKey(tx, channel.id, event.quotedKey)) ?? null);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    {
      type: "message.received",
      messageId,
      at: event.at,
      direction: isOwn ? "outbound" : "inbound",
      isHistory: event.isHistory ?? false,
      media: null,
      from,
      chat,
      pushName: event.pushName,
      content: event.content,
      quotedMessageId,
      to: isOwn ? chat.pn : channel.phoneNumber,
    },
  );
};

/** Undefined for a message that has come before, or does not say whose chat it is in. */
const newPlace = async (env: Env, tx: Tx, { channel }: Inlet, { event, people }: { event: Received; people: People }): Promise<Place | undefined> => {
  if (Object.keys(event.chat).length === 0) return undefined;
  const messageId = newId<MessageId>(env);
  const isOwn = event.isOwn ?? false;
  const isNew = await claimInbound(tx, {
    channelId: channel.id,
    nativeKey: event.key,
    messageId,
    chat: people.chat.canonicalKey,
    sender: people.from.canonicalKey,
    isOwn,
    isPlaceholder: event.isPlaceholder ?? false,
    receivedAt: env.clock.now(),
  });
  return isNew ? { messageId, ...people, isOwn } : undefined;
};

/** With all that is known of them. The owner is nobody that the channel gets to know, and a group is no person. */
const peopleOf = async (tx: Tx, inlet: Inlet, { from, chat, at, isOwn, pushName: name }: Received): Promise<People> => {
  if (isOwn) return { from: contactOf(from), chat: contactOf(await learnIdentity(tx, inlet, { identity: chat, at })) };
  const sender = contactOf(await learnIdentity(tx, inlet, { identity: from, at, name }));
  return { from: sender, chat: chat.group === undefined ? sender : contactOf(chat) };
};

/** The place that a placeholder has held for the message; undefined where none does. */
const placeHeld = async (tx: Tx, { channel }: Inlet, event: Received): Promise<Place | undefined> => {
  const held = event.isPlaceholder ? undefined : await fillPlaceholder(tx, { channelId: channel.id, nativeKey: event.key });
  if (!held) return undefined;
  const { messageId, sender, chat, isOwn } = held;
  return { messageId, isOwn, from: await contactOn(tx, channel.id, sender), chat: await contactOn(tx, channel.id, chat) };
};
