import { FIELDS } from "./fields/index.ts";
import { isSchema, isUuidText, type Schema, type Schemas } from "./json-schema.ts";

type Known = Readonly<Record<string, Schema>>;

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "0192f3a1-7c4e-7b2a-9d61-3f5c8e2a1b40",
  "date-time": "2026-11-22T12:00:00.000Z",
  email: "ana@example.com",
  uri: "https://example.com/webhook",
  "file-name": "offer.pdf",
};

const typesOf = ({ type }: Schema): readonly unknown[] => (type === undefined ? [] : [type].flat());

const isOfType = (value: unknown, types: readonly unknown[]): boolean => {
  if (types.length === 0) return true;
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number")
    return types.includes("number") || (Number.isInteger(value) && types.includes("integer"));
  return types.includes(typeof value);
};

type TextBounds = { pattern?: string; minLength?: number; maxLength?: number; format?: string };

const HOLDS: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) => !Number.isNaN(Date.parse(text)),
  uri: (text) => URL.canParse(text),
  uuid: isUuidText,
};

const isTextWithin = (text: string, { pattern, minLength = 0, maxLength = text.length, format }: TextBounds): boolean =>
  text.length >= minLength &&
  text.length <= maxLength &&
  (HOLDS[format ?? ""]?.(text) ?? true) &&
  (pattern === undefined || new RegExp(pattern, "u").test(text));

/** Whether a text or a number keeps the bounds of its schema. */
const isWithin = (value: unknown, schema: Schema): boolean => {
  if (typeof value === "number")
    return value >= Number(schema["minimum"] ?? value) && value <= Number(schema["maximum"] ?? value);
  return typeof value !== "string" || isTextWithin(value, schema);
};

const nameIn = (reference: unknown): string | undefined =>
  typeof reference === "string" && reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : undefined;
const PREFIX = "#/components/schemas/";

const isRecord = (value: unknown): value is Record<string, unknown> => isSchema(value);

/** The schema that a reference names. Parts that stand for one object together (`allOf`) become one schema. */
const resolved = (schemas: Known, given: Schema): Schema => {
  const name = nameIn(given["$ref"]);
  const schema = name === undefined ? given : (schemas[name] ?? {});
  const parts = (schema["allOf"] as Schema[] | undefined)?.map((part) => resolved(schemas, part));
  if (!parts) return schema;
  const { allOf: _, ...own } = schema;
  return {
    ...own,
    type: "object",
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schemas,
    required: parts.flatMap(({ required }) => (required as string[] | undefined) ?? []),
  };
};

/** Whether a value is one of its schema, as far as the descriptions use JSON Schema. */
const conforms = (schemas: Known, given: Schema, value: unknown): boolean => {
  const schema = resolved(schemas, given);
  const choices = (schema["oneOf"] ?? schema["anyOf"]) as Schema[] | undefined;
  if (choices) return choices.some((one) => conforms(schemas, one, value));
  if ("const" in schema) return schema["const"] === value;
  const words = schema["enum"] as unknown[] | undefined;
  if (words) return words.includes(value);
  if (!isOfType(value, typesOf(schema)) || !isWithin(value, schema)) return false;
  if (Array.isArray(value)) return conformsAsList(schemas, schema, value);
  return !isRecord(value) || conformsAsObject(schemas, schema, value);
};

const conformsAsList = (schemas: Known, schema: Schema, value: readonly unknown[]): boolean =>
  value.length >= Number(schema["minItems"] ?? 0) &&
  value.length <= Number(schema["maxItems"] ?? value.length) &&
  value.every((one) => !isSchema(schema["items"]) || conforms(schemas, schema["items"], one));

const conformsAsObject = (schemas: Known, schema: Schema, value: Record<string, unknown>): boolean => {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Schemas;
    required?: string[];
    additionalProperties?: unknown;
  };
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, inner]) => {
      const known = properties[name] ?? additionalProperties;
      return isSchema(known) ? conforms(schemas, known, inner) : known === true;
    })
  );
};

/** A text of the least length that is no less than eight characters where they fit. */
const someText = ({ minLength = 1, maxLength = 8 }: { minLength?: number; maxLength?: number }): string =>
  "example text "
    .repeat(Math.ceil(minLength / 13) + 1)
    .slice(0, Math.max(minLength, Math.min(12, maxLength)))
    .trimEnd()
    .padEnd(minLength, "x");

/** The same value for the same schema, always. */
const newExamples = (schemas: Known) => {
  const stated = (given: Schema, schema: Schema, names: readonly string[]): { value: unknown } | undefined => {
    const own = given["examples"] ?? schema["examples"];
    if (Array.isArray(own) && own.length > 0) return { value: own[0] };
    for (const name of names) {
      const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
      const values = [...(field && "example" in field ? [field.example] : []), ...(field?.examples ?? [])];
      const fitting = values.find((value) => conforms(schemas, schema, value));
      if (fitting !== undefined) return { value: fitting };
    }
    return undefined;
  };

  /** `names`: those under which the field may have an example, the closest first. */
  const of = (given: Schema, names: readonly string[]): unknown => {
    const schema = resolved(schemas, given);
    const title = nameIn(given["$ref"]);
    const known = stated(given, schema, names);
    if (known) return known.value;
    if ("const" in schema) return schema["const"];
    if ("default" in schema) return schema["default"];
    const words = schema["enum"] as unknown[] | undefined;
    if (words) return words[0];
    const choices = (schema["oneOf"] ?? schema["anyOf"]) as Schema[] | undefined;
    if (choices) return choices.some((one) => one["type"] === "null") ? null : of(choices[0] ?? {}, names);
    return ofType(schema, title ?? names[0] ?? "", names);
  };

  const ofType = (schema: Schema, title: string, names: readonly string[]): unknown => {
    const types = typesOf(schema);
    if (types.includes("null")) return null;
    if (types.includes("object") || "properties" in schema) return ofObject(schema, title);
    if (types.includes("array")) return isSchema(schema["items"]) ? ofArray(schema, names) : [];
    if (types.includes("integer") || types.includes("number")) return ofNumber(schema);
    if (types.includes("boolean")) return true;
    if (types.includes("string")) return FORMATS[String(schema["format"])] ?? someText(schema);
    return {};
  };

  const ofNumber = ({ minimum = 1, maximum = minimum }: { minimum?: number; maximum?: number }): number =>
    Math.min(Math.max(minimum, 1), Math.max(maximum, minimum));

  const ofArray = (schema: Schema, names: readonly string[]): unknown[] => {
    const one = of(schema["items"] as Schema, names);
    const least = Number(schema["minItems"] ?? 1);
    return Array.from({ length: Math.max(1, least) }, (_, at) =>
      at > 0 && typeof one === "string" ? `${one} ${at + 1}` : one,
    );
  };

  const ofObject = (schema: Schema, title: string): Record<string, unknown> => {
    const properties = (schema["properties"] ?? {}) as Schemas;
    const required = (schema["required"] ?? []) as string[];
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, field]) => [name, of(field, [`${title}.${name}`, name])]),
    );
  };

  return { of: (schema: Schema): unknown => of(schema, []) };
};

const isPage = (name: string): boolean => /(Page|List)$/.test(name);

/** The components that are a whole body or a whole answer, or an item of one. */
const rootsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(rootsOf);
  return isSchema(value) ? [nameIn(value["$ref"]) ?? [], Object.values(value).flatMap(rootsOf)].flat() : [];
};

/**
 * Gives each component that is a whole body or answer an example. One with an example stated keeps it. A page of
 * components that have their own needs none: every reader makes it of theirs.
 */
export const withExamples = (paths: object, schemas: Record<string, Schema>): Record<string, Schema> => {
  const examples = newExamples(schemas);
  const whole = rootsOf(paths);
  const inside = whole.flatMap((name) => rootsOf(isPage(name) ? schemas[name] : schemas[name]?.["oneOf"]));
  const roots = new Set([...whole, ...inside]);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) =>
      roots.has(name) && !("examples" in schema) && !("oneOf" in schema) && !isPage(name)
        ? [name, { ...schema, examples: [examples.of({ $ref: `#/components/schemas/${name}` })] }]
        : [name, schema],
    ),
  );
};
