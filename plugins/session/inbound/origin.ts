import { decodeMessageNode, type proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import type { Stanza } from "../active-socket.ts";
import { type MessageKey, providerMessageIdOf } from "../message-cache.ts";

/** The account that this device belongs to. */
export type Me = { id: string; lid?: string | undefined };

/**
 * The origin of a message. `sender` is the address of its writer. `isAdmin`: the writer acts as an administrator of the
 * group.
 */
export type Origin = {
  id: ProviderMessageId;
  key: MessageKey;
  sender: string;
  at: number;
  pushName: string | null;
  /** The name by which people without a number are found, if the stanza has it. */
  username?: string;
  isPeer: boolean;
  isAdmin: boolean;
};

/** Statuses, channels and assistants are not messages to the owner. */
const NO_CHAT = /^status@broadcast$|@newsletter$|@bot$/;

/** The origin of a stanza; undefined for a stanza that is not a message to the owner, or has no valid id. */
export const originOf = (stanza: Stanza, me: Me): Origin | undefined => {
  const { attrs } = stanza;
  const decoded = decodedOf(stanza, me);
  if (!decoded) return undefined;
  const { key, pushName, messageTimestamp } = decoded.fullMessage;
  return origin({
    key: keyOf(withAlt(key, attrs)),
    sender: decoded.author,
    at: millisecondsOf(messageTimestamp),
    pushName: pushName ?? null,
    ...usernameIn(attrs, key),
    isPeer: attrs["category"] === "peer",
    isAdmin: attrs["edit"] === "8",
  });
};

const USERNAME = /^(?=.*[a-z])[\w.]{3,35}$/;

/** A username as the network writes it; undefined for any other text. */
export const usernameOf = (text: string | null | undefined): string | undefined => {
  const name = text?.toLowerCase();
  return name !== undefined && USERNAME.test(name) ? name : undefined;
};

/** The username of the message's writer, or of the recipient of the owner's message. */
const usernameIn = (attrs: Stanza["attrs"], { fromMe, participant }: proto.IMessageKey): { username?: string } => {
  const theirs = participant ? attrs["participant_username"] : (attrs["sender_username"] ?? attrs["username"]);
  const username = usernameOf(fromMe ? (attrs["peer_recipient_username"] ?? attrs["recipient_username"]) : theirs);
  return username === undefined ? {} : { username };
};

/** The chat of a message, with the other addresses of its people; undefined if it is not a message to the owner. */
export const placeIn = (stanza: Stanza, me: Me | undefined): ReceivedKey | undefined => {
  const key = me && decodedOf(stanza, me)?.fullMessage.key;
  return key && withAlt(key, stanza.attrs);
};

/** The library takes the other address of an owner's message for the address of its writer. */
const withAlt = (key: ReceivedKey, attrs: Stanza["attrs"]): ReceivedKey =>
  key.fromMe
    ? {
        ...key,
        remoteJidAlt:
          attrs["recipient_pn"] ?? attrs["recipient_lid"] ?? attrs["peer_recipient_pn"] ?? attrs["peer_recipient_lid"],
      }
    : key;

const decodedOf = (stanza: Stanza, me: Me): ReturnType<typeof decodeMessageNode> | undefined => {
  try {
    return decodeMessageNode(stanza, me.id, me.lid ?? "");
  } catch {
    return undefined; // its address is not that of a message
  }
};

/** The same for a message that the owner's phone passes on. */
export const originOfCopy = ({
  key,
  messageTimestamp,
  pushName,
  participant,
}: proto.IWebMessageInfo): Origin | undefined => {
  const author = participant ?? key?.participant ?? key?.remoteJid;
  if (!key || !author) return undefined;
  return origin({
    key: keyOf({ ...key, participant: key.participant ?? participant }),
    sender: author,
    at: millisecondsOf(messageTimestamp),
    pushName: pushName ?? null,
    isPeer: false,
    isAdmin: false,
  });
};

const origin = (known: Omit<Origin, "id">): Origin | undefined => {
  const id = providerMessageIdOf(known.key.id);
  return id === undefined || known.key.remoteJid === "" || NO_CHAT.test(known.key.remoteJid)
    ? undefined
    : { id, ...known };
};

type ReceivedKey = Omit<proto.IMessageKey, "participant"> & {
  remoteJidAlt?: string | undefined;
  participant?: string | null | undefined;
  participantAlt?: string | undefined;
};

const keyOf = ({ remoteJid, remoteJidAlt, fromMe, id, participant, participantAlt }: ReceivedKey): MessageKey => ({
  remoteJid: remoteJid ?? "",
  ...(remoteJidAlt ? { remoteJidAlt } : {}),
  fromMe: fromMe === true,
  id: id ?? "",
  ...(participant ? { participant } : {}),
  ...(participantAlt ? { participantAlt } : {}),
});

/** The last moment that a Date can hold. */
const LATEST_MS = 8.64e15;

/** A time of the network in milliseconds; 0 if it is missing or invalid. */
export const millisecondsOf = (seconds: proto.IWebMessageInfo["messageTimestamp"] | string): number => {
  const at = Number(seconds ?? 0) * SECOND_MS;
  return Number.isInteger(at) && at > 0 && at <= LATEST_MS ? at : 0;
};
