import { Kind, type Static, type TLiteral, type TSchema, type TUnion, Type, TypeRegistry } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { parseIso } from "./clock.ts";
import { isUuid } from "./ids.ts";
import { type NumberForm, numberPattern } from "./numbers/phone-numbers.ts";
import { isEmail } from "./texts/emails.ts";
import { isBareFilename } from "./texts/file-names.ts";

/** One issue of one field. `path` joins nested names by dots; `rule` is the short name of the broken rule. */
export type Issue = { path: string; rule: Rule; message: string };
export type Rule =
  | "required"
  | "type"
  | "enum"
  | "minLength"
  | "maxLength"
  | "minimum"
  | "maximum"
  | "minItems"
  | "maxItems"
  | "pattern"
  | "format"
  | "forbidden";

export const issue = (path: string, rule: Rule, message: string): Issue => ({ path, rule, message });

/** The length in Unicode code points, the unit of every text limit. An emoji counts once. */
export const codePoints = (text: string): number => {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        i++;
      }
    }
  }
  return count;
};

type Checked = { minLength?: number; maxLength?: number; format?: string; pattern?: string };

/**
 * The character that a text must not contain: NUL, or half of a surrogate pair. Storage and networks cannot hold them.
 */
const misfitOf = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain a NUL character";
  return text.isWellFormed() ? undefined : "must not contain half of a surrogate pair";
};

const isLengthOf = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Checked, text: string): boolean => {
  if (text.length < minLength) return false; // code units are never fewer than code points
  const length = text.length > maxLength || minLength > 0 ? codePoints(text) : text.length;
  return length >= minLength && length <= maxLength;
};

const FORMATS: Record<string, { holds: (text: string) => boolean; message: string }> = {
  uuid: { holds: isUuid, message: "must be a UUID" },
  email: { holds: isEmail, message: "must be an e-mail address" },
  "date-time": { holds: (text) => parseIso(text) !== undefined, message: "must be an ISO 8601 datetime with timezone" },
  "file-name": {
    holds: isBareFilename,
    message:
      "must be the name of a file alone: no slash or backslash, no control or direction character, not dots alone",
  },
  uri: { holds: (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), message: "must be a URL" },
};

const hasForm = ({ format = "", pattern }: Checked, text: string): boolean =>
  (FORMATS[format]?.holds(text) ?? true) && (pattern === undefined || new RegExp(pattern).test(text));

// TypeBox counts UTF-16 units and has no formats by itself: this kind counts code points and has our formats
TypeRegistry.Set<Checked>(
  "Recado.Text",
  (schema, value) =>
    typeof value === "string" && misfitOf(value) === undefined && isLengthOf(schema, value) && hasForm(schema, value),
);

/** Only the form is checked here: the delivery target for the scheme decides on the rest. */
TypeRegistry.Set<Checked>(
  "Recado.WebhookUrl",
  (schema, value) =>
    typeof value === "string" &&
    misfitOf(value) === undefined &&
    isLengthOf(schema, value) &&
    /^[a-z][a-z+]*:\/\/[^/?#]/i.test(value) &&
    URL.canParse(value),
);

/**
 * The keyword with the known values of a text that may have others: those of another server, or of a later version. A
 * client that was made from the description takes them all.
 */
export const OPEN_WORDS = "x-extensible-enum";

TypeRegistry.Set("Recado.KnownWord", (_, value) => typeof value === "string");
TypeRegistry.Set<{ [OPEN_WORDS]: readonly string[] }>(
  "Recado.OwnWord",
  (schema, value) => typeof value === "string" && schema[OPEN_WORDS].includes(value),
);

const textKind = (options: Checked & { description?: string }) =>
  Type.Unsafe<string>({ [Kind]: "Recado.Text", type: "string", ...options });

/** A text of `min` to `max` code points. */
export const Text = (min: number, max: number, description?: string) =>
  textKind({ minLength: min, maxLength: max, ...(description === undefined ? {} : { description }) });
/** A text without a maximum of its own; the maximum of the body applies. */
export const AnyText = (min = 0) => textKind(min === 0 ? {} : { minLength: min });
export const Email = (max = 320) => textKind({ format: "email", maxLength: max });
export const Uuid = () => textKind({ format: "uuid" });
/** A time, or a day, which means its first moment. */
export const DateTime = () => textKind({ format: "date-time" });
/** A time. A day alone is refused. */
export const Time = () => textKind({ format: "date-time", pattern: "[Tt]" });
export const Url = () => textKind({ format: "uri", maxLength: 2048 });
/** The URL of a webhook: http(s), or a message broker's. */
export const WebhookUrl = () =>
  Type.Unsafe<string>({ [Kind]: "Recado.WebhookUrl", type: "string", format: "uri", maxLength: 2048 });

/** A number as people write it. `asDigits` gives its digits. */
export const PhoneNumber = (digits: NumberForm) =>
  Type.String({
    pattern: numberPattern(digits),
    description: `must be ${digits.min} to ${digits.max} digits with country code, as \`5511999990001\` or \`+55 11 99999-0001\`${digits.takesBarePlus ? "" : "; digits alone without the plus"}`,
    examples: ["5511988887777"],
  });

/** The name of a file, without folders. */
export const FileName = () => textKind({ minLength: 1, maxLength: 255, format: "file-name" });

/** The keyword with the documentation of one field. The schema around it may be that of other fields too. */
export const FIELD_TEXT = "x-field";

/** The schema of a field with its description. Without an example the documentation makes one that the schema allows. */
export const described = <Schema extends TSchema>(schema: Schema, description: string, example?: unknown): Schema => ({
  ...schema,
  [FIELD_TEXT]: { description, ...(example === undefined ? {} : { examples: [example] }) },
});

/** The name that the documentation gives a set of strings, and the description of their field. */
type Titled = { title?: string; description?: string; examples?: readonly string[] };

/** One of the given strings. A union of literals, because Elysia fills a missing UnionEnum with its first value. */
export const OneOf = <const Values extends readonly string[]>(values: Values, titled: Titled = {}) =>
  Type.Unsafe<Values[number]>({
    ...(Type.Union(values.map((value) => Type.Literal(value))) as TUnion<TLiteral[]>),
    ...titled,
  });

/**
 * Any text, in the documentation with the values that this server knows. For answers that may hold values of an earlier
 * version.
 */
export const KnownWord = (values: readonly string[], titled: Titled = {}) =>
  Type.Unsafe<string>({ [Kind]: "Recado.KnownWord", type: "string", [OPEN_WORDS]: [...values], ...titled });

/** One of the given strings in validation, in the documentation any text: another server may take others. */
export const OwnWord = <const Values extends readonly string[]>(values: Values, titled: Titled = {}) =>
  Type.Unsafe<Values[number]>({ [Kind]: "Recado.OwnWord", type: "string", [OPEN_WORDS]: [...values], ...titled });

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(Type.Union([schema, Type.Null()]));

/** A field name of a client may be as long as the body. No more of it than this is repeated. */
const MAX_PATH = 200;

/** The shown form of a path: a long one is cut. */
export const shownPath = (path: string): string =>
  path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path;

const dotted = (pointer: string): string =>
  shownPath(
    pointer
      .slice(0, 2 * MAX_PATH)
      .replace(/^\//, "")
      .replaceAll("/", ".")
      .replaceAll("~1", "/")
      .replaceAll("~0", "~"),
  );

const literalsOf = (schema: TSchema): string[] =>
  ((schema["anyOf"] as { const?: unknown }[] | undefined) ?? []).map((one) => String(one.const));

/** The rule and our message for a TypeBox error. TypeBox's own messages are not for customers. */
const describe = (error: ValueError): Omit<Issue, "path"> => {
  const { schema, value } = error;
  if (value === undefined) return { rule: "required", message: "is required" };
  if (schema[Kind] === "Recado.Text" || schema[Kind] === "Recado.WebhookUrl")
    return describeText(schema as Checked, value);
  if (schema[Kind] === "Recado.OwnWord")
    return { rule: "enum", message: `must be one of ${(schema[OPEN_WORDS] as string[]).join(", ")}` };
  switch (error.type) {
    case ValueErrorType.ArrayMinItems:
      return { rule: "minItems", message: `must have at least ${schema["minItems"]} items` };
    case ValueErrorType.ArrayMaxItems:
      return { rule: "maxItems", message: `must have at most ${schema["maxItems"]} items` };
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return { rule: "minimum", message: `must be at least ${schema["minimum"]}` };
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return { rule: "maximum", message: `must be at most ${schema["maximum"]}` };
    case ValueErrorType.ObjectAdditionalProperties:
      return { rule: "forbidden", message: "is not allowed" };
    case ValueErrorType.StringPattern:
      return { rule: "pattern", message: String(schema["description"] ?? "has the wrong form") };
    case ValueErrorType.Union:
    case ValueErrorType.Literal:
      return { rule: "enum", message: `must be one of ${literalsOf(schema).join(", ") || String(schema["const"])}` };
    default:
      return { rule: "type", message: `must be ${article(String(schema["type"] ?? "valid"))}` };
  }
};

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

const describeText = (schema: Checked, value: unknown): Omit<Issue, "path"> => {
  if (typeof value !== "string") return { rule: "type", message: "must be a string" };
  const misfit = misfitOf(value);
  if (misfit !== undefined) return { rule: "pattern", message: misfit };
  if (schema.minLength !== undefined && codePoints(value) < schema.minLength) {
    return {
      rule: "minLength",
      message: `must have at least ${schema.minLength} character${schema.minLength === 1 ? "" : "s"}`,
    };
  }
  if (schema.maxLength !== undefined && codePoints(value) > schema.maxLength)
    return { rule: "maxLength", message: `must have at most ${schema.maxLength} characters` };
  return { rule: "format", message: FORMATS[schema.format ?? ""]?.message ?? "has the wrong form" };
};

// a union fails as a whole: for a choice of shapes (Nullable), the errors of its first shape say more
// an intersection fails after its parts, whose errors say more
function* unfolded(error: ValueError): Generator<ValueError> {
  if (error.type === ValueErrorType.Intersect) return;
  const shapes =
    error.type === ValueErrorType.Union && error.value !== undefined ? ((error.schema as TUnion).anyOf ?? []) : [];
  const [first] = error.errors;
  if (first === undefined || !shapes.some((shape) => shape["const"] === undefined)) yield error;
  else for (const inner of first) yield* unfolded(inner);
}

/** The maximum number of issues, so that an answer is not larger than its request. */
export const MAX_ISSUES = 100;
/** The maximum length of their messages together: one that lists all allowed words may be long. */
const MAX_CHARACTERS = 32_000;

/**
 * The issues of TypeBox errors: the first of each path, in order, at most `MAX_ISSUES` and 32,000 characters. Later
 * errors are not read.
 */
export const toIssues = (errors: Iterable<ValueError>, prefix = ""): Issue[] => {
  const byPath = new Map<string, Issue>();
  let characters = 0;
  for (const one of errors) {
    for (const error of unfolded(one)) {
      const path = [prefix, dotted(error.path)].filter(Boolean).join(".");
      if (byPath.has(path)) continue;
      const found = { path, ...describe(error) };
      byPath.set(path, found);
      characters += found.message.length;
      if (byPath.size >= MAX_ISSUES || characters >= MAX_CHARACTERS) return [...byPath.values()];
    }
  }
  return [...byPath.values()];
};

/** The issues of a value; empty when it is valid. */
export const issuesOf = (schema: TSchema, value: unknown, prefix = ""): Issue[] =>
  Value.Check(schema, value) ? [] : toIssues(Value.Errors(schema, value), prefix);
