import { Type } from "@sinclair/typebox";
import { OneOf, Text } from "../../../src/kernel/schema.ts";
import { badParameter, GraphError, missing } from "./errors.ts";
import type { TemplateSeed } from "./seeds.ts";
import { checked, type Fields, fieldsOf, textOf } from "./shape.ts";
import { checkSource } from "./source.ts";
import { type State, templateKey } from "./state.ts";

const strict = { additionalProperties: false } as const;
const optional = Type.Optional;
const Loose = optional(Type.Object({}));

const Parameter = Type.Object(
  {
    type: OneOf(["text", "currency", "date_time", "image", "video", "document", "location", "payload", "coupon_code", "action", "limited_time_offer"]),
    parameter_name: optional(Text(1, 100)),
    text: optional(Text(0, 32_768)),
    payload: optional(Text(1, 1000)),
    coupon_code: optional(Text(1, 20)),
    currency: Loose,
    date_time: Loose,
    image: Loose,
    video: Loose,
    document: Loose,
    location: Loose,
    action: Loose,
    limited_time_offer: Loose,
  },
  strict,
);
const Component = Type.Object(
  {
    type: OneOf(["header", "body", "button", "limited_time_offer", "carousel"]),
    sub_type: optional(OneOf(["url", "quick_reply", "copy_code", "flow", "voice_call", "catalog", "mpm"])),
    index: optional(Type.Union([Type.Integer({ minimum: 0, maximum: 9 }), Type.String({ pattern: "^[0-9]$" })])),
    parameters: optional(Type.Array(Parameter)),
    cards: optional(Type.Array(Type.Object({}), { maxItems: 10 })),
  },
  strict,
);
const Template = Type.Object(
  {
    name: Text(1, 512),
    language: Type.Object({ code: Text(2, 20), policy: optional(Type.Literal("deterministic")) }, strict),
    components: optional(Type.Array(Component)),
  },
  strict,
);

type Part = { type: string; subType: string; index: number; parameters: Fields[] };

/**
 * The template a send names. Throws what Graph would say of its form and, where the account has templates, of its fit:
 * 132001 unknown, 132015/132016 paused or disabled, 132000 wrong count, 132012 wrong header, 132018, 131008, 132005.
 * An account without any template takes every well-formed one; undefined then.
 */
export const templateOf = (state: State, businessAccountId: string, content: unknown): TemplateSeed | undefined => {
  const { name, language, components = [] } = checked(Template, content, "template");
  const parts = components.map((one) => ({
    type: one.type,
    subType: one.sub_type ?? "",
    index: Number(one.index ?? Number.NaN),
    parameters: (one.parameters ?? []).map(fieldsOf),
  }));
  parts.forEach(checkPart);
  const template = state.templates.get(templateKey(businessAccountId, name, language.code));
  if (template) checkFit(template, parts);
  if (!template && hasTemplates(state, businessAccountId)) throw new GraphError(132001, { details: `template name (${name}) does not exist in ${language.code}` });
  return template;
};

const hasTemplates = (state: State, businessAccountId: string): boolean => {
  for (const one of state.templates.values()) if (one.businessAccountId === businessAccountId) return true;
  return false;
};

const checkPart = (part: Part): void => {
  if (part.type === "button" && part.subType === "") throw missing("template['components']['sub_type']");
  if (part.type === "button" && Number.isNaN(part.index)) throw missing("template['components']['index']");
  part.parameters.forEach(checkParameter);
};

const checkParameter = (parameter: Fields): void => {
  const type = String(parameter["type"]);
  const value = parameter[type];
  if (value === undefined || value === null) throw badParameter(`Parameter '${type}' is mandatory for component parameter type '${type}'`);
  if (["image", "video", "document"].includes(type)) checkSource(fieldsOf(value), type);
  if (type !== "text") return;
  if (value === "") throw new GraphError(131008, { details: "Parameter of type text is missing text value" });
  if (/[\n\t]| {5,}/.test(textOf(value))) throw new GraphError(132018, { details: "Param text cannot have new-line/tab characters or more than 4 consecutive spaces" });
};

const checkFit = (template: TemplateSeed, parts: Part[]): void => {
  const { name, language, status = "APPROVED" } = template;
  if (status === "PAUSED") throw new GraphError(132015, { details: `template (${name}) is paused` });
  if (status === "DISABLED") throw new GraphError(132016, { details: `template (${name}) is disabled` });
  if (status !== "APPROVED") throw new GraphError(132001, { details: `template name (${name}) does not exist in ${language}` });
  checkTexts(template, parts, "body");
  checkHeader(template, parts);
  checkButtons(template, parts);
};

const componentOf = (template: TemplateSeed, type: string): Fields => fieldsOf(template.components.find((one) => one.type.toUpperCase() === type));
const parametersOf = (parts: Part[], type: string): Fields[] => parts.find((one) => one.type === type)?.parameters ?? [];

/** The names or numbers of a text's variables, each once. */
const variablesOf = (text: unknown): string[] => [...new Set([...textOf(text).matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = ""]) => name))];

const checkTexts = (template: TemplateSeed, parts: Part[], type: "body" | "header"): void => {
  const component = componentOf(template, type.toUpperCase());
  const isCode = type === "body" && template.category === "AUTHENTICATION" && component["text"] === undefined;
  const variables = isCode ? ["1"] : variablesOf(component["text"]);
  const parameters = parametersOf(parts, type);
  if (parameters.length !== variables.length) {
    throw new GraphError(132000, { details: `${type}: number of localizable_params (${parameters.length}) does not match the expected number of params (${variables.length})` });
  }
  checkNames(template, variables, parameters);
  if (hydratedLength(textOf(component["text"]), variables, parameters) > 1024)
    throw new GraphError(132005, { details: `Translated text too long: ${type} has more than 1024 characters` });
};

const checkNames = ({ parameterFormat = "POSITIONAL" }: TemplateSeed, variables: string[], parameters: Fields[]): void => {
  const names = parameters.map((one) => one["parameter_name"]);
  if (parameterFormat === "POSITIONAL" && names.some((name) => name !== undefined))
    throw new GraphError(132018, { details: "Parameter names are not allowed in a positional template" });
  if (parameterFormat === "POSITIONAL") return;
  if (names.some((name) => name === undefined)) throw badParameter("Parameter name is missing or empty");
  const stray = names.find((name) => !variables.includes(textOf(name)));
  if (stray !== undefined) throw badParameter(`Parameter name ${textOf(stray)} does not exist in the template`);
};

const hydratedLength = (text: string, variables: string[], parameters: Fields[]): number =>
  variables.reduce((filled, name, at) => {
    const value = parameters.find((one) => one["parameter_name"] === name) ?? parameters[at];
    return filled.replaceAll(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, "g"), () => textOf(value?.["text"]));
  }, text).length;

const checkHeader = (template: TemplateSeed, parts: Part[]): void => {
  const format = (textOf(componentOf(template, "HEADER")["format"]) || "TEXT").toUpperCase();
  if (format === "TEXT") return checkTexts(template, parts, "header");
  const received = parametersOf(parts, "header").map((one) => String(one["type"]).toUpperCase());
  if (received.length !== 1 || received[0] !== format)
    throw new GraphError(132012, { details: `header: Format mismatch, expected ${format}, received ${received[0] ?? "UNKNOWN"}` });
};

/** What a send calls each kind of button, and the parameter it takes there. */
const BUTTONS: Record<string, { subType: string; label: string; parameter: string }> = {
  URL: { subType: "url", label: "Url", parameter: "text" },
  OTP: { subType: "url", label: "Url", parameter: "text" },
  QUICK_REPLY: { subType: "quick_reply", label: "QuickReply", parameter: "payload" },
  COPY_CODE: { subType: "copy_code", label: "CopyCode", parameter: "coupon_code" },
  FLOW: { subType: "flow", label: "Flow", parameter: "action" },
  VOICE_CALL: { subType: "voice_call", label: "VoiceCall", parameter: "payload" },
};

const checkButtons = (template: TemplateSeed, parts: Part[]): void => {
  const declared = componentOf(template, "BUTTONS")["buttons"];
  const buttons = Array.isArray(declared) ? declared.map(fieldsOf) : [];
  const given = parts.filter((one) => one.type === "button");
  for (const part of given) checkButton(buttons[part.index], part);
  buttons.forEach((button, index) => {
    if (!needsParameter(button) || given.some((part) => part.index === index)) return;
    const label = BUTTONS[String(button["type"])]?.label;
    throw new GraphError(131008, { details: `buttons: Button at index ${index} of type ${label} requires a parameter` });
  });
};

const needsParameter = ({ type, url }: Fields): boolean => type === "OTP" || type === "COPY_CODE" || (type === "URL" && variablesOf(url).length > 0);

const checkButton = (button: Fields | undefined, part: Part): void => {
  const kind = BUTTONS[String(button?.["type"])];
  if (!button || !kind) throw new GraphError(132018, { details: `buttons: Button at index ${part.index} does not exist in the template` });
  if (part.subType !== kind.subType) throw new GraphError(132018, { details: `buttons: Button at index ${part.index} must be of type ${kind.label}` });
  if (button["type"] === "URL" && !needsParameter(button)) throw new GraphError(132018, { details: `buttons: Button at index ${part.index} takes no parameter` });
  const [parameter] = part.parameters;
  if (part.parameters.length !== 1 || parameter?.["type"] !== kind.parameter) {
    throw new GraphError(132018, { details: `buttons: Button at index ${part.index} takes one parameter of type ${kind.parameter}` });
  }
};
