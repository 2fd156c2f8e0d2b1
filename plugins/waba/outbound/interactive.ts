import type { SendOrder } from "../../../src/contract/plugin.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import { headerFile } from "./files.ts";
import { orderAction, orderStatusAction } from "./orders.ts";

type InteractiveType =
  | "button"
  | "list"
  | "cta_url"
  | "location_request"
  | "address_message"
  | "flow"
  | "phone_number_request"
  | "order_details"
  | "order_status";
type Interactive = Extract<SendOrder, { type: InteractiveType }>;
type ContentOf<Type extends InteractiveType> = Extract<Interactive, { type: Type }>["content"];

/** The question for a number if the client gives none: the network shows no request without a text. */
const PHONE_QUESTION = "Pode nos enviar o seu número de telefone?";

/** The `interactive` object of a message. */
export const interactiveOf = (order: Interactive): Json => {
  const { content } = order;
  const footer = "footer" in content ? content.footer : undefined;
  return {
    ...actionOf(order),
    body: { text: content.text ?? PHONE_QUESTION },
    ...(footer ? { footer: { text: footer } } : {}),
  };
};

const actionOf = (order: Interactive): Json => {
  switch (order.type) {
    case "button":
      return {
        type: "button",
        ...headerOf(order.content),
        action: {
          buttons: order.content.buttons.map(({ id, text }) => ({ type: "reply", reply: { id, title: text } })),
        },
      };
    case "list":
      return { type: "list", ...headerOf(order.content), action: listOf(order.content) };
    case "cta_url":
      return {
        type: "cta_url",
        ...headerOf(order.content),
        action: { name: "cta_url", parameters: { display_text: order.content.buttonText, url: order.content.url } },
      };
    case "phone_number_request":
      return { type: "request_contact_info", action: { name: "request_contact_info" } };
    case "order_details":
      return { type: "order_details", action: orderAction(order.content) };
    case "order_status":
      return { type: "order_status", action: orderStatusAction(order.content) };
    case "location_request":
      return { type: "location_request_message", action: { name: "send_location" } };
    case "address_message":
      return { type: "address_message", action: { name: "address_message", parameters: addressOf(order.content) } };
    case "flow":
      return { type: "flow", action: { name: "flow", parameters: flowOf(order.content, order.messageId) } };
  }
};

const listOf = ({ buttonText, sections }: ContentOf<"list">): Json => ({
  button: buttonText,
  sections: sections.map(({ title, rows }) => ({
    title,
    rows: rows.map((row) => ({
      id: row.id,
      title: row.title,
      ...(row.description ? { description: row.description } : {}),
    })),
  })),
});

/** The schema has checked that each type of header has its fields. */
const headerOf = ({ header }: { header?: NonNullable<ContentOf<"cta_url">["header"]> }): Json => {
  if (!header) return {};
  const { type, text, mediaUrl = "", filename } = header;
  return { header: type === "text" ? { type, text } : headerFile(type, mediaUrl, filename) };
};

/**
 * Names of the parts of an address, as the network documents them for India. For another country, and for other parts,
 * it has no other name.
 */
const INDIAN_NAMES: ReadonlyMap<string, string> = new Map([
  ["postalCode", "in_pin_code"],
  ["phoneNumber", "phone_number"],
  ["houseNumber", "house_number"],
  ["floorNumber", "floor_number"],
  ["towerNumber", "tower_number"],
  ["buildingName", "building_name"],
  ["landmarkArea", "landmark_area"],
]);

const addressOf = ({ country = "BR", values, savedAddresses }: ContentOf<"address_message">): Json => {
  const named = (parts: Record<string, string>): Json =>
    Object.fromEntries(
      Object.entries(parts).map(([name, value]) => [
        (country === "IN" ? INDIAN_NAMES.get(name) : undefined) ?? name,
        value,
      ]),
    );
  return {
    country,
    ...(values ? { values: named(values) } : {}),
    ...(savedAddresses
      ? { saved_addresses: savedAddresses.map(({ id, value }) => ({ id, value: named(value) })) }
      : {}),
  };
};

/**
 * The token comes back with the answer: if the customer chose none, it is our messageId. The customer may name the
 * first screen only for `navigate`.
 */
const flowOf = (flow: ContentOf<"flow">, messageId: string): Json => {
  const { flowAction = "navigate", flowActionPayload: payload } = flow;
  return {
    flow_message_version: "3",
    flow_token: flow.flowToken ?? messageId,
    flow_id: flow.flowId,
    flow_cta: flow.flowCta,
    mode: flow.flowMode ?? "published",
    flow_action: flowAction,
    ...(flowAction === "navigate" && payload
      ? { flow_action_payload: { screen: payload.screen, ...(hasFields(payload.data) ? { data: payload.data } : {}) } }
      : {}),
  };
};

/** The network refuses an object without fields as a screen's data. */
const hasFields = (data: object | undefined): boolean => data !== undefined && Object.keys(data).length > 0;
