import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { anchorsOf, type Fence, fencesOf, linksOf, pageText, proseOf } from "./support/laws/pages.ts";

const root = resolve(import.meta.dir, "..");

/** The translated pages, each with its English page. */
const TRANSLATIONS: readonly (readonly [path: string, english: string])[] = [
  ["README.pt-BR.md", "README.md"],
  ["README.es.md", "README.md"],
  ...readdirSync(join(root, "docs/pt-BR")).map((name) => [`docs/pt-BR/${name}`, `docs/${name}`] as const),
];
const TRANSLATED = new Set(TRANSLATIONS.map(([path]) => path));

/** What each block of a page's prose is, without its words: the level of a heading, the cells of a table, the items of a list. */
const blocksOf = (page: string): string[] =>
  proseOf(page)
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map((block) => {
      const lines = block.split("\n");
      if (block.startsWith("#")) return `heading ${/^#+/.exec(block)?.[0].length}`;
      if (block.startsWith("|")) return `table ${lines.map((line) => line.match(/(?<!\\)\|/g)?.length).join(" ")}`;
      if (/^([-*]|\d+\.) /.test(block)) return `list ${lines.filter((line) => /^\s*([-*]|\d+\.) /.test(line)).length}`;
      return `text ${lines.length}`;
    });

/** The number of the heading that an anchor names, the same in every language; the anchor itself where there is none. */
const placeOf = (page: string, anchor: string | undefined): string => {
  if (anchor === undefined) return "";
  const place = anchorsOf(page).indexOf(anchor);
  return place === -1 ? `no heading #${anchor}` : `heading ${place}`;
};

/** Where a page's links lead, as paths of English pages, with the number of the heading. */
const targetsOf = (path: string): string[] =>
  linksOf(pageText(path)).map((target) => {
    const [file = "", anchor] = target.split("#");
    const found = file === "" ? path : relative(root, resolve(root, dirname(path), file));
    expect(existsSync(join(root, found)), `${path} links to ${target}`).toBe(true);
    const english = TRANSLATIONS.find(([translated]) => translated === found)?.[1] ?? found;
    return `${english} ${found.endsWith(".md") ? placeOf(pageText(found), anchor) : ""}`;
  });

/** A block without its place. */
const commandsOf = ({ language, info, text }: Fence) => ({ language, info, text });

describe.each(TRANSLATIONS)("%s says what %s says", (path, english) => {
  const [theirs, ours] = [pageText(path), pageText(english)];

  test("in the same blocks: headings, tables, lists, paragraphs", () => {
    expect(blocksOf(theirs)).toEqual(blocksOf(ours));
  });

  test("with the same commands", () => {
    expect(fencesOf(theirs).map(commandsOf)).toEqual(fencesOf(ours).map(commandsOf));
  });

  test("with the same links; a page that is translated is linked in its own language", () => {
    expect(targetsOf(path)).toEqual(targetsOf(english));
    const language = path.startsWith("docs/") ? dirname(path) : undefined;
    for (const target of linksOf(theirs)) {
      const found = relative(root, resolve(root, dirname(path), target.split("#")[0] ?? ""));
      const own = language && join(language, relative("docs", found));
      if (own !== undefined && TRANSLATED.has(own)) expect(`${target} of ${path}`).toBe(`its page in ${language}`);
    }
  });
});
