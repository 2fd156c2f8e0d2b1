import type { Circumstances, InboundContent } from "../../src/contract/content/inbound-content.ts";
import type { ChannelEvent, FurtherPart, Identity, ProviderMessageId } from "../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { cut, numberOf, textOf } from "../meta/json.ts";
import { referralOf } from "../meta/referral.ts";

/** The author of an act, its time and its chat; `isOwn` if the page itself was the author. */
export type Talk = { at: number; from: Identity; chat: Identity; isOwn: boolean };

/** Attachments that are files; the network names no media type. */
const FILES = {
  image: { type: "image", contentType: "image/jpeg" },
  video: { type: "video", contentType: "video/mp4" },
  audio: { type: "audio", contentType: "audio/mp4" },
  file: { type: "document", contentType: "application/octet-stream" },
  sticker: { type: "sticker", contentType: "image/png" },
} as const;

const MAX_URL_LENGTH = 8192;
const MAX_TYPE_LENGTH = 200;
const MAX_FILENAME_LENGTH = 1024;
const MAX_PARTS = 100; // an event has no more, and the network shows far fewer

/** A message with its text or its first attachment; its further attachments are its further parts. */
export const receivedOf = (key: ProviderMessageId, talk: Talk, { item, message }: Sent): ChannelEvent => {
  const quoted = textOf(recordOf(message["reply_to"])["mid"]) as ProviderMessageId | undefined;
  const [{ content, media }, ...furtherParts] = partsOf(message);
  return {
    kind: "received",
    key,
    ...talkFields(talk),
    content: withContext(content, referralIn(item, message)),
    ...(media ? { media } : {}),
    ...(furtherParts.length > 0 ? { furtherParts } : {}),
    ...(quoted === undefined ? {} : { quotedProviderMessageId: quoted }),
  };
};

/** An item of a webhook, and the message in it. */
export type Sent = { item: Json; message: Json };

/** A tap on a button, on "Get started" or on the menu. Its payload comes only to the app that offered it. */
export const tappedOf = (key: ProviderMessageId, talk: Talk, { item, message: tap }: Sent): ChannelEvent => {
  const [title, payload] = [textOf(tap["title"]), textOf(tap["payload"])];
  const content: InboundContent =
    payload === undefined
      ? { type: "text", content: { text: title ?? "" } }
      : { type: "button_reply", content: { selectedId: payload, text: title ?? payload } };
  return { kind: "received", key, ...talkFields(talk), content: withContext(content, referralIn(item, tap)) };
};

/** A person came back to the chat by a link or an advertisement, and has not written yet. */
export const openedOf = (key: ProviderMessageId, talk: Talk, referral: Json): ChannelEvent => ({
  kind: "received",
  key,
  ...talkFields(talk),
  content: withContext({ type: "request_welcome", content: {} }, referralIn({}, { referral })),
});

const talkFields = ({ at, from, chat, isOwn }: Talk) => ({
  at,
  from,
  chat,
  pushName: null,
  ...(isOwn ? { isOwn } : {}),
});

/** The referral of a message, a tap or an opened chat, wherever the network puts it. */
const referralIn = (item: Json, payload: Json): Circumstances => {
  const referral = referralOf(recordOf(payload["referral"] ?? item["referral"]));
  return referral ? { referral } : {};
};

const withContext = (content: InboundContent, context: Circumstances): InboundContent =>
  ({ type: content.type, content: { ...content.content, ...context } }) as InboundContent; // all contents have a context

const partsOf = (message: Json): [FurtherPart, ...FurtherPart[]] => {
  const text = textOf(message["text"]);
  const attachments = withoutDoubles(listOf(message["attachments"]).map(recordOf)).filter(
    (one) => !isPreview(one, text),
  );
  const [first = unsupported("message", {}), ...others] = [
    ...saidIn(message, text),
    ...attachments.map(attachmentOf),
  ].slice(0, MAX_PARTS);
  return [first, ...others];
};

/** The words of a message: a text, or a tap on a quick reply. */
const saidIn = (message: Json, text: string | undefined): FurtherPart[] => {
  const selectedId = textOf(recordOf(message["quick_reply"])["payload"]);
  if (selectedId !== undefined)
    return [{ content: { type: "button_reply", content: { selectedId, text: text ?? selectedId } } }];
  return text === undefined ? [] : [{ content: { type: "text", content: { text } } }];
};

const stickerIdOf = (attachment: Json): string | undefined => textOf(recordOf(attachment["payload"])["sticker_id"]);

/** A sticker came as an image too, for some months of 2026. */
const withoutDoubles = (attachments: readonly Json[]): Json[] => {
  const hasStickers = attachments.some(({ type }) => type === "sticker");
  return attachments.filter((one) => !(hasStickers && one["type"] === "image" && stickerIdOf(one) !== undefined));
};

const urlOf = (attachment: Json): string | undefined => {
  const url = textOf(recordOf(attachment["payload"])["url"]) ?? textOf(attachment["url"]);
  return url !== undefined && url.length <= MAX_URL_LENGTH ? url : undefined;
};

/** The preview of a link that the text has. */
const isPreview = (attachment: Json, text: string | undefined): boolean =>
  attachment["type"] === "fallback" && text !== undefined;

const attachmentOf = (attachment: Json): FurtherPart => {
  const type = textOf(attachment["type"]) ?? "unknown";
  if (type === "location") return locationOf(attachment);
  const url = urlOf(attachment);
  const name = type === "image" && stickerIdOf(attachment) !== undefined ? "sticker" : type;
  const file = Object.hasOwn(FILES, name) ? FILES[name as keyof typeof FILES] : undefined;
  if (!file || url === undefined) {
    const title = textOf(attachment["title"]) ?? textOf(recordOf(attachment["payload"])["title"]);
    return unsupported(cut(type, MAX_TYPE_LENGTH), {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
    });
  }
  const { contentType } = file;
  const filename = file.type === "document" ? filenameIn(url) : undefined;
  const named = filename === undefined ? {} : { filename };
  return {
    content: { type: file.type, content: { mimeType: contentType, ...named } },
    media: { nativeId: url, contentType, ...named },
  };
};

/** The name of a file is the end of its address. */
const filenameIn = (url: string): string | undefined => {
  const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  try {
    return cut(decodeURIComponent(name), MAX_FILENAME_LENGTH) || undefined;
  } catch {
    return undefined; // a lone percent sign
  }
};

const locationOf = (attachment: Json): FurtherPart => {
  const { lat, long } = recordOf(recordOf(attachment["payload"])["coordinates"]);
  const [latitude, longitude] = [numberOf(lat), numberOf(long)];
  const isPlace = latitude !== undefined && longitude !== undefined;
  return isPlace && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { content: { type: "location", content: { latitude, longitude } } }
    : unsupported("location", {});
};

const unsupported = (originalType: string, more: { url?: string; title?: string }): FurtherPart => ({
  content: { type: "unsupported", content: { originalType: originalType.slice(0, MAX_TYPE_LENGTH), ...more } },
});
