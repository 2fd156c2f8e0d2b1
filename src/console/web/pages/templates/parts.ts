import type { NewTemplateComponent } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { OF_TEMPLATES, variablesIn } from "../../../../kernel/texts/texts.ts";

// What a template and each of its cards have: a text with variables, and buttons.

export const BUTTON_KINDS = ["QUICK_REPLY", "URL", "PHONE_NUMBER"] as const;
/** `value`: the address or the number. `example`: the whole address, if it has a variable. */
export type DraftButton = { kind: (typeof BUTTON_KINDS)[number]; text: string; value: string; example: string };
export const NEW_BUTTON: DraftButton = { kind: "QUICK_REPLY", text: "", value: "", example: "" };

export type Loose = Readonly<Record<string, unknown>>;
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The button in the form of a draft; nothing for a kind that the form does not have. */
export const buttonOf = ({ type, text, url, phone_number: phone, example }: Loose): DraftButton[] => {
  const kind = BUTTON_KINDS.find((one) => one === type);
  const first: unknown = Array.isArray(example) ? (example as unknown[])[0] : example;
  return kind ? [{ kind, text: textOf(text), value: textOf(url) || textOf(phone), example: textOf(first) }] : [];
};

export const buttonFor = ({ kind, text, value, example }: DraftButton): Record<string, unknown> => {
  const own = { type: kind, text: text.trim() };
  if (kind === "QUICK_REPLY") return own;
  if (kind === "PHONE_NUMBER") return { ...own, phone_number: value.trim() };
  return { ...own, url: value.trim(), ...(value.includes("{{") ? { example: [example.trim()] } : {}) };
};

/** The numbers of the variables in a text, in their order. */
export const placesIn = (text: string): string[] =>
  variablesIn(OF_TEMPLATES, text)
    .filter((name) => /^\d+$/.test(name))
    .toSorted((one, other) => Number(one) - Number(other));

/** Whether all variables in a text are numbers. The form writes no examples of variables with names. */
export const hasPlacesAlone = (text: string): boolean =>
  placesIn(text).length === variablesIn(OF_TEMPLATES, text).length;

export type BodyFault = "variableAtEdge" | "variablesApart" | "variablesInOrder";

/** The first fault that the network's reviewers would refuse at once; undefined without one. */
export const bodyFault = (body: string): BodyFault | undefined => {
  const text = body.trim();
  const places = placesIn(text);
  if (places.some((place, index) => place !== String(index + 1))) return "variablesInOrder";
  if (/\}\}\s*\{\{/.test(text)) return "variablesApart";
  return /^\{\{\s*\d+\s*\}\}|\{\{\s*\d+\s*\}\}$/.test(text) ? "variableAtEdge" : undefined;
};

/** `examples`: by the names of the variables. */
export type DraftBody = { body: string; examples: Readonly<Record<string, string>> };

export const bodyFor = ({ body, examples }: DraftBody): NewTemplateComponent => {
  const places = placesIn(body);
  return {
    type: "BODY",
    text: body.trim(),
    ...(places.length > 0 ? { example: { body_text: [places.map((place) => examples[place] ?? "")] } } : {}),
  };
};
