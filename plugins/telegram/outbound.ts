import type { ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";
import { callbackOf, ephemeralOf, messageOf } from "./address.ts";
import { ONLY_FOR } from "./credentials.ts";
import { buttonsOf, type Keyboard, LOCATION_BUTTON, linkButton, listOfRows } from "./keyboards.ts";
import { richFields } from "./rich-buttons.ts";

/** A file that goes with a message: the field that names it, and its URL. */
export type FilePart = { field: string; url: string; contentType?: string; filename?: string };

/** One message of the network: its method, its fields beside chat and reply, and its file. */
export type Sending = { method: string; fields: Json; file?: FilePart };

/** The messages of the network that make up one of ours, in order; or why the network cannot take it. */
export type Sendings = readonly [Sending, ...Sending[]] | { refusal: string };

type ContentOf<Type extends SendOrder["type"]> = Extract<SendOrder, { type: Type }>["content"];

/** The content types that the network can send. */
export const SENT_TYPES = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contact",
  "button",
  "list",
  "cta_url",
  "location_request",
  "poll",
  "rich_text",
] as const;

const captioned = (caption: string | undefined): Json => (caption ? { caption } : {});

type Linked = { mediaUrl?: string; mimeType?: string; filename?: string };

const fileOf = (field: string, { mediaUrl = "", mimeType, filename }: Linked): FilePart => ({
  field,
  url: mediaUrl,
  ...(mimeType === undefined ? {} : { contentType: mimeType }),
  ...(filename === undefined ? {} : { filename }),
});

const asMessage = (keyboard: Keyboard): Sendings =>
  "refusal" in keyboard ? keyboard : [{ method: "sendMessage", fields: keyboard }];

/** A location with a name is a venue, which also needs an address: https://core.telegram.org/bots/api#sendvenue. */
const placeOf = ({ latitude, longitude, name, address }: ContentOf<"location">): Sending =>
  name
    ? { method: "sendVenue", fields: { latitude, longitude, title: name, address: address || name } }
    : { method: "sendLocation", fields: { latitude, longitude } };

/** The network has one number per message, and a name of two parts. */
const cardsOf = ({ contacts: [first, ...others] }: ContentOf<"contact">): Sendings => {
  const cardOf = ({ name, phone }: ContentOf<"contact">["contacts"][number]): Sending => ({
    method: "sendContact",
    fields: { phone_number: phone, first_name: name },
  });
  return first ? [cardOf(first), ...others.map(cardOf)] : { refusal: "there is no contact" };
};

/** Only a poll with names reports its votes one by one: https://core.telegram.org/bots/api#pollanswer. */
const pollOf = ({ question, options, maxSelections = 1 }: ContentOf<"poll">): Sending => ({
  method: "sendPoll",
  fields: {
    question,
    options: options.map((text) => ({ text })),
    is_anonymous: false,
    allows_multiple_answers: maxSelections > 1,
  },
});

const richOf = (content: ContentOf<"rich_text">): Sendings => {
  const fields = richFields(content);
  return isRefusal(fields) ? fields : [{ method: "sendRichMessage", fields }];
};

const isRefusal = (fields: Json | { refusal: string }): fields is { refusal: string } => "refusal" in fields;

const HEADERS = {
  image: ["sendPhoto", "photo"],
  video: ["sendVideo", "video"],
  document: ["sendDocument", "document"],
} as const;

const linkMessageOf = (content: ContentOf<"cta_url">): Sending => {
  const { text, footer, header } = content;
  const body = footer ? `${text}\n\n${footer}` : text;
  const reply_markup = linkButton(content);
  if (!header || header.type === "text") {
    const title = header?.text ? `${header.text}\n\n` : "";
    return { method: "sendMessage", fields: { text: `${title}${body}`, reply_markup } };
  }
  const [method, field] = HEADERS[header.type];
  return { method, fields: { caption: body, reply_markup }, file: fileOf(field, header) };
};

/** Content to calls: https://core.telegram.org/bots/api#available-methods. */
export const sendingsOf = (order: SendOrder): Sendings => {
  switch (order.type) {
    case "text":
      return [{ method: "sendMessage", fields: { text: order.content.text } }];
    case "image":
      return [{ method: "sendPhoto", fields: captioned(order.content.caption), file: fileOf("photo", order.content) }];
    case "video":
      return [{ method: "sendVideo", fields: captioned(order.content.caption), file: fileOf("video", order.content) }];
    case "audio":
      return [
        order.content.ptt
          ? { method: "sendVoice", fields: {}, file: fileOf("voice", order.content) }
          : { method: "sendAudio", fields: {}, file: fileOf("audio", order.content) },
      ];
    case "document":
      return [
        { method: "sendDocument", fields: captioned(order.content.caption), file: fileOf("document", order.content) },
      ];
    case "sticker":
      return [{ method: "sendSticker", fields: {}, file: fileOf("sticker", order.content) }];
    case "location":
      return [placeOf(order.content)];
    case "contact":
      return cardsOf(order.content);
    case "button":
      return asMessage(buttonsOf(order.content));
    case "list":
      return asMessage(listOfRows(order.content));
    case "cta_url":
      return [linkMessageOf(order.content)];
    case "location_request":
      return [{ method: "sendMessage", fields: { text: order.content.text, reply_markup: LOCATION_BUTTON } }];
    case "rich_text":
      return richOf(order.content);
    case "poll":
      return [pollOf(order.content)];
    default:
      return { refusal: "the network has no such content" };
  }
};

/** The methods of messages that one member of a group may get alone (Bot API 10.3). */
const EPHEMERAL_METHODS: ReadonlySet<string> = new Set([
  "sendMessage",
  "sendAnimation",
  "sendAudio",
  "sendDocument",
  "sendPhoto",
  "sendSticker",
  "sendVideo",
  "sendVoice",
  "sendContact",
  "sendLocation",
  "sendVenue",
  "sendRichMessage",
]);

/**
 * The fields that show a message to one member of a group (https://core.telegram.org/bots/api#ephemeralmessageparameters):
 * to the one that a client names, or to the writer of an ephemeral message that it answers. Empty for all others; or why
 * there can be no such message.
 */
export const audienceOf = (
  { to, quotedProviderMessageId, options }: Pick<SendOrder, "to" | "quotedProviderMessageId" | "options">,
  sendings: readonly Sending[],
): Json | { refusal: string } => {
  const quoted: string = quotedProviderMessageId ?? "";
  const member = options?.[ONLY_FOR]?.replace(/^uid:/, "") ?? ephemeralOf(quoted)?.memberId;
  if (member === undefined) return {};
  if (!to.startsWith("group:")) return { refusal: "only in a group a message is for one member alone" };
  if (sendings.some(({ method }) => !EPHEMERAL_METHODS.has(method)))
    return { refusal: "the network shows a message of this type to the whole group" };
  const callback = callbackOf(quoted);
  return {
    ephemeral_message_parameters: {
      receiver_user_id: Number(member),
      ...(callback === undefined ? {} : { callback_query_id: callback }),
    },
  };
};

/**
 * The reply to a message; if the message is gone meanwhile, it is sent without the reply:
 * https://core.telegram.org/bots/api#replyparameters. For a business account a reply names no chat.
 */
export const replyTo = (quotedProviderMessageId: ProviderMessageId | undefined): Json => {
  const ephemeral = ephemeralOf(quotedProviderMessageId ?? "");
  if (ephemeral) return { reply_parameters: { ephemeral_message_id: Number(ephemeral.id) } };
  const quoted = quotedProviderMessageId === undefined ? undefined : messageOf(quotedProviderMessageId);
  if (!quoted) return {};
  const { business_connection_id: connection, ...message } = quoted;
  const named = connection === undefined ? message : { message_id: message.message_id };
  return { reply_parameters: { ...named, allow_sending_without_reply: true } };
};
