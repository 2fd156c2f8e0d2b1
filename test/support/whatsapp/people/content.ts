import { getContentType, normalizeMessageContent, proto } from "@whiskeysockets/baileys";

/** The content of a send: a message, or a message's bytes that the library need not know. */
export type Sendable = proto.IMessage | { wire: Uint8Array };

export const bytesOf = (message: Sendable): Uint8Array =>
  "wire" in message ? message.wire : proto.Message.encode(message).finish();

/** The part of a message that the library knows. */
export const knownOf = (message: Sendable): proto.IMessage => {
  if (!("wire" in message)) return message;
  try {
    return proto.Message.decode(message.wire);
  } catch {
    return {}; // no message at all
  }
};

/** A field with these bytes, as https://protobuf.dev/programming-guides/encoding has it. */
export const wireField = (number: number, value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
};

const varint = (value: number): Buffer =>
  value < 0x80 ? Buffer.of(value) : Buffer.concat([Buffer.of((value & 0x7f) | 0x80), varint(value >> 7)]);

const DEVICE_SENT = 31;

/** A message in the form for the writer's own other devices. */
export const ownCopyOf = (message: Sendable, destinationJid: string): Sendable =>
  "wire" in message
    ? { wire: wireField(DEVICE_SENT, Buffer.concat([wireField(1, destinationJid), wireField(2, message.wire)])) }
    : { deviceSentMessage: { destinationJid, message } };

/** The stanza's attributes about a message's content. */
export type Kind = { type: string; mediatype?: string };

const MEDIA: Record<string, string> = {
  imageMessage: "image",
  videoMessage: "video",
  audioMessage: "audio",
  documentMessage: "document",
  stickerMessage: "sticker",
  contactMessage: "vcard",
  contactsArrayMessage: "contact_array",
  liveLocationMessage: "livelocation",
  listMessage: "list",
  listResponseMessage: "list_response",
  buttonsResponseMessage: "buttons_response",
  interactiveResponseMessage: "native_flow_response",
};

export const kindOf = (message: Sendable): Kind => {
  const inner = normalizeMessageContent(knownOf(message));
  const content = getContentType(inner) ?? "";
  if (content === "reactionMessage") return { type: "reaction" };
  if (content === "eventMessage") return { type: "event" };
  if (content.startsWith("pollCreation") || content === "pollUpdateMessage") return { type: "poll" };
  const mediatype = inner?.audioMessage?.ptt ? "ptt" : MEDIA[content];
  return mediatype === undefined ? { type: "text" } : { type: "media", mediatype };
};

/** The visible text, in any field. */
export const textIn = (message: proto.IMessage): string => {
  const inner = normalizeMessageContent(message) ?? {};
  const { interactiveMessage: interactive, protocolMessage } = inner;
  if (protocolMessage?.editedMessage) return textIn(protocolMessage.editedMessage);
  return interactive ? (interactive.body?.text ?? "") : firstTextIn(inner);
};

const firstTextIn = (inner: proto.IMessage): string => {
  const media = [inner.imageMessage, inner.videoMessage, inner.documentMessage].find((file) => file?.caption);
  const texts = [inner.conversation, inner.extendedTextMessage?.text, media?.caption, inner.reactionMessage?.text];
  return texts.find((text) => text) ?? "";
};

const LEGACY_BUTTONS = 405;

/** The code by which the network refuses what apps no longer show. */
export const refusalOf = (message: proto.IMessage): number | undefined => {
  const inner = normalizeMessageContent(message);
  return inner?.buttonsMessage || inner?.listMessage || inner?.templateMessage ? LEGACY_BUTTONS : undefined;
};
