import type { Identity } from "../../../src/contract/events.ts";
import type { KeyRow, KeyStore } from "../../../src/contract/ports/key-store.ts";
import { canonicalOf } from "../address.ts";
import type { MessageKey } from "../message-cache.ts";

/** The kind of the rows that record who has written to the channel, by canonical key. */
export const WARM = "warm";

/** The kind of the rows that record to whom the channel has written, by canonical key. */
export const REACHED = "reached";

type KeyStoreReader = Pick<KeyStore, "read">;
type Person = Pick<Identity, "pn" | "lid" | "username">;

/**
 * The chat and the writer of a message. `chat` is the group, or the person with whom the owner writes. `from` is the
 * writer, and empty for the owner's own messages.
 */
export type MessagePlace = { chat: Identity; from: Person };

/** The row of the key store in which Baileys maps a person's two addresses. */
const MAPPING = "lid-mapping";

/** The number and the LID in chat addresses of one person; empty if they belong to no person. */
export const personOf = (...jids: readonly (string | null | undefined)[]): Person => {
  const keys = jids.flatMap((jid) => canonicalOf(unhosted(jid ?? "")) ?? []);
  const named = (name: "pn" | "lid") => keys.find((key) => key.startsWith(`${name}:`))?.slice(name.length + 1);
  const [pn, lid] = [named("pn"), named("lid")];
  return { ...(pn === undefined ? {} : { pn }), ...(lid === undefined ? {} : { lid }) };
};

// a device in the cloud of the network writes from a separate server; the person is the same
const unhosted = (jid: string): string => jid.replace(/@hosted\.lid$/, "@lid").replace(/@hosted$/, "@s.whatsapp.net");

/** The canonical keys of a person. */
export const namesOf = ({ pn, lid }: Person): string[] => [
  ...(pn === undefined ? [] : [`pn:${pn}`]),
  ...(lid === undefined ? [] : [`lid:${lid}`]),
];

/** The person with both names, if this device knows the other one. Never asks the network. */
export const completed = async (keyStore: KeyStoreReader, person: Person): Promise<Person> => {
  const { pn, lid } = person;
  if (pn !== undefined && lid === undefined) return { ...person, ...named("lid", await mapped(keyStore, pn)) };
  if (lid !== undefined && pn === undefined)
    return { ...named("pn", await mapped(keyStore, `${lid}_reverse`)), ...person };
  return person;
};

/** The rows that make us forget that these addresses belong to one person. */
export const unpairedRows = (pn: string, lid: string): KeyRow[] =>
  [pn, `${lid}_reverse`].map((id) => ({ kind: MAPPING, id, value: null }));

const mapped = async (keyStore: KeyStoreReader, id: string): Promise<unknown> => {
  const value = (await keyStore.read(MAPPING, [id])).get(id);
  return value === undefined ? undefined : JSON.parse(value);
};

const named = (name: "pn" | "lid", user: unknown): Person =>
  typeof user === "string" && /^\d{5,20}$/.test(user) ? { [name]: user } : {};

const placeOf = ({ remoteJid, remoteJidAlt, participant, participantAlt }: MessageKey): MessagePlace => {
  const group = canonicalOf(remoteJid)?.match(/^group:(.+)$/)?.[1];
  if (group !== undefined) return { chat: { group }, from: personOf(participant, participantAlt) };
  // a message by a broadcast list is shown in the chat with its sender
  const person = remoteJid.endsWith("@broadcast")
    ? personOf(participant, participantAlt ?? remoteJidAlt)
    : personOf(remoteJid, remoteJidAlt);
  return { chat: person, from: person };
};

export const completedMessagePlace = async (keyStore: KeyStoreReader, key: MessageKey): Promise<MessagePlace> => {
  const { chat, from } = placeOf(key);
  const person = await completed(keyStore, from);
  return { chat: chat.group === undefined ? person : chat, from: person };
};

/** Whether two identities have an address in common. */
export const isSameIdentity = (one: Identity, other: Identity): boolean =>
  (["pn", "lid", "group"] as const).some((name) => one[name] !== undefined && one[name] === other[name]);

/** Whether two messages lie in one chat. */
export const isSameChat = (one: MessagePlace, other: MessagePlace): boolean => isSameIdentity(one.chat, other.chat);

/** Whether one person wrote both. */
export const isSameAuthor = (one: MessagePlace, other: MessagePlace): boolean => isSameIdentity(one.from, other.from);
