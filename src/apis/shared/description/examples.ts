import { OPEN_WORDS } from "../../../kernel/schema.ts";
import { isSchema, type Schema, type Schemas } from "./json-schema.ts";

type Known = Readonly<Record<string, Schema>>;

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "0192f3a1-7c4e-7b2a-9d61-3f5c8e2a1b40",
  "date-time": "2026-11-22T12:00:00.000Z",
  email: "ana@example.com",
  uri: "https://example.com/webhook",
  "file-name": "offer.pdf",
};

const typesOf = ({ type }: Schema): readonly unknown[] => (type === undefined ? [] : [type].flat());

const nameIn = (reference: unknown): string | undefined =>
  typeof reference === "string" && reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : undefined;
const PREFIX = "#/components/schemas/";

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

/** A text of the least length that is at least eight characters, if they fit. */
const someText = ({ minLength = 1, maxLength = 8 }: { minLength?: number; maxLength?: number }): string =>
  "example text "
    .repeat(Math.ceil(minLength / 13) + 1)
    .slice(0, Math.max(minLength, Math.min(12, maxLength)))
    .trimEnd()
    .padEnd(minLength, "x");

/** The same value for the same schema, always: the stated example, or else one that the schema allows. */
const newExamples = (schemas: Known) => {
  const of = (given: Schema): unknown => {
    const schema = resolved(schemas, given);
    const stated = given["examples"] ?? schema["examples"];
    if (Array.isArray(stated) && stated.length > 0) return stated[0];
    if ("const" in schema) return schema["const"];
    if ("default" in schema) return schema["default"];
    const words = (schema["enum"] ?? schema[OPEN_WORDS]) as unknown[] | undefined;
    if (words) return words[0];
    const choices = (schema["oneOf"] ?? schema["anyOf"]) as Schema[] | undefined;
    if (choices) return choices.some((one) => one["type"] === "null") ? null : of(choices[0] ?? {});
    return ofType(schema);
  };

  const ofType = (schema: Schema): unknown => {
    const types = typesOf(schema);
    if (types.includes("null")) return null;
    if (types.includes("object") || "properties" in schema) return ofObject(schema);
    if (types.includes("array")) return isSchema(schema["items"]) ? ofArray(schema) : [];
    if (types.includes("integer") || types.includes("number")) return ofNumber(schema);
    if (types.includes("boolean")) return true;
    if (types.includes("string")) return FORMATS[String(schema["format"])] ?? someText(schema);
    return {};
  };

  const ofNumber = ({ minimum = 1, maximum = minimum }: { minimum?: number; maximum?: number }): number =>
    Math.min(Math.max(minimum, 1), Math.max(maximum, minimum));

  const ofArray = (schema: Schema): unknown[] => {
    const one = of(schema["items"] as Schema);
    const least = Number(schema["minItems"] ?? 1);
    return Array.from({ length: Math.max(1, least) }, (_, at) =>
      at > 0 && typeof one === "string" ? `${one} ${at + 1}` : one,
    );
  };

  const ofObject = (schema: Schema): Record<string, unknown> => {
    const properties = (schema["properties"] ?? {}) as Schemas;
    const required = (schema["required"] ?? []) as string[];
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, field]) => [name, of(field)]),
    );
  };

  return { of };
};

const isPage = (name: string): boolean => /(Page|List)$/.test(name);

/** The components that are a whole body or a whole answer, or an item of one. */
const rootsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(rootsOf);
  return isSchema(value) ? [nameIn(value["$ref"]) ?? [], Object.values(value).flatMap(rootsOf)].flat() : [];
};

/**
 * Gives an example to each component that is a whole body or answer. A component with a stated example keeps it. A page
 * of components with examples needs none: every reader builds it from theirs.
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
