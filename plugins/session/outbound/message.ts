import {
  type AnyMessageContent,
  generateWAMessage,
  getContentType,
  normalizeMessageContent,
  proto,
  type WAMessage,
} from "@whiskeysockets/baileys";
import type { Identity, ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { ActiveSocket } from "../active-socket.ts";
import { canonicalOf, isGroup } from "../address.ts";
import { type ChatTimer, timerOf } from "../chat-timers.ts";
import { contextOf } from "../inbound/content/circumstances.ts";
import { completed, personOf } from "../inbound/people.ts";
import { cachedMessage } from "../message-cache.ts";
import { isAlbum, type Pair } from "./content/albums.ts";
import { hasFile, plainContent, withFile } from "./content/contents.ts";
import { type ForwardPorts, forwardedMessage } from "./content/forwarded.ts";
import { type Mentions, mentionsOf } from "./content/mentions.ts";
import { type PreviewPorts, previewOf } from "./content/previews.ts";
import { type UploadPorts, uploadThrough } from "./content/upload.ts";
import { refused, Unsendable } from "./outcomes.ts";
import { ownJid } from "./relay.ts";

/**
 * What a message is made of. `onHandle`: its file is one that everybody may read, and has a handle. `album`: the id of the
 * announcement of its album. `content`: its picture, if that is made already. `pair`: its place in a pair of qualities.
 */
type MessageMaking = {
  order: SendOrder;
  jid: string;
  key: ProviderMessageId;
  album?: ProviderMessageId;
  content?: AnyMessageContent;
  pair?: Pair;
  onHandle?: Parameters<typeof uploadThrough>[2];
};

/**
 * The message of an order in the network's form, with its file uploaded. Throws `Unsendable`, and errors of the
 * library.
 */
export const messageOf = async (
  ports: UploadPorts & PreviewPorts & ForwardPorts,
  activeSocket: ActiveSocket,
  { order: given, jid, key, album, content: made, pair, onHandle }: MessageMaking,
): Promise<proto.IMessage> => {
  const quoted =
    given.quotedProviderMessageId === undefined
      ? undefined
      : await quotedIn(activeSocket, given.quotedProviderMessageId, jid);
  const mentions = await mentionsOf(activeSocket, given, jid);
  const order = mentions ? withText(given, mentions) : given;
  const timer = await timerOf(activeSocket.keyStore, await chatAt(activeSocket, jid));
  if (given.forwards !== undefined) {
    const message = await forwardedMessage(ports, activeSocket, given.forwards, given);
    if (timer) underTimer(message, timer);
    return message;
  }
  const make = async (content: AnyMessageContent): Promise<proto.IMessage> => {
    const upload = uploadThrough(ports, activeSocket, onHandle);
    const parent = album === undefined ? {} : { albumParentKey: { remoteJid: jid, fromMe: true, id: album } };
    const options = { messageId: key, userJid: ownJid(activeSocket, jid), upload, ...(quoted ? { quoted } : {}) };
    const { message } = await generateWAMessage(jid, { ...content, ...parent }, options);
    if (!message) throw new Error("the library made a message without content");
    if (order.type === "event" && order.content.callLink && message.eventMessage)
      message.eventMessage.joinLink = order.content.callLink; // the library makes links of its own alone
    if (timer) underTimer(message, timer);
    if (mentions) inContext(message, mentions.context);
    if (pair) return paired(message, pair, jid);
    return isForOneView(order) ? seenOnce(message) : message;
  };
  if (made) return make(mentions ? withCaption(made, mentions) : made);
  if (isAlbum(order))
    return make({ album: { expectedImageCount: order.content.images.length, expectedVideoCount: 0 } });
  if (hasFile(order)) return withFile(ports, order, make);
  const preview = order.type === "text" ? await previewOf(ports, order.content) : undefined;
  return make(preview ? { ...plainContent(order), linkPreview: preview } : plainContent(order));
};

const isForOneView = ({ content }: SendOrder): boolean => "viewOnce" in content && content.viewOnce === true;

/** A file that its recipient opens once. The apps put a voice note into an envelope of its own. */
const seenOnce = (message: proto.IMessage): proto.IMessage => {
  for (const part of [message.imageMessage, message.videoMessage, message.audioMessage]) if (part) part.viewOnce = true;
  // the secret belongs to the message, not to its file
  const { messageContextInfo, ...file } = message;
  const envelope = message.audioMessage ? "viewOnceMessageV2Extension" : "viewOnceMessage";
  return { ...(messageContextInfo ? { messageContextInfo } : {}), [envelope]: { message: file } };
};

const { HD_IMAGE_CHILD, SD_IMAGE_PARENT } = proto.ContextInfo.PairedMediaType;
const { HD_IMAGE_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType;

/** A picture as one of two qualities. Apps put the whole one into an envelope, so that older ones do not show it twice. */
const paired = (message: proto.IMessage, pair: Pair, jid: string): proto.IMessage => {
  inContext(message, { pairedMediaType: pair === "standard" ? SD_IMAGE_PARENT : HD_IMAGE_CHILD });
  if (pair === "standard") return message;
  const { messageContextInfo, ...picture } = message;
  const parentMessageKey = { remoteJid: jid, fromMe: true, id: pair.hdOf };
  const messageAssociation = { associationType: HD_IMAGE_DUAL_UPLOAD, parentMessageKey };
  return {
    associatedChildMessage: { message: picture },
    messageContextInfo: { ...messageContextInfo, messageAssociation },
  };
};

/** The picture with the names of mentioned people in its caption as the network writes them. */
const withCaption = (content: AnyMessageContent, { rewritten }: Mentions): AnyMessageContent =>
  "caption" in content && content.caption !== undefined ? { ...content, caption: rewritten(content.caption) } : content;

const chatAt = async ({ keyStore }: ActiveSocket, jid: string): Promise<Identity> => {
  const group = canonicalOf(jid)?.match(/^group:(.+)$/)?.[1];
  return group === undefined ? completed(keyStore, personOf(jid)) : { group };
};

/** The order with the names of mentioned people as the network writes them. */
const withText = (order: SendOrder, { rewritten }: Mentions): SendOrder => {
  const { text, caption } = order.content as { text?: string; caption?: string };
  const said = {
    ...(text === undefined ? {} : { text: rewritten(text) }),
    ...(caption === undefined ? {} : { caption: rewritten(caption) }),
  };
  // only its texts have changed
  return { ...order, content: { ...order.content, ...said } } as SendOrder;
};

/** Without its chat's timer, apps show that a message will not disappear. */
const underTimer = (message: proto.IMessage, { seconds: expiration, setAt }: ChatTimer): void =>
  inContext(message, { expiration, ephemeralSettingTimestamp: setAt });

/** Adds to the context of a message's content. */
const inContext = (message: proto.IMessage, context: proto.IContextInfo): void => {
  const part = contentPartOf(message);
  if (typeof part !== "object" || part === null) return;
  Object.assign(part, { contextInfo: { ...contextOf(part), ...context } });
};

const contentPartOf = (message: proto.IMessage): unknown => {
  const inner = normalizeMessageContent(message);
  return inner?.[getContentType(inner) ?? "conversation"];
};

/** The seconds after which a message of ours disappears; 0 if it stays. */
export const lifetimeOf = (message: proto.IMessage): number => contextOf(contentPartOf(message)).expiration ?? 0;

/** In a chat of two the quoted message has the address that we write to, whatever address it came from. */
const quotedIn = async ({ keyStore }: ActiveSocket, key: ProviderMessageId, jid: string): Promise<WAMessage> => {
  const copy = await cachedMessage(keyStore, key);
  if (!copy) throw new Unsendable(refused("the message that is quoted is too old to be quoted"));
  return { key: isGroup(jid) ? copy.key : { ...copy.key, remoteJid: jid }, message: copy.message };
};
