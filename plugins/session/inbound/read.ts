import { normalizeMessageContent, type proto } from "@whiskeysockets/baileys";
import { isKnown, type Received } from "../../../src/contract/events.ts";
import type { InboundContent } from "../../../src/contract/inbound-content.ts";
import type { KeyRing, RingChanges, RingRow } from "../../../src/contract/key-ring.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { copyFrom, copyOf, nativeKeyOf } from "../copies.ts";
import { choiceOf } from "../outbound/choices.ts";
import type { ReadMessage } from "../wire.ts";
import { actOf, permitted } from "./acts.ts";
import { contextOf } from "./circumstances.ts";
import { contentOf, partOf, unsupported } from "./content.ts";
import { mediaOf } from "./files.ts";
import { type Me, type Origin, originOf } from "./origin.ts";
import { completedPlace, isSameAuthor, isSameChat, namesOf, type Place, WARM } from "./people.ts";
import { resentIn } from "./resent.ts";

type Host = Pick<ChannelHost, "clock" | "log">;

const NOTHING: RingChanges = {};

/** Reads what is decrypted into what it tells. `me` is asked for with every message: the account is known only once the device is paired. */
export const messageReader =
  (host: Host, me: () => Me): ReadMessage =>
  async (stanza, message, { ring }) => {
    const origin = originOf(stanza, me());
    if (!origin) return NOTHING;
    const content = contentIn(message, origin);
    if (!origin.isPeer) return changesBy(host, ring, origin, content);
    const resent = origin.key.fromMe ? resentIn(content) : [];
    return merged(await Promise.all(resent.map(({ origin: first, content: late }) => changesBy(host, ring, first, late))));
  };

/** What a message holds. One that the owner wrote on another device comes in the wrapping for their own devices, which nobody else's is believed. */
const contentIn = (message: proto.IMessage, { key }: Origin): proto.IMessage =>
  normalizeMessageContent((key.fromMe ? message.deviceSentMessage?.message : undefined) ?? message) ?? {};

const merged = (all: readonly RingChanges[]): RingChanges => ({
  rows: all.flatMap(({ rows = [] }) => rows),
  copies: all.flatMap(({ copies = [] }) => copies),
  events: all.flatMap(({ events = [] }) => events),
});

const changesBy = async (host: Host, ring: KeyRing, origin: Origin, content: proto.IMessage): Promise<RingChanges> => {
  const act = actOf(content);
  const part = partOf(content);
  if (act && !origin.key.fromMe) {
    const told = await permitted(ring, act, origin);
    if (told) return { events: [told] };
    host.log.debug({ kind: act.kind }, "somebody did something to a message that is unknown or not theirs");
  }
  if (act || part === undefined) return NOTHING;
  const place = await completedPlace(ring, origin.key);
  if (!isKnown(place.from) && !origin.key.fromMe) return NOTHING;
  if (!(await isFree(ring, origin, place))) {
    host.log.debug({}, "a message came under the id of another");
    return NOTHING;
  }
  const copies = [copyFrom({ ...origin, message: content })];
  if (origin.key.fromMe) return { copies };
  return { copies, rows: await warmRows(ring, place), events: [await receivedOf(host, ring, { origin, place, content, part })] };
};

/** The stand-in for a message that may be opened once, on the phone alone. */
export const placeholderOf = async (ring: KeyRing, origin: Origin): Promise<RingChanges> => {
  const place = await completedPlace(ring, origin.key);
  if (origin.key.fromMe || !isKnown(place.from) || !(await isFree(ring, origin, place))) return NOTHING;
  const event: Received = { ...headOf(origin, place), content: unsupported("viewOnce"), isPlaceholder: true };
  return { copies: [copyFrom({ ...origin, message: {} })], rows: await warmRows(ring, place), events: [event] };
};

/** Whether no message of another writer or chat has the id: senders choose them, and nobody may put a message in another's place. */
const isFree = async (ring: KeyRing, { id, key }: Origin, place: Place): Promise<boolean> => {
  const copy = await copyOf(ring, id);
  if (!copy) return true;
  const other = await completedPlace(ring, copy.key);
  return copy.key.fromMe === key.fromMe && isSameChat(place, other) && (key.fromMe || isSameAuthor(place, other));
};

const warmRows = async (ring: KeyRing, { chat }: Place): Promise<RingRow[]> => {
  const names = namesOf(chat);
  const warm = await ring.read(WARM, names);
  return names.filter((id) => !warm.has(id)).map((id) => ({ kind: WARM, id, value: "1" }));
};

type Read = { origin: Origin; place: Place; content: proto.IMessage; part: string };

const headOf = ({ id, at, pushName }: Origin, { chat, from }: Place) => ({ kind: "received", key: id, at, from, chat, pushName }) as const;

const receivedOf = async (host: Host, ring: KeyRing, { origin, place, content, part }: Read): Promise<Received> => {
  const quotedKey = nativeKeyOf(contextOf(content[part as keyof proto.IMessage]).stanzaId);
  const said = contentOf(content, part);
  const media = mediaOf(content, origin.id);
  return {
    ...headOf(origin, place),
    content: await answered(host, ring, { said, place, quotedKey }),
    ...(media ? { media } : {}),
    ...(quotedKey === undefined ? {} : { quotedKey }),
  };
};

/** A text that answers a menu of ours is the choice that it makes. */
const answered = async (
  { clock }: Host,
  ring: KeyRing,
  { said, place, quotedKey }: { said: InboundContent; place: Place; quotedKey: string | undefined },
): Promise<InboundContent> => {
  if (said.type !== "text") return said;
  const chats = place.chat.group === undefined ? namesOf(place.chat) : [`group:${place.chat.group}`];
  const choice = await choiceOf(ring, chats, { text: said.content.text, quotedKey, now: clock.now() });
  if (!choice) return said;
  const { text: _, ...circumstances } = said.content;
  return { type: "button_reply", content: { ...circumstances, ...choice } };
};
