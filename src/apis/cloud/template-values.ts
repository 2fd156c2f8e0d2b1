import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { type Json, recordOf } from "../../kernel/texts/json.ts";
import { optionalField, requiredList, requiredObject, requiredText, textIn } from "./bodies.ts";

type Button = { subType: string; index: number; parameters: string[] };

type Values = {
  variables?: string[];
  namedVariables?: Record<string, string>;
  headerMedia?: { type: "image" | "video" | "document"; url: string; filename?: string };
  headerText?: string;
  buttons?: Button[];
};

/** A template by its name, and the values of its variables. */
export type TemplateValues = Values & { name: string; language: string };

/**
 * A template by its name, with the values of its parts.
 * @throws AppError VALIDATION, also for a part whose values the core cannot send
 */
export const templateContent = (template: Json): TemplateValues => {
  const components =
    optionalField(template, "components") === undefined ? [] : requiredList(template, "components", PATH);
  const language = requiredObject(template, "language", "template.language");
  const buttons: Button[] = [];
  const values: Values = {};
  for (const [at, component] of components.entries()) {
    const path = `${PATH}.${at}`;
    const of = recordOf(component);
    const type = requiredText(of, "type", `${path}.type`).toLowerCase();
    if (type === "header") Object.assign(values, headerIn(of, path));
    else if (type === "body") Object.assign(values, bodyIn(of, path));
    else if (type === "button") buttons.push(buttonIn(of, path));
    else if (parametersOf(of).length > 0 || !EMPTY.has(type))
      throw invalid(issue(`${path}.type`, "enum", "must be header, body or button: others are not sent by this API"));
  }
  return {
    name: requiredText(template, "name", "template.name"),
    language: requiredText(language, "code", "template.language.code"),
    ...values,
    ...(buttons.length > 0 ? { buttons } : {}),
  };
};

const PATH = "template.components";
/** Parts without values. */
const EMPTY: ReadonlySet<string> = new Set(["footer", "buttons"]);

const parametersOf = (component: Json): Json[] => {
  const parameters = optionalField(component, "parameters");
  return Array.isArray(parameters) ? parameters.map(recordOf) : [];
};

/** The text of a parameter. For money and times, it is the text for clients that cannot show them. */
const valueOf = (parameter: Json, path: string): string => {
  const type = textIn(parameter, "type", `${path}.type`) ?? "text";
  if (type === "text") return requiredText(parameter, "text", `${path}.text`);
  if (type === "currency" || type === "date_time")
    return requiredText(
      requiredObject(parameter, type, `${path}.${type}`),
      "fallback_value",
      `${path}.${type}.fallback_value`,
    );
  throw invalid(issue(`${path}.type`, "enum", "must be text, currency or date_time"));
};

const bodyIn = (component: Json, path: string): Values => {
  const values = parametersOf(component).map((parameter, at) => ({
    name: textIn(parameter, "parameter_name"),
    text: valueOf(parameter, `${path}.parameters.${at}`),
  }));
  if (values.length === 0) return {};
  if (values.every(({ name }) => name === undefined)) return { variables: values.map(({ text }) => text) };
  return { namedVariables: Object.fromEntries(values.map(({ name, text }, at) => [name ?? String(at + 1), text])) };
};

/** A header has one parameter: a text, or a file by its address. */
const headerIn = (component: Json, path: string): Values => {
  const [parameter] = parametersOf(component);
  if (!parameter) return {};
  const at = `${path}.parameters.0`;
  const type = textIn(parameter, "type", `${at}.type`) ?? "text";
  if (type === "text") return { headerText: valueOf(parameter, at) };
  if (type !== "image" && type !== "video" && type !== "document")
    throw invalid(issue(`${at}.type`, "enum", "must be text, image, video or document"));
  const file = requiredObject(parameter, type, `${at}.${type}`);
  const filename = textIn(file, "filename", `${at}.${type}.filename`);
  return {
    headerMedia: {
      type,
      url: requiredText(file, "link", `${at}.${type}.link`),
      ...(filename === undefined ? {} : { filename }),
    },
  };
};

/** The field that holds the value of a button of each type. */
const FIELD = { url: "text", quick_reply: "payload", copy_code: "coupon_code" } as const;

const buttonIn = (component: Json, path: string): Button => {
  const subType = requiredText(component, "sub_type", `${path}.sub_type`).toLowerCase();
  if (!Object.hasOwn(FIELD, subType))
    throw invalid(issue(`${path}.sub_type`, "enum", "must be url, quick_reply or copy_code"));
  const field = FIELD[subType as keyof typeof FIELD];
  return {
    subType,
    index: Number(textIn(component, "index", `${path}.index`) ?? 0),
    parameters: parametersOf(component).map((parameter, at) =>
      requiredText(
        { ...parameter, [field]: parameter[field] ?? parameter["text"] },
        field,
        `${path}.parameters.${at}.${field}`,
      ),
    ),
  };
};
