import type { NativeKey } from "../../src/contract/events.ts";
import type { Operation, OperationOutcome } from "../../src/contract/operations.ts";
import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { SendOrder } from "../../src/contract/plugin.ts";
import { recipientOf } from "./address.ts";
import { failureOf } from "./errors.ts";
import type { GraphResult } from "./graph.ts";
import { type Json, listOf, recordOf, textOf } from "./json.ts";

type Template = Extract<SendOrder, { type: "template" }>["content"];
type TemplateButton = NonNullable<Template["buttons"]>[number];

const DEFAULT_LANGUAGE = "pt_BR";

/** The body of `POST /{phone-number-id}/messages`. Our messageId travels along and comes back in every status of the message. */
export const messageBody = (order: SendOrder): Json => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  ...recipientOf(order.to),
  type: order.type,
  [order.type]: payloadOf(order),
  ...(order.quotedKey === undefined ? {} : { context: { message_id: order.quotedKey } }),
  biz_opaque_callback_data: order.messageId,
});

const payloadOf = (order: SendOrder): Json => {
  switch (order.type) {
    case "text":
      return { body: order.content.text, preview_url: false };
    case "image":
    case "document":
      return mediaOf(order.content);
    case "template":
      return templateOf(order.content);
  }
};

/** The network fetches a link itself; a handle is the id of an earlier upload. It reads the type from the file. */
const mediaOf = (media: { mediaUrl?: string; mediaHandle?: string; caption?: string; filename?: string }): Json => ({
  ...(media.mediaHandle === undefined ? { link: media.mediaUrl } : { id: media.mediaHandle }),
  ...(media.caption ? { caption: media.caption } : {}),
  ...(media.filename ? { filename: media.filename } : {}),
});

const templateOf = ({ name, language = DEFAULT_LANGUAGE, headerMedia, variables = [], buttons = [] }: Template): Json => {
  const components: Json[] = [
    ...(headerMedia ? [{ type: "header", parameters: [{ type: headerMedia.type, [headerMedia.type]: { link: headerMedia.url } }] }] : []),
    ...(variables.length > 0 ? [{ type: "body", parameters: variables.map((text) => ({ type: "text", text })) }] : []),
    ...buttons.map(buttonOf),
  ];
  return { name, language: { code: language, policy: "deterministic" }, ...(components.length > 0 ? { components } : {}) };
};

/** Customers send strings; which parameter they become depends on the button. Values pass through unchanged. */
const buttonOf = ({ subType = "url", index = 0, parameters }: TemplateButton): Json => ({
  type: "button",
  sub_type: subType,
  index: String(index),
  parameters: parameters.map((value) => PARAMETER[subType](value)),
});

const PARAMETER = {
  url: (text: string): Json => ({ type: "text", text }),
  copy_code: (code: string): Json => ({ type: "coupon_code", coupon_code: code }),
  quick_reply: (payload: string): Json => ({ type: "payload", payload }),
};

/** What the answer to a send means. A success without an id is final: the network took something, so a repeat could double it. */
export const outcomeOf = (result: GraphResult): SendOutcome => {
  if (!result.ok) return failureOf(result.fault);
  const key = textOf(recordOf(listOf(result.json["messages"])[0])["id"]);
  const recipient = textOf(recordOf(listOf(result.json["contacts"])[0])["wa_id"]);
  if (key === undefined) return { ok: false, kind: "refused", code: "UPSTREAM_NO_ID", reason: "the network accepted the message without an id" };
  return { ok: true, key: key as NativeKey, ...(recipient === undefined ? {} : { recipient }) };
};

const PRODUCT = { messaging_product: "whatsapp" };

/** The body for an operation, to be posted like a message; undefined where the network has no call for it. Typing also marks the message as read. */
export const operationBody = (operation: Operation): Json | undefined => {
  const { key, chat } = operation;
  switch (operation.name) {
    case "react":
      return { ...PRODUCT, recipient_type: "individual", ...recipientOf(chat), type: "reaction", reaction: { message_id: key, emoji: operation.emoji } };
    case "read":
      return { ...PRODUCT, status: "read", message_id: key };
    case "typing":
      return { ...PRODUCT, status: "read", message_id: key, typing_indicator: { type: "text" } };
    case "edit":
    case "delete":
      return undefined;
  }
};

export const operationOutcomeOf = (result: GraphResult): OperationOutcome => (result.ok ? { ok: true } : failureOf(result.fault));
