import type { InboundContent } from "../../src/contract/content.ts";
import type { InboundMedia } from "../../src/contract/events.ts";
import { type Json, listOf, numberOf, recordOf, textOf } from "./json.ts";

const MEDIA_TYPES = ["image", "video", "audio", "document", "sticker"] as const;
type MediaType = (typeof MEDIA_TYPES)[number];

const mediaTypeOf = (message: Json): MediaType | undefined => MEDIA_TYPES.find((type) => type === message["type"]);

/** The file of a message, still at the network; undefined where there is none or the network could not keep it. */
export const mediaOf = (message: Json): InboundMedia | undefined => {
  const type = mediaTypeOf(message);
  const file = recordOf(type === undefined ? undefined : message[type]);
  const nativeId = textOf(file["id"]);
  if (nativeId === undefined) return undefined;
  const filename = textOf(file["filename"]);
  const sha256 = textOf(file["sha256"]);
  return { nativeId, contentType: textOf(file["mime_type"]) ?? "application/octet-stream", ...(filename ? { filename } : {}), ...(sha256 ? { sha256 } : {}) };
};

/** What a message says. A type without a shape of its own, or without what its shape needs, is `unsupported` and named. */
export const contentOf = (message: Json, media: InboundMedia | undefined): InboundContent => {
  const type = textOf(message["type"]) ?? "unknown";
  return (media ? mediaContent(message, media) : PLAIN.get(type)?.(recordOf(message[type]), message)) ?? unsupported(type);
};

const mediaContent = (message: Json, media: InboundMedia): InboundContent | undefined => {
  const type = mediaTypeOf(message);
  if (type === undefined) return undefined;
  const file = recordOf(message[type]);
  const caption = textOf(file["caption"]);
  const { contentType: mimeType, filename } = media;
  return { type, content: { ...(caption ? { caption } : {}), mimeType, ...(filename ? { filename } : {}), ...(file["voice"] === true ? { voice: true } : {}) } };
};

type Reader = (payload: Json, message: Json) => InboundContent | undefined;

const PLAIN: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["text", (payload) => (typeof payload["body"] === "string" ? { type: "text", content: { text: payload["body"] } } : undefined)],
  ["location", (payload) => locationOf(payload)],
  ["contacts", (_, message) => contactsOf(listOf(message["contacts"]))],
  ["button", (payload) => replyOf(payload["payload"], payload["text"])],
  ["interactive", (payload) => interactiveOf(payload)],
  ["unsupported", (payload) => unsupported(textOf(payload["type"]) ?? "unsupported")],
]);

const locationOf = (payload: Json): InboundContent | undefined => {
  const latitude = numberOf(payload["latitude"]);
  const longitude = numberOf(payload["longitude"]);
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = textOf(payload["name"]);
  const address = textOf(payload["address"]);
  return { type: "location", content: { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) } };
};

const contactsOf = (contacts: readonly unknown[]): InboundContent | undefined => (contacts.length > 0 ? { type: "contact", content: { contacts: [...contacts] } } : undefined);

/** A choice among buttons or rows; a form or a permission that was answered is named, not guessed. */
const interactiveOf = (payload: Json): InboundContent => {
  const type = textOf(payload["type"]) ?? "interactive";
  const reply = recordOf(payload[type]);
  const isChoice = type === "button_reply" || type === "list_reply";
  return (isChoice ? replyOf(reply["id"], reply["title"]) : undefined) ?? unsupported(type);
};

/** A template's quick reply without a payload of its own sends its label in both places; so do we. */
const replyOf = (id: unknown, label: unknown): InboundContent | undefined => {
  const selectedId = textOf(id) ?? textOf(label);
  return selectedId === undefined ? undefined : { type: "button_reply", content: { selectedId, text: textOf(label) ?? selectedId } };
};

const unsupported = (originalType: string): InboundContent => ({ type: "unsupported", content: { originalType } });
