import { proto } from "@whiskeysockets/baileys";
import type { InboundContent } from "../../../../src/contract/content/inbound-content.ts";
import { businessText, lines } from "./business.ts";
import { calendarEvent } from "./calendar.ts";
import { circumstancesOf } from "./circumstances.ts";
import { contactsOf } from "./contacts.ts";
import { isDegrees } from "./degrees.ts";
import { fileOf, mimeTypeOf, nameOf } from "./files.ts";
import { pollContent, pollIn } from "./polls.ts";
import { buttonReply, interactiveReply, listReply, templateReply } from "./replies.ts";
import {
  calendarEventOf,
  callLogOf,
  cartOrderOf,
  FURTHER_WORDS,
  groupInviteOf,
  paymentOf,
  paymentRequestOf,
  pollResultOf,
  productOf,
} from "./shaped.ts";

/** Reads a message part into content; undefined if the part lacks a field that its type needs. */
type Reader<Part> = (part: Part) => InboundContent | undefined;
type Parts = { [Name in keyof proto.IMessage]-?: NonNullable<proto.IMessage[Name]> };

/** TABLE: the parts that are not messages to people, and why. */
export const SILENT = {
  messageContextInfo: "it says something of the message that it is in",
  senderKeyDistributionMessage: "keys of a group",
  fastRatchetKeySenderKeyDistributionMessage: "keys of a group",
  protocolMessage: "an act or a setting; what is published of them is read elsewhere",
  reactionMessage: "an act on another message",
  pollUpdateMessage: "a vote",
  encReactionMessage: "an act on another message",
  encEventResponseMessage: "an act on another message",
  secretEncryptedMessage: "an act on another message",
  pinInChatMessage: "an act on another message",
  keepInChatMessage: "an act on another message",
  stickerSyncRmrMessage: "the devices of one person agree on stickers",
  messageHistoryBundle: "older messages for who joins a group",
  messageHistoryNotice: "says that they were sent",
  albumMessage: "announces pictures, which come as messages of their own",
} as const satisfies { [Name in keyof proto.IMessage]?: string };

/** TABLE: the parts without readable content, and why. They are published with the name of their type. */
export const WORDLESS = {
  call: "a call's key",
  declinePaymentRequestMessage: "names another message alone",
  cancelPaymentRequestMessage: "names another message alone",
  paymentInviteMessage: "names a service alone",
  scheduledCallEditMessage: "names another message alone",
  encCommentMessage: "encrypted under a secret of a message of another",
  placeholderMessage: "stands for a message that devices like this one do not get",
  statusNotificationMessage: "names other messages alone",
  statusStickerInteractionMessage: "names a sticker on another message",
  deviceSentMessage: "a wrapper that only the owner's devices may write, and that is opened for them alone",
} as const satisfies { [Name in keyof proto.IMessage]?: string };

export const isSilent = (part: string): boolean => Object.hasOwn(SILENT, part);

/** The name of the part with the content of a message; undefined for a message without content. */
export const partOf = (message: proto.IMessage): string | undefined =>
  message.protocolMessage?.type === SHARE_PHONE_NUMBER ? "protocolMessage" : partWithContent(message);

const { SHARE_PHONE_NUMBER } = proto.Message.ProtocolMessage.Type;

const partWithContent = (message: proto.IMessage): string | undefined =>
  Object.entries(message).find(([name, value]) => value !== null && value !== undefined && !isSilent(name))?.[0];

/**
 * The content of a message. A part of an unknown type, or without a field that its type needs, is `unsupported` with
 * its name.
 */
export const contentOf = (message: proto.IMessage, part: string): InboundContent => {
  const read = READERS[part as keyof proto.IMessage] as Reader<unknown> | undefined;
  const payload = message[part as keyof proto.IMessage];
  const { type, content } =
    mediaContent(message) ??
    pollContentOf(message) ??
    read?.(payload) ??
    text(businessText(message)) ??
    unsupported(part.replace(/Mess+age(V\d+)?$/, ""));
  // the type and its content were read together
  return { type, content: { ...content, ...circumstancesOf(payload) } } as InboundContent;
};

export const unsupported = (originalType: string): InboundContent => ({
  type: "unsupported",
  content: { originalType },
});

/** The text of a message, or the caption of its file; an edit that removes a caption leaves an empty one. */
export const textOf = (message: proto.IMessage): string | undefined => {
  const said = message.conversation ?? message.extendedTextMessage?.text;
  if (typeof said === "string") return said;
  const media = fileOf(message);
  return media && (media.file.caption ?? "");
};

const pollContentOf = (message: proto.IMessage): InboundContent | undefined => {
  const poll = pollIn(message);
  return poll && pollContent(poll);
};

const mediaContent = (message: proto.IMessage): InboundContent | undefined => {
  const media = fileOf(message);
  if (!media) return undefined;
  const { type, file } = media;
  const filename = nameOf(file);
  const content = {
    ...(file.caption ? { caption: file.caption } : {}),
    mimeType: mimeTypeOf(file),
    ...(filename === undefined ? {} : { filename }),
    ...(file.ptt === true ? { voice: true } : {}),
    ...(file.isAnimated === true ? { animated: true } : {}),
    ...(file.viewOnce === true ? { viewOnce: true } : {}),
    ...(message.ptvMessage && type === "video" ? { videoNote: true } : {}),
    ...(file.gifPlayback === true ? { gifPlayback: true } : {}),
  };
  return { type, content };
};

const text: Reader<string | null | undefined> = (said) =>
  typeof said === "string" ? { type: "text", content: { text: said } } : undefined;

/** The longest parts of a preview in its schema. */
const PREVIEW = { title: 1024, description: 4096, url: 2048 };

const textWithPreview: Reader<proto.Message.IExtendedTextMessage> = ({
  text: said,
  matchedText: url,
  title,
  description,
}) => {
  const read = text(said);
  if (read?.type !== "text" || !url || url.length > PREVIEW.url || !(title || description)) return read;
  const linkPreview = {
    url,
    ...(title ? { title: title.slice(0, PREVIEW.title) } : {}),
    ...(description ? { description: description.slice(0, PREVIEW.description) } : {}),
  };
  return { type: "text", content: { ...read.content, linkPreview } };
};

/** The longest words and address of a place in its schema; part of an address leads nowhere. */
const LONGEST_WORDS = 1024;
const LONGEST_URL = 2048;

const locationOf: Reader<proto.Message.ILocationMessage> = ({
  degreesLatitude: latitude,
  degreesLongitude: longitude,
  name,
  address,
  url,
}) => {
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return undefined;
  return {
    type: "location",
    content: {
      latitude,
      longitude,
      ...(name ? { name: name.slice(0, LONGEST_WORDS) } : {}),
      ...(address ? { address: address.slice(0, LONGEST_WORDS) } : {}),
      ...(url && url.length <= LONGEST_URL ? { url } : {}),
    },
  };
};

/** Where somebody was when they began to show it. Linked devices do not get where they went. */
const liveLocationOf: Reader<proto.Message.ILiveLocationMessage> = (part) => {
  const place = locationOf(part);
  return place?.type === "location" ? { ...place, content: { ...place.content, live: true } } : place;
};

/** TABLE: the parts with a shape of their own, except those with a file, polls, and texts of businesses. */
export const READERS: { [Name in keyof Parts]?: Reader<Parts[Name]> } = {
  ...FURTHER_WORDS,
  conversation: text,
  extendedTextMessage: textWithPreview,
  locationMessage: locationOf,
  liveLocationMessage: liveLocationOf,
  contactMessage: (part) => contactsOf([part]),
  contactsArrayMessage: (part) => contactsOf(part.contacts ?? []),
  protocolMessage: () => ({ type: "phone_number_share", content: { phoneNumber: null } }),
  requestPhoneNumberMessage: () => ({ type: "phone_number_request", content: {} }),
  buttonsResponseMessage: buttonReply,
  templateButtonReplyMessage: templateReply,
  listResponseMessage: listReply,
  interactiveResponseMessage: interactiveReply,
  orderMessage: cartOrderOf,
  productMessage: productOf,
  groupInviteMessage: groupInviteOf,
  eventMessage: (part) => calendarEvent(part) ?? calendarEventOf(part),
  requestPaymentMessage: paymentRequestOf,
  sendPaymentMessage: paymentOf,
  pollResultSnapshotMessage: pollResultOf,
  pollResultSnapshotMessageV3: pollResultOf,
  callLogMesssage: callLogOf,
  richResponseMessage: ({ submessages }) => text(lines((submessages ?? []).map((one) => one.messageText))),
};
