import { describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import {
  AnyText,
  codePoints,
  DateTime,
  issuesOf,
  MAX_ISSUES,
  Nullable,
  OneOf,
  Text,
  Url,
  Uuid,
  WebhookUrl,
} from "../../src/kernel/schema.ts";

/** Every issue as `path rule`. */
const faults = (schema: TSchema, value: unknown, prefix?: string) =>
  issuesOf(schema, value, prefix).map(({ path, rule }) => `${path} ${rule}`);

describe("codePoints", () => {
  test("counts what iterating a string counts, lone surrogates included", () => {
    const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    const surrogates = fc.array(fc.integer({ min: 0xd7ff, max: 0xe000 })).map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(anyUnits, surrogates, fc.string({ unit: "grapheme" })), (text) =>
        expect(codePoints(text)).toBe([...text].length),
      ),
    );
  });
});

describe("Text", () => {
  const schema = Type.Object({ t: Text(2, 4) });
  test.each(["a", "😀"])("one character short of the least is refused: %s", (text) => {
    expect(faults(schema, { t: text })).toEqual(["t minLength"]);
  });

  test.each(["ab", "abcd", "😀😀", "😀😀😀😀", "á😀\u{10ffff}b"])("from the least to the most is taken: %s", (text) => {
    expect(faults(schema, { t: text })).toEqual([]);
  });

  test.each(["abcde", "😀😀😀😀😀", "👨‍👩‍👧"])("one character beyond the most is refused: %s", (text) => {
    expect(faults(schema, { t: text })).toEqual(["t maxLength"]);
  });

  test("4096 emoji fit a limit of 4096, one more does not", () => {
    expect(faults(Text(1, 4096), "😀".repeat(4096))).toEqual([]);
    expect(faults(Text(1, 4096), "😀".repeat(4097))).toEqual([" maxLength"]);
  });

  test("holds exactly when the count of code points is within the limits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 8 }), fc.nat(6), fc.nat(6), (text, min, extra) => {
        const length = [...text].length;
        const isTaken = length >= min && length <= min + extra && !text.includes("\0");
        expect(faults(Text(min, min + extra), text).length === 0).toBe(isTaken);
      }),
    );
  });

  test("a NUL inside a text is refused: what is stored would end there", () => {
    expect(faults(Text(1, 9), "a\0b")).toEqual([" pattern"]);
    expect(faults(Text(1, 9), "\0")).toEqual([" pattern"]);
  });

  test("half of a surrogate pair is refused: as UTF-8 all of them are one character", () => {
    for (const text of ["\ud800", "a\udfffb", "\udc00\ud800"]) expect(faults(Text(1, 9), text)).toEqual([" pattern"]);
    expect(faults(Text(1, 1), "🚚")).toEqual([]);
  });

  test.each([[null], [5], [true], [["ab"]], [{}]])("%p is no text", (value) => {
    expect(faults(schema, { t: value })).toEqual(["t type"]);
  });

  test("AnyText has a least length alone", () => {
    expect(faults(AnyText(), "")).toEqual([]);
    expect(faults(AnyText(1), "")).toEqual([" minLength"]);
    expect(faults(AnyText(1), "x".repeat(100_000))).toEqual([]);
  });
});

describe("formats", () => {
  test.each([
    ["Uuid", Uuid(), "018bcfe5-6800-4000-8000-000000000000", "018bcfe5"],
    ["DateTime", DateTime(), "2024-01-31T10:00:00Z", "2024-02-30T10:00:00Z"],
    ["Url", Url(), "https://example.com/a?b=c", "javascript:alert(1)"],
    ["Url", Url(), "http://example.com", "amqps://example.com/"],
    ["WebhookUrl", WebhookUrl(), "nats+tls://example.com/s?subject=a", "javascript:alert(1)"],
    ["WebhookUrl", WebhookUrl(), "https://example.com/a?b=c", "amqps:///vhost"],
  ])("%s takes its form and refuses another", (_, schema, good, bad) => {
    expect(faults(schema, good)).toEqual([]);
    expect(faults(schema, bad)).toEqual([" format"]);
  });

  test("a URL has at most 2048 characters", () => {
    const start = "https://example.com/";
    expect(faults(Url(), start.padEnd(2048, "a"))).toEqual([]);
    expect(faults(Url(), start.padEnd(2049, "a"))).toEqual([" maxLength"]);
  });
});

describe("OneOf", () => {
  const schema = Type.Object({ kind: OneOf(["text", "image"]) });

  test("takes its words alone, and names them to who sends another", () => {
    expect(faults(schema, { kind: "image" })).toEqual([]);
    expect(issuesOf(schema, { kind: "Image" })).toEqual([
      { path: "kind", rule: "enum", message: "must be one of text, image" },
    ]);
    expect(faults(schema, { kind: null })).toEqual(["kind enum"]);
  });

  test("a missing field is required, and is never filled in", () => {
    const value = {};
    expect(faults(schema, value)).toEqual(["kind required"]);
    expect(value).toEqual({});
  });
});

describe("Nullable", () => {
  const schema = Type.Object({
    name: Nullable(Text(1, 3)),
    address: Nullable(Type.Object({ street: Text(1, 3) })),
    kind: Nullable(OneOf(["a", "b"])),
  });

  test("takes null and its schema", () => {
    expect(faults(schema, { name: null, address: null, kind: null })).toEqual([]);
    expect(faults(schema, { name: "abc", address: { street: "abc" }, kind: "b" })).toEqual([]);
  });

  test("says of another value what its schema says, at the path inside it", () => {
    expect(faults(schema, { name: "abcd", address: { street: "" }, kind: "c" })).toEqual([
      "name maxLength",
      "address.street minLength",
      "kind enum",
    ]);
    expect(faults(schema, { name: 5, address: {}, kind: "a" })).toEqual(["name type", "address.street required"]);
    expect(faults(schema, {})).toEqual(["name required", "address required", "kind required"]);
    const nested = Type.Object({ outer: Nullable(Type.Object({ inner: Nullable(Text(1, 3)) })) });
    expect(faults(nested, { outer: { inner: "abcd" } })).toEqual(["outer.inner maxLength"]);
  });
});

describe("issuesOf", () => {
  const RULES: [rule: string, schema: TSchema, value: unknown][] = [
    ["required", Type.String(), undefined],
    ["type", Type.String(), 5],
    ["type", Type.Integer(), "5"],
    ["type", Type.Integer(), 5.5],
    ["type", Type.Boolean(), "true"],
    ["type", Type.Object({}), null],
    ["type", Type.Array(Type.String()), {}],
    ["enum", OneOf(["a"]), "b"],
    ["enum", Type.Literal(true), false],
    ["minLength", Text(1, 2), ""],
    ["maxLength", Text(1, 2), "abc"],
    ["minimum", Type.Integer({ minimum: 1 }), 0],
    ["minimum", Type.Number({ minimum: -90 }), -91],
    ["maximum", Type.Integer({ maximum: 1 }), 2],
    ["maximum", Type.Number({ maximum: 90 }), 90.5],
    ["minItems", Type.Array(Type.String(), { minItems: 1 }), []],
    ["maxItems", Type.Array(Type.String(), { maxItems: 1 }), ["a", "b"]],
    ["pattern", Type.String({ pattern: "^a$" }), "b"],
    ["format", Uuid(), "x"],
  ];
  test.each(RULES)("%s", (rule, schema, value) => {
    expect(faults(Type.Object({ field: schema }), { field: value })).toEqual([`field ${rule}`]);
  });

  test("forbidden, for a field that the schema closes out", () => {
    expect(faults(Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false }), { b: 1 })).toEqual(
      ["b forbidden"],
    );
  });

  test("paths join names and indexes by dots under the given prefix, with names of slashes kept whole", () => {
    const schema = Type.Object({ list: Type.Array(Type.Object({ "a/b~c": Text(1, 2) })) });
    expect(faults(schema, { list: [{ "a/b~c": "ok" }, { "a/b~c": "long" }] }, "content")).toEqual([
      "content.list.1.a/b~c maxLength",
    ]);
    expect(faults(Type.Object({ a: Type.String() }), null, "content")).toEqual(["content type"]);
  });

  test("one issue for each path, in the order of the schema", () => {
    const schema = Type.Object({
      b: Type.Array(Type.Integer({ minimum: 3 }), { minItems: 2 }),
      a: Text(1, 2),
      c: Type.String(),
    });
    expect(faults(schema, { a: "long", b: [1] })).toEqual(["c required", "b minItems", "b.0 minimum", "a maxLength"]);
  });

  test("is empty exactly for what fits, and never has a path twice", () => {
    const schema = Type.Object({
      a: Text(1, 3),
      n: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
      k: OneOf(["x", "y"]),
      l: Nullable(Type.Array(Text(0, 2), { maxItems: 2 })),
    });
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { a: fc.jsonValue(), n: fc.jsonValue(), k: fc.constantFrom("x", "z", null), l: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(value, (any) => {
        const paths = issuesOf(schema, any).map(({ path }) => path);
        expect(paths.length === 0).toBe(Value.Check(schema, any));
        expect(new Set(paths).size).toBe(paths.length);
        for (const { message } of issuesOf(schema, any)) expect(message).not.toContain("undefined");
      }),
    );
  });

  test("no message repeats the value", () => {
    const schema = Type.Object({ t: Text(1, 2), k: OneOf(["x"]), i: Type.Integer(), u: Uuid() });
    expect(JSON.stringify(issuesOf(schema, { t: "canary", k: "canary", i: "canary", u: "canary" }))).not.toContain(
      "canary",
    );
  });

  test("stops at a hundred, and looks no further", () => {
    const schema = Type.Array(Type.Object({ a: Text(1, 2) }));
    let looked = 0;
    const items = Array.from({ length: 20_000 }, () =>
      Object.defineProperty({}, "a", {
        get: () => {
          looked += 1;
          return 5;
        },
      }),
    );
    expect(issuesOf(schema, items)).toHaveLength(MAX_ISSUES);
    expect(looked).toBeLessThan(1000);
  });

  test("repeats no more of a name than a person reads", () => {
    const schema = Type.Object({}, { additionalProperties: Text(1, 2) });
    const [one] = issuesOf(schema, { [`${"n".repeat(100_000)}😀`]: 5 });
    expect(one?.path.length).toBeLessThan(210);
  });
});
