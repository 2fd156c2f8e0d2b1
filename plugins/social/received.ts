import type { Circumstances, InboundContent } from "../../src/contract/content/inbound-content.ts";
import type { ChannelEvent, FurtherPart, ProviderMessageId } from "../../src/contract/events.ts";
import { isRecord, type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { textOf } from "../meta/json.ts";
import { referralOf } from "../meta/referral.ts";
import type { Talk } from "./inbound.ts";

/** Attachments that are files; the network names no other fields of their type. */
const FILES = {
  image: { type: "image", contentType: "image/jpeg" },
  video: { type: "video", contentType: "video/mp4" },
  audio: { type: "audio", contentType: "audio/mp4" },
  file: { type: "document", contentType: "application/octet-stream" },
} as const;

/**
 * A message with its text or its first attachment; its further attachments are its further parts. The story and the
 * referral belong to the first content, so that each counts once.
 */
export const receivedOf = (key: ProviderMessageId, talk: Talk, message: Json): ChannelEvent => {
  const quoted = textOf(recordOf(message["reply_to"])["mid"]) as ProviderMessageId | undefined;
  const [{ content, media }, ...furtherParts] = partsOf(message);
  return {
    kind: "received",
    key,
    at: talk.at,
    from: talk.from,
    chat: talk.chat,
    pushName: null,
    content: within(circumstancesOf(message), content),
    ...(media ? { media } : {}),
    ...(furtherParts.length > 0 ? { furtherParts } : {}),
    ...(quoted === undefined ? {} : { quotedProviderMessageId: quoted }),
    ...(talk.isOwn ? { isOwn: true } : {}),
  };
};

/**
 * A person followed a link or an advertisement into the chat, and has not written yet. The network gives it no id.
 * Undefined if no person or no source is named.
 */
export const visitOf = ({ at, from, chat, isOwn }: Talk, said: Json): ChannelEvent | undefined => {
  const referral = referralOf(said);
  if (isOwn || referral === undefined) return undefined;
  const key = `${VISIT}${from.igsid}/${at}` as ProviderMessageId;
  const content = within({ referral }, { type: "request_welcome", content: {} });
  return { kind: "received", key, at, from, chat, pushName: null, content };
};

/** The prefix of a visit in a key. */
const VISIT = "visit:";

const within = (circumstances: Circumstances, { type, content }: InboundContent): InboundContent =>
  ({ type, content: { ...content, ...circumstances } }) as InboundContent;

/** The story that a message answers or announces, and the advertisement or link that it comes from. */
const circumstancesOf = (message: Json): Circumstances => {
  const story = storyOf(message);
  const referral = referralOf(recordOf(message["referral"]));
  return { ...(story ? { story } : {}), ...(referral ? { referral } : {}) };
};

const storyOf = (message: Json): Circumstances["story"] => {
  const answered = recordOf(message["reply_to"])["story"];
  if (isRecord(answered)) return { relation: "reply", ...addressOf(answered) };
  const mention = listOf(message["attachments"])
    .map(recordOf)
    .find(({ type }) => type === "story_mention");
  return mention && { relation: "mention", ...addressOf(recordOf(mention["payload"])) };
};

const addressOf = (story: Json): { id?: string; url?: string } => {
  const [id, url] = [textOf(story["id"]), textOf(story["url"])];
  return { ...(id === undefined ? {} : { id }), ...(url === undefined ? {} : { url }) };
};

const MAX_PARTS = 100; // an event has no more, and the network shows far fewer

const partsOf = (message: Json): [FurtherPart, ...FurtherPart[]] => {
  const attachments = withoutDoubles(listOf(message["attachments"]).map(recordOf)).map(attachmentOf);
  const [first = unreadable(message), ...others] = [...saidIn(message), ...attachments].slice(0, MAX_PARTS);
  return [first, ...others];
};

const unreadable = (message: Json): FurtherPart => ({
  content: {
    type: "unsupported",
    content: { originalType: message["is_unsupported"] === true ? "unsupported" : "message" },
  },
});

/** The words of a message: a text, or a tap on an offered reply. */
const saidIn = (message: Json): FurtherPart[] => {
  const text = textOf(message["text"]);
  const selectedId = textOf(recordOf(message["quick_reply"])["payload"]);
  if (selectedId !== undefined)
    return [{ content: { type: "button_reply", content: { selectedId, text: text ?? selectedId } } }];
  return text === undefined ? [] : [{ content: { type: "text", content: { text } } }];
};

/** For some months a shared post came twice, as `share` and as `ig_post`. */
const withoutDoubles = (attachments: readonly Json[]): Json[] => {
  const posts = attachments.filter(({ type }) => type === "ig_post").map(postIdOf);
  const isDouble = (one: Json) =>
    one["type"] === "share" && posts.length > 0 && (postIdOf(one) === undefined || posts.includes(postIdOf(one)));
  return attachments.filter((one) => !isDouble(one));
};

const postIdOf = (attachment: Json): string | undefined => textOf(recordOf(attachment["payload"])["ig_post_media_id"]);

const attachmentOf = (attachment: Json): FurtherPart => {
  const type = textOf(attachment["type"]) ?? "unknown";
  const url = textOf(recordOf(attachment["payload"])["url"]);
  const file = Object.hasOwn(FILES, type) ? FILES[type as keyof typeof FILES] : undefined;
  const title = textOf(recordOf(attachment["payload"])["title"]);
  if (!file || url === undefined)
    return {
      content: {
        type: "unsupported",
        content: {
          originalType: type,
          ...(url === undefined ? {} : { url }),
          ...(title === undefined ? {} : { title }),
        },
      },
    };
  return {
    content: { type: file.type, content: { mimeType: file.contentType } },
    media: { nativeId: url, contentType: file.contentType },
  };
};
