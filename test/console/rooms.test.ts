import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

// What the design asks of the console's sources: `console.md`, section 4.
const WEB = resolve(import.meta.dir, "../../src/console/web");
const LONGEST_PAGE_LINES = 200;

const filesOf = (pattern: string): { path: string; text: string }[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: WEB })].map((path) => ({
    path,
    text: readFileSync(join(WEB, path), "utf8"),
  }));

test("no part of a page is longer than 200 lines", () => {
  const pages = filesOf("pages/**/*.tsx");
  expect(pages.length).toBeGreaterThan(100);
  const long = pages.filter(({ text }) => text.trimEnd().split("\n").length > LONGEST_PAGE_LINES);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("only the tokens name a colour", () => {
  const styles = filesOf("**/*.css").filter(({ path }) => path !== "styles/tokens.css");
  expect(styles.length).toBeGreaterThan(20);
  const colour = /#[0-9a-f]{3,8}\b(?=[^{]*[;}])|\b(?:rgba?|hsla?|oklch)\(|:\s*(?:white|black)\b/i;
  const naming = styles.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line) => (colour.test(line) ? [`${path}: ${line.trim()}`] : [])),
  );
  expect(naming).toEqual([]);
});
