import { type TSchema, Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../../src/kernel/schema.ts";
import { badParameter, GraphError, missing } from "../errors.ts";
import { checkSource } from "../messages/source.ts";
import { checked, type Fields, fieldsOf, textOf } from "../shape.ts";
import type { State } from "../state.ts";
import { checkFit, type Part } from "./fit.ts";
import type { Template } from "./model.ts";
import { findTemplate, hasTemplates } from "./store.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Degrees = Type.Union([Type.Number(), Type.String({ pattern: "^-?\\d{1,3}(\\.\\d+)?$" })]);
const source = { id: optional(Text(1, 64)), link: optional(Text(1, 2048)) };

const Section = Type.Object(
  {
    title: Text(1, 24),
    product_items: Type.Array(Type.Object({ product_retailer_id: Text(1, 100) }, strict), {
      minItems: 1,
      maxItems: 30,
    }),
  },
  strict,
);
const Amount = Type.Object({ value: Type.Integer({ minimum: 0 }), offset: Type.Literal(100) });
const OrderDetails = Type.Object({
  reference_id: Text(1, 35),
  type: OneOf(["digital-goods", "physical-goods"]),
  payment_type: Type.Literal("br"),
  currency: Type.Literal("BRL"),
  total_amount: Amount,
  payment_settings: Type.Array(Type.Object({}), { minItems: 1, maxItems: 3 }),
  order: Type.Object({ items: Type.Array(Type.Object({}), { minItems: 1 }), subtotal: Amount }),
});

/** The fields of each type of parameter under its own name. */
const PARAMETERS: Record<string, TSchema> = {
  text: Text(0, 32_768),
  currency: Type.Object(
    { fallback_value: Text(1, 1000), code: Type.String({ pattern: "^[A-Z]{3}$" }), amount_1000: Type.Integer() },
    strict,
  ),
  date_time: Type.Object({ fallback_value: Text(1, 1000) }),
  image: Type.Object(source, strict),
  video: Type.Object(source, strict),
  document: Type.Object({ ...source, filename: optional(Text(1, 1000)) }, strict),
  location: Type.Object(
    { latitude: Degrees, longitude: Degrees, name: optional(Text(0, 1000)), address: optional(Text(0, 1000)) },
    strict,
  ),
  // https://developers.facebook.com/documentation/business-messaging/whatsapp/catalogs/spm-template-messages/
  product: Type.Object({ product_retailer_id: Text(1, 100), catalog_id: Text(1, 100) }, strict),
  payload: Text(1, 1000),
  coupon_code: Text(1, 20),
  action: Type.Object(
    {
      flow_token: optional(Text(1, 4096)),
      flow_action_data: optional(Type.Object({})),
      thumbnail_product_retailer_id: optional(Text(1, 100)),
      sections: optional(Type.Array(Section, { minItems: 1, maxItems: 10 })),
      order_details: optional(OrderDetails),
    },
    strict,
  ),
  limited_time_offer: Type.Object({ expiration_time_ms: Type.Integer({ minimum: 1 }) }, strict),
};

const Parameter = Type.Object(
  {
    type: OneOf(Object.keys(PARAMETERS)),
    parameter_name: optional(Text(1, 100)),
    ...Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, optional(Type.Unknown())])),
  },
  strict,
);
const index = Type.Union([Type.Integer({ minimum: 0, maximum: 9 }), Type.String({ pattern: "^[0-9]$" })]);
const Card = Type.Object({ card_index: index, components: Type.Array(Type.Object({}), { minItems: 1 }) }, strict);
const Component = Type.Object(
  {
    type: OneOf(["header", "body", "button", "limited_time_offer", "carousel"]),
    sub_type: optional(
      OneOf(["url", "quick_reply", "copy_code", "flow", "voice_call", "catalog", "mpm", "order_details"]),
    ),
    index: optional(index),
    parameters: optional(Type.Array(Parameter)),
    cards: optional(Type.Array(Card, { minItems: 1, maxItems: 10 })),
  },
  strict,
);
const Content = Type.Object(
  {
    name: Text(1, 512),
    language: Type.Object({ code: Text(2, 20), policy: optional(Type.Literal("deterministic")) }, strict),
    components: optional(Type.Array(Type.Unknown())),
  },
  strict,
);

/**
 * The template a send names. Throws Graph's error for its form and, if the account has templates, for its fit. 132001:
 * unknown or not approved. 132015, 132016: paused or disabled. 132000: wrong count. 132012: wrong header or cards. Also
 * 132018, 131008, 132005. An account that never had a template takes every well-formed one; undefined then.
 */
export const templateOf = (state: State, businessAccountId: string, content: unknown): Template | undefined => {
  const { name, language, components = [] } = checked(Content, content, "template");
  const parts = components.map((one, at) => partOf(one, `template['components']['${at}']`));
  const template = findTemplate(state, businessAccountId, name, language.code);
  if (!template && !hasTemplates(state, businessAccountId)) return undefined;
  const unknown = new GraphError(132001, { details: `template name (${name}) does not exist in ${language.code}` });
  if (!template) throw unknown;
  if (template.status === "PAUSED") throw new GraphError(132015, { details: `template (${name}) is paused` });
  if (template.status === "DISABLED") throw new GraphError(132016, { details: `template (${name}) is disabled` });
  if (template.status !== "APPROVED") throw unknown;
  checkFit(template, parts);
  return template;
};

/** A component of a send, if it is well-formed. */
const partOf = (component: unknown, param: string): Part => {
  const {
    type,
    sub_type: subType = "",
    index: place,
    parameters = [],
    cards = [],
  } = checked(Component, component, param);
  if (type === "button" && subType === "") throw missing(`${param}['sub_type']`);
  if (type === "button" && place === undefined) throw missing(`${param}['index']`);
  if (type === "carousel" && cards.length === 0) throw missing(`${param}['cards']`);
  parameters.map(fieldsOf).forEach((one, at) => checkParameter(one, `${param}['parameters']['${at}']`));
  const inOrder = [...cards].sort((a, b) => Number(a.card_index) - Number(b.card_index));
  const parts = inOrder.map((card, at) =>
    card.components.map((one, inner) => partOf(one, `${param}['cards']['${at}']['components']['${inner}']`)),
  );
  return { type, subType, index: Number(place ?? Number.NaN), parameters: parameters.map(fieldsOf), cards: parts };
};

const checkParameter = (parameter: Fields, param: string): void => {
  const type = textOf(parameter["type"]);
  const value = parameter[type];
  if (value === undefined || value === null)
    throw badParameter(`Parameter '${type}' is mandatory for component parameter type '${type}'`);
  const schema = PARAMETERS[type];
  if (schema) checked(schema, value, `${param}['${type}']`);
  if (["image", "video", "document"].includes(type)) checkSource(fieldsOf(value), type);
  if (type !== "text") return;
  if (value === "") throw new GraphError(131008, { details: "Parameter of type text is missing text value" });
  if (/[\n\t]| {5,}/.test(textOf(value)))
    throw new GraphError(132018, {
      details: "Param text cannot have new-line/tab characters or more than 4 consecutive spaces",
    });
};
