import { describe, expect, test } from "bun:test";
import { type Build, type FailedTest, failedTests, flakyName, judge } from "../../scripts/test/rerun.ts";

const CHANCE: FailedTest = { file: "test/kernel/a.test.ts", name: "a group > holds" };

/** A build in which a file passes as often as `passes` says, and the files that ran again. */
const build = (given: Partial<Build> = {}, passes: readonly boolean[] = []) => {
  const ran: string[] = [];
  const whole: Build = {
    saved: [],
    known: new Set(),
    seed: "7",
    passes: async (file) => {
      ran.push(file);
      return passes[ran.length - 1] ?? true;
    },
    ...given,
  };
  return { whole, ran };
};
const inFile = (n: number): FailedTest => ({ file: `test/${n}.test.ts`, name: "holds" });

describe("a file that had a failure", () => {
  test("runs twice more, alone; where it passes both times its tests are saved, with the seed", async () => {
    const { whole, ran } = build();
    const verdict = await judge([CHANCE, { ...CHANCE, name: "holds too" }], whole);
    expect(ran).toEqual([CHANCE.file, CHANCE.file]);
    expect(verdict).toEqual({
      lines: [
        "flaky: test/kernel/a.test.ts: a group > holds (seed 7)",
        "flaky: test/kernel/a.test.ts: holds too (seed 7)",
      ],
      why: undefined,
    });
  });

  test.each([
    ["the first", [false]],
    ["the second", [true, false]],
  ])("that fails in %s of these runs makes the build red", async (_, passes) => {
    const verdict = await judge([CHANCE], build({}, passes).whole);
    expect(verdict).toEqual({ lines: [], why: "test/kernel/a.test.ts failed again, alone" });
  });

  test("whose test was saved in an earlier build makes the build red, and does not run again", async () => {
    const { whole, ran } = build({ known: new Set([flakyName(CHANCE)]) });
    expect((await judge([inFile(1), CHANCE], whole)).why).toContain(flakyName(CHANCE));
    expect(ran).toEqual([]);
  });
});

test("at most five files of a build are saved, those of its earlier runs counted", async () => {
  const saved = [1, 2, 3].map((n) => `flaky: ${flakyName(inFile(n))} (seed 1)`);
  expect((await judge([inFile(3), inFile(4), inFile(5)], build({ saved }).whole)).why).toBeUndefined();
  const { whole, ran } = build({ saved });
  expect((await judge([inFile(4), inFile(5), inFile(6)], whole)).why).toContain("more than 5 files");
  expect(ran).toEqual([]);
});

test("a run that failed without a failed test in its report stays red", async () => {
  expect((await judge([], build().whole)).why).toBe("the report names no test that failed");
});

test("the failed tests are read from the report that Bun writes", () => {
  const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="3" assertions="2" failures="2" skipped="0" time="0.1">
  <testsuite name="test/kernel/a.test.ts" file="test/kernel/a.test.ts" tests="3" failures="2">
    <testsuite name="a group" file="test/kernel/a.test.ts" line="2" tests="2" failures="1">
      <testcase name="holds &amp; &lt;x&gt; &quot;q&quot;" classname="a group" time="0.1" file="test/kernel/a.test.ts" line="2" assertions="1">
        <failure type="AssertionError" />
      </testcase>
      <testcase name="ok" classname="a group" time="0" file="test/kernel/a.test.ts" line="3" assertions="1" />
    </testsuite>
    <testcase name="alone" classname="" time="0" file="test/kernel/a.test.ts" line="4" assertions="1">
      <failure type="TestTimeoutError" />
    </testcase>
  </testsuite>
</testsuites>`;
  expect(failedTests(report).map(flakyName)).toEqual([
    'test/kernel/a.test.ts: a group > holds & <x> "q"',
    "test/kernel/a.test.ts: alone",
  ]);
});
