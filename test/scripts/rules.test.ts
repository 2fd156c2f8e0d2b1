import { expect, test } from "bun:test";
import { guaranteesIn, rulesTable } from "../../scripts/docs/rules.ts";

const PATH = "test/apis/pigeons.test.ts";
const FILE = `
const CASES = [["X-003", "a hawk is near"]];
describe("a pigeon", () => {
  test("G-001 P-002 flies home", () => {});
  test.each(CASES)("%s stays where %s", () => {});
  test.each([{ name: "G-004 of rain" }])("$name it waits", () => {});
  test("no rule asks for this", () => {});
  test(\`GAP-X01 carries \${2} letters\`, () => {});
});`;

test("a guarantee is the title of a test behind that of its group, under each rule that it begins with", () => {
  expect(guaranteesIn(PATH, FILE).map(({ rule, text }) => [rule, text])).toEqual([
    ["G-001", "a pigeon: flies home"],
    ["P-002", "a pigeon: flies home"],
    ["GAP-X01", "a pigeon: carries … letters"],
    ["X-003", "a hawk is near"],
    ["G-004", "a pigeon: … it waits: of rain"],
  ]);
});

test("the rules stand in their areas, each with its file; the same guarantee of one file stands there once", () => {
  const table = rulesTable({
    [PATH]: FILE,
    "test/b.test.ts": `test("P-002 eats", () => {}); test("P-002 eats", () => {});`,
  });
  expect(table.split("\n").filter((line) => line.startsWith("## "))[0]).toBe("## P: Base, transport and conventions");
  expect(table).toContain("- **P-002**\n  - a pigeon: flies home (`apis/pigeons`)\n  - eats (`b`)\n\n");
});
