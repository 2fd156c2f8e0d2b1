import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import { isKnown, type Received } from "../../../src/contract/events.ts";
import type { InboundContent } from "../../../src/contract/inbound-content.ts";
import type { KeyChanges, KeyRow, KeyStore } from "../../../src/contract/key-store.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import type { ReadMessage } from "../active-socket.ts";
import { cachedMessage, providerMessageIdOf, toCachedMessage } from "../message-cache.ts";
import { choiceOf } from "../outbound/choices.ts";
import { actOf, permitted } from "./acts.ts";
import { contextOf } from "./circumstances.ts";
import { contentOf, partOf, unsupported } from "./content.ts";
import { mediaOf } from "./files.ts";
import { type Me, type Origin, originOf } from "./origin.ts";
import { completedMessagePlace, isSameAuthor, isSameChat, type MessagePlace, namesOf, WARM } from "./people.ts";
import { resentIn } from "./resent.ts";
import { saltRowsIn } from "./tokens.ts";

type Host = Pick<ChannelHost, "clock" | "log">;

const NOTHING: KeyChanges = {};

/**
 * Reads decrypted messages into rows, cached messages and events. `me` is called for every message, because the account
 * is known only after pairing.
 */
export const messageReader =
  (host: Host, me: () => Me): ReadMessage =>
  async (stanza, message, { keyStore }) => {
    const origin = originOf(stanza, me());
    if (!origin) return NOTHING;
    const content = contentIn(message, origin);
    if (!origin.isPeer) return changesBy(host, keyStore, origin, content);
    const resent = origin.key.fromMe ? resentIn(content) : [];
    const changes = merged(
      await Promise.all(resent.map(({ origin: first, content: late }) => changesBy(host, keyStore, first, late))),
    );
    return origin.key.fromMe ? merged([changes, { rows: saltRowsIn(content) }]) : changes;
  };

/**
 * The content of a message. The owner's messages from other devices come in a wrapper, which is accepted from the
 * owner's devices only.
 */
const contentIn = (message: proto.IMessage, { key }: Origin): proto.IMessage =>
  normalizeMessageContent((key.fromMe ? message.deviceSentMessage?.message : undefined) ?? message) ?? {};

const merged = (all: readonly KeyChanges[]): KeyChanges => ({
  rows: all.flatMap(({ rows = [] }) => rows),
  messages: all.flatMap(({ messages = [] }) => messages),
  events: all.flatMap(({ events = [] }) => events),
});

const changesBy = async (
  host: Host,
  keyStore: KeyStore,
  origin: Origin,
  content: proto.IMessage,
): Promise<KeyChanges> => {
  const act = actOf(content);
  const part = partOf(content);
  if (act && !origin.key.fromMe) {
    const event = await permitted(keyStore, act, origin);
    if (event) return { events: [event] };
    host.log.debug({ kind: act.kind }, "somebody did something to a message that is unknown or not theirs");
  }
  if (act || part === undefined) return NOTHING;
  const messagePlace = await completedMessagePlace(keyStore, origin.key);
  if (!isKnown(messagePlace.from) && !origin.key.fromMe) return NOTHING;
  if (!(await isFree(keyStore, origin, messagePlace))) {
    host.log.debug({}, "a message came under the id of another");
    return NOTHING;
  }
  const messages = [toCachedMessage({ ...origin, message: content })];
  if (origin.key.fromMe) return { messages };
  return {
    messages,
    rows: await warmRows(keyStore, messagePlace),
    events: [await receivedOf(host, keyStore, { origin, messagePlace, content, part })],
  };
};

/** The stand-in for a message that may be opened once, on the phone alone. */
export const placeholderOf = async (keyStore: KeyStore, origin: Origin): Promise<KeyChanges> => {
  const messagePlace = await completedMessagePlace(keyStore, origin.key);
  if (origin.key.fromMe || !isKnown(messagePlace.from) || !(await isFree(keyStore, origin, messagePlace)))
    return NOTHING;
  const event: Received = { ...headOf(origin, messagePlace), content: unsupported("viewOnce"), isPlaceholder: true };
  return {
    messages: [toCachedMessage({ ...origin, message: {} })],
    rows: await warmRows(keyStore, messagePlace),
    events: [event],
  };
};

/**
 * Whether the id is unused by other writers and chats. Senders choose ids, and must not replace a message of somebody
 * else.
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

const warmRows = async (keyStore: KeyStore, { chat }: MessagePlace): Promise<KeyRow[]> => {
  const names = namesOf(chat);
  const warm = await keyStore.read(WARM, names);
  return names.filter((id) => !warm.has(id)).map((id) => ({ kind: WARM, id, value: "1" }));
};

type Read = { origin: Origin; messagePlace: MessagePlace; content: proto.IMessage; part: string };

const headOf = ({ id, at, pushName }: Origin, { chat, from }: MessagePlace) =>
  ({ kind: "received", key: id, at, from, chat, pushName }) as const;

const receivedOf = async (
  host: Host,
  keyStore: KeyStore,
  { origin, messagePlace, content, part }: Read,
): Promise<Received> => {
  const quotedProviderMessageId = providerMessageIdOf(contextOf(content[part as keyof proto.IMessage]).stanzaId);
  const said = contentOf(content, part);
  const media = mediaOf(content, origin.id);
  return {
    ...headOf(origin, messagePlace),
    content: await answered(host, keyStore, { said, messagePlace, quotedProviderMessageId }),
    ...(media ? { media } : {}),
    ...(quotedProviderMessageId === undefined ? {} : { quotedProviderMessageId }),
  };
};

/** A text that answers a menu of ours is the choice that it makes. */
const answered = async (
  { clock }: Host,
  keyStore: KeyStore,
  {
    said,
    messagePlace,
    quotedProviderMessageId,
  }: { said: InboundContent; messagePlace: MessagePlace; quotedProviderMessageId: string | undefined },
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
