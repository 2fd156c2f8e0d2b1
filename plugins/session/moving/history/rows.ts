import { proto } from "@whiskeysockets/baileys";
import { isDeeperThan, isRecord, type Json, recordOf } from "../../../../src/kernel/texts/json.ts";
import { userOf } from "../../address.ts";
import { bytesIn, textIn, wholeIn } from "../values.ts";

/** A row of another program's history: a message in the form of the network, a person, or why it is neither. */
export type FoundRow =
  | { is: "message"; info: proto.IWebMessageInfo }
  | { is: "person"; jids: readonly string[]; name: string | null }
  | { is: "left out"; reason: string };

/** Longer than any message without its pictures, in characters of JSON. */
const MAX_CHARS = 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_TEXT = 300;
/** 2106, the end of the network's seconds. */
const MAX_SECONDS = 0xffff_ffff;

const leftOut = (reason: string): FoundRow => ({ is: "left out", reason });
const UNREADABLE = leftOut("a message that cannot be read");
const NEVER_SENT = leftOut("a message that was never sent");
const DELETED = leftOut("a message that was deleted");

/** The object of a JSON text; undefined for any other text. */
const objectIn = (text: string): Json | undefined => {
  if (text.length > MAX_CHARS || isDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isIndexed = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name, index) => name === String(index));

/**
 * The value with its bytes. Programs have written bytes as Node's Buffer does, as an object with a number for each byte,
 * and as base64, which the network's library reads.
 */
const withBytes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isRecord(value)) return value;
  if (value["type"] === "Buffer") return bytesIn(value["data"]) ?? new Uint8Array();
  const names = Object.keys(value);
  if (isIndexed(names)) return Uint8Array.from(Object.values(value), Number);
  return Object.fromEntries(names.map((name) => [name, withBytes(value[name])]));
};

/** The message of an object; undefined if the network's library refuses it. */
const messageIn = (value: unknown): proto.IMessage | undefined => {
  try {
    return proto.Message.fromObject(withBytes(value) as Json);
  } catch {
    return undefined;
  }
};

/** The other address of the same person, under the names that versions of Baileys have given it. */
const ALTERNATIVES = ["remoteJidAlt", "senderPn", "senderLid", "previousRemoteJid"];

const keyIn = (value: unknown): proto.IMessageKey | undefined => {
  const key = recordOf(value);
  const [id, remoteJid] = [textIn(key["id"], MAX_TEXT), textIn(key["remoteJid"], MAX_TEXT)];
  if (id === undefined || remoteJid === undefined) return undefined;
  const named = (name: string, text: string | undefined) => (text === undefined ? {} : { [name]: text });
  const alternatives = ALTERNATIVES.map((name) => textIn(key[name], MAX_TEXT));
  return {
    id,
    remoteJid,
    fromMe: key["fromMe"] === true,
    ...named("participant", textIn(key["participant"], MAX_TEXT)),
    ...named("participantAlt", textIn(key["participantAlt"], MAX_TEXT)),
    ...named(
      "remoteJidAlt",
      alternatives.find((other) => other !== undefined && other !== remoteJid),
    ),
  };
};

/** Programs write a person's number where they know no name. */
const nameIn = (value: unknown, ...jids: readonly (string | null | undefined)[]): string | null => {
  const name = textIn(value, MAX_TEXT) ?? null;
  return name !== null && (/^\+?[\d\s()-]+$/.test(name) || jids.some((jid) => jid && name === userOf(jid)))
    ? null
    : name;
};

const infoOf = (row: Json, message: proto.IMessage): FoundRow => {
  const key = keyIn(row["key"]);
  const messageTimestamp = wholeIn(row["messageTimestamp"], 1, MAX_SECONDS);
  if (!key || messageTimestamp === undefined) return UNREADABLE;
  const participant = textIn(row["participant"], MAX_TEXT);
  const pushName = nameIn(row["pushName"], key.remoteJid, key.participant);
  return {
    is: "message",
    info: {
      key,
      message,
      messageTimestamp,
      ...(pushName === null ? {} : { pushName }),
      ...(participant !== undefined && participant.includes("@") ? { participant } : {}),
    },
  };
};

/**
 * A message of Evolution's table `Message` (2.1 to 2.4). It stores every text as a `conversation`, with what the text
 * answers or mentions in a column of its own.
 */
const evolutionMessage = (row: Json): FoundRow => {
  if (row["status"] === "ERROR") return NEVER_SENT;
  if (row["status"] === "DELETED" || recordOf(row["key"])["deleted"] === true) return DELETED;
  const { conversation, ...rest } = recordOf(row["message"]);
  const contextInfo = row["contextInfo"];
  const message =
    typeof conversation === "string" && isRecord(contextInfo)
      ? { ...rest, extendedTextMessage: { text: conversation, contextInfo } }
      : row["message"];
  const read = isRecord(message) ? messageIn(message) : undefined;
  return read ? infoOf(row, read) : UNREADABLE;
};

/** A message of the table `messages` of WAHA's NOWEB store: the network's own form, as Baileys writes it. */
const wahaMessage = (row: Json): FoundRow => {
  if (row["status"] === 0 || row["status"] === "ERROR") return NEVER_SENT;
  if (!isRecord(row["message"])) return leftOut("a message without content");
  const read = messageIn(row["message"]);
  return read ? infoOf(row, read) : UNREADABLE;
};

const personIn = (jids: readonly unknown[], ...names: readonly unknown[]): FoundRow => {
  const known = jids.flatMap((jid) => textIn(jid, MAX_TEXT) ?? []);
  const [name = null] = names.map((one) => nameIn(one, ...known)).filter((one) => one !== null);
  return { is: "person", jids: known, name };
};

type Readers = Record<"message" | "person", (row: Json) => FoundRow>;

/** TABLE: the readers of each format. */
const READERS: Readonly<Record<string, Readers>> = {
  evolution: {
    message: evolutionMessage,
    person: ({ remoteJid, pushName, name }) => personIn([remoteJid], name, pushName),
  },
  waha: {
    message: wahaMessage,
    person: ({ id, lid, phoneNumber, pn, name, verifiedName, notify }) =>
      personIn([id, lid, phoneNumber, pn], name, verifiedName, notify),
  },
};

/** The reader of the rows of a format; undefined for an unknown format. */
export const rowReader = (format: string) => {
  const readers = Object.hasOwn(READERS, format) ? READERS[format] : undefined;
  return (
    readers &&
    ((kind: keyof Readers, text: string): FoundRow => {
      const row = objectIn(text);
      if (row) return readers[kind](row);
      return kind === "message" ? UNREADABLE : leftOut("a person who cannot be read");
    })
  );
};
