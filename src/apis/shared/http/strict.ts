import type { TSchema } from "@sinclair/typebox";
import { type Issue, issue, shownPath } from "../../../kernel/schema.ts";

/**
 * The preference of a client that wants unknown fields refused, and the response header that confirms it. See
 * https://www.rfc-editor.org/rfc/rfc7240.
 */
export const STRICT = "handling=strict";

/** Whether a request prefers a refusal of unknown fields. If a preference has several values, the first counts. */
export const isStrict = ({ headers }: Request): boolean => {
  const preferences = (headers.get("prefer") ?? "")
    .split(",")
    .map((one) => (one.split(";", 1)[0] ?? "").replaceAll(/[\s"]/g, "").toLowerCase());
  return preferences.find((one) => one.startsWith("handling=")) === STRICT;
};

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema of a union that a value is meant to match. */
const shapeFor = (schema: TSchema, value: object): TSchema => {
  const shapes = schema["anyOf"] as TSchema[] | undefined;
  return shapes?.find(({ type }) => type === (Array.isArray(value) ? "array" : "object")) ?? schema;
};

/** The schema of an object's field: undefined for an unknown field, `true` for any value. */
const schemaOfField = (
  { properties, patternProperties, additionalProperties }: TSchema,
  name: string,
): TSchema | true | undefined => {
  if (properties !== undefined && Object.hasOwn(properties as object, name))
    return (properties as Record<string, TSchema>)[name];
  const [pattern] = Object.values((patternProperties as Record<string, TSchema> | undefined) ?? {});
  return pattern ?? (isFields(additionalProperties) ? true : undefined);
};

/** The schemas of a field that depend on a sibling, as `content` depends on `type`. */
const shapesByWord = (schema: TSchema, value: Fields): TSchema[] =>
  ((schema["oneOf"] as TSchema[] | undefined) ?? []).filter(
    ({ properties }) => (properties as Record<string, TSchema>)["type"]?.["const"] === value["type"],
  );

/** The fields of a value, at any depth, that its schema does not have. */
export function* unknownFields(given: TSchema, value: unknown, path = ""): Generator<Issue> {
  if (typeof value !== "object" || value === null) return;
  const schema = shapeFor(given, value);
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(value)) {
    if (isFields(schema["items"]))
      for (const [n, item] of value.entries()) yield* unknownFields(schema["items"] as TSchema, item, at(String(n)));
    return;
  }
  if (schema["type"] !== "object") return;
  for (const [name, inner] of Object.entries(value)) {
    const known = schemaOfField(schema, name);
    if (known === undefined) yield issue(shownPath(at(name)), "forbidden", "is not a field here");
    else if (known !== true) yield* unknownFields(known, inner, at(name));
  }
  for (const shape of shapesByWord(schema, value as Fields))
    yield* unknownFields({ ...shape, type: "object", additionalProperties: {} }, value, path);
}
