import type { GroupOrder } from "../../src/contract/abilities/groups.ts";
import type { Operation, OperationOutcome } from "../../src/contract/abilities/operations.ts";
import { isVoiceNote } from "../../src/contract/content/content.ts";
import { isKnown, type ProviderMessageId } from "../../src/contract/events.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import type { GraphResult } from "../meta/graph.ts";
import { textOf } from "../meta/json.ts";
import { recipientOf } from "./address.ts";
import { failureOf, isFormatRefused } from "./errors.ts";
import { identityOf, numberFrom, userIdFrom } from "./inbound/people.ts";
import { sourceOf } from "./outbound/files.ts";
import { interactiveOf } from "./outbound/interactive.ts";
import { templateOf } from "./outbound/template.ts";

type ContentOf<Type extends SendOrder["type"]> = Extract<SendOrder, { type: Type }>["content"];

/**
 * The body of `POST /{phone-number-id}/messages`. It contains our messageId, which comes back in every status of the
 * message.
 */
export const messageBody = (order: SendOrder): Json => {
  const [type, payload] = payloadOf(order);
  return {
    messaging_product: "whatsapp",
    ...recipientOf(order.to),
    type,
    [type]: payload,
    ...(order.quotedProviderMessageId === undefined ? {} : { context: { message_id: order.quotedProviderMessageId } }),
    biz_opaque_callback_data: order.messageId,
  };
};

/** The same for a message to a group, whose payload is the network's own. */
export const groupMessageBody = ({ to, type, payload, messageId }: GroupOrder): Json => ({
  messaging_product: "whatsapp",
  ...recipientOf(to),
  type,
  [type]: payload,
  biz_opaque_callback_data: messageId,
});

/** The network's name of the type, and its value. */
const payloadOf = (order: SendOrder): [type: string, payload: unknown] => {
  switch (order.type) {
    case "text":
      return ["text", { body: order.content.text, preview_url: false }];
    case "image":
    case "video":
      return [order.type, captioned(order.content)];
    case "audio":
      return ["audio", { ...sourceOf(order.content), ...(order.content.ptt ? { voice: true } : {}) }];
    case "document":
      return [
        "document",
        { ...captioned(order.content), ...(order.content.filename ? { filename: order.content.filename } : {}) },
      ];
    case "sticker":
      return ["sticker", sourceOf(order.content)];
    case "location":
      return ["location", placeOf(order.content)];
    case "contact":
      return ["contacts", order.content.contacts.map(cardOf)];
    case "template":
      return ["template", templateOf(order.content, order.messageId)];
    case "button":
    case "list":
    case "cta_url":
    case "location_request":
    case "address_message":
    case "flow":
    case "phone_number_request":
    case "order_details":
    case "order_status":
      return ["interactive", interactiveOf(order)];
    case "poll":
    case "event":
    case "copy_code":
    case "carousel":
    case "phone_number_share":
    case "rich_text":
      throw new Error(`the network has no ${order.type} messages`); // its capabilities exclude them
    case "call_permission_request":
      return ["interactive", { type: order.type, action: { name: order.type } }];
  }
};

const captioned = (content: ContentOf<"image">): Json => ({
  ...sourceOf(content),
  ...(content.caption ? { caption: content.caption } : {}),
});

const placeOf = ({ latitude, longitude, name, address }: ContentOf<"location">): Json => ({
  latitude,
  longitude,
  ...(name ? { name } : {}),
  ...(address ? { address } : {}),
});

/** The network requires one part of the name beside the whole name. It is unknown which part a single name is. */
const cardOf = ({ name, phone, email }: ContentOf<"contact">["contacts"][number]): Json => ({
  name: { formatted_name: name, first_name: name },
  phones: [{ phone }],
  ...(email === undefined ? {} : { emails: [{ email }] }),
});

/** The network's refusal of Direct Send for a business that may not use it. */
const NOT_GRANTED = 100;

/** Whether the message goes out as a utility message without a template. */
export const isDirectSend = ({ content }: SendOrder): boolean => "tag" in content && content.tag === "UTILITY";

/** The meaning of the answer to a send. */
export const outcomeOf = (order: SendOrder, result: GraphResult): SendOutcome => {
  const outcome = sendOutcomeOf(result);
  if (!outcome.ok && isDirectSend(order) && outcome.upstreamCode === NOT_GRANTED)
    return {
      ok: false,
      kind: "refused",
      code: "UPSTREAM_BAD_REQUEST",
      reason: outcome.reason,
      upstreamCode: NOT_GRANTED,
    };
  return !outcome.ok && isVoiceNote(order) && isFormatRefused(outcome.upstreamCode, outcome.reason)
    ? { ...outcome, code: "INVALID_PTT_FORMAT" }
    : outcome;
};

/**
 * The outcome of any send. A success without an id is final: the network accepted the message, so a repeat could double
 * it.
 */
export const sendOutcomeOf = (result: GraphResult): SendOutcome => {
  if (!result.ok) return failureOf(result.fault);
  const key = textOf(recordOf(listOf(result.json["messages"])[0])["id"]);
  const recipient = textOf(recordOf(listOf(result.json["contacts"])[0])["wa_id"]);
  if (key === undefined)
    return {
      ok: false,
      kind: "refused",
      code: "UPSTREAM_NO_ID",
      reason: "the network accepted the message without an id",
    };
  const bsuid = userIdFrom(recordOf(listOf(result.json["contacts"])[0])["user_id"]);
  const identity = identityOf({ pn: numberFrom(recipient), bsuid });
  return {
    ok: true,
    key: key as ProviderMessageId,
    ...(recipient === undefined ? {} : { recipient }),
    ...(isKnown(identity) ? { identity } : {}),
  };
};

const PRODUCT = { messaging_product: "whatsapp" };

/**
 * The body for an operation, to be posted like a message; undefined if the network has no call for it. Typing also
 * marks the message as read.
 */
export const operationBody = (operation: Operation): Json | undefined => {
  const { key, chat } = operation;
  switch (operation.name) {
    case "react":
      return {
        ...PRODUCT,
        ...recipientOf(chat),
        type: "reaction",
        reaction: { message_id: key, emoji: operation.emoji },
      };
    case "read":
      return { ...PRODUCT, status: "read", message_id: key };
    case "typing":
      return { ...PRODUCT, status: "read", message_id: key, typing_indicator: { type: "text" } };
    case "edit":
    case "delete":
    case "played":
    case "pin":
    case "keep":
    case "vote":
    case "respond":
    case "star":
    case "label":
    case "delete-for-me":
      return undefined;
  }
};

export const operationOutcomeOf = (result: GraphResult): OperationOutcome =>
  result.ok ? { ok: true } : failureOf(result.fault);
