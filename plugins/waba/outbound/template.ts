import {
  actionOf,
  type TemplateButton,
  type TemplateCard,
  type TemplateValues,
} from "../../../src/contract/content/template-content.ts";
import type { ButtonAction } from "../../../src/contract/content/template-needs.ts";
import { degreesOf } from "../../../src/contract/content/template-places.ts";
import { DEFAULT_LANGUAGE } from "../../../src/contract/content/templates.ts";
import { parseIso } from "../../../src/kernel/clock.ts";
import type { Json } from "../../../src/kernel/texts/json.ts";
import { sourceOf } from "./files.ts";
import { orderParameters } from "./orders.ts";

/**
 * The object of a template send: the values for its header, its body, its offer, its buttons and its cards, each only
 * if it is given. `messageId`: the token of a flow without one, as of a flow message.
 */
export const templateOf = (content: TemplateValues, messageId: string): Json => {
  const { name, language = DEFAULT_LANGUAGE, expiresAt, cards = [] } = content;
  const components: Json[] = [
    ...headerOf(content),
    ...bodyOf(content),
    ...(expiresAt === undefined ? [] : [offerOf(expiresAt)]),
    ...buttonsOf(content, messageId),
    ...(cards.length === 0 ? [] : [{ type: "carousel", cards: cards.map((card, at) => cardOf(card, at, messageId)) }]),
  ];
  return {
    name,
    language: { code: language, policy: "deterministic" },
    ...(components.length > 0 ? { components } : {}),
  };
};

const headerOf = ({ headerText, headerName, headerLocation, ...part }: TemplateValues): Json[] => {
  const named = headerName === undefined ? {} : { parameter_name: headerName };
  return headerWith([
    ...shownIn(part),
    ...(headerText === undefined ? [] : [{ type: "text", ...named, text: headerText }]),
    ...(headerLocation ? [{ type: "location", location: placeOf(headerLocation) }] : []),
  ]);
};

/** A header has one parameter. */
const headerWith = ([parameter]: readonly Json[]): Json[] =>
  parameter ? [{ type: "header", parameters: [parameter] }] : [];

/** The file or the product in the header of a template or of a card. */
const shownIn = ({ headerMedia, headerProduct }: TemplateCard): Json[] => [
  ...(headerMedia ? [fileOf(headerMedia)] : []),
  ...(headerProduct ? [{ type: "product", product: productOf(headerProduct) }] : []),
];

const productOf = ({ productId, catalogId }: NonNullable<TemplateCard["headerProduct"]>): Json => ({
  product_retailer_id: productId,
  catalog_id: catalogId,
});

/** Only a document shows its name. */
const fileOf = ({ type, url, filename, mediaHandle }: NonNullable<TemplateCard["headerMedia"]>): Json => ({
  type,
  [type]: {
    ...sourceOf({
      ...(url === undefined ? {} : { mediaUrl: url }),
      ...(mediaHandle === undefined ? {} : { mediaHandle }),
    }),
    ...(type === "document" && filename ? { filename } : {}),
  },
});

const placeOf = ({ latitude, longitude, ...names }: NonNullable<TemplateValues["headerLocation"]>): Json => ({
  latitude: degreesOf(latitude),
  longitude: degreesOf(longitude),
  ...names,
});

const bodyOf = ({ variables = [], namedVariables = {} }: TemplateCard): Json[] => {
  const values: Json[] = [
    ...variables.map((text) => ({ type: "text", text })),
    ...Object.entries(namedVariables).map(([name, text]) => ({ type: "text", parameter_name: name, text })),
  ];
  return values.length > 0 ? [{ type: "body", parameters: values }] : [];
};

const offerOf = (expiresAt: string): Json => ({
  type: "limited_time_offer",
  parameters: [{ type: "limited_time_offer", limited_time_offer: { expiration_time_ms: parseIso(expiresAt) } }],
});

const cardOf = (card: TemplateCard, at: number, messageId: string): Json => ({
  card_index: at,
  components: [...headerWith(shownIn(card)), ...bodyOf(card), ...buttonsOf(card, messageId)],
});

const buttonsOf = ({ buttons = [] }: TemplateCard, messageId: string): Json[] =>
  buttons.map((button) => {
    const action = actionOf(button);
    return {
      type: "button",
      sub_type: action,
      index: String(button.index ?? 0),
      parameters: PARAMETERS[action](button, messageId),
    };
  });

/** Customers send texts, and the button decides the parameter that they become. Values pass through unchanged. */
const each =
  (parameter: (value: string) => Json) =>
  ({ parameters = [] }: TemplateButton): Json[] =>
    parameters.map(parameter);

const actionWith = (action: Json): Json[] => [{ type: "action", action }];
const thumbnailOf = ({ thumbnailProductId: id }: TemplateButton): Json =>
  id === undefined ? {} : { thumbnail_product_retailer_id: id };

const PARAMETERS: Record<ButtonAction, (button: TemplateButton, messageId: string) => Json[]> = {
  url: each((text) => ({ type: "text", text })),
  copy_code: each((code) => ({ type: "coupon_code", coupon_code: code })),
  quick_reply: each((payload) => ({ type: "payload", payload })),
  voice_call: each((payload) => ({ type: "payload", payload })),
  flow: ({ flowToken, flowData = {} }, messageId) =>
    actionWith({
      flow_token: flowToken ?? messageId,
      // the network refuses an object without fields
      ...(Object.keys(flowData).length > 0 ? { flow_action_data: flowData } : {}),
    }),
  catalog: (button) => actionWith(thumbnailOf(button)),
  mpm: (button) =>
    actionWith({
      ...thumbnailOf(button),
      sections: (button.sections ?? []).map(({ title, productIds }) => ({
        title,
        product_items: productIds.map((id) => ({ product_retailer_id: id })),
      })),
    }),
  order_details: ({ order }) => actionWith(order ? { order_details: orderParameters(order) } : {}),
};
