// Writes the parts of docs/*.md that follow from the code: settings, limits, retention, events, errors, rules.
//   bun scripts/docs.ts [--check]      with --check nothing is written: exit code 1 when a page differs
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { retentionTable } from "../src/core/retention.ts";
import { limitsTable } from "../src/kernel/collections.ts";
import { gatewayErrors, platformErrors } from "./docs/errors.ts";
import { eventShapes, gatewayEvents, platformEvents } from "./docs/events.ts";
import { rulesTable } from "./docs/rules.ts";
import { settingsTable } from "./docs/settings.ts";
import { networksTable } from "./networks/observations.ts";

const root = resolve(import.meta.dir, "..");

const rules = (): string => {
  const paths = [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: root })].sort();
  const own = paths.filter((path) => !path.includes("/node_modules/"));
  return rulesTable(Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "utf8")])));
};

/** TABLE: the text between `<!-- name -->` and `<!-- /name -->` of each page. */
const PARTS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  "docs/settings.md": { settings: settingsTable, limits: limitsTable, retention: retentionTable },
  "docs/errors.md": { "gateway-errors": gatewayErrors, "platform-errors": platformErrors },
  "docs/events.md": { "gateway-events": gatewayEvents, "platform-events": platformEvents, "event-shapes": eventShapes },
  "docs/rules.md": { rules },
  "docs/networks.md": { networks: networksTable },
};

/** A page's text with its generated parts from the code. Throws when a part has no place in the page. */
const renewed = (path: string, text: string): string =>
  Object.entries(PARTS[path] ?? {}).reduce((page, [name, made]) => {
    const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [page.indexOf(opening), page.indexOf(closing)];
    if (from < 0 || to < from) throw new Error(`${path} has no place for ${name}: ${opening} … ${closing}`);
    return `${page.slice(0, from + opening.length)}\n${made().trim()}\n${page.slice(to)}`;
  }, text);

/** Pages that differ from the code, with the text that they should have. */
export const outdatedPages = async (): Promise<{ path: string; text: string }[]> => {
  const pages = await Promise.all(
    Object.keys(PARTS).map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })),
  );
  return pages
    .map(({ path, text }) => ({ path, before: text, text: renewed(path, text) }))
    .filter(({ before, text }) => before !== text);
};

const main = async (args: readonly string[]): Promise<number> => {
  const isCheck = args.length === 1 && args[0] === "--check";
  if (args.length > 0 && !isCheck) {
    console.error(`unknown argument ${args.join(" ")}; usage: docs.ts [--check]`);
    return 2;
  }
  const outdated = await outdatedPages();
  for (const { path, text } of outdated) {
    if (!isCheck) await Bun.write(join(root, path), text);
    console.error(
      isCheck ? `${path} is not what the code says: run npm run docs and look at the difference` : `${path} written`,
    );
  }
  return isCheck && outdated.length > 0 ? 1 : 0;
};

if (import.meta.main) process.exit(await main(process.argv.slice(2)));
