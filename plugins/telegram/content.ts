import type { Circumstances } from "../../src/contract/content/inbound-content.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { nameOf, numberWithin, textOf } from "./json.ts";
import { withLinks } from "./links.ts";
import { pollSaid } from "./polls.ts";
import { richTextOf } from "./rich.ts";
import type { Said } from "./said.ts";
import { topicOf } from "./writers.ts";

type FileType = "image" | "video" | "audio" | "document" | "sticker";
type FileMetadata = { caption?: string; filename?: string; voice?: boolean; animated?: boolean };

const MAX_TYPE_LENGTH = 60;
const MAX_NAME_LENGTH = 1024;
const MAX_ID_LENGTH = 4096;
const MEDIA_TYPE = /^[\w.+-]{1,80}\/[\w.+-]{1,80}(?:; ?[\w=.+"-]{1,30})?$/;

/**
 * A file id is valid for the bot that received it, while the network keeps the file:
 * https://core.telegram.org/bots/api#file.
 */
const fileOf = (
  type: FileType,
  file: Json,
  fallbackType: string,
  metadata: FileMetadata & Circumstances,
): Said | undefined => {
  const nativeId = textOf(file["file_id"]);
  if (nativeId === undefined || nativeId.length > MAX_ID_LENGTH) return undefined;
  const declared = textOf(file["mime_type"]);
  const [contentType, sizeBytes, filename] = [
    declared !== undefined && MEDIA_TYPE.test(declared) ? declared : fallbackType,
    numberWithin(file["file_size"], 0, Number.MAX_SAFE_INTEGER),
    nameOf(file["file_name"], MAX_NAME_LENGTH),
  ];
  const named = filename === undefined ? {} : { filename };
  return {
    content: { type, content: { mimeType: contentType, ...named, ...metadata } },
    media: { nativeId, contentType, ...named, ...(sizeBytes === undefined ? {} : { sizeBytes }) },
  };
};

/** Of the sizes that a photo has, the last is the largest. */
const largestOf = (sizes: unknown): Json => recordOf(listOf(sizes).at(-1));

const stickerType = (sticker: Json): string => {
  if (sticker["is_animated"] === true) return "application/x-tgsticker";
  return sticker["is_video"] === true ? "video/webm" : "image/webp";
};

const placeOf = (place: Json, more: { name?: string; address?: string }, how: Circumstances): Said | undefined => {
  const [latitude, longitude] = [numberWithin(place["latitude"], -90, 90), numberWithin(place["longitude"], -180, 180)];
  return latitude === undefined || longitude === undefined
    ? undefined
    : { content: { type: "location", content: { latitude, longitude, ...more, ...how } } };
};

const venueOf = (venue: Json, how: Circumstances): Said | undefined => {
  const [name, address] = [nameOf(venue["title"], MAX_NAME_LENGTH), nameOf(venue["address"], MAX_NAME_LENGTH)];
  return placeOf(
    recordOf(venue["location"]),
    { ...(name === undefined ? {} : { name }), ...(address === undefined ? {} : { address }) },
    how,
  );
};

const cardOf = (contact: Json, how: Circumstances): Said => {
  const parts = [contact["first_name"], contact["last_name"]].map((part) => nameOf(part, MAX_NAME_LENGTH));
  const name = parts.filter((part) => part !== undefined).join(" ");
  const phone = nameOf(contact["phone_number"], MAX_TYPE_LENGTH);
  return {
    content: { type: "contact", content: { contacts: [{ name, phones: phone === undefined ? [] : [phone] }], ...how } },
  };
};

type Reader = (value: unknown, metadata: FileMetadata, how: Circumstances) => Said | undefined;

/**
 * TABLE: the possible contents of a message, the more precise name first, because an animation also comes as a document
 * and a venue as a location: https://core.telegram.org/bots/api#message.
 */
const READERS: readonly (readonly [name: string, read: Reader])[] = [
  ["rich_message", (value, _, how) => textSaid(richTextOf(value), how)],
  ["photo", (value, metadata, how) => fileOf("image", largestOf(value), "image/jpeg", { ...metadata, ...how })],
  [
    "animation",
    (value, metadata, how) => fileOf("video", recordOf(value), "video/mp4", { ...metadata, animated: true, ...how }),
  ],
  ["video", (value, metadata, how) => fileOf("video", recordOf(value), "video/mp4", { ...metadata, ...how })],
  ["video_note", (value, metadata, how) => fileOf("video", recordOf(value), "video/mp4", { ...metadata, ...how })],
  [
    "voice",
    (value, metadata, how) => fileOf("audio", recordOf(value), "audio/ogg", { ...metadata, voice: true, ...how }),
  ],
  ["audio", (value, metadata, how) => fileOf("audio", recordOf(value), "audio/mpeg", { ...metadata, ...how })],
  [
    "document",
    (value, metadata, how) => fileOf("document", recordOf(value), "application/octet-stream", { ...metadata, ...how }),
  ],
  [
    "sticker",
    (value, _, how) =>
      fileOf("sticker", recordOf(value), stickerType(recordOf(value)), {
        animated: recordOf(value)["is_animated"] === true || recordOf(value)["is_video"] === true,
        ...how,
      }),
  ],
  ["venue", (value, _, how) => venueOf(recordOf(value), how)],
  ["location", (value, _, how) => placeOf(recordOf(value), {}, how)],
  ["contact", (value, _, how) => cardOf(recordOf(value), how)],
  ["poll", (value, _, how) => pollSaid(recordOf(value), how)],
];

const textSaid = (text: string | undefined, how: Circumstances): Said | undefined =>
  text === undefined ? undefined : { content: { type: "text", content: { text, ...how } } };

/**
 * Messages of people that have no content type here. Everything else is a service message, such as a person joining a
 * group.
 */
const UNSUPPORTED = [
  "dice",
  "game",
  "story",
  "invoice",
  "paid_media",
  "checklist",
  "giveaway",
  "live_photo",
  "passport_data",
  "web_app_data",
];

/** The words of a message: its text, its caption or its rich text, with the addresses behind them. */
export const wordsOf = (message: Json): string | undefined => {
  const [text, caption] = [textOf(message["text"]), textOf(message["caption"])];
  if (text !== undefined) return withLinks(text, message["entities"]);
  return caption === undefined ? richTextOf(message["rich_message"]) : withLinks(caption, message["caption_entities"]);
};

/** The content of a message; undefined for a service message. */
export const saidIn = (message: Json): Said | undefined => {
  const topic = topicOf(message);
  const album = nameOf(message["media_group_id"], MAX_TYPE_LENGTH); // each of its files is a message of its own
  const how: Circumstances = {
    ...(message["ephemeral_message_id"] === undefined ? {} : { ephemeral: true }),
    ...(message["forward_origin"] === undefined ? {} : { forwarded: true }),
    ...(topic ? { topic } : {}),
    ...(album === undefined ? {} : { album: { id: album } }),
  };
  if (typeof message["text"] === "string") return textSaid(wordsOf(message) ?? "", how);
  const caption = textOf(message["caption"]) === undefined ? undefined : wordsOf(message);
  for (const [name, read] of READERS) {
    if (message[name] === undefined) continue;
    return read(message[name], caption === undefined ? {} : { caption }, how) ?? unsupported(name, how);
  }
  const name = UNSUPPORTED.find((one) => message[one] !== undefined);
  return name === undefined ? undefined : unsupported(name, how);
};

const unsupported = (name: string, how: Circumstances): Said => ({
  content: { type: "unsupported", content: { originalType: name.slice(0, MAX_TYPE_LENGTH), ...how } },
});
