/** A JSON schema of a description, without a known form. */
export type JsonSchema = { [keyword: string]: unknown };

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const COMPONENT = "#/components/schemas/";
const BRANCHES = ["allOf", "anyOf", "oneOf"];
/** The keywords that leave the properties of an object open. */
const CLOSED_BY = ["properties", "additionalProperties", "required", "$ref", "const", "enum", "not", ...BRANCHES];

const mayBeObject = ({ type }: JsonSchema): boolean => type === undefined || [type].flat().includes("object");

/** A schema that names no property takes all. It says so explicitly, because a schema beside it may name some. */
const opened = (schema: JsonSchema): JsonSchema =>
  mayBeObject(schema) && !CLOSED_BY.some((keyword) => keyword in schema)
    ? { ...schema, additionalProperties: true }
    : schema;

type Components = Record<string, JsonSchema>;

/**
 * A schema of its own, without references out of it, that refuses properties which the given one does not name.
 * An object whose schema has `additionalProperties`, or names no property at all, may have any. Throws for a
 * reference to a component that does not exist.
 */
export const strictSchema = (schema: JsonSchema, components: Components): JsonSchema => {
  const used = new Map<string, JsonSchema>();

  const reference = (ref: string): string => {
    if (!ref.startsWith(COMPONENT)) throw new Error(`a reference to no schema of the components: ${ref}`);
    const name = ref.slice(COMPONENT.length);
    const component = components[name];
    if (!component) throw new Error(`a reference to a component that does not exist: ${name}`);
    if (!used.has(name)) {
      used.set(name, {}); // it may contain itself
      used.set(name, opened(inner(component)));
    }
    return `#/$defs/${name}`;
  };

  /** The strict schema of one value, which refuses properties that no part of the schema names. */
  const whole = (part: JsonSchema): JsonSchema => ({ ...opened(inner(part)), unevaluatedProperties: false });
  const wholes = (value: unknown): unknown =>
    isSchema(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, partOf(one)])) : value;
  const partOf = (value: unknown): unknown => (isSchema(value) ? whole(value) : value);
  const branch = (keyword: string, value: JsonSchema): JsonSchema =>
    keyword === "allOf" ? inner(value) : opened(inner(value));

  const inner = (part: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(part).flatMap(([keyword, value]): [string, unknown][] => {
        if (keyword === "discriminator" || keyword === "example" || keyword === "examples") return [];
        if (keyword === "$ref") return [[keyword, reference(String(value))]];
        if (keyword === "properties" || keyword === "patternProperties") return [[keyword, wholes(value)]];
        if (BRANCHES.includes(keyword) && Array.isArray(value))
          return [[keyword, value.map((one: JsonSchema) => branch(keyword, one))]];
        if (keyword === "prefixItems" && Array.isArray(value)) return [[keyword, value.map(partOf)]];
        return [[keyword, keyword === "items" || keyword === "additionalProperties" ? partOf(value) : value]];
      }),
    );

  const strict = whole(schema);
  return used.size === 0 ? strict : { ...strict, $defs: Object.fromEntries(used) };
};
