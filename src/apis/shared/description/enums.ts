import { OPEN_WORDS } from "../../../kernel/schema.ts";
import { refTo } from "./components.ts";
import { isSchema, mapValues, type Schema } from "./json-schema.ts";
import { pascal, singular } from "./names.ts";

type Found = { names: Set<string>; titles: Set<string>; count: number };

/** The listed values of a text: the only ones, or those that are known. */
const wordsOf = ({ enum: only, [OPEN_WORDS]: known }: Schema): Schema => ({
  ...(only === undefined ? {} : { enum: only }),
  ...(known === undefined ? {} : { [OPEN_WORDS]: known }),
});
const isEnum = (schema: Schema): boolean =>
  schema["type"] === "string" && Object.values(wordsOf(schema)).some((words) => Array.isArray(words));
const keyOf = (schema: Schema): string => JSON.stringify(wordsOf(schema));

/** Keywords whose value is not a schema. */
const VALUES = ["example", "examples", "default", "enum", "const", "required", "mapping", OPEN_WORDS];

/** The place of a schema: the name that it would have, and whether it belongs to a list's items. */
type Place = { name: string; isItem: boolean };
type Change = (schema: Schema, place: Place) => Schema;

/** Every part of a value, changed from the inside; `name` is derived from the names on its way. */
const walked = (value: unknown, outer: Place, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => walked(one, outer, change));
  if (!isSchema(value)) return value;
  const name = nameWithin(value, outer.name);
  const inner = mapValues(value, (one, key) => {
    if (VALUES.includes(key)) return one;
    if (key === "properties")
      return mapValues(one as Schema, (field, own) =>
        walked(field, { name: name + pascal(own), isItem: false }, change),
      );
    const isItem = key === "items";
    return walked(one, { name: isItem ? singular(name) : name, isItem }, change);
  });
  return change(inner, { ...outer, name });
};

/** The name of an operation, or of its parameter, else the outer one. */
const nameWithin = ({ operationId, in: place, name }: Schema, outer: string): string => {
  if (typeof operationId === "string") return pascal(operationId);
  return typeof place === "string" && typeof name === "string" ? outer + pascal(name) : outer;
};

const shortest = (names: Set<string>): string =>
  [...names].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? "";

const countIn =
  (found: Map<string, Found>): Change =>
  (schema, { name, isItem }) => {
    if (!isEnum(schema)) return schema;
    const one = found.get(keyOf(schema)) ?? { names: new Set(), titles: new Set(), count: 0 };
    found.set(keyOf(schema), one);
    one.count += isItem ? 2 : 1; // generators would themselves name the items of a list
    one.names.add(name);
    if (typeof schema["title"] === "string") one.titles.add(schema["title"]);
    return schema;
  };

/** The keywords that may stand beside a reference. */
const besideOf = ({ description, examples, default: fallback }: Schema): Schema => ({
  ...(description === undefined ? {} : { description }),
  ...(examples === undefined ? {} : { examples }),
  ...(fallback === undefined ? {} : { default: fallback }),
});

/**
 * Makes a component of every enumeration that has a title, is used twice or stands in a list. Its name is the title,
 * else the shortest of its fields' names.
 *
 * @throws Error for a name that another schema has
 */
export const withNamedEnums = <Part extends Schema>(
  parts: Part,
  schemas: Record<string, Schema>,
): { parts: Part; schemas: Record<string, Schema> } => {
  const over = (change: Change) => ({
    schemas: mapValues(schemas, (schema, name) => walked(schema, { name, isItem: false }, change) as Schema),
    parts: mapValues(parts, (part, name) => walked(part, { name: pascal(name), isItem: false }, change)) as Part,
  });
  const found = new Map<string, Found>();
  over(countIn(found));
  const named: Record<string, Schema> = {};
  const made = over((schema) => {
    if (!isEnum(schema)) return withShortNull(schema);
    const { title: _, ...rest } = schema;
    const counted = found.get(keyOf(schema));
    if (!counted || (counted.count < 2 && counted.titles.size === 0)) return rest;
    const name = shortest(counted.titles.size > 0 ? counted.titles : counted.names);
    const shape = { type: "string", ...wordsOf(rest) };
    if (name in schemas || (named[name] && keyOf(named[name]) !== keyOf(schema)))
      throw new Error(`two schemas are named ${name}: give the enumeration ${keyOf(schema)} a title`);
    named[name] = shape;
    return { ...refTo(name), ...besideOf(rest) };
  });
  return { parts: made.parts, schemas: { ...made.schemas, ...named } };
};

/** A choice of an enumeration of its own or null. */
const withShortNull = (schema: Schema): Schema => {
  const [shape, nothing] = (schema["anyOf"] as Schema[] | undefined) ?? [];
  if (!shape || nothing?.["type"] !== "null" || !Array.isArray(shape["enum"])) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...shape, ...rest, type: ["string", "null"], enum: [...(shape["enum"] as string[]), null] };
};
