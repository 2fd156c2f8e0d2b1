import type { TSchema } from "@sinclair/typebox";
import { type Issue, issue, shownPath } from "../../kernel/schema.ts";

/**
 * RFC 7240: what a client asks for that wants to hear of fields that are unknown here, and what it is told when it
 * does.
 */
export const STRICT = "handling=strict";

/**
 * Whether a request prefers to be refused for a field that is unknown here. Of several words for one preference the
 * first counts.
 */
export const isStrict = ({ headers }: Request): boolean => {
  const preferences = (headers.get("prefer") ?? "")
    .split(",")
    .map((one) => (one.split(";", 1)[0] ?? "").replaceAll(/[\s"]/g, "").toLowerCase());
  return preferences.find((one) => one.startsWith("handling=")) === STRICT;
};

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of a choice of shapes the one that a value is meant to have. */
const shapeFor = (schema: TSchema, value: object): TSchema => {
  const shapes = schema["anyOf"] as TSchema[] | undefined;
  return shapes?.find(({ type }) => type === (Array.isArray(value) ? "array" : "object")) ?? schema;
};

/** What a field of an object is for its schema: undefined where it is unknown, `true` where it may be anything. */
const schemaOfField = (
  { properties, patternProperties, additionalProperties }: TSchema,
  name: string,
): TSchema | true | undefined => {
  if (properties !== undefined && Object.hasOwn(properties as object, name))
    return (properties as Record<string, TSchema>)[name];
  const [pattern] = Object.values((patternProperties as Record<string, TSchema> | undefined) ?? {});
  return pattern ?? (isFields(additionalProperties) ? true : undefined);
};

/** The shapes that a field has by a word beside it, as `content` has by `type`. */
const shapesByWord = (schema: TSchema, value: Fields): TSchema[] =>
  ((schema["oneOf"] as TSchema[] | undefined) ?? []).filter(
    ({ properties }) => (properties as Record<string, TSchema>)["type"]?.["const"] === value["type"],
  );

/** The fields of a value, at any depth, that its schema does not know. */
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
