import { type AnyMessageContent, generateWAMessage, type proto, type WAMessage } from "@whiskeysockets/baileys";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { isGroup } from "../address.ts";
import { cachedMessage } from "../message-cache.ts";
import { type FilePorts, hasFile, plainContent, withFile } from "./contents.ts";
import { refused, Unsendable } from "./outcomes.ts";
import { ownJid } from "./relay.ts";
import { type UploadPorts, uploadThrough } from "./upload.ts";

/**
 * The message of an order as the network wants it, its file uploaded. Throws `Unsendable`, and what the library throws.
 */
export const messageOf = async (
  ports: UploadPorts & FilePorts,
  activeSocket: ActiveSocket,
  { order, jid, key }: { order: SendOrder; jid: string; key: ProviderMessageId },
): Promise<proto.IMessage> => {
  const quoted =
    order.quotedProviderMessageId === undefined
      ? undefined
      : await quotedIn(activeSocket, order.quotedProviderMessageId, jid);
  const make = async (content: AnyMessageContent): Promise<proto.IMessage> => {
    const upload = uploadThrough(ports, activeSocket);
    const { message } = await generateWAMessage(jid, content, {
      messageId: key,
      userJid: ownJid(activeSocket, jid),
      upload,
      ...(quoted ? { quoted } : {}),
    });
    if (!message) throw new Error("the library made a message without content");
    return message;
  };
  return hasFile(order) ? withFile(ports, order, make) : make(plainContent(order));
};

/**
 * In a chat of two the message that is quoted stands under the address that we write to, whatever address it came from.
 */
const quotedIn = async ({ keyStore }: ActiveSocket, key: ProviderMessageId, jid: string): Promise<WAMessage> => {
  const copy = await cachedMessage(keyStore, key);
  if (!copy) throw new Unsendable(refused("the message that is quoted is too old to be quoted"));
  return { key: isGroup(jid) ? copy.key : { ...copy.key, remoteJid: jid }, message: copy.message };
};
