import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";

/**
 * Which tests reach the files that have changed.
 *
 * A test reaches the modules that it imports. A test that starts a whole Recado imports all of it, so there the graph ends, and what the test
 * asks for counts instead: it reaches the files of the routes whose words it names, and all that these import. A test that bears the name of a
 * changed file reaches it, too. This is a selection for the time between two edits; `npm test` and CI run all.
 */
type Selection = { files: string[]; why: string };
type Module = { path: string; text: string; imports: readonly string[]; words: readonly string[] };
type Modules = ReadonlyMap<string, Module>;

/** Where a whole Recado is put together. */
const COMPOSED_IN = "src/app.ts";
/** Changed, they change everything: the packages, and how tests run. */
const OF_ALL = /^(package\.json|bun\.lock|bunfig\.toml|tsconfig\.json|migrations\/.*|test\/support\/world\.ts)$/;
/** Tests about the source text itself: they reach every file. */
const OF_TEXT = ["test/architecture.test.ts"];
/** A support module that so many tests import says nothing of what one of them asks for. */
const HUB_IMPORTERS = 30;

const isTest = (path: string): boolean => path.endsWith(".test.ts");
/** The files beside the slices: tables that know everything, at which no way from a slice to a route goes on. */
const isTable = (path: string): boolean => /^src\/([^/]+|core\/[^/]+)$/.test(path);

const ROUTE = /\.(?:get|post|put|patch|delete)\(\s*["'`](\/[^"'`]*)["'`]|prefix: ["'`](\/[^"'`]*)["'`]/g;
const isWord = (segment: string): boolean => /^[a-z][a-z-]{2,}$/.test(segment);

/** What names each route of a file: the last fixed part of its path. */
const wordsOf = (text: string): string[] => {
  const paths = [...text.matchAll(ROUTE)].map(([, path, prefix]) => path ?? prefix ?? "");
  const prefixes = paths.filter((path) => text.includes(`prefix: "${path}"`));
  const full = paths.flatMap((path) => (prefixes.includes(path) || prefixes.length === 0 ? [path] : prefixes.map((prefix) => prefix + path)));
  return [...new Set(full.flatMap((path) => path.split("/").filter(isWord).slice(-1)))];
};

const transpiler = new Bun.Transpiler({ loader: "ts" });

const readModules = (root: string): Modules => {
  const paths = ["src", "plugins", "scripts", "test"].flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd: root })]);
  const known = new Set(paths);
  const read = (path: string): Module => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = transpiler.scanImports(text).map((one) => join(dirname(path), one.path));
    return { path, text, imports: imports.filter((one) => known.has(one)), words: isTest(path) ? [] : wordsOf(text) };
  };
  return new Map(paths.map((path) => [path, read(path)]));
};

/** All that these modules lead to by `next`, themselves included. `endsAt`: modules whose own ways are not followed. */
const reached = (from: readonly string[], next: (path: string) => readonly string[], endsAt: (path: string) => boolean): Set<string> => {
  const found = new Set<string>();
  const left = [...from];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (!endsAt(path)) left.push(...next(path));
  }
  return found;
};

const importersOf = (modules: Modules): ReadonlyMap<string, string[]> => {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of modules.values()) for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), path]);
  return importers;
};

/** Of the routes that reach what has changed, the words; where no route does, of those that reach what it imports beside it. */
const wordsThatReach = (changed: readonly string[], modules: Modules, importers: ReadonlyMap<string, string[]>): string[] => {
  const upwards = (from: readonly string[]) => reached(from, (path) => (importers.get(path) ?? []).filter((one) => !one.startsWith("test/")), isTable);
  const wordsOfAll = (paths: Iterable<string>) => [...new Set([...paths].filter((path) => !isTable(path)).flatMap((path) => modules.get(path)?.words ?? []))];
  return changed.flatMap((path) => {
    const direct = wordsOfAll(upwards([path]));
    const beside = (modules.get(path)?.imports ?? []).filter((one) => dirname(one) === dirname(path));
    return direct.length > 0 ? direct : wordsOfAll(upwards(beside));
  });
};

const testsThatReach = (changed: readonly string[], modules: Modules, tests: readonly string[]): string[] => {
  const importers = importersOf(modules);
  const inSource = changed.filter((path) => modules.has(path) && !path.startsWith("test/"));
  const words = wordsThatReach(inSource, modules, importers);
  const asked = new RegExp(`[/"'\`](?:${words.join("|") || "(?!)"})(?![\\w-])`);
  const names = changed.map((path) => basename(path).replace(/\..*$/, "")).filter((name) => name.length > 3);
  const importsOf = (path: string) => modules.get(path)?.imports ?? [];
  const isHub = (path: string) => path.startsWith("test/support/") && (importers.get(path) ?? []).filter(isTest).length > HUB_IMPORTERS;
  return tests.filter((test) => {
    const all = reached([test], importsOf, (path) => path === COMPOSED_IN);
    if (OF_TEXT.includes(test) || changed.some((path) => all.has(path))) return true;
    if (names.some((name) => basename(test).includes(name))) return true;
    if (!all.has(COMPOSED_IN)) return changed.some((path) => !modules.has(path) && (modules.get(test)?.text.includes(basename(path)) ?? false));
    const texts = [...reached([test], importsOf, (path) => isHub(path) || path.startsWith("src/"))].filter((path) => path.startsWith("test/") && !isHub(path));
    return texts.some((path) => asked.test(modules.get(path)?.text ?? ""));
  });
};

const git = (root: string, ...args: string[]): string[] => {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...args], { cwd: root, stderr: "ignore" });
  if (exitCode !== 0) throw new Error(`git ${args.join(" ")} ended with ${exitCode}`);
  return stdout.toString().split("\n").filter(Boolean);
};

/** Where this branch left `main`; on `main`, and where there is none, the last commit. */
const defaultBase = (root: string): string => {
  try {
    return git(root, "merge-base", "main", "HEAD")[0] ?? "HEAD";
  } catch {
    return "HEAD";
  }
};

/**
 * The test files that reach what differs from a commit in the working tree, files that git does not know yet included. `leftOut`: globs of
 * tests that are never selected. Throws for a commit that git does not know.
 */
export const changedTests = async (root: string, base: string = defaultBase(root), leftOut: readonly string[] = []): Promise<Selection> => {
  const changed = [...git(root, "diff", "--name-only", base), ...git(root, "ls-files", "--others", "--exclude-standard")];
  const modules = readModules(root);
  const globs = leftOut.map((pattern) => new Bun.Glob(pattern));
  const tests = [...modules.keys()].filter((path) => isTest(path) && !globs.some((glob) => glob.match(path))).sort();
  const ofAll = changed.find((path) => OF_ALL.test(path));
  const files = ofAll === undefined ? testsThatReach(changed, modules, tests) : tests;
  const because = ofAll === undefined ? "" : ` (${ofAll} concerns all)`;
  return { files, why: `${files.length} of ${tests.length} test files reach the ${changed.length} files changed since ${base}${because}.` };
};
