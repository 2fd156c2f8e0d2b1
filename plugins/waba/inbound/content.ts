import type { InboundContent, InboundError } from "../../../src/contract/content/inbound-content.ts";
import type { InboundMedia } from "../../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../../src/kernel/texts/json.ts";
import { numberOf, textOf } from "../../meta/json.ts";
import { circumstancesOf } from "./circumstances.ts";
import { interactiveReply, replyOf } from "./replies.ts";

const MEDIA_TYPES = ["image", "video", "audio", "document", "sticker"] as const;
type MediaType = (typeof MEDIA_TYPES)[number];

/** Reads the object of its type into content; undefined if it lacks a field that the type needs. */
type Reader = (payload: Json, message: Json) => InboundContent | undefined;

const mediaTypeOf = (message: Json): MediaType | undefined => MEDIA_TYPES.find((type) => type === message["type"]);

/** The file of a message, still at the network; undefined if there is none or the network could not keep it. */
export const mediaOf = (message: Json): InboundMedia | undefined => {
  const type = mediaTypeOf(message);
  const file = recordOf(type === undefined ? undefined : message[type]);
  const nativeId = textOf(file["id"]);
  if (nativeId === undefined) return undefined;
  const filename = textOf(file["filename"]);
  const sha256 = hexOf(textOf(file["sha256"]));
  return {
    nativeId,
    contentType: textOf(file["mime_type"]) ?? "application/octet-stream",
    ...(filename ? { filename } : {}),
    ...(sha256 ? { sha256 } : {}),
  };
};

/** A digest in hexadecimal, from base64 or, as in a history, hexadecimal; undefined if it does not have 32 bytes. */
const hexOf = (digest: string | undefined): string | undefined => {
  if (digest === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(digest)) return digest.toLowerCase();
  const bytes = Buffer.from(digest, "base64");
  return bytes.length === 32 ? bytes.toString("hex") : undefined;
};

/**
 * The content of a message. An unknown type, or a message without a field that its shape needs, is `unsupported` with
 * its name.
 */
export const contentOf = (message: Json, media: InboundMedia | undefined): InboundContent => {
  const type = textOf(message["type"]) ?? "unknown";
  const said = media ? mediaContent(message, media) : READERS.get(type)?.(recordOf(message[type]), message);
  const { type: saidType, content } = said ?? unsupported(type, message);
  // the type and its content were read together
  return { type: saidType, content: { ...content, ...circumstancesOf(message) } } as InboundContent;
};

const mediaContent = (message: Json, media: InboundMedia): InboundContent | undefined => {
  const type = mediaTypeOf(message);
  if (type === undefined) return undefined;
  const file = recordOf(message[type]);
  const caption = textOf(file["caption"]);
  const { contentType: mimeType, filename } = media;
  const marks = {
    ...(file["voice"] === true ? { voice: true } : {}),
    ...(file["animated"] === true ? { animated: true } : {}),
  };
  return { type, content: { ...(caption ? { caption } : {}), mimeType, ...(filename ? { filename } : {}), ...marks } };
};

const locationOf: Reader = (payload) => {
  const latitude = numberOf(payload["latitude"]);
  const longitude = numberOf(payload["longitude"]);
  if (latitude === undefined || longitude === undefined) return undefined;
  const words = ["name", "address", "url"]
    .map((name) => [name, textOf(payload[name])] as const)
    .filter(([, text]) => text !== undefined);
  return { type: "location", content: { latitude, longitude, ...Object.fromEntries(words) } };
};

const contactsOf: Reader = (_, message) => {
  const contacts = listOf(message["contacts"]);
  return contacts.length > 0 ? { type: "contact", content: { contacts: [...contacts] } } : undefined;
};

const orderOf: Reader = (payload) => {
  const items = listOf(payload["product_items"])
    .map(recordOf)
    .flatMap((item) => {
      const productId = textOf(item["product_retailer_id"]);
      const { quantity = null, price = null } = {
        quantity: numberOf(item["quantity"]),
        price: numberOf(item["item_price"]),
      };
      return productId === undefined
        ? []
        : [{ productId, quantity, price, currency: textOf(item["currency"]) ?? null }];
    });
  const text = textOf(payload["text"]);
  return items.length > 0
    ? { type: "order", content: { catalogId: textOf(payload["catalog_id"]) ?? null, ...(text ? { text } : {}), items } }
    : undefined;
};

/** TABLE: the types of message with a shape of their own, except those with a file. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["text", ({ body }) => (typeof body === "string" ? { type: "text", content: { text: body } } : undefined)],
  ["location", locationOf],
  ["contacts", contactsOf],
  ["button", ({ payload, text }) => replyOf({ id: payload, title: text })],
  ["interactive", interactiveReply],
  ["order", orderOf],
  ["request_welcome", () => ({ type: "request_welcome", content: {} })],
]);

/** The object of the type, or of the type `unsupported`, may name the real type. */
const unsupported = (type: string, message: Json): InboundContent => {
  const payload = recordOf(message[type]);
  const named = type === "unsupported" || type === "interactive" ? textOf(payload["type"]) : undefined;
  const errors = listOf(message["errors"]).map((error) => errorOf(recordOf(error)));
  return { type: "unsupported", content: { originalType: named ?? type, ...(errors.length > 0 ? { errors } : {}) } };
};

const errorOf = (error: Json): InboundError => {
  const details = textOf(recordOf(error["error_data"])["details"]);
  return {
    code: numberOf(error["code"]) ?? 0,
    title: textOf(error["title"]) ?? textOf(error["message"]) ?? "",
    ...(details ? { details } : {}),
  };
};
