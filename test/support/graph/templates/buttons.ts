import { type TSchema, Type } from "@sinclair/typebox";
import { AnyText, OneOf } from "../../../../src/kernel/schema.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { checkedForm } from "./form.ts";
import type { Category } from "./model.ts";
import { refused, refusedParameter } from "./refusals.ts";
import { checkLength, isPlain, variablesOf } from "./texts.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const text = AnyText(1);

const App = Type.Object(
  { package_name: AnyText(1), signature_hash: Type.String({ pattern: "^[A-Za-z0-9+/=]{11}$" }) },
  strict,
);

/** Each type's fields beside `type`, and how many of it a template may have. */
const BUTTONS: Record<string, { fields: Record<string, TSchema>; max: number }> = {
  QUICK_REPLY: { fields: { text }, max: 10 },
  URL: {
    fields: {
      text,
      url: Type.String({ pattern: "^https?://." }),
      example: optional(Type.Array(AnyText(1), { minItems: 1, maxItems: 1 })),
    },
    max: 2,
  },
  PHONE_NUMBER: { fields: { text, phone_number: Type.String({ pattern: "^\\+?[0-9 ()-]{3,}$" }) }, max: 1 },
  COPY_CODE: { fields: { text: optional(text), example: optional(AnyText(1)) }, max: 1 },
  FLOW: {
    fields: {
      text,
      flow_id: optional(AnyText(1)),
      flow_name: optional(AnyText(1)),
      flow_json: optional(AnyText(1)),
      flow_action: optional(OneOf(["navigate", "data_exchange"])),
      navigate_screen: optional(AnyText(1)),
    },
    max: 1,
  },
  VOICE_CALL: { fields: { text, ttl_minutes: optional(Type.Integer({ minimum: 1, maximum: 43_200 })) }, max: 1 },
  CATALOG: { fields: { text }, max: 1 },
  REQUEST_CONTACT_INFO: { fields: { text: optional(text) }, max: 1 },
  ORDER_DETAILS: { fields: { text }, max: 1 },
  PAYMENT_REQUEST: { fields: { text }, max: 3 },
  MPM: { fields: { text }, max: 1 },
  SPM: { fields: { text }, max: 1 },
  OTP: {
    fields: {
      otp_type: OneOf(["COPY_CODE", "ONE_TAP", "ZERO_TAP"]),
      text: optional(text),
      autofill_text: optional(text),
      supported_apps: optional(Type.Array(App, { minItems: 1, maxItems: 5 })),
      zero_tap_terms_accepted: optional(Type.Boolean()),
    },
    max: 1,
  },
};

const BUTTONS_MAX = 10;

/** Throws for buttons that Graph would not take: their forms, their texts, their numbers and their order. */
export const checkButtons = (buttons: Fields[], category: Category): void => {
  if (buttons.length > BUTTONS_MAX) throw refusedParameter(`A template can have at most ${BUTTONS_MAX} buttons.`);
  buttons.forEach((button, at) => checkButton(button, `buttons['${at}']`));
  const types = buttons.map((button) => textOf(button["type"]));
  for (const [type, { max }] of Object.entries(BUTTONS))
    if (types.filter((one) => one === type).length > max)
      throw refusedParameter(`A template can have at most ${max} buttons of type ${type}.`);
  if (types.includes("OTP") !== (category === "AUTHENTICATION") || (types.includes("OTP") && types.length > 1))
    throw refusedParameter("An authentication template has one button, of type OTP, which no other category has.");
  const groups = types.filter((type, at) => (type === "QUICK_REPLY") !== (types[at - 1] === "QUICK_REPLY") || at === 0);
  if (groups.length > 2)
    throw refusedParameter("Quick reply buttons and other buttons must form two groups: invalid combination.");
};

const checkButton = (button: Fields, param: string): void => {
  const type = textOf(button["type"]);
  const kind = BUTTONS[type];
  if (!kind)
    throw refusedParameter(
      `Param ${param}['type'] must be one of {${Object.keys(BUTTONS).join(", ")}} - got "${type}".`,
    );
  checkedForm(Type.Object({ type: Type.Literal(type), ...kind.fields }, strict), button, param);
  const label = textOf(button["text"]);
  checkLength(label, 25, "The text of a button");
  if (!isPlain(label) || variablesOf(label).length > 0) throw refused("button");
  checkKind(type, button);
};

const checkKind = (type: string, button: Fields): void => {
  if (type === "URL") return checkUrl(button);
  if (type === "PHONE_NUMBER") return checkLength(button["phone_number"], 20, "The number of a button");
  if (type === "COPY_CODE") return checkCode(button["example"]);
  const flows = ["flow_id", "flow_name", "flow_json"].filter((name) => button[name] !== undefined);
  if (type === "FLOW" && flows.length !== 1)
    throw refusedParameter("A flow button names exactly one of flow_id, flow_name and flow_json.");
  if (type !== "OTP" || button["otp_type"] === "COPY_CODE") return;
  if (button["supported_apps"] === undefined)
    throw refusedParameter("A one-tap or zero-tap button names its supported_apps.");
  if (button["otp_type"] === "ZERO_TAP" && button["zero_tap_terms_accepted"] !== true)
    throw refusedParameter("A zero-tap button needs zero_tap_terms_accepted.");
};

/** A URL has at most one variable, at its end, and then an example. */
const checkUrl = ({ url, example }: Fields): void => {
  checkLength(url, 2000, "The URL of a button");
  const variables = variablesOf(url);
  if (variables.length > 1 || (variables.length === 1 && !textOf(url).endsWith("}}")))
    throw refused("button", "The URL of a button can have one variable, at its end.");
  if (variables.length === 1 && example === undefined)
    throw refused("noExample", "component of type BUTTONS is missing expected field(s) (example)");
};

const checkCode = (example: unknown): void => {
  if (example === undefined)
    throw refused("noExample", "component of type BUTTONS is missing expected field(s) (example)");
  checkLength(example, 20, "The code of a button");
};

/** The buttons of a BUTTONS component. */
export const buttonsOf = (component: Fields): Fields[] =>
  Array.isArray(component["buttons"]) ? component["buttons"].map(fieldsOf) : [];
