import { type AnyMessageContent, generateWAMessage, type proto, type WAMessage } from "@whiskeysockets/baileys";
import type { NativeKey } from "../../../src/contract/events.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import { isGroup } from "../address.ts";
import { copyOf } from "../copies.ts";
import type { Wire } from "../wire.ts";
import { hasFile, plainContent, withFile } from "./contents.ts";
import { refused, Unsendable } from "./outcomes.ts";
import { ownJid } from "./relay.ts";
import { type UploadPorts, uploadThrough } from "./upload.ts";

/** The message of an order as the network wants it, its file uploaded. Throws `Unsendable`, and what the library throws. */
export const messageOf = async (ports: UploadPorts, wire: Wire, { order, jid, key }: { order: SendOrder; jid: string; key: NativeKey }): Promise<proto.IMessage> => {
  const quoted = order.quotedKey === undefined ? undefined : await quotedIn(wire, order.quotedKey, jid);
  const make = async (content: AnyMessageContent): Promise<proto.IMessage> => {
    const upload = uploadThrough(ports, wire);
    const { message } = await generateWAMessage(jid, content, { messageId: key, userJid: ownJid(wire, jid), upload, ...(quoted ? { quoted } : {}) });
    if (!message) throw new Error("the library made a message without content");
    return message;
  };
  return hasFile(order) ? withFile(ports.http, order, make) : make(plainContent(order));
};

/** In a chat of two the message that is quoted stands under the address that we write to, whatever address it came from. */
const quotedIn = async ({ ring }: Wire, key: NativeKey, jid: string): Promise<WAMessage> => {
  const copy = await copyOf(ring, key);
  if (!copy) throw new Unsendable(refused("the message that is quoted is too old to be quoted"));
  return { key: isGroup(jid) ? copy.key : { ...copy.key, remoteJid: jid }, message: copy.message };
};
