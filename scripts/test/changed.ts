import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";

/**
 * Which tests reach the files that have changed.
 *
 * A test reaches the modules that it imports. A test that starts a whole Recado imports all of it, so there the graph
 * ends, and what the test asks for counts instead: it reaches the files of the routes whose words it names, and all
 * that these import. A test that shares the words of a changed file's folder and name reaches it, too. This is a selection
 * for the time between two edits; `npm test` and CI run all.
 */
type Selection = {
  /** What runs first, whatever changed; empty where all tests run. */
  laws: string[];
  files: string[];
  why: string;
};
type Module = { path: string; text: string; imports: readonly string[]; words: readonly string[] };
type Modules = ReadonlyMap<string, Module>;

/** Where a whole Recado is put together, and its APIs and pages are. */
const COMPOSED_IN = "src/app.ts";
const MOUNTED_IN = "src/mounts.ts";
/** Changed, they change everything: the packages, and how tests run. */
const OF_ALL = /^(package\.json|bun\.lock|bunfig\.toml|tsconfig\.json|migrations\/.*|test\/support\/world\.ts)$/;
/** TABLE: what holds for every change. These run first, in this order, whatever changed. */
const LAWS = [
  "test/architecture.test.ts",
  "test/words.test.ts",
  "test/apis/description-texts.test.ts",
  "test/apis/two-tenants.test.ts",
  "test/core/event-definitions.test.ts",
  "test/core/job-payloads.test.ts",
  "test/core/used-definitions.test.ts",
  "test/store/bounded-reads.test.ts",
];
/** With the laws, about a minute of processor time. Of more, the nearest are taken. */
const MOST = 16;
/** A change of many files reaches further: each of them has this many of the nearest. */
const OF_EACH = 2;
const MOST_OF_ALL = 50;
/** Folders that hold everything of one kind, and words that say how a test is made: they are nobody's topic. */
const FLOORS = new Set(
  "src core apis gateway platform store tables engine shared kernel contract plugins clients scripts test support web server pages process".split(
    " ",
  ),
);
/** The words of a support module that so many tests import are not counted. */
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
  const full = paths.flatMap((path) =>
    prefixes.includes(path) || prefixes.length === 0 ? [path] : prefixes.map((prefix) => prefix + path),
  );
  return [...new Set(full.flatMap((path) => path.split("/").filter(isWord).slice(-1)))];
};

const transpiler = new Bun.Transpiler({ loader: "ts" });

const readModules = (root: string): Modules => {
  const paths = ["src", "plugins", "clients", "scripts", "test"]
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync({ cwd: root })])
    .filter((path) => !path.includes("/node_modules/"));
  const known = new Set(paths);
  const read = (path: string): Module => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = transpiler.scanImports(text).map((one) => join(dirname(path), one.path));
    return { path, text, imports: imports.filter((one) => known.has(one)), words: isTest(path) ? [] : wordsOf(text) };
  };
  return new Map(paths.map((path) => [path, read(path)]));
};

/** The words of folders and name, in the singular: what a file is about. */
const topicOf = (path: string): ReadonlySet<string> =>
  new Set(
    path
      .replace(/(?:\.process)?(?:\.test)?\.tsx?$/, "")
      .split("/")
      .filter((part) => !FLOORS.has(part))
      .flatMap((part) => part.split(/[-.]/))
      .map((word) => word.replace(/(?<=\w{2})s$/, "")),
  );

/** How much of the changed files' topic is each test's own: 1 where it is about nothing else. */
const topicNearness = (changed: readonly string[], tests: readonly string[]): Map<string, number> => {
  const topics = new Map(tests.map((test) => [test, topicOf(test)]));
  const users = new Map<string, number>();
  for (const topic of topics.values()) for (const word of topic) users.set(word, (users.get(word) ?? 0) + 1);
  /** A word that no test bears says that much is about something else. */
  const weightOf = (word: string) => 1 / Math.sqrt(users.get(word) ?? 4);
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + weightOf(word), 0);
  const wanted = changed.map((path) => [...topicOf(path)]);
  const nearness = (topic: ReadonlySet<string>): number => {
    const shares = wanted.map((words) => {
      const shared = sum(words.filter((word) => topic.has(word)));
      return shared === 0 ? 0 : (shared / sum(words)) * Math.sqrt(shared / sum([...topic]));
    });
    return Math.max(0, ...shares);
  };
  return new Map([...topics].map(([test, topic]) => [test, nearness(topic)]));
};

type Ways = (path: string) => readonly string[];

/**
 * All that these modules lead to by `next`, and in how many steps; 0 for themselves. `endsAt`: modules whose own ways
 * are not followed.
 */
const stepsFrom = (from: readonly string[], next: Ways, endsAt: (path: string) => boolean): Map<string, number> => {
  const steps = new Map(from.map((path) => [path, 0]));
  for (const [path, step] of steps) {
    const further = endsAt(path) ? [] : next(path).filter((one) => !steps.has(one));
    for (const one of further) steps.set(one, step + 1);
  }
  return steps;
};

const importersIn = (modules: Modules): Ways => {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of modules.values())
    for (const one of imports) importers.set(one, [...(importers.get(one) ?? []), path]);
  return (path) => importers.get(path) ?? [];
};

/** Each step of distance halves the weight. */
const nearnessOf = (steps: number): number => 0.5 ** steps;

/**
 * The words of the routes that reach a file, and how near each is. Where no route reaches it, those that reach what it
 * imports beside it.
 */
const wordsAbout = (path: string, modules: Modules, importersOf: Ways): Map<string, number> => {
  const upwards = (from: readonly string[]): Map<string, number> => {
    const steps = stepsFrom(
      from,
      (one) => importersOf(one).filter((importer) => !importer.startsWith("test/")),
      isTable,
    );
    const near = new Map<string, number>();
    for (const [one, step] of steps) {
      if (isTable(one)) continue;
      for (const word of modules.get(one)?.words ?? []) near.set(word, Math.max(near.get(word) ?? 0, nearnessOf(step)));
    }
    return near;
  };
  const direct = upwards([path]);
  return direct.size > 0
    ? direct
    : upwards((modules.get(path)?.imports ?? []).filter((one) => dirname(one) === dirname(path)));
};

/**
 * The words between quotes and slashes of each test, with weights. Words in its own support modules weigh a quarter.
 */
const askedBy = (
  test: string,
  modules: Modules,
  importersOf: Ways,
  known: ReadonlySet<string>,
): Map<string, number> => {
  const isHub = (path: string) =>
    path.startsWith("test/support/") && importersOf(path).filter(isTest).length > HUB_IMPORTERS;
  const own = stepsFrom(
    [test],
    (path) => modules.get(path)?.imports ?? [],
    (path) => isHub(path) || path.startsWith("src/"),
  );
  const asked = new Map<string, number>();
  for (const path of own.keys()) {
    if (!path.startsWith("test/") || isHub(path)) continue;
    for (const [word] of (modules.get(path)?.text ?? "").matchAll(/(?<=[/"'`])[a-z][a-z-]{2,}(?![\w-])/g))
      if (known.has(word)) asked.set(word, Math.max(asked.get(word) ?? 0, path === test ? 1 : 0.25));
  }
  return asked;
};

/** How near each test is to the changed files; 0 where it does not reach them. */
const nearnessOfTests = (
  changed: readonly string[],
  modules: Modules,
  tests: readonly string[],
): Map<string, number> => {
  const importersOf = importersIn(modules);
  const importsOf: Ways = (path) => modules.get(path)?.imports ?? [];
  const known = new Set([...modules.values()].flatMap((one) => one.words));
  const asked = new Map(tests.map((test) => [test, askedBy(test, modules, importersOf, known)]));
  const inSource = changed.filter((path) => modules.has(path) && !path.startsWith("test/"));
  const about = inSource.flatMap((path) => [...wordsAbout(path, modules, importersOf)]);
  // a word that few tests use says more
  const weights = about.map(([word, near]) => ({
    word,
    weight: near / Math.sqrt([...asked.values()].filter((one) => one.has(word)).length || 1),
  }));
  const byTopic = topicNearness(changed, tests);
  const nearness = (test: string): number => {
    const steps = stepsFrom([test], importsOf, (path) => path === COMPOSED_IN || path === MOUNTED_IN);
    const byImport = changed.map((path) => steps.get(path)).map((step) => (step === undefined ? 0 : nearnessOf(step)));
    const byText = changed.some((path) => !modules.has(path) && modules.get(test)?.text.includes(basename(path)))
      ? 1
      : 0;
    const words = steps.has(COMPOSED_IN) ? (asked.get(test) ?? new Map<string, number>()) : new Map<string, number>();
    const sum = weights.reduce((total, { word, weight }) => total + weight * (words.get(word) ?? 0), 0);
    // a test that asks for everything says less of this
    const byWords = words.size === 0 ? 0 : sum / Math.sqrt(words.size);
    return Math.max(...byImport, byText) + byWords + 2 * (byTopic.get(test) ?? 0);
  };
  return new Map(tests.map((test) => [test, nearness(test)]));
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

/** What differs from a commit in the working tree, files that git does not know yet included and removed ones too. */
const differingFrom = (root: string, base: string): string[] => [
  ...git(root, "diff", "--name-only", base),
  ...git(root, "ls-files", "--others", "--exclude-standard"),
];

/** The files that are there and differ from where this branch left `main`. */
export const changedPaths = (root: string): string[] =>
  differingFrom(root, defaultBase(root)).filter((path) => existsSync(join(root, path)));

/** Tests and how near each is to the changed files, the nearest first. */
const byNearness = (changed: readonly string[], modules: Modules, tests: readonly string[]): [string, number][] =>
  [...nearnessOfTests(changed, modules, tests)].filter(([, nearness]) => nearness > 0).sort(([, a], [, b]) => b - a);

/** As many of the nearest as a change of so many files is worth. */
const countFor = (changed: readonly string[]): number =>
  Math.min(MOST_OF_ALL, Math.max(MOST, OF_EACH * changed.filter((path) => path.endsWith(".ts")).length));

/** The tests of a checkout that are nearest to these files, without the laws. */
export const nearestTests = (root: string, changed: readonly string[], leftOut: readonly string[] = []) => {
  const modules = readModules(root);
  const globs = leftOut.map((pattern) => new Bun.Glob(pattern));
  const tests = [...modules.keys()].filter((path) => isTest(path) && !globs.some((glob) => glob.match(path))).sort();
  const others = tests.filter((path) => !LAWS.includes(path));
  const near = byNearness(changed, modules, others).map(([path]) => path);
  return { tests, near, count: Math.min(near.length, countFor(changed)) };
};

/**
 * The test files that reach what differs from a commit in the working tree, files that git does not know yet included.
 * `leftOut`: globs of tests that are never selected. Throws for a commit that git does not know.
 */
export const changedTests = (
  root: string,
  base: string = defaultBase(root),
  leftOut: readonly string[] = [],
): Selection => {
  const changed = differingFrom(root, base);
  const { tests, near, count } = nearestTests(root, changed, leftOut);
  const ofAll = changed.find((path) => OF_ALL.test(path));
  if (ofAll !== undefined)
    return { laws: [], files: tests, why: `All ${tests.length} test files: ${ofAll} concerns all.` };
  if (changed.length === 0) return { laws: [], files: [], why: `Nothing differs from ${base}.` };
  const left = near.length - count;
  const further = left > 0 ? ` The ${left} that are further from it are left out: npm test runs them.` : "";
  return {
    laws: LAWS,
    files: near.slice(0, count),
    why: `The ${LAWS.length} laws, and ${count} of ${tests.length} test files for ${changed.length} files changed since ${base}.${further}`,
  };
};
