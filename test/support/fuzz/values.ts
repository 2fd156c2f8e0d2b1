import fc from "fast-check";
import type { Description } from "../description/description.ts";
import type { JsonSchema } from "../description/strict-schemas.ts";

/** Names a thing of a tenant in a value: `@own.phoneId@`. It is replaced when the call is made. */
export const nameOfThing = (whose: "own" | "other", name: string): string => `@${whose}.${name}@`;

/** The thing that a field or a parameter of this name means. */
export type Meaning = (field: string) => string | undefined;

const NUMBERS = ["5511999990001", "+55 11 99999-0001", "5511999990002", "5521988887777", "447700900123"];
const TIMES = [
  "2026-11-20T12:00:00Z",
  "2026-12-01T09:30:00.5-03:00",
  "2099-12-31T23:59:59Z",
  "2000-02-29T00:00:00+14:00",
];
const DAYS = ["2026-11-30", "2028-02-29", "2099-01-01"];
/** Nobody listens there, and nothing outside this machine is asked. */
const ADDRESSES = ["https://127.0.0.1:1/hook", "http://127.0.0.1:1/a%20b?c=d", "https://127.0.0.1:1"];

/**
 * Code points that software often handles wrongly: several units, right to left, joined, invisible, and of other
 * syntaxes.
 */
const UNITS = [
  ...Array.from("abcXYZ 019"),
  ...Array.from("éßç日本"),
  "😀",
  "🇧",
  "\u200f",
  "ש",
  "ع",
  "\u200d",
  "\ufeff",
  ...Array.from("'\"<>&%{}\\/;`"),
  "\n",
  "\t",
];

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid({ version: 4 }),
  uri: fc.constantFrom(...ADDRESSES),
  email: fc.constantFrom("ana@example.com", "joão+x@exemplo.com.br", "a@b"),
  "date-time": fc.constantFrom(...TIMES),
  date: fc.constantFrom(...DAYS),
  "file-name": fc.constantFrom("a.pdf", "relatório final.txt", "💾.png"),
  binary: fc.constant("bytes"),
};

/** Texts of a pattern. fast-check makes none for a pattern that looks ahead: there, numbers of people. */
const patterned = (pattern: string): fc.Arbitrary<string> =>
  pattern.includes("(?") && !pattern.includes("(?:[A-Z") && pattern.includes("(?!")
    ? fc.constantFrom(...NUMBERS)
    : fc.stringMatching(new RegExp(pattern.replace("\\S", "[a-z0-9]")), { size: "small" });

/** Longer values are tried by the tests of hostile bodies. */
const MOST = 3000;

const textOf = (schema: JsonSchema): fc.Arbitrary<string> => {
  const { format, pattern, minLength = 0, maxLength = 200 } = schema as Record<string, any>;
  const known = FORMATS[format as string];
  if (known) return known;
  if (typeof pattern === "string") return patterned(pattern);
  const unit = fc.constantFrom(...UNITS);
  const shortest = Number(minLength);
  const longest = Math.min(Number(maxLength), MOST);
  const of = (least: number, most: number) => fc.string({ unit, minLength: least, maxLength: most });
  return fc.oneof(
    { weight: 6, arbitrary: of(Math.max(shortest, 1), Math.max(1, shortest, Math.min(longest, shortest + 20))) },
    { weight: 1, arbitrary: of(shortest, shortest) },
    { weight: 1, arbitrary: of(longest, longest) },
  );
};

const numberOf = (schema: JsonSchema, isWhole: boolean): fc.Arbitrary<number> => {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
  const least = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
  const most = maximum ?? Math.max(least, 0) + 1_000_000;
  const edges = [least, most, Math.min(most, least + 1)];
  return fc.oneof(
    fc.constantFrom(...edges),
    isWhole
      ? fc.integer({ min: Math.ceil(least), max: Math.min(most, 2 ** 31 - 1) })
      : fc.double({ min: least, max: most, noNaN: true }),
  );
};

/** Half of the optional values are made, by chance, because a body with all of them is rarely allowed. */
const DEEPEST = 7;

/** Values for the schemas of one description. The schemas allow most of them, but not all. */
export const valuesOf = (description: Description, meaning: Meaning) => {
  const resolved = (schema: JsonSchema): JsonSchema => {
    const { $ref, ...rest } = schema as JsonSchema & { $ref?: string };
    if ($ref !== undefined) return resolved({ ...description.resolved<JsonSchema>({ $ref }), ...rest });
    if (!Array.isArray(schema["allOf"])) return schema;
    const { allOf, ...own } = schema;
    return (allOf as JsonSchema[]).map(resolved).reduce(merged, own);
  };

  const thing = (name: string, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
    const meant = meaning(name);
    return meant === undefined
      ? otherwise
      : fc.oneof(
          { weight: 8, arbitrary: fc.constant(nameOfThing("own", meant)) },
          { weight: 1, arbitrary: fc.constant(nameOfThing("other", meant)) },
          { weight: 1, arbitrary: otherwise },
        );
  };

  const objectOf = (schema: JsonSchema, depth: number): fc.Arbitrary<unknown> => {
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = schema as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
      additionalProperties?: unknown;
    };
    const fields = Object.entries(properties).map(([name, field]): [string, fc.Arbitrary<unknown>] => {
      const value = valueOf(field, name, depth + 1);
      return [name, required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 2 })];
    });
    const named = fc.record(Object.fromEntries(fields)).map(withoutUndefined);
    if (typeof additionalProperties !== "object" || additionalProperties === null) return named;
    const more = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      valueOf(additionalProperties as JsonSchema, "", depth + 1),
      { maxKeys: 3 },
    );
    return fc.tuple(more, named).map(([others, own]) => ({ ...others, ...own }));
  };

  const ofType = (type: unknown, schema: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> => {
    switch (type) {
      case "object":
        return objectOf(schema, depth);
      case "array": {
        const { items = {}, minItems = 0, maxItems = 3 } = schema as Record<string, any>;
        const most = Math.max(Number(minItems), Math.min(Number(maxItems), Number(minItems) + 2));
        return fc.array(valueOf(items as JsonSchema, name.replace(/s$/, ""), depth + 1), {
          minLength: Number(minItems),
          maxLength: most,
        });
      }
      case "integer":
      case "number":
        return numberOf(schema, type === "integer");
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "string":
        return thing(name, /^(to|phoneNumber|number)$/.test(name) ? fc.constantFrom(...NUMBERS) : textOf(schema));
      default:
        return fc.constantFrom<unknown>("a text", 5, true, { key: "value" }, ["item"]);
    }
  };

  /** `name`: the name of the field, which may decide the value. */
  const valueOf = (given: JsonSchema, name: string, depth = 0): fc.Arbitrary<unknown> => {
    const schema = resolved(given);
    if (depth > DEEPEST) return fc.constant(null);
    if ("const" in schema) return fc.constant(schema["const"]);
    if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
    const choices = (schema["oneOf"] ?? schema["anyOf"]) as JsonSchema[] | undefined;
    if (choices) {
      const { oneOf: _, anyOf: __, discriminator: ___, ...common } = schema;
      return fc.oneof(...choices.map((one) => valueOf(merged(common, resolved(one)), name, depth)));
    }
    return fc.oneof(...[schema["type"]].flat().map((type) => ofType(type, schema, name, depth)));
  };
  return valueOf;
};

const merged = (a: JsonSchema, b: JsonSchema): JsonSchema => ({
  ...a,
  ...b,
  ...(a["properties"] || b["properties"]
    ? { properties: { ...(a["properties"] as object), ...(b["properties"] as object) } }
    : {}),
  ...(a["required"] || b["required"]
    ? { required: [...((a["required"] ?? []) as string[]), ...((b["required"] ?? []) as string[])] }
    : {}),
});

const withoutUndefined = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
