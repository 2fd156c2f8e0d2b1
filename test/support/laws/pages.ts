import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dir, "../../..");

/** A fenced block. `language` and `info` follow its first fence; `line` is the line of that fence. */
export type Fence = { language: string; info: string; text: string; line: number };

/** The pages for users, by their paths in the repository. */
export const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
];

/** The records of decisions. */
export const DECISIONS: readonly string[] = readdirSync(join(root, "docs/decisions")).map(
  (name) => `docs/decisions/${name}`,
);

export const pageText = (path: string): string => readFileSync(join(root, path), "utf8");

/** The fenced blocks of a page in order, with those inside lists. */
export const fencesOf = (page: string): Fence[] =>
  [...page.matchAll(/^( *)```([a-z]*) *(.*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = "", 2: language = "", 3: info = "", 4: text = "" }) => ({
      language,
      info,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: page.slice(0, index).split("\n").length,
    }),
  );

/** Why a block of shell commands is not run by the tests; undefined for a block that they run. */
export const reasonNotToRun = ({ info }: Pick<Fence, "info">): string | undefined => /^norun: (.+)$/.exec(info)?.[1];

/** The page without its fenced blocks. */
export const proseOf = (page: string): string => page.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");

/** The anchors of a page's headings, in GitHub's form. */
export const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );

/** The targets of a page's links and pictures that are not addresses of other sites. */
export const linksOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
