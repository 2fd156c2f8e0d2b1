import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import { isFile } from "../../../contract/content/inbound-content.ts";
import type { MessageReceived } from "../../../core/domain-event.ts";
import type { EventContext } from "../../../core/messaging/receiving/event-context.ts";
import { parseIso } from "../../../kernel/clock.ts";
import { type Json, listOf, recordOf } from "../../../kernel/texts/json.ts";
import { mediaIdOf } from "../ids.ts";
import { secondsOf } from "./envelope.ts";

/** The type of a message and the object under its name, with the message's other fields. */
export type Said = { type: string } & Readonly<Record<string, unknown>>;

type Of<Type extends InboundContent["type"]> = Extract<InboundContent, { type: Type }>["content"];

/** A message of a type that this API or its reader has no shape for. */
export const unsupported = (details: string, type?: string): Said => ({
  type: "unsupported",
  ...(type === undefined ? {} : { unsupported: { type } }),
  errors: [{ code: 131051, title: "Message type unknown", message: "Message type unknown", error_data: { details } }],
});

/** A file that could not be fetched. */
const lost = (details: string): Said => ({
  type: "unsupported",
  errors: [{ code: 131052, title: "Media download error", message: "Media download error", error_data: { details } }],
});

const NOT_FETCHED = "The file could not be fetched.";

const fileOf = (
  { media, mediaError }: MessageReceived,
  { type, content }: Extract<InboundContent, { content: Of<"image"> }>,
  { sha256 }: EventContext,
): Said => {
  if (media === null) return lost(mediaError === undefined ? NOT_FETCHED : `${NOT_FETCHED} (${mediaError})`);
  const { caption, filename, voice, animated } = content;
  const isNamed = type === "document";
  const name = media.filename ?? filename;
  return {
    type,
    [type]: {
      ...(caption === undefined ? {} : { caption }),
      ...(isNamed && name !== undefined ? { filename: name } : {}),
      mime_type: media.contentType,
      ...(sha256 === null ? {} : { sha256: Buffer.from(sha256, "hex").toString("base64") }),
      id: mediaIdOf({ is: "received", mediaId: media.mediaId }),
      ...(type === "audio" ? { voice: voice === true } : {}),
      ...(type === "sticker" ? { animated: animated === true } : {}),
    },
  };
};

/** A choice, in the form of the message that it answers: a template's button, a row of a list, or a button. */
const replyOf = ({ selectedId, text, description }: Of<"button_reply">, { quotedType }: EventContext): Said => {
  if (quotedType === "template") return { type: "button", button: { payload: selectedId, text } };
  const choice = { id: selectedId, title: text };
  if (quotedType === "list" || description !== undefined)
    return interactive("list_reply", { ...choice, ...(description === undefined ? {} : { description }) });
  return interactive("button_reply", choice);
};

const interactive = (type: string, payload: object): Said => ({
  type: "interactive",
  interactive: { type, [type]: payload },
});

const formOf = ({ name, text, response }: Of<"flow_reply">): Said =>
  interactive("nfm_reply", {
    name,
    body: text ?? "Sent",
    response_json: typeof response === "string" ? response : JSON.stringify(response ?? {}),
  });

const permissionOf = ({ response, isPermanent, expiresAt, source }: Of<"call_permission_reply">): Said =>
  interactive("call_permission_reply", {
    response,
    is_permanent: isPermanent,
    ...(expiresAt === null ? {} : { expiration_timestamp: Number(secondsOf(parseIso(expiresAt) ?? 0)) }),
    ...(source === undefined ? {} : { response_source: source }),
  });

const orderOf = ({ catalogId, text, items }: Of<"order">): Said => ({
  type: "order",
  order: {
    catalog_id: catalogId ?? "",
    ...(text === undefined ? {} : { text }),
    product_items: items.map(({ productId, quantity, price, currency }) => ({
      product_retailer_id: productId,
      ...(quantity === null ? {} : { quantity }),
      ...(price === null ? {} : { item_price: price }),
      ...(currency === null ? {} : { currency }),
    })),
  },
});

/** Cards of people come in the network's own shape, or as a name with plain numbers. */
const cardOf = (card: unknown): Json => {
  const { name, phones, ...rest } = recordOf(card);
  const known = recordOf(name);
  const formatted = known["formatted_name"];
  const shown = [name, formatted].find((text) => typeof text === "string") ?? "";
  const [first = ""] = shown.split(" ");
  return {
    ...rest,
    name: { first_name: first, ...known, formatted_name: shown },
    phones: listOf(phones).map((phone) => (typeof phone === "string" ? { phone } : recordOf(phone))),
  };
};

const cardOfNumber = (number: string): Json =>
  cardOf({ name: number, phones: [{ phone: `+${number}`, wa_id: number }] });

const shapeless = (type: InboundContent["type"]): Said =>
  unsupported(`The Cloud API has no message of the type ${type}.`, type);

/** A message without a shape: its words, if it has any, are the details of its error. */
const unreadable = ({ originalType, title, text, url }: Of<"unsupported">): Said => {
  const words = [title, text, url].filter(Boolean).join("\n");
  return unsupported(words || "The network gave no content of this message.", originalType);
};

/** The content of a received message, in the network's shape. */
export const saidIn = (received: MessageReceived, context: EventContext): Said => {
  const { content: inbound } = received;
  if (isFile(inbound)) return fileOf(received, inbound, context);
  switch (inbound.type) {
    case "text":
      return { type: "text", text: { body: inbound.content.text } };
    case "location": {
      const { latitude, longitude, name, address, url } = inbound.content;
      return { type: "location", location: { latitude, longitude, name, address, url } };
    }
    case "contact":
      return { type: "contacts", contacts: inbound.content.contacts.map(cardOf) };
    case "button_reply":
      return replyOf(inbound.content, context);
    case "flow_reply":
      return formOf(inbound.content);
    case "call_permission_reply":
      return permissionOf(inbound.content);
    case "order":
      return orderOf(inbound.content);
    case "request_welcome":
      return { type: "request_welcome" };
    case "unsupported":
      return unreadable(inbound.content);
    case "phone_number_share": {
      const { phoneNumber } = inbound.content;
      return phoneNumber === null
        ? shapeless(inbound.type)
        : { type: "contacts", contacts: [cardOfNumber(phoneNumber)] };
    }
    case "poll":
    case "event":
    case "phone_number_request":
    case "payment_method":
      return shapeless(inbound.type);
  }
};
