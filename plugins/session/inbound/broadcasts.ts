import { proto } from "@whiskeysockets/baileys";
import { type Broadcast, isKnown } from "../../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { childOf, type Stanza } from "../active-socket.ts";
import { cachedMessage, providerMessageIdOf } from "../message-cache.ts";
import { actOf } from "./acts.ts";
import { NOTHING, type Reading } from "./changes.ts";
import { contentOf, partOf } from "./content/content.ts";
import { unknownPartIn } from "./content/unknown.ts";
import { openedIn } from "./content/wrappers.ts";
import { millisecondsOf } from "./origin.ts";
import { completed, isSameIdentity, personOf } from "./people.ts";

/** The broadcasts that are received besides messages, if the operator wants them. */
export type Receives = readonly ("statuses" | "newsletters")[];

const STATUS = "status@broadcast";
const NEWSLETTER = /^(\d{5,30})@newsletter$/;

/** A message, and its bytes. */
type Shown = { message: proto.IMessage; bytes: Uint8Array };

export const isStatus = ({ attrs }: Stanza): boolean => attrs["from"] === STATUS;
export const isNewsletter = ({ attrs }: Stanza): boolean => NEWSLETTER.test(attrs["from"] ?? "");

/** The event of another person's reaction to a status of ours; undefined for any other message. */
export const reactionToOwnStatus = async (
  { keyStore, own }: Reading,
  { attrs }: Stanza,
  message: proto.IMessage,
): Promise<KeyChanges | undefined> => {
  const at = millisecondsOf(attrs["t"]);
  const act = actOf(openedIn(message), at);
  const nativeId = providerMessageIdOf(attrs["id"]);
  if (act?.kind !== "reacted" || nativeId === undefined) return undefined;
  const copy = await cachedMessage(keyStore, act.target);
  const from = await personIn(keyStore, attrs);
  if (!copy?.key.fromMe || copy.key.remoteJid !== STATUS || isSameIdentity(from, own) || !isKnown(from)) return NOTHING;
  const { target: key, ...reaction } = act;
  return { events: [{ ...reaction, key, nativeId, at, from }] };
};

const personIn = (keyStore: Pick<KeyStore, "read">, attrs: Stanza["attrs"]) =>
  completed(keyStore, personOf(attrs["participant"], attrs["participant_pn"], attrs["participant_lid"]));

/** The event of another person's decrypted status; nothing for a revocation. */
export const statusIn = async (
  { keyStore, own }: Reading,
  { attrs }: Stanza,
  { message, bytes }: Shown,
): Promise<KeyChanges> => {
  const from = await personIn(keyStore, attrs);
  if (isSameIdentity(from, own) || !isKnown(from)) return NOTHING;
  const event = broadcastOf(attrs, { message, bytes }, { pushName: attrs["notify"] ?? null, from });
  return event ? { events: [event] } : NOTHING;
};

/** The event of a post, which the network sends unencrypted. */
export const postIn = (stanza: Stanza): KeyChanges => {
  const newsletter = NEWSLETTER.exec(stanza.attrs["from"] ?? "")?.[1];
  const bytes = childOf(stanza, "plaintext")?.content;
  if (newsletter === undefined || !(bytes instanceof Uint8Array)) return NOTHING;
  const event = broadcastOf(stanza.attrs, decoded(bytes), { pushName: null, newsletter });
  return event ? { events: [event] } : NOTHING;
};

const decoded = (bytes: Uint8Array): Shown => {
  try {
    return { message: proto.Message.decode(bytes), bytes };
  } catch {
    return { message: {}, bytes: new Uint8Array() }; // a post in an unknown form
  }
};

const broadcastOf = (
  attrs: Stanza["attrs"],
  { message, bytes }: Shown,
  of: Pick<Broadcast, "from" | "newsletter" | "pushName">,
): Broadcast | undefined => {
  const key = providerMessageIdOf(attrs["id"]);
  const content = openedIn(message);
  const part = partOf(content) ?? unknownPartIn(bytes);
  return key === undefined || part === undefined
    ? undefined
    : { kind: "broadcast", key, at: millisecondsOf(attrs["t"]), content: contentOf(content, part), ...of };
};
