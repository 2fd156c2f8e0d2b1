import { type TSchema, Type } from "@sinclair/typebox";
import { AnyText, OneOf } from "../../../../src/kernel/schema.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { buttonsOf, checkButtons } from "./buttons.ts";
import { checkCarousel } from "./carousel.ts";
import { checkBodyExamples, checkHeaderExamples, type Handles } from "./examples.ts";
import { checkedForm } from "./form.ts";
import type { Category, Component, ParameterFormat } from "./model.ts";
import { refused, refusedParameter } from "./refusals.ts";
import { checkLength, checkProse, checkVariables, isPlain, variablesOf } from "./texts.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const text = AnyText(1);
const Any = Type.Record(Type.String(), Type.Unknown());

/** The fields of each component beside `type`. */
const COMPONENTS: Record<string, Record<string, TSchema>> = {
  HEADER: {
    format: OneOf(["TEXT", "IMAGE", "VIDEO", "DOCUMENT", "LOCATION", "PRODUCT"]),
    text: optional(text),
    example: optional(Any),
  },
  BODY: { text: optional(text), example: optional(Any), add_security_recommendation: optional(Type.Boolean()) },
  FOOTER: { text: optional(text), code_expiration_minutes: optional(Type.Integer({ minimum: 1, maximum: 90 })) },
  CALL_PERMISSION_REQUEST: {},
  BUTTONS: { buttons: Type.Array(Any, { minItems: 1 }) },
  LIMITED_TIME_OFFER: { limited_time_offer: Type.Object({ text, has_expiration: optional(Type.Boolean()) }, strict) },
  CAROUSEL: {
    cards: Type.Array(Type.Object({ components: Type.Array(Any, { minItems: 1 }) }, strict), {
      minItems: 1,
      maxItems: 10,
    }),
  },
};

/** The parts of a template. */
export type Draft = { category: Category; parameterFormat: ParameterFormat; components: Component[] };

/**
 * Throws for components that Graph would not take: in form, in length, in their variables and examples, or for the
 * category.
 */
export const checkComponents = (draft: Draft, handles: Handles): void => {
  draft.components.forEach((component, at) => checkForm(component, `components['${at}']`));
  const types = draft.components.map((component) => component.type);
  if (new Set(types).size < types.length) throw refusedParameter("A template can have each component only once.");
  if (!types.includes("BODY")) throw refusedParameter("A template must have a component of type BODY.");
  checkCategory(draft.category, types);
  for (const component of draft.components) checkComponent(component, draft, handles);
};

const checkForm = (component: Component, param: string): void => {
  const fields = COMPONENTS[component.type];
  if (!fields)
    throw refusedParameter(
      `Param ${param}['type'] must be one of {${Object.keys(COMPONENTS).join(", ")}} - got "${component.type}".`,
    );
  checkedForm(Type.Object({ type: Type.Literal(component.type), ...fields }, strict), component, param);
};

const checkCategory = (category: Category, types: string[]): void => {
  if (category === "AUTHENTICATION") {
    if (types.some((type) => !["BODY", "FOOTER", "BUTTONS"].includes(type)))
      throw refusedParameter("An authentication template has a body, a footer and a button, nothing else.");
    if (!types.includes("BUTTONS")) throw refusedParameter("An authentication template has one button, of type OTP.");
  }
  if (category !== "MARKETING" && types.some((type) => type === "CAROUSEL" || type === "LIMITED_TIME_OFFER"))
    throw refusedParameter("Carousels and limited-time offers are for marketing templates.");
};

const checkComponent = (component: Fields, draft: Draft, handles: Handles): void => {
  switch (component["type"]) {
    case "HEADER":
      return checkHeader(component, draft.parameterFormat, handles);
    case "BODY":
      return draft.category === "AUTHENTICATION"
        ? checkPreset(component, "example")
        : checkBody(component, draft.parameterFormat, 1024);
    case "FOOTER":
      return draft.category === "AUTHENTICATION" ? checkPreset(component) : checkFooter(component);
    case "CALL_PERMISSION_REQUEST":
      return undefined;
    case "BUTTONS":
      return checkButtons(buttonsOf(component), draft.category);
    case "LIMITED_TIME_OFFER":
      return checkLength(fieldsOf(component["limited_time_offer"])["text"], 16, "The text of a limited-time offer");
    default:
      return checkCarousel(component, (card) => checkCard(card, draft.parameterFormat, handles));
  }
};

/** The texts of an authentication template are Meta's. */
const checkPreset = (component: Fields, ...more: string[]): void => {
  for (const name of ["text", ...more])
    if (component[name] !== undefined)
      throw refusedParameter(`The ${textOf(component["type"])} of an authentication template takes no ${name}.`);
};

const checkHeader = (component: Fields, format: ParameterFormat, handles: Handles): void => {
  if (component["format"] === "TEXT") {
    const words = textOf(component["text"]);
    if (words === "") throw refusedParameter("A header of format TEXT must have a text.");
    checkLength(words, 60, "A header");
    checkVariables(words, format, "header");
    if (variablesOf(words).length > 1 || !isPlain(words.replaceAll(/\{\{.*?\}\}/g, ""))) throw refused("header");
  } else if (component["text"] !== undefined) throw refused("header", "Only a header of format TEXT has a text.");
  checkHeaderExamples(component, format, handles);
};

const checkBody = (component: Fields, format: ParameterFormat, max: number): void => {
  const words = textOf(component["text"]);
  if (words === "") throw refusedParameter("A body must have a text.");
  if (component["add_security_recommendation"] !== undefined)
    throw refusedParameter("Only an authentication template has add_security_recommendation.");
  checkLength(words, max, "A body");
  checkVariables(words, format, "body");
  checkProse(words);
  checkBodyExamples(component, format);
};

const checkFooter = (component: Fields): void => {
  const words = textOf(component["text"]);
  if (words === "") throw refusedParameter("A footer must have a text.");
  if (component["code_expiration_minutes"] !== undefined)
    throw refusedParameter("Only an authentication template has code_expiration_minutes.");
  checkLength(words, 60, "A footer");
  if (/[\n\r]|\{\{/.test(words)) throw refused("footer");
};

const CARD_BODY_MAX = 160;

/** A card: a picture or video, perhaps a short body, one or two buttons. */
const checkCard = (components: Fields[], format: ParameterFormat, handles: Handles): void => {
  for (const component of components) {
    const type = textOf(component["type"]);
    checkedForm(
      Type.Object({ type: OneOf(["HEADER", "BODY", "BUTTONS"]), ...COMPONENTS[type] }, strict),
      component,
      "cards['components']",
    );
    if (type === "HEADER") checkHeader(component, format, handles);
    if (type === "BODY") checkBody(component, format, CARD_BODY_MAX);
    if (type === "BUTTONS") checkButtons(buttonsOf(component), "MARKETING");
  }
};
