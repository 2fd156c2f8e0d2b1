import { describe, expect, test } from "bun:test";
import { faultInJson, OWN_JSON, parsedJson, SIGNED_JSON } from "../../../src/kernel/texts/json.ts";

const BROKEN: [text: string, said: string][] = [
  ["", "it ends too early, at line 1, column 1"],
  ["{", "it ends too early, at line 1, column 2"],
  ['{"a":', "it ends too early, at line 1, column 6"],
  ['{"a":"b', "it ends too early, at line 1, column 8"],
  ['{"a":1,}', "line 1, column 8 has an unexpected character"],
  ["[1,]", "line 1, column 4 has an unexpected character"],
  ["[,1]", "line 1, column 2 has an unexpected character"],
  ['{"a" 1}', "line 1, column 6 has an unexpected character"],
  ['{"a":1 "b":2}', "line 1, column 8 has an unexpected character"],
  ["{'a':1}", "line 1, column 2 has an unexpected character"],
  ["{a:1}", "line 1, column 2 has an unexpected character"],
  ["{} {}", "line 1, column 4 has an unexpected character"],
  ['{"a":01}', "line 1, column 7 has an unexpected character"],
  ['{"a":1.}', "line 1, column 7 has an unexpected character"],
  ['{"a":.5}', "line 1, column 6 has an unexpected character"],
  ['{"a":NaN}', "line 1, column 6 has an unexpected character"],
  ['{"a":"b\\x"}', "line 1, column 8 has an unexpected character"],
  ['{"a":"\\u12g4"}', "line 1, column 7 has an unexpected character"],
  ['{"a":"b\nc"}', "line 1, column 8 has an unexpected character"],
  ['{"a":[1}', "line 1, column 8 has an unexpected character"],
  ['{\n  "a": 1,\n  "b": tru\n}', "line 3, column 8 has an unexpected character"],
  ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3 has an unexpected character"],
  ["nonsense", "line 1, column 1 has an unexpected character"],
  ["\u0000", "line 1, column 1 has an unexpected character"],
];

const many = (count: number): string => `[${Array(count).fill("1").join()}]`;
describe("a text beyond the limits is read as none", () => {
  test.each<[string, string, boolean]>([
    ["64 levels", "[".repeat(64) + "]".repeat(64), true],
    ["65 levels", "[".repeat(65) + "]".repeat(65), false],
    ["brackets in a text", JSON.stringify({ a: "[".repeat(1000) }), true],
    ["20,000 values", many(20_000), true],
    ["20,002 values", many(20_002), false],
    ["commas in a text with escaped quotes", JSON.stringify({ a: '",'.repeat(30_000) }), true],
    ["too many escapes", `["${"\\n".repeat(3_200_001)}"]`, false],
  ])("%s", (_, text, isRead) => expect(parsedJson(text) !== undefined).toBe(isRead));

  test("an envelope that a network signed may have ten times as many, and what this server wrote any number", () => {
    expect(parsedJson(many(200_000), SIGNED_JSON)).toHaveLength(200_000);
    expect(parsedJson(many(200_002), SIGNED_JSON)).toBeUndefined();
    expect(parsedJson(many(200_002), OWN_JSON)).toHaveLength(200_002);
  });
});

describe("what is no JSON says where it stops being some", () => {
  test.each(BROKEN)("%j", (text, said) => expect([parsedJson(text), faultInJson(text)]).toEqual([undefined, said]));

  test("of a text with one character too many, or one missing, at that place or behind it", () => {
    const whole = JSON.stringify({ a: [1, -2.5e3, true, null, "x\n\u00e9"], b: { c: {}, d: [] } }, null, 1);
    for (let at = 0; at < whole.length; at++) {
      for (const broken of [
        whole.slice(0, at) + whole.slice(at + 1),
        `${whole.slice(0, at)}\u0001${whole.slice(at)}`,
        whole.slice(0, at),
      ]) {
        if (parsedJson(broken) !== undefined) continue;
        const [, line = "", column = ""] = /line (\d+), column (\d+)/.exec(faultInJson(broken)) ?? [];
        const lines = broken.split("\n").slice(0, Number(line));
        const offset = lines.slice(0, -1).reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
        expect([broken, offset <= broken.length, at - offset <= 5]).toEqual([broken, true, true]);
      }
    }
  });
});
