import { Kind, type Static, type TLiteral, type TSchema, type TUnion, Type, TypeRegistry } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { parseIso } from "./clock.ts";
import { isBareFilename } from "./file-names.ts";
import { isUuid } from "./ids.ts";
import { type NumberForm, numberPattern } from "./phone-numbers.ts";

/** One thing wrong with one field. `path` joins nested names by dots; `rule` is the short name of the broken rule. */
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

/** Length in Unicode code points: the unit of every text limit (an emoji counts once). */
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
 * No storage and no network takes a NUL inside a text, nor half of a surrogate pair: written as UTF-8 all of those are
 * one character.
 */
const misfitOf = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain a NUL character";
  return text.isWellFormed() ? undefined : "must not contain half of a surrogate pair";
};

const isLengthOf = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Checked, text: string): boolean => {
  if (text.length < minLength) return false; // units are never fewer than code points
  const length = text.length > maxLength || minLength > 0 ? codePoints(text) : text.length;
  return length >= minLength && length <= maxLength;
};

/** One `@` with text on both sides; more is known only by writing to it. */
export const isEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);

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

// TypeBox measures strings in UTF-16 units and knows no formats by itself: this kind measures code points and knows
// ours.
TypeRegistry.Set<Checked>(
  "Recado.Text",
  (schema, value) =>
    typeof value === "string" && misfitOf(value) === undefined && isLengthOf(schema, value) && hasForm(schema, value),
);

TypeRegistry.Set("Recado.KnownWord", (_, value) => typeof value === "string");

const textKind = (options: Checked & { description?: string }) =>
  Type.Unsafe<string>({ [Kind]: "Recado.Text", type: "string", ...options });

/** Text of `min` to `max` code points. */
export const Text = (min: number, max: number, description?: string) =>
  textKind({ minLength: min, maxLength: max, ...(description === undefined ? {} : { description }) });
/** Text without an upper limit of its own; the body's limit holds it. */
export const AnyText = (min = 0) => textKind({ minLength: min });
export const Email = (max = 320) => textKind({ format: "email", maxLength: max });
export const Uuid = () => textKind({ format: "uuid" });
/** A time, or a day, which is its first moment. */
export const DateTime = () => textKind({ format: "date-time" });
/** A time; a day alone is none. */
export const Time = () => textKind({ format: "date-time", pattern: "[Tt]" });
export const Url = () => textKind({ format: "uri", maxLength: 2048 });

/** A number as people write it. What takes it drops all but the digits: `asDigits`. */
export const PhoneNumber = (digits: NumberForm) =>
  Type.String({
    pattern: numberPattern(digits),
    description: `must be ${digits.min} to ${digits.max} digits with country code, as \`5511999990001\` or \`+55 11 99999-0001\`${digits.takesBarePlus ? "" : "; not a plus and digits alone"}`,
  });

/** What a file is called, without folders. */
export const FileName = () => textKind({ minLength: 1, maxLength: 255, format: "file-name" });

/** One of the given strings. A union of literals, because Elysia fills a missing UnionEnum with its first value. */
export const OneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ ...(Type.Union(values.map((value) => Type.Literal(value))) as TUnion<TLiteral[]>) });

/**
 * One of the given strings, as far as they are known now: checked as any text, described as a choice. For answers that
 * may hold what is of yesterday.
 */
export const KnownWord = (values: readonly string[]) =>
  Type.Unsafe<string>({ [Kind]: "Recado.KnownWord", type: "string", enum: [...values] });

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(Type.Union([schema, Type.Null()]));

/** A client may name its fields as long as a body is: no more of a name is repeated. */
const MAX_PATH = 200;

/** A path as it is told: of a long one the beginning. */
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

/** What rule a TypeBox error stands for, and our words for it: a library's prose is not for customers. */
const describe = (error: ValueError): Omit<Issue, "path"> => {
  const { schema, value } = error;
  if (value === undefined) return { rule: "required", message: "is required" };
  if (schema[Kind] === "Recado.Text") return describeText(schema as Checked, value);
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

// a union fails as a whole; when it is a choice of shapes (Nullable) and not of words, what its first shape lacks says
// more
function* unfolded(error: ValueError): Generator<ValueError> {
  const shapes =
    error.type === ValueErrorType.Union && error.value !== undefined ? ((error.schema as TUnion).anyOf ?? []) : [];
  const [first] = error.errors;
  if (first === undefined || !shapes.some((shape) => shape["const"] === undefined)) yield error;
  else for (const inner of first) yield* unfolded(inner);
}

/** More of them tell a reader nothing new, and an answer must not be larger than its request. */
export const MAX_ISSUES = 100;

/**
 * The issues behind TypeBox errors: the first of each path, in the order found, and no more than `MAX_ISSUES`. Errors
 * that follow are not looked for.
 */
export const toIssues = (errors: Iterable<ValueError>, prefix = ""): Issue[] => {
  const byPath = new Map<string, Issue>();
  for (const found of errors) {
    for (const error of unfolded(found)) {
      const path = [prefix, dotted(error.path)].filter(Boolean).join(".");
      if (!byPath.has(path)) byPath.set(path, { path, ...describe(error) });
      if (byPath.size >= MAX_ISSUES) return [...byPath.values()];
    }
  }
  return [...byPath.values()];
};

/** What is wrong with a value; empty when nothing is. */
export const issuesOf = (schema: TSchema, value: unknown, prefix = ""): Issue[] =>
  Value.Check(schema, value) ? [] : toIssues(Value.Errors(schema, value), prefix);
