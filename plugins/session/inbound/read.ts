import type { proto } from "@whiskeysockets/baileys";
import type { Circumstances, InboundContent } from "../../../src/contract/content/inbound-content.ts";
import { isKnown, type Received } from "../../../src/contract/events.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { KeyChanges, KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import type { ReadMessage } from "../active-socket.ts";
import { timerRowsBy } from "../chat-timers.ts";
import { labelIn } from "../groups/labels.ts";
import { cachedMessage, providerMessageIdOf, toCachedMessage } from "../message-cache.ts";
import { choiceOf } from "../outbound/content/choices.ts";
import { begunRows } from "../outbound/limits/strangers.ts";
import { type Act, actOf, permitted } from "./acts.ts";
import { isStatus, type Receives, reactionToOwnStatus, statusIn } from "./broadcasts.ts";
import { merged, NOTHING, type Reading } from "./changes.ts";
import { contextOf } from "./content/circumstances.ts";
import { contentOf, partOf, unsupported } from "./content/content.ts";
import { mediaOf } from "./content/files.ts";
import { createUnknowns, rawOf, unknownPartIn } from "./content/unknown.ts";
import { openedIn } from "./content/wrappers.ts";
import { hiddenIn, withSecretOf } from "./hidden/hidden.ts";
import { changesByHidden, changesByReleased } from "./hidden/opening.ts";
import { resentIn } from "./hidden/resent.ts";
import { type Me, type Origin, originOf } from "./origin.ts";
import { completedMessagePlace, isSameAuthor, isSameChat, type MessagePlace, namesOf, personOf } from "./people.ts";
import { surroundingsOf } from "./surroundings.ts";
import { saltRowsIn } from "./tokens.ts";

/**
 * Reads decrypted messages into rows, cached messages and events. `me` is called for every message, because the account
 * is known only after pairing. `receives`: the broadcasts that are received besides messages.
 */
export const messageReader = (
  host: Reading["host"] & Pick<ChannelHost, "unknown">,
  me: () => Me,
  receives: Receives = [],
): ReadMessage => {
  const unknowns = createUnknowns(host);
  return async (stanza, message, { keyStore, bytes }) => {
    const account = me();
    const reading = { host, keyStore, own: personOf(account.id, account.lid), unknowns };
    if (isStatus(stanza)) {
      const reaction = await reactionToOwnStatus(reading, stanza, message);
      if (reaction) return reaction;
      return receives.includes("statuses") ? statusIn(reading, stanza, { message, bytes }) : NOTHING;
    }
    const origin = originOf(stanza, account);
    if (!origin) return NOTHING;
    const content = contentIn(message, origin);
    if (!origin.isPeer) return changesBy(reading, origin, { content, bytes });
    const resent = origin.key.fromMe ? resentIn(content) : [];
    const changes = merged(
      await Promise.all(resent.map(({ origin: first, ...late }) => changesBy(reading, first, late))),
    );
    return origin.key.fromMe ? merged([changes, { rows: saltRowsIn(content) }]) : changes;
  };
};

/**
 * The content of a message. The owner's messages from other devices come in a wrapper, which is accepted from the
 * owner's devices only.
 */
const contentIn = (message: proto.IMessage, { key }: Origin): proto.IMessage => {
  const wrapped = key.fromMe ? message.deviceSentMessage?.message : undefined;
  return withSecretOf(openedIn(wrapped ?? message), [wrapped, message]);
};

/** The content of a message, and the whole message as its writer encoded it. */
type Opened = { content: proto.IMessage; bytes: Uint8Array };

const changesBy = async (reading: Reading, origin: Origin, { content, bytes }: Opened): Promise<KeyChanges> => {
  const { host, keyStore } = reading;
  // this device sent it, or it came before
  if (origin.key.fromMe && (await cachedMessage(keyStore, origin.id))) return NOTHING;
  const act = actOf(content, origin.at);
  if (act) return changesByAct(reading, origin, act);
  const label = await labelIn(keyStore, origin, { content, own: reading.own });
  if (label) return { events: [label] };
  const hidden = hiddenIn(content);
  if (hidden) return changesByHidden(reading, hidden, { origin, message: content });
  const part = partIn(reading, { content, bytes });
  const rows = await timerRows(reading, origin, content, part);
  if (part === undefined) return { rows };
  const messagePlace = withUsername(await completedMessagePlace(keyStore, origin.key), origin);
  if (!isKnown(messagePlace.from) && !origin.key.fromMe) return NOTHING;
  if (!(await isFree(keyStore, origin, messagePlace))) {
    host.log.debug({}, "a message came under the id of another");
    return NOTHING;
  }
  const copy = { ...origin, message: content };
  const messages = [toCachedMessage(copy)];
  if (origin.key.fromMe && !isShown(origin, messagePlace)) return { messages };
  const received = {
    messages,
    rows: [...rows, ...(await begunRows(keyStore, messagePlace.chat, { isOwn: origin.key.fromMe }))],
    events: [await receivedOf(reading, { origin, messagePlace, content, part, bytes })],
  };
  return merged([received, await changesByReleased(reading, copy)]);
};

/** The name of the part with the content of a message, known to the library or not; undefined if it has none. */
export const partIn = ({ unknowns }: Reading, { content, bytes }: Opened): string | undefined => {
  const known = partOf(content);
  if (known !== undefined) return known;
  const unknown = unknownPartIn(bytes);
  if (unknown !== undefined) unknowns.note(unknown);
  return unknown;
};

/** A chat's timer is known by messages that set it, and by messages that are written under it. */
export const timerRows = async (
  { host, keyStore }: Reading,
  { key, at }: Origin,
  content: proto.IMessage,
  part: string | undefined,
): Promise<KeyRow[]> => {
  const { chat } = await completedMessagePlace(keyStore, key);
  const context = contextOf(part === undefined ? undefined : content[part as keyof proto.IMessage]);
  return timerRowsBy(keyStore, chat, { content, context, at }, host.clock.now());
};

/** In a chat of two the username belongs to the other person, even if the owner wrote the message. */
const withUsername = ({ chat, from }: MessagePlace, { username }: Origin): MessagePlace => {
  if (username === undefined) return { chat, from };
  const person = { ...from, username };
  return { chat: chat.group === undefined ? person : chat, from: person };
};

/** The writer of a message without a cached copy is unknown, so no act on it is permitted. */
const changesByAct = async ({ host, keyStore, own }: Reading, origin: Origin, act: Act): Promise<KeyChanges> => {
  const copy = await cachedMessage(keyStore, act.target);
  const event = copy && (await permitted(keyStore, copy, act, { origin, own }));
  if (event) return { events: [event] };
  host.log.debug({ kind: act.kind }, "an act on a message that is unknown, or not its author's, was ignored");
  return NOTHING;
};

/**
 * Whether a message of the owner lies in a chat. A message to a broadcast list comes once more in the chat of each
 * person.
 */
const isShown = ({ key }: Origin, { chat }: MessagePlace): boolean =>
  isKnown(chat) && !key.remoteJid.endsWith("@broadcast");

/** The stand-in for a message that may be opened once, only on the phone. */
export const placeholderOf = async (keyStore: KeyStore, origin: Origin): Promise<KeyChanges> => {
  const messagePlace = await completedMessagePlace(keyStore, origin.key);
  if (origin.key.fromMe || !isKnown(messagePlace.from) || !(await isFree(keyStore, origin, messagePlace)))
    return NOTHING;
  const event: Received = { ...headOf(origin, messagePlace), content: unsupported("viewOnce"), isPlaceholder: true };
  return {
    messages: [toCachedMessage({ ...origin, message: {} })],
    rows: await begunRows(keyStore, messagePlace.chat, { isOwn: false }),
    events: [event],
  };
};

/**
 * Whether the id is unused by other writers and chats. Senders choose ids, and must not replace another person's
 * message.
 */
const isFree = async (keyStore: KeyStore, { id, key }: Origin, messagePlace: MessagePlace): Promise<boolean> => {
  const copy = await cachedMessage(keyStore, id);
  if (!copy) return true;
  const other = await completedMessagePlace(keyStore, copy.key);
  return (
    copy.key.fromMe === key.fromMe &&
    isSameChat(messagePlace, other) &&
    (key.fromMe || isSameAuthor(messagePlace, other))
  );
};

/** A message that is read: its chat, and the name of the part with its content. */
type Read = Opened & { origin: Origin; messagePlace: MessagePlace; part: string };

const headOf = ({ id, at, pushName }: Origin, { chat, from }: MessagePlace) =>
  ({ kind: "received", key: id, at, from, chat, pushName }) as const;

/** The event of a message, with its surroundings. */
export const eventOf = async (reading: Reading, read: Read): Promise<Received> => {
  const { origin, messagePlace, content, part, bytes } = read;
  const quotedProviderMessageId = providerMessageIdOf(contextOf(content[part as keyof proto.IMessage]).stanzaId);
  const said = around(withNumber(contentOf(content, part), messagePlace), await surroundingsOf(reading, content, part));
  const media = mediaOf(content, origin.id);
  const isOwn = origin.key.fromMe;
  return {
    ...headOf(origin, messagePlace),
    ...(isOwn ? { from: reading.own, pushName: null, isOwn } : {}),
    content: said,
    ...(media ? { media } : {}),
    ...(said.type === "unsupported" ? rawOf(bytes) : {}),
    ...(quotedProviderMessageId === undefined ? {} : { quotedProviderMessageId }),
  };
};

const receivedOf = async (reading: Reading, read: Read): Promise<Received> => {
  const event = await eventOf(reading, read);
  return event.isOwn ? event : { ...event, content: await answered(reading, event, read.messagePlace) };
};

// the surroundings are the same for each type
const around = ({ type, content }: InboundContent, more: Circumstances): InboundContent =>
  ({ type, content: { ...content, ...more } }) as InboundContent;

/** A person gives us their number by showing it on the stanza. */
const withNumber = (said: InboundContent, { from }: MessagePlace): InboundContent =>
  said.type === "phone_number_share" ? { ...said, content: { ...said.content, phoneNumber: from.pn ?? null } } : said;

/** A text that answers a menu of ours becomes the chosen option. */
const answered = async (
  { host: { clock }, keyStore }: Reading,
  { content: said, quotedProviderMessageId }: Received,
  messagePlace: MessagePlace,
): Promise<InboundContent> => {
  if (said.type !== "text") return said;
  const chats =
    messagePlace.chat.group === undefined ? namesOf(messagePlace.chat) : [`group:${messagePlace.chat.group}`];
  const choice = await choiceOf(keyStore, chats, {
    text: said.content.text,
    quotedProviderMessageId,
    now: clock.now(),
  });
  if (!choice) return said;
  const { text: _, ...circumstances } = said.content;
  return { type: "button_reply", content: { ...circumstances, ...choice } };
};
