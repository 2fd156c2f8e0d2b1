import type { Circumstances, InboundContent } from "../../src/contract/content/inbound-content.ts";
import type { InboundMedia } from "../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { numberOf, textOf } from "./json.ts";

/** The content of a message, and its file. */
export type Said = { content: InboundContent; media?: InboundMedia };

type FileType = "image" | "video" | "audio" | "document" | "sticker";
type FileMetadata = { caption?: string; filename?: string; voice?: boolean; animated?: boolean };

const MAX_NAME_LENGTH = 60;

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
  if (nativeId === undefined) return undefined;
  const [contentType, sizeBytes, filename] = [
    textOf(file["mime_type"]) ?? fallbackType,
    numberOf(file["file_size"]),
    textOf(file["file_name"]),
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
  const [latitude, longitude] = [numberOf(place["latitude"]), numberOf(place["longitude"])];
  return latitude === undefined || longitude === undefined
    ? undefined
    : { content: { type: "location", content: { latitude, longitude, ...more, ...how } } };
};

const venueOf = (venue: Json, how: Circumstances): Said | undefined => {
  const [name, address] = [textOf(venue["title"]), textOf(venue["address"])];
  return placeOf(
    recordOf(venue["location"]),
    { ...(name === undefined ? {} : { name }), ...(address === undefined ? {} : { address }) },
    how,
  );
};

const cardOf = (contact: Json, how: Circumstances): Said => {
  const name = [textOf(contact["first_name"]), textOf(contact["last_name"])].filter(Boolean).join(" ");
  const phone = textOf(contact["phone_number"]);
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
  [
    "text",
    (value, _, how) =>
      typeof value === "string" ? { content: { type: "text", content: { text: value, ...how } } } : undefined,
  ],
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
];

/**
 * Messages of people that have no content type here. Everything else is a service message, such as a person joining a
 * group.
 */
const UNSUPPORTED = [
  "poll",
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

/** The content of a message; undefined for a service message. */
export const saidIn = (message: Json): Said | undefined => {
  const caption = textOf(message["caption"]);
  const how: Circumstances = message["forward_origin"] === undefined ? {} : { forwarded: true };
  for (const [name, read] of READERS) {
    if (message[name] === undefined) continue;
    return read(message[name], caption === undefined ? {} : { caption }, how) ?? unsupported(name, how);
  }
  const name = UNSUPPORTED.find((one) => message[one] !== undefined);
  return name === undefined ? undefined : unsupported(name, how);
};

const unsupported = (name: string, how: Circumstances): Said => ({
  content: { type: "unsupported", content: { originalType: name.slice(0, MAX_NAME_LENGTH), ...how } },
});
