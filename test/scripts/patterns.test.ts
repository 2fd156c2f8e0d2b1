import { expect, test } from "bun:test";
import { patternsIn, patternsOfDescription } from "../../scripts/patterns/found.ts";
import { faultsOf, remembering, verdictOf } from "../../scripts/patterns.ts";

const faultsIn = (text: string): Promise<string[]> => faultsOf(patternsIn("src/x.ts", text), []);

test.each([
  ["a pattern without a fixed beginning", String.raw`const shown = path.replace(/[^/]+$/, "*");`],
  ["a lazy pattern between blanks", String.raw`const type = /^content-type:\s*(.+?)\s*$/im.exec(head);`],
  ["a pattern of a schema", String.raw`const Name = Type.String({ pattern: "\\s+$" });`],
  ["a pattern that is put together", `const BLANKS = "\\\\s+";\nconst AT_END = new RegExp(\`\${BLANKS}$\`);`],
  ["a pattern made of another", String.raw`const ONE = /a+/;` + "\nconst TWO = RegExp(`${ONE.source}$`);"],
])("%s that takes quadratic time is refused", async (_, text) => {
  expect(await faultsIn(text)).toEqual([expect.stringMatching(/^src\/x\.ts:\d: .*2nd degree polynomial/s)]);
});

test("the patterns of a description are looked at, and those whose parts are not constant are refused", async () => {
  const described = patternsOfDescription("openapi.json", JSON.stringify({ schemas: { Name: { pattern: "\\s+$" } } }));
  expect(await faultsOf(described, [])).toEqual([expect.stringContaining("2nd degree")]);
  expect(await faultsIn("const made = (name: string) => new RegExp(`^${name}$`);")).toEqual([
    expect.stringContaining("is not made of constants of its file"),
  ]);
});

test("linear patterns are allowed, and so are times of cron that are called a pattern", async () => {
  expect(await faultsIn(String.raw`const a = /^\d{1,5}$/; const b = { pattern: "* * * * *" };`)).toEqual([]);
});

test("an exception allows what it names, where it names it, and is refused when nothing needs it", async () => {
  const patterns = patternsIn("src/x.ts", "const end = /,+$/;");
  const exception = { written: "/,+$/", in: "src/x.ts", because: "short" };
  expect(await faultsOf(patterns, [exception])).toEqual([]);
  expect(await faultsOf(patterns, [{ ...exception, in: "src/y.ts" }])).toHaveLength(2);
  expect(await faultsOf([], [exception])).toEqual(["exceptions.ts: /,+$/ in src/x.ts is not needed"]);
});

test("an expression is judged once, and a verdict against it is remembered too", async () => {
  const judged: string[] = [];
  const judge = remembering(new Map(), async (source) => {
    judged.push(source);
    return source === "slow" ? "takes exponential time" : undefined;
  });
  const verdicts: (string | undefined)[] = [];
  for (const source of ["slow", "fast", "slow", "fast"]) verdicts.push(await judge(source, "u"));
  expect(verdicts).toEqual(["takes exponential time", undefined, "takes exponential time", undefined]);
  expect(judged).toEqual(["slow", "fast"]);
});

test("what cannot be analysed is refused", async () => {
  expect(await verdictOf("(", "")).toContain("cannot be analysed");
});
