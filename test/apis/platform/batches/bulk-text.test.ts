import { expect, test } from "bun:test";
import fc from "fast-check";
import { filledLength, filledText, shapeOf } from "../../../../src/core/messaging/batches/batch-text.ts";
import { codePoints } from "../../../../src/kernel/schema.ts";

const name = fc.oneof(
  fc.constantFrom("a", "nome", "__proto__", "constructor", "1.x-y_z", "número"),
  fc.stringMatching(/^[A-Za-z0-9_.-]{1,8}$/),
);
/** Among them what would be variables, and what would mean something to a replacement. */
const value = fc.oneof(
  fc.string({ unit: "grapheme" }),
  name.map((one) => `{{${one}}}`),
  fc.constantFrom("{{", "}}", "{", "$&", "$1", "$$", "{{ a }} {{b}}"),
);
const literal = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[{}]/g, ""));
const use = fc.record({ name, spaces: fc.constantFrom("", " ", "   ") });
const parts = fc.array(fc.oneof(literal, use), { maxLength: 12 });
const values = fc
  .array(fc.tuple(name, value))
  .map((entries) => Object.fromEntries([["a", "{{nome}}"], ["nome", "{{a}}"], ...entries]) as Record<string, string>);

type Part = string | { name: string; spaces: string };
const written = (part: Part): string =>
  typeof part === "string" ? part : `{{${part.spaces}${part.name}${part.spaces}}}`;
const valueIn = (all: Record<string, string>, { name: key }: { name: string }): string | undefined =>
  Object.entries(all).find(([one]) => one === key)?.[1];

test("variables within a value are not replaced, and a variable without a value stays as it is written", () => {
  fc.assert(
    fc.property(parts, values, (list, all) => {
      const expected = list
        .map((part) => (typeof part === "string" ? part : (valueIn(all, part) ?? written(part))))
        .join("");
      expect(filledText(list.map(written).join(""), all)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("the length of a text with its values is known without making it", () => {
  fc.assert(
    fc.property(parts, values, (list, all) => {
      const text = list.map(written).join("");
      const complete = Object.fromEntries(
        [...shapeOf(text).uses.keys()].map((key) => [key, valueIn(all, { name: key }) ?? ""]),
      );
      expect(filledLength(shapeOf(text), complete)).toBe(codePoints(filledText(text, complete)));
    }),
    { numRuns: 500 },
  );
});

test("a text without values is itself, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "grapheme" }),
        fc.array(fc.constantFrom("{", "}", "{{", "}}", " ", "a", "\n")).map((all) => all.join("")),
      ),
      (text) => filledText(text, {}) === text,
    ),
  );
});

test.each(["{{}}", "{{ }}", "{a}", "{{a b}}", "{{a}", "{ {a}}", "{{\na}}", "{{a\t}}", "{{a/b}}", "{{$}}"])(
  "%j is text",
  (text) => {
    expect([...shapeOf(text).uses]).toEqual([]);
  },
);

test.each([
  ["{{a}}", "a"],
  ["{{ a }}", "a"],
  ["{{{a}}}", "a"],
  ["{{ordem.número_1-a}}", "ordem.número_1-a"],
  ["{{__proto__}}", "__proto__"],
])("%j is the variable %j", (text, variable) => {
  expect([...shapeOf(text).uses.keys()]).toEqual([variable]);
});
