/** The part of JSON schema that the descriptions of the APIs use. */
export type Schema = {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  const?: unknown;
};

/** A body that must be refused, its fault, and the field that the refusal names. */
export type BadBody = { why: string; body: unknown; field: string };

const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

/** A value that the schema takes, with only its required fields. */
export const sampleOf = (schema: Schema, uuid: string): unknown => {
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], uuid);
  if (schema.oneOf?.[0]) return sampleOf(schema.oneOf[0], uuid);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (typesOf(schema)[0]) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, uuid)]),
      );
    case "array":
      return schema.items ? [sampleOf(schema.items, uuid)] : [];
    case "string":
      return textOf(schema, uuid);
    case "boolean":
      return true;
    default:
      return schema.minimum ?? 1;
  }
};

const textOf = ({ format, pattern, minLength = 1 }: Schema, uuid: string): string => {
  if (format === "uuid") return uuid;
  if (format === "uri") return "https://hooks.example.com/in";
  if (format === "file-name") return "a file.pdf";
  if (format === "date-time") return "2027-01-01T00:00:00Z";
  return pattern === undefined ? "x".repeat(Math.max(1, minLength)) : "5511999990001";
};

const WRONG: Record<string, unknown[]> = {
  string: [5, true, {}, ["x"]],
  integer: ["5", "", 1.5, true, {}, [5]],
  number: ["5", "", true, {}, [5]],
  boolean: ["true", "", 1, 0, {}, []],
  array: ["x", 5, true, {}],
  object: ["x", "", 5, true, [], [{}]],
};

/** Values that the schema refuses: of another type, or outside a list of words. */
const wrongValuesOf = (schema: Schema): unknown[] => {
  const types = typesOf(schema);
  const isNullable = types.includes("null") || schema.anyOf?.some(({ type }) => type === "null");
  const wrong = (schema.enum ?? schema.const) ? ["NONE_OF_THEM", "", 5, {}, []] : (WRONG[types[0] ?? ""] ?? []);
  return isNullable || types.length === 0 ? wrong : [null, ...wrong];
};

/**
 * Every body that differs from the good one in one property, at any depth. The property has a wrong type, or is missing
 * although required.
 */
export const badBodiesOf = (schema: Schema, good: Record<string, unknown>): BadBody[] => [
  ...(schema.required ?? []).map((name) => ({
    why: `without ${name}`,
    body: { ...good, [name]: undefined },
    field: name,
  })),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    badValuesOf(property, name).map(({ why, value }) => ({ why, body: { ...good, [name]: value }, field: name })),
  ),
];

const badValuesOf = (schema: Schema, path: string): { why: string; value: unknown }[] => [
  ...wrongValuesOf(schema).map((value) => ({ why: `${path}: ${JSON.stringify(value)}`, value })),
  ...(schema.items ? badValuesOf(schema.items, `${path}.0`).map(({ why, value }) => ({ why, value: [value] })) : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    badValuesOf(inner, `${path}.${name}`).map(({ why, value }) => ({ why, value: { [name]: value } })),
  ),
];

/** Bytes that are no JSON. */
export const MALFORMED: Record<string, string> = {
  "a brace": "{",
  "half a pair": '{"a":',
  "a trailing comma": '{"a":1,}',
  "single quotes": "{'a':1}",
  "two values": "{} {}",
  "a word": "nonsense",
  "a NUL": "\u0000",
  "half of a deep nesting": "[".repeat(100_000),
};

/** JSON that is no object. */
export const NO_OBJECTS: Record<string, string> = {
  "an empty array": "[]",
  "an array of objects": "[{}]",
  "a string": '"text"',
  "an empty string": '""',
  "a number": "5",
  true: "true",
  "a deep nesting": `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
};

/** A value so deeply nested that a recursive walk overflows the stack. */
export const deepObject = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
