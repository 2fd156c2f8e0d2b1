import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { outdatedPages } from "../scripts/docs.ts";
import { EVENT_TYPES } from "../src/faces/gateway/render.ts";
import { EVENT_NAMES } from "../src/faces/platform/words.ts";
import { anchorsOf, DECISIONS, type Fence, fencesOf, linksOf, PAGES, pageText, proseOf, reasonNotToRun } from "./support/pages.ts";

const root = resolve(import.meta.dir, "..");
/** Not only for users, but linked from there and back. */
const OTHERS = ["CONTRIBUTING.md", "src/README.md", "plugins/README.md"];

test("the parts of pages that follow from the code are those that npm run docs writes", async () => {
  expect((await outdatedPages()).map(({ path }) => path)).toEqual([]);
});

describe.each([...PAGES, ...DECISIONS, ...OTHERS])("%s", (path) => {
  const page = pageText(path);

  test("links to files and headings that are there", () => {
    const dead = linksOf(page).filter((target) => {
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(root, linked))) return true;
      return anchor !== undefined && !anchorsOf(pageText(linked)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test("has blocks of shell commands that are run, or say why not", () => {
    const shell = fencesOf(page).filter(({ language }) => language === "sh");
    expect(shell.filter((fence) => fence.info !== "" && reasonNotToRun(fence) === undefined).map(({ line }) => line)).toEqual([]);
  });
});

test("every page of docs is listed in docs/README.md, and every decision in docs/decisions/README.md", () => {
  const listed = (index: string): string[] => linksOf(pageText(index)).map((target) => join(dirname(index), target));
  expect(PAGES.filter((path) => path !== "docs/README.md" && !listed("docs/README.md").includes(path))).toEqual([]);
  const records = DECISIONS.filter((path) => !path.endsWith("README.md"));
  expect(records.length).toBeGreaterThan(5);
  const index = pageText("docs/decisions/README.md");
  expect(records.filter((path) => !index.includes(`| ${/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]} |`))).toEqual([]);
});

test("every event of both APIs has its section with a sample", () => {
  const webhooks = pageText("docs/webhooks.md");
  const names = [...EVENT_TYPES.filter((name) => name !== "call:*"), ...EVENT_NAMES];
  expect(names.filter((name) => !new RegExp(`^#### \`${name}\`\n\n[A-Z][^\`]*[\\s\\S]*?\n\n\`\`\`json\n\\{`, "m").test(webhooks))).toEqual([]);
});

/** What is no sentence: headings, tables, lists of links, generated parts. */
const sentencesOf = (page: string): string[] =>
  proseOf(page)
    .replaceAll(/<!-- (\S+) -->[\s\S]*?<!-- \/\1 -->/g, "")
    .split("\n")
    .filter((line) => !/^(#|\||<|\[.*\] ·)/.test(line))
    .map((line) => line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "x"))
    .flatMap((line) => line.split(/(?<=[.:;?!])(?:\*\*)? /));

test("sentences are short", () => {
  const long = [...PAGES, ...DECISIONS].flatMap((path) => sentencesOf(pageText(path)).flatMap((one) => (one.split(/\s+/).length > 25 ? [`${path}: ${one}`] : [])));
  expect(long).toEqual([]);
});

test("blocks of programs name the file that a test runs them from", () => {
  const programs = PAGES.flatMap((path) => fencesOf(pageText(path))).filter(({ language }: Fence) => ["js", "python", "php"].includes(language));
  expect(programs.map(({ info }) => info)).toEqual(["verify.mjs", "verify.py", "verify.php"]);
});
