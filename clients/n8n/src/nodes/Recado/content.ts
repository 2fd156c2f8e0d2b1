import type { Json } from "n8n-workflow";
import { given, isJson } from "../../values.ts";

/** The value of a field of the node for the item at hand. */
export type Field = (name: string) => unknown;

const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

/** A list that n8n gives as one field with many values, or as texts with commas where an expression made it. */
const listIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean);
  return textOf(value)
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
};

/** A field of JSON: an object as it is, or a text. @throws SyntaxError for a text that is no JSON. */
const jsonIn = (value: unknown): unknown => (typeof value === "string" ? (JSON.parse(value) as unknown) : value);

/** What a template is chosen by: its name, and its language after a colon. */
const templateOf = (chosen: string): Json => {
  const [name = "", language] = chosen.split(":");
  return language === undefined ? { name } : { name, language };
};

const media =
  (...names: string[]) =>
  (field: Field): Json =>
    given(Object.fromEntries(["mediaUrl", ...names].map((name) => [name, field(name)])));

/** TABLE: the types of messages with fields of their own. All others have `content`, as JSON. */
const CONTENTS: Readonly<Record<string, (field: Field) => Json>> = {
  text: (field) => ({ text: textOf(field("text")) }),
  image: media("caption"),
  video: media("caption"),
  audio: media("ptt"),
  document: media("caption", "filename"),
  sticker: media(),
  location: (field) => given({ ...coordinates(field), name: field("locationName"), address: field("address") }),
  template: (field) => {
    const variables = listOfValues(field("variables"));
    return { ...templateOf(textOf(field("template"))), ...(variables.length > 0 ? { variables } : {}) };
  },
  poll: (field) => ({ question: textOf(field("question")), options: listIn(field("choices")) }),
  contact: (field) => ({ contacts: [{ name: textOf(field("contactName")), phone: textOf(field("contactPhone")) }] }),
  button: (field) => ({
    text: textOf(field("text")),
    buttons: listIn(field("buttons")).map((text) => ({ id: text, text })),
  }),
};

const coordinates = (field: Field): Json => ({ latitude: field("latitude"), longitude: field("longitude") });

/** The values of the variables, of which one may be empty or have a comma. */
const listOfValues = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

export const TYPES_WITH_FIELDS: readonly string[] = Object.keys(CONTENTS);

/** The type and the content of a message. @throws SyntaxError or TypeError for content that is no JSON object. */
export const contentOf = (field: Field): Json => {
  const type = textOf(field("type"));
  const made = CONTENTS[type];
  if (made) return { type, content: made(field) };
  const content = jsonIn(field("content"));
  if (!isJson(content)) throw new TypeError(`The content of a message of type ${type} is a JSON object`);
  return { type, content };
};
