import { codePoints } from "../../../../src/kernel/schema.ts";
import { badParameter, badValue, GraphError } from "../errors.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { buttonsOf } from "./buttons.ts";
import { cardsOf } from "./carousel.ts";
import type { Template } from "./model.ts";
import { variablesOf } from "./texts.ts";

/** A component of a send: its values. `cards`: the cards of a carousel. */
export type Part = { type: string; subType: string; index: number; parameters: Fields[]; cards: Part[][] };

/** The template of a send, or a card of the template. */
type Frame = Pick<Template, "category" | "parameterFormat"> & { components: readonly Fields[] };

/** Throws if the parts of a send do not fit the template. */
export const checkFit = (frame: Frame, parts: Part[]): void => {
  checkTexts(frame, parts, "body");
  checkHeader(frame, parts);
  checkButtons(frame, parts);
  checkOffer(frame, parts);
  checkCards(frame, parts);
};

const componentOf = ({ components }: Frame, type: string): Fields =>
  fieldsOf(components.find((one) => textOf(one["type"]).toUpperCase() === type));
const parametersOf = (parts: Part[], type: string): Fields[] =>
  parts.find((one) => one.type === type)?.parameters ?? [];

const TEXT_MAX = { body: 1024, header: 60 };

const checkTexts = (frame: Frame, parts: Part[], type: "body" | "header"): void => {
  const component = componentOf(frame, type.toUpperCase());
  const isCode = type === "body" && frame.category === "AUTHENTICATION" && component["text"] === undefined;
  const variables = isCode ? ["1"] : variablesOf(component["text"]);
  const parameters = parametersOf(parts, type);
  if (parameters.length !== variables.length) {
    throw new GraphError(132000, {
      details: `${type}: number of localizable_params (${parameters.length}) does not match the expected number of params (${variables.length})`,
    });
  }
  checkNames(frame, variables, parameters);
  if (hydratedLength(textOf(component["text"]), variables, parameters) > TEXT_MAX[type])
    throw new GraphError(132005, {
      details: `Translated text too long: ${type} has more than ${TEXT_MAX[type]} characters`,
    });
};

const checkNames = ({ parameterFormat }: Frame, variables: string[], parameters: Fields[]): void => {
  const names = parameters.map((one) => one["parameter_name"]);
  if (parameterFormat === "POSITIONAL" && names.some((name) => name !== undefined))
    throw new GraphError(132018, { details: "Parameter names are not allowed in a positional template" });
  if (parameterFormat === "POSITIONAL") return;
  if (names.some((name) => name === undefined)) throw badParameter("Parameter name is missing or empty");
  const unknown = names.find((name) => !variables.includes(textOf(name)));
  if (unknown !== undefined) throw badParameter(`Parameter name ${textOf(unknown)} does not exist in the template`);
};

const hydratedLength = (text: string, variables: string[], parameters: Fields[]): number =>
  codePoints(
    variables.reduce((filled, name, at) => {
      const value = parameters.find((one) => one["parameter_name"] === name) ?? parameters[at];
      return filled.replaceAll(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, "g"), () => textOf(value?.["text"]));
    }, text),
  );

const checkHeader = (frame: Frame, parts: Part[]): void => {
  const format = (textOf(componentOf(frame, "HEADER")["format"]) || "TEXT").toUpperCase();
  if (format === "TEXT") return checkTexts(frame, parts, "header");
  const received = parametersOf(parts, "header").map((one) => String(one["type"]).toUpperCase());
  if (received.length !== 1 || received[0] !== format)
    throw new GraphError(132012, {
      details: `header: Format mismatch, expected ${format}, received ${received[0] ?? "UNKNOWN"}`,
    });
};

/** The name of each kind of button in a send, and its parameter. */
const BUTTONS: Record<string, { subType: string; label: string; parameter: string }> = {
  URL: { subType: "url", label: "Url", parameter: "text" },
  OTP: { subType: "url", label: "Url", parameter: "text" },
  QUICK_REPLY: { subType: "quick_reply", label: "QuickReply", parameter: "payload" },
  COPY_CODE: { subType: "copy_code", label: "CopyCode", parameter: "coupon_code" },
  FLOW: { subType: "flow", label: "Flow", parameter: "action" },
  VOICE_CALL: { subType: "voice_call", label: "VoiceCall", parameter: "payload" },
  CATALOG: { subType: "catalog", label: "Catalog", parameter: "action" },
  MPM: { subType: "mpm", label: "Mpm", parameter: "action" },
  ORDER_DETAILS: { subType: "order_details", label: "OrderDetails", parameter: "action" },
};

const checkButtons = (frame: Frame, parts: Part[]): void => {
  const buttons = buttonsOf(componentOf(frame, "BUTTONS"));
  const given = parts.filter((one) => one.type === "button");
  for (const part of given) checkButton(buttons[part.index], part);
  buttons.forEach((button, index) => {
    if (given.some((part) => part.index === index)) return;
    if (button["type"] === "FLOW") throw badValue(`buttons: Button at index ${index} of type Flow is not named`);
    if (!needsParameter(button)) return;
    const label = BUTTONS[String(button["type"])]?.label;
    throw new GraphError(131008, {
      details: `buttons: Button at index ${index} of type ${label} requires a parameter`,
    });
  });
};

const ALWAYS = new Set<unknown>(["OTP", "COPY_CODE", "MPM", "ORDER_DETAILS"]);

const needsParameter = ({ type, url }: Fields): boolean =>
  ALWAYS.has(type) || (type === "URL" && variablesOf(url).length > 0);

/** The part of the action that a button cannot do without. */
const ACTIONS: Record<string, string> = { MPM: "sections", ORDER_DETAILS: "order_details" };

const checkButton = (button: Fields | undefined, part: Part): void => {
  const kind = BUTTONS[String(button?.["type"])];
  if (!button || !kind)
    throw new GraphError(132018, { details: `buttons: Button at index ${part.index} does not exist in the template` });
  if (part.subType !== kind.subType)
    throw new GraphError(132018, { details: `buttons: Button at index ${part.index} must be of type ${kind.label}` });
  if (button["type"] === "URL" && !needsParameter(button))
    throw new GraphError(132018, { details: `buttons: Button at index ${part.index} takes no parameter` });
  const [parameter] = part.parameters;
  if (part.parameters.length !== 1 || parameter?.["type"] !== kind.parameter) {
    throw new GraphError(132018, {
      details: `buttons: Button at index ${part.index} takes one parameter of type ${kind.parameter}`,
    });
  }
  const action = ACTIONS[String(button["type"])];
  if (action !== undefined && fieldsOf(parameter["action"])[action] === undefined)
    throw new GraphError(131008, { details: `buttons: Button at index ${part.index} is missing action.${action}` });
};

/** An offer that expires needs the moment. */
const checkOffer = (frame: Frame, parts: Part[]): void => {
  const offer = fieldsOf(componentOf(frame, "LIMITED_TIME_OFFER")["limited_time_offer"]);
  const received = parametersOf(parts, "limited_time_offer").length;
  const expected = offer["has_expiration"] === true ? 1 : 0;
  if (received !== expected)
    throw new GraphError(132012, {
      details: `limited_time_offer: expected ${expected} parameters, received ${received}`,
    });
};

/** Every card of the template is filled in, by its place. */
const checkCards = (frame: Frame, parts: Part[]): void => {
  const cards = cardsOf(componentOf(frame, "CAROUSEL"));
  const given = parts.find((one) => one.type === "carousel")?.cards ?? [];
  if (given.length !== cards.length)
    throw new GraphError(132012, { details: `carousel: expected ${cards.length} cards, received ${given.length}` });
  cards.forEach((components, at) => checkFit({ ...frame, components }, given[at] ?? []));
};
