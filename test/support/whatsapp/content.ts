import { getContentType, normalizeMessageContent, type proto } from "@whiskeysockets/baileys";

/** What the stanza of a message says about what is in it. */
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

export const kindOf = (message: proto.IMessage): Kind => {
  const inner = normalizeMessageContent(message);
  const content = getContentType(inner) ?? "";
  if (content === "reactionMessage") return { type: "reaction" };
  if (content.startsWith("pollCreation") || content === "pollUpdateMessage") return { type: "poll" };
  const mediatype = inner?.audioMessage?.ptt ? "ptt" : MEDIA[content];
  return mediatype === undefined ? { type: "text" } : { type: "media", mediatype };
};

/** The text somebody sees, wherever it stands. */
export const textIn = (message: proto.IMessage): string => {
  const inner = normalizeMessageContent(message);
  const edited = inner?.protocolMessage?.editedMessage;
  if (edited) return textIn(edited);
  const media = [inner?.imageMessage, inner?.videoMessage, inner?.documentMessage].find((file) => file?.caption);
  const texts = [inner?.conversation, inner?.extendedTextMessage?.text, media?.caption, inner?.reactionMessage?.text];
  return texts.find((text) => text) ?? "";
};

const LEGACY_BUTTONS = 405;

/** The code by which the network refuses what apps no longer show. */
export const refusalOf = (message: proto.IMessage): number | undefined => {
  const inner = normalizeMessageContent(message);
  return inner?.buttonsMessage || inner?.listMessage || inner?.templateMessage ? LEGACY_BUTTONS : undefined;
};
