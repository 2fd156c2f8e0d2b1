import { FIELD_WORDS } from "../../../contract/forms.ts";
import { FIELD_TEXT, OPEN_WORDS } from "../../../kernel/schema.ts";

/** A JSON schema of a description. */
export type Schema = { readonly [keyword: string]: unknown };
export type Schemas = Readonly<Record<string, Schema>>;

/** Adds constraints to the description only. The value is checked elsewhere, with our own messages. */
export const describedAs = (schema: object): object => ({ [DESCRIBED]: schema });
const DESCRIBED = "x-described";

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isUuidText = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/** The keywords of a text without bounds. */
const UNBOUNDED = ["type", "description"];

const isBareText = (schema: Schema): boolean =>
  [schema["type"]].flat().includes("string") && Object.keys(schema).every((keyword) => UNBOUNDED.includes(keyword));

/** A schema with the text of its field, which wins over the schema's own. An unbounded text is an id by its example. */
export const withFieldText = ({ [FIELD_TEXT]: text, ...schema }: Schema): Schema => {
  const { examples, ...field }: Schema = { ...schema, ...(text as Schema | undefined) };
  if (!Array.isArray(examples)) return field;
  return { ...field, ...(isBareText(field) && isUuidText(examples[0]) ? { format: "uuid" } : {}), examples };
};

export const without = (schema: Schema, ...keywords: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

export const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value, key)]));

const isWord = (schema: Schema): boolean => typeof schema["const"] === "string";

/** A choice of words, or of one shape and null, in the short form that generators of clients know. */
const withoutUnion = ({ anyOf, ...schema }: Schema): Schema => {
  const choices = anyOf as Schema[];
  if (choices.every(isWord)) {
    const words = choices.map((one) => one["const"]);
    return words.length === 1
      ? { type: "string", const: words[0], ...schema }
      : { type: "string", enum: words, ...schema };
  }
  const shapes = choices.filter((one) => one["type"] !== "null");
  const [shape] = shapes;
  if (shapes.length !== 1 || shape === undefined || shapes.length === choices.length)
    return { anyOf: choices, ...schema };
  const isPlain = typeof shape["type"] === "string" && !("properties" in shape);
  return isPlain && !("enum" in shape) && !("const" in shape) && !(OPEN_WORDS in shape)
    ? { ...shape, ...schema, type: [shape["type"], "null"] }
    : { anyOf: [shape, { type: "null" }], ...schema };
};

/** A record: TypeBox writes one as a pattern that all names match. */
const withoutPattern = ({ patternProperties, ...schema }: Schema): Schema => {
  const [[pattern, value] = []] = Object.entries(patternProperties as Schemas);
  return pattern === "^(.*)$" ? { ...schema, additionalProperties: value } : { ...schema, patternProperties };
};

/** The constraints of `describedAs`, and no keyword without a meaning. */
const plainKeywords = (schema: Schema): Schema => {
  const { [DESCRIBED]: described, noValidate: _, additionalProperties, ...given } = without(schema, ...FIELD_WORDS);
  const { minLength, ...unbounded } = given;
  const rest = minLength === 0 ? unbounded : given;
  const fields = Object.keys((rest["properties"] as object | undefined) ?? {});
  const { properties, ...others } = rest;
  const isOpen = isSchema(additionalProperties) && Object.keys(additionalProperties).length === 0;
  // the compilation of a route writes `false`, and a body that may be missing needs `true`
  const saysNothing = typeof additionalProperties !== "object" && (fields.length > 0 || !additionalProperties);
  return {
    ...(fields.length > 0 || properties === undefined ? rest : others),
    ...(saysNothing ? {} : { additionalProperties: isOpen ? true : additionalProperties }),
    ...(described as object | undefined),
  };
};

/** The first form of every schema: the compilation of a route changes schemas that other APIs of a process share. */
const known = new WeakMap<object, Schema>();

/** Keywords whose value is not a schema. */
const VALUES = ["examples", "example", "default", "enum", "const", "required", OPEN_WORDS];

/** A TypeBox schema as plain JSON Schema, with its titles. The same schema gives the same object. */
export const plainSchema = (schema: object): Schema => {
  const before = known.get(schema);
  if (before) return before;
  const plain: Schema = mapValues(plainKeywords(schema as Schema), (value, keyword) => {
    if (VALUES.includes(keyword)) return value;
    if (keyword === "properties" || keyword === "patternProperties")
      return mapValues(value as Record<string, object>, plainSchema);
    if (Array.isArray(value)) return value.map((one: unknown) => (isSchema(one) ? plainSchema(one) : one));
    return isSchema(value) ? plainSchema(value) : value;
  });
  const recorded = "patternProperties" in plain ? withoutPattern(plain) : plain;
  const made = "anyOf" in recorded ? withoutUnion(recorded) : recorded;
  known.set(schema, made);
  return made;
};
