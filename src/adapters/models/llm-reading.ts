import { isRecord, type Json, parsedJson } from "../../kernel/texts/json.ts";

/** The value at a path of an answer of unknown shape; undefined if the path does not exist. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string | number, unknown>)[name] : undefined,
    value,
  );

/** The text at a path; undefined for anything else and for a blank text. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
};

/** The text at a path as it is, blanks too, so that pieces can be joined; "" for anything else. */
export const pieceAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
};

/** The text of a message; for a list of parts, the parts that are text, not the model's thoughts. "" without text. */
export const writtenIn = (message: unknown): string => {
  const content = at(message, "content");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (at(part, "type") === "text" ? pieceAt(part, "text") : "")).join("");
};

/** Arguments are JSON in a text; some servers give the object itself, or JSON within JSON. Nothing means none. */
export const argumentsOf = (written: unknown): Json | null => {
  if (written === undefined || written === null) return {};
  if (typeof written !== "string") return isRecord(written) ? written : null;
  if (written.trim() === "") return {};
  const value = parsedJson(written);
  const inner = typeof value === "string" ? parsedJson(value) : value;
  return isRecord(inner) ? inner : null;
};

const MAX_REASON = 300;

/** The text in one line of at most 300 characters. */
export const cleaned = (text: string): string =>
  [
    ...text
      .slice(0, 10 * MAX_REASON)
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  ]
    .slice(0, MAX_REASON)
    .join("")
    .toWellFormed();

/** A text without the API key. Texts are searched, not bytes: JSON may escape the key, and a stream has it in pieces. */
const hideKey = (text: string, apiKey: string): string => text.replaceAll(apiKey, "***");

/** The length of a key that is like no word. */
const LONG = 16;

/** An answer without the API key. A key that may be one of its words stays: a server without keys takes any. */
export const hideInAnswer = (text: string, apiKey: string): string =>
  apiKey.length >= LONG || (/\d/.test(apiKey) && /[a-z]/i.test(apiKey)) ? hideKey(text, apiKey) : text;

/** The shortest beginning of a key that says something of it. */
const TELLING = 4;

/** A reason without the API key, and without the beginning of a key in which it was cut. */
export const hideInReason = (reason: string, apiKey: string): string => {
  const hidden = hideKey(reason, apiKey);
  for (let length = apiKey.length - 1; length >= TELLING; length--)
    if (hidden.endsWith(apiKey.slice(0, length))) return `${hidden.slice(0, -length)}***`;
  return hidden;
};
