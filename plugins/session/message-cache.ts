import { proto } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { KeyChanges, KeyStore } from "../../src/contract/ports/key-store.ts";
import { isKey } from "./message-ids.ts";

/**
 * The place of a message, in Baileys' words; `remoteJidAlt` and `participantAlt` are other addresses of the same
 * person.
 */
export type MessageKey = {
  remoteJid: string;
  remoteJidAlt?: string;
  fromMe: boolean;
  id: string;
  participant?: string;
  participantAlt?: string;
};

/** A message as the network knows it, sent or received, and the address of its writer. */
export type CachedMessage = { key: MessageKey; message: proto.IMessage; sender: string };

type Stored = { key: MessageKey; message: string; sender: string };

/** The id as a provider message id; undefined if no message can have it. */
export const providerMessageIdOf = (id: string | null | undefined): ProviderMessageId | undefined =>
  typeof id === "string" && isKey(id) ? (id as ProviderMessageId) : undefined;

/** The cached message; undefined if it does not exist, or no longer. */
export const cachedMessage = async (
  keyStore: Pick<KeyStore, "cachedMessage">,
  id: ProviderMessageId,
): Promise<CachedMessage | undefined> => {
  const value = await keyStore.cachedMessage(id);
  if (value === undefined) return undefined;
  const { key, message, sender } = JSON.parse(value) as Stored; // we wrote it
  return { key, message: proto.Message.decode(Buffer.from(message, "base64")), sender };
};

/** A message as the key store caches it: without previews, and without the quoted message of a received one. */
export const toCachedMessage = ({
  key,
  message,
  sender,
}: CachedMessage): NonNullable<KeyChanges["messages"]>[number] => {
  const stored: Stored = {
    key,
    message: Buffer.from(proto.Message.encode(lean(message, !key.fromMe)).finish()).toString("base64"),
    sender,
  };
  return { key: key.id as ProviderMessageId, value: JSON.stringify(stored) };
};

const PREVIEWS = ["jpegThumbnail", "thumbnail", "pngThumbnail", "firstFrameSidecar", "scansSidecar"];
const BULK_OF_RECEIVED = [...PREVIEWS, "quotedMessage", "senderKeyDistributionMessage"];

// works on a clone, because the message is still read afterwards
const lean = (message: proto.IMessage, isReceived: boolean): proto.IMessage => {
  const clone = proto.Message.decode(proto.Message.encode(message).finish());
  drop(isReceived ? BULK_OF_RECEIVED : PREVIEWS, clone);
  return clone;
};

const drop = (names: readonly string[], node: object): void => {
  for (const [name, value] of Object.entries(node) as [string, unknown][]) {
    if (names.includes(name)) Reflect.deleteProperty(node, name);
    else if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) drop(names, value);
  }
};
