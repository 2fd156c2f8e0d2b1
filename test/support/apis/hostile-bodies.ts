import type { Schema } from "./bad-bodies.ts";

/**
 * A body that costs as much to look at as one of its size can, and what it is. Its bytes are made when it is sent:
 * those of a route would take hundreds of megabytes at once, and those of a module would stay with its process.
 */
export type HostileBody = { why: string; raw(): string };

/** What `MAX_BODY_BYTES` lets through, with room for the rest of a body. */
const SIZE = 1_000_000;
/** Just below the number of values that is refused as too many. */
const BREADTH = 19_500;

const filled = (text: string): string => text.repeat(Math.floor(SIZE / text.length));
const wide = (item: string): string => `[${Array(BREADTH).fill(item).join()}]`;
const names = (value: string): string => `{${Array.from({ length: BREADTH }, (_, n) => `"k${n}":${value}`).join()}}`;
const deep = (depth: number): string => `${'{"a":['.repeat(depth)}${"]}".repeat(depth)}`;

type Worst = { why: string; json: string };

/** JSON values that are worst for somebody: in length, breadth, depth, or in what their characters are. */
const WORST: readonly Worst[] = [
  { why: "a long text", json: `"${filled("a")}"` },
  { why: "a long text of escapes", json: `"${filled("\\n")}"` },
  { why: "a long text of emoji", json: `"${"😀".repeat(SIZE / 4)}"` },
  { why: "halves of surrogate pairs", json: `"${filled("\\ud83d")}"` },
  { why: "many NUL", json: `"${filled("\\u0000")}"` },
  { why: "open braces", json: `"${filled("{{")}"` },
  { why: "a long number", json: filled("9") },
  { why: "many empty objects", json: wide("{}") },
  { why: "many lists", json: wide("[[]]") },
  { why: "many texts", json: wide(`"${"x".repeat(45)}"`) },
  { why: "many numbers", json: wide("5511999990001") },
  { why: "many names", json: names('"x"') },
  { why: "many names of objects", json: names("{}") },
  { why: "a long name", json: `{"${filled("n")}":1}` },
  { why: "a long name of slashes", json: `{"${filled("/~")}":{}}` },
  { why: "great depth", json: `[${Array(600).fill(deep(15)).join()}]` },
];

/** The worst of roots: values of every other type, and texts that are no JSON from some point on. */
export const HOSTILE_ROOTS: readonly HostileBody[] = [
  ...WORST.map(({ why, json }) => ({ why: `${why} as the body`, raw: () => json })),
  { why: "nothing but blanks", raw: () => filled(" ") },
  { why: "blanks in an object", raw: () => `{${filled(" ")}}` },
  { why: "brackets", raw: () => filled("[") },
  { why: "quotes", raw: () => `{${filled('"')}` },
  { why: "a text that does not end", raw: () => `{"a":"${filled("\\u00e9")}` },
  { why: "a digit too many", raw: () => `{"a":${filled("1")}.}` },
  { why: "lines and lines", raw: () => `{"a":[${filled("\n")}x]}` },
];

const LONG = 20 * 1024 * 1024 - 100;

/** Bodies of what the routes with the highest limit take. */
export const LONGEST_BODIES: Readonly<Record<string, () => string>> = {
  blanks: () => `{${" ".repeat(LONG)}}`,
  "lines in a text": () => `{"messages":[{"from":"user","text":"${"\\n".repeat(LONG / 2 - 50)}"}]}`,
  "good texts": () =>
    JSON.stringify({
      messages: Array.from({ length: 200 }, () => ({ from: "user", text: "😀".repeat(8000) })),
    }),
  "escaped texts": () =>
    `{"messages":[${Array(200)
      .fill(`{"from":"user","text":"${"\\ud83d\\ude00".repeat(8000)}"}`)
      .join()}]}`,
  brackets: () => "[".repeat(LONG),
  quotes: () => `{${'"'.repeat(LONG)}`,
};

const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

/** Paths to all fields of a schema: the names, and `0` for an item. Limited in depth. */
const pathsOf = (schema: Schema, depth = 0): string[][] => {
  if (depth > 3) return [];
  const inProperties = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    [name],
    ...pathsOf(inner, depth + 1).map((path) => [name, ...path]),
  ]);
  const inItems = schema.items ? [["0"], ...pathsOf(schema.items, depth + 1).map((path) => ["0", ...path])] : [];
  return [...inProperties, ...inItems, ...(schema.anyOf ?? []).flatMap((one) => pathsOf(one, depth + 1))];
};

const isList = (schema: Schema): boolean => typesOf(schema).includes("array");

/** JSON in which the value at a path is `raw`, beside what a good body has. */
const placed = (good: unknown, [name, ...rest]: readonly string[], raw: string): string => {
  if (name === undefined) return raw;
  if (name === "0") return `[${placed(Array.isArray(good) ? good[0] : undefined, rest, raw)}]`;
  const others = Object.entries(typeof good === "object" && good !== null && !Array.isArray(good) ? good : {}).filter(
    ([key]) => key !== name,
  );
  const inner = placed((good as Record<string, unknown> | undefined)?.[name], rest, raw);
  return `{${[...others.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`), `${JSON.stringify(name)}:${inner}`].join()}}`;
};

const schemaAt = (schema: Schema, [name, ...rest]: readonly string[]): Schema | undefined => {
  if (name === undefined) return schema;
  const inner = name === "0" ? schema.items : schema.properties?.[name];
  if (inner) return schemaAt(inner, rest);
  return (schema.anyOf ?? []).map((one) => schemaAt(one, [name, ...rest])).find((one) => one !== undefined);
};

/** A list of as many samples of its items as there may be values. */
const manySamples = (schema: Schema, sample: Sample): HostileBody[] => {
  if (!schema.items || !isList(schema)) return [];
  const one = JSON.stringify(sample(schema.items)) ?? "null";
  const values = one.split(",").length;
  return [
    {
      why: "as many good items as fit",
      raw: () =>
        `[${Array(Math.floor(Math.min(BREADTH / values, SIZE / one.length)))
          .fill(one)
          .join()}]`,
    },
  ];
};

type Sample = (of: Schema) => unknown;

/** Of the worst values so many at each place: others at the next, so that all of them meet every kind of place. */
const EACH = 2;

const atPlaces = (schema: Schema, good: unknown, sample: Sample): HostileBody[] =>
  pathsOf(schema).flatMap((path, place) => {
    const values = Array.from({ length: EACH }, (_, n) => WORST[(place * 5 + n * 3) % WORST.length]).filter(
      (one) => one !== undefined,
    );
    const worst = values.map(({ why, json }) => ({ why, raw: () => json }));
    return [...worst, ...manySamples(schemaAt(schema, path) ?? {}, sample)].map(({ why, raw }) => ({
      why: `${why} at ${path.join(".")}`,
      raw: () => placed(good, path, raw()),
    }));
  });

/** The shapes that a schema offers by a word of the body: each with a good body of that shape. */
const shapesOf = (schema: Schema, good: unknown, sample: Sample): { schema: Schema; good: unknown }[] => {
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
    shapesOf(inner, (good as Record<string, unknown> | undefined)?.[name], sample).map((shape) => ({
      schema: { properties: { [name]: shape.schema } },
      good: { ...(good as object), [name]: shape.good },
    })),
  );
  const own = (schema.oneOf ?? []).map((shape) => ({
    schema: { properties: { content: shape.properties?.["content"] ?? {} } },
    good: {
      ...(good as object),
      ...Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, one]) => [name, one.const ?? sample(one)]),
      ),
    },
  }));
  return [...own, ...nested];
};

/**
 * For a route: at the place of everything that its schema names, in every shape that it may have, values of the worst,
 * and lists of good items.
 */
export const hostileBodiesOf = (schema: Schema, good: unknown, sample: Sample): HostileBody[] => [
  ...atPlaces(schema, good, sample),
  ...shapesOf(schema, good, sample).flatMap((shape) => atPlaces(shape.schema, shape.good, sample)),
  {
    why: "many unknown names",
    raw: () => `${JSON.stringify(good).slice(0, -1)},${names("{}").slice(1)}`.replace("{,", "{"),
  },
];
