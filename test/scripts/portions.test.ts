import { expect, test } from "bun:test";
import { codeOf, joinReports, portionsOf, summaryOf } from "../../scripts/test/portions.ts";
import { failedTests } from "../../scripts/test/rerun.ts";

const FILES = Array.from({ length: 751 }, (_, n) => `./test/${n}.test.ts`);

test("a long run has each file in one of its portions, which are equal and few enough for a worker", () => {
  const portions = portionsOf(FILES, 2, "7");
  expect(portions.flat().sort()).toEqual([...FILES].sort());
  expect(portions.map((portion) => portion.length)).toEqual([188, 188, 187, 188]);
  expect(portionsOf(FILES, 1, "7")).toHaveLength(8);
  expect(portionsOf(FILES.slice(0, 3), 2, "7")).toHaveLength(1);
});

test("a seed has the same portions again, and another seed has others", () => {
  expect(portionsOf(FILES.toReversed(), 2, "7")).toEqual(portionsOf(FILES, 2, "7"));
  expect(portionsOf(FILES, 2, "8")).not.toEqual(portionsOf(FILES, 2, "7"));
});

test("the counts of the portions are added up, in the form of Bun's, with those that one portion alone has", () => {
  const first = "(pass) 3 pass\n\n 12 pass\n 0 fail\n 40 expect() calls\nRan 12 tests across 2 files. [1.00s]\n";
  const second =
    "\n\x1b[0m\x1b[32m 5 pass\x1b[0m\n 1 skip\n\x1b[31m 2 fail\x1b[0m\n 1 error\nRan 8 tests across 1 file. [1.00s]\n";
  const ended = [
    { code: 0, tail: first, hasReport: true },
    { code: 1, tail: second, hasReport: true },
  ];
  expect(summaryOf(ended)).toBe(" 17 pass\n 2 fail\n 1 skip\n 1 error");
});

test.each([
  [
    "was killed before its counts",
    { code: 137, tail: "(pass) holds\n", hasReport: false },
    " 3 pass\n 1 fail\n 1 error",
  ],
  ["left no report", { code: 0, tail: " 2 pass\n 0 fail\n", hasReport: false }, " 5 pass\n 1 fail\n 1 error"],
  ["failed without a failure", { code: 1, tail: " 2 pass\n 0 fail\n", hasReport: true }, " 5 pass\n 1 fail\n 1 error"],
  ["has its failures in its report", { code: 1, tail: " 2 pass\n 1 fail\n", hasReport: true }, " 5 pass\n 2 fail"],
])("a portion that %s counts as an error only where no report shows why it failed", (_, ended, summary) => {
  const chance = { code: 1, tail: " 3 pass\n 1 fail\n", hasReport: true };
  expect(summaryOf([chance, ended])).toBe(summary);
});

test("a run in portions has the exit code of the first that failed, and fails where one ended without its counts", () => {
  const whole = { code: 0, tail: " 2 pass\n 0 fail\n", hasReport: true };
  expect(codeOf([whole, whole])).toBe(0);
  expect(codeOf([whole, { ...whole, code: 137 }, { ...whole, code: 1 }])).toBe(137);
  expect(codeOf([whole, { ...whole, tail: "" }])).toBe(1);
});

test("the failures of all portions are in the joined report", () => {
  const report = (name: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bun test" tests="1">\n  <testsuite name="${name}"><testcase name="holds" classname="a" file="${name}"><failure type="AssertionError" /></testcase></testsuite>\n</testsuites>\n`;
  const joined = joinReports([report("test/a.test.ts"), report("test/b.test.ts")]);
  expect(failedTests(joined).map(({ file }) => file)).toEqual(["test/a.test.ts", "test/b.test.ts"]);
  expect(joined.match(/<testsuites/g)).toHaveLength(1);
  expect(joined.match(/<\/testsuites>/g)).toHaveLength(1);
});
