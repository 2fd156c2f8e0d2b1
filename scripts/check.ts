// Checks everything that must hold before a commit, the fastest steps first. Stops at the first failure.
//   bun scripts/check.ts [--no-tests]
// With CI=true each step looks at everything. Without it the linter and the analysis of patterns look at the files that
// changed since main. The compiler goes on from its last run. A step whose inputs are those of its last success is left
// out. Each line says so.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { findAdvisories } from "./check/advisories.ts";
import { digestOfFiles, passedFor, wasPassedFor } from "./check/passed.ts";
import { changedPaths } from "./test/changed.ts";

/** `note`: the part that the step looked at, if it did not look at everything. */
type Outcome = { ok: boolean; output: string; cpuSeconds?: number; note?: string };
/** `inputs`: globs of all files that the outcome follows from, beside the installed packages. */
type Step = { name: string; run: () => Promise<Outcome>; inputs?: readonly string[] };

const root = resolve(import.meta.dir, "..");
const isWhole = Boolean(process.env["CI"]);

const spawn = async (command: string[]): Promise<Outcome> => {
  const child = Bun.spawn(command, { cwd: root, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const micros = Number(child.resourceUsage()?.cpuTime.total ?? 0);
  return { ok: code === 0, output: `${stdout}${stderr}`.trimEnd(), cpuSeconds: micros / 1e6 };
};

/** A development tool out of node_modules, run by this very Bun: the machine's own Node may be too old for it. */
const tool = (name: string, ...args: string[]): Promise<Outcome> =>
  spawn([process.execPath, join(root, "node_modules", ".bin", name), ...args]);

const script = (path: string, ...args: string[]): Promise<Outcome> =>
  spawn([process.execPath, join(root, path), ...args]);

const LINT = {
  all: /^(?:\.oxlintrc\.json|tsconfig\.json|bun\.lock|package\.json)$/,
  looksAt: /\.(?:tsx?|mts|m?js)$/,
};
const PATTERNS = {
  all: /^(?:bun\.lock|scripts\/patterns.*)$/,
  looksAt: /^(?:(?:src|plugins)\/.*\.(?:tsx?|m?js)|test\/snapshots\/openapi\..*\.json)$/,
};

/** The changed files. Undefined outside of a repository, and if every step looks at everything. */
const changedHere = (): string[] | undefined => {
  if (isWhole) return undefined;
  try {
    return changedPaths(root);
  } catch {
    return undefined;
  }
};

/** Looks at those of the changed files that `looksAt` names; at everything if a file of `all` changed. */
const ofChanged = async (
  { all, looksAt }: { all: RegExp; looksAt: RegExp },
  look: (...files: string[]) => Promise<Outcome>,
): Promise<Outcome> => {
  const changed = changedHere();
  const files = changed?.some((path) => all.test(path)) ? undefined : changed?.filter((path) => looksAt.test(path));
  if (files?.length === 0) return { ok: true, output: "", note: "no file changed" };
  const outcome = await look(...(files ?? []));
  return files === undefined ? outcome : { ...outcome, note: `${files.length} changed files` };
};

/** Uses one checker, because each further one would make the types of the packages and of the contract again. */
const types = (name: string, ...args: string[]): Promise<Outcome> => {
  const info = join(root, "node_modules/.cache", `recado-types-${name}.tsbuildinfo`);
  const goesOn = isWhole ? [] : ["--incremental", "--tsBuildInfoFile", info];
  return tool("tsc", "--noEmit", "--checkers", "1", ...goesOn, ...args);
};

/**
 * Lets drizzle-kit write what the schema lacks into a copy of the migrations. It exits with 0 even when it crashed, so
 * only its own word counts.
 */
const migrations = async (): Promise<Outcome> => {
  const temp = await mkdtemp(join(tmpdir(), "recado-migrations-"));
  try {
    const out = join(temp, "migrations");
    await cp(join(root, "migrations"), out, { recursive: true });
    const config = join(temp, "drizzle.config.ts");
    // drizzle-kit takes `out` relative to the working directory only
    const copied = { from: JSON.stringify(join(root, "drizzle.config.ts")), out: JSON.stringify(relative(root, out)) };
    await Bun.write(config, `import config from ${copied.from};\nexport default { ...config, out: ${copied.out} };\n`);
    const { output, ...rest } = await tool("drizzle-kit", "generate", "--config", config);
    return {
      ...rest,
      ok: output.includes("No schema changes"),
      output: `${output}\nThe migrations do not say what the schema says: run drizzle-kit generate and review the file.`,
    };
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
};

const changelog = async (): Promise<Outcome> => {
  const text = await Bun.file(join(root, "CHANGELOG.md")).text();
  return { ok: /^## \[Unreleased\]\s*$/m.test(text), output: "CHANGELOG.md has no section '## [Unreleased]'" };
};

const STEPS: Step[] = [
  { name: "format", run: () => tool("biome", "check", ".") },
  {
    name: "lint",
    run: () => ofChanged(LINT, (...files) => tool("oxlint", "--type-aware", "--deny-warnings", ...files)),
  },
  { name: "types", run: () => types("all") },
  { name: "types of web", run: () => types("web", "-p", join("src", "console", "web")) },
  { name: "unused", run: () => tool("knip", ...(isWhole ? [] : ["--cache"])) },
  { name: "patterns", run: () => ofChanged(PATTERNS, (...files) => script("scripts/patterns.ts", ...files)) },
  { name: "openapi", run: () => script("scripts/openapi.ts", "--check") },
  {
    name: "clients",
    run: () => script("scripts/clients.ts", "--check"),
    inputs: ["test/snapshots/openapi.*.json", "clients/**/*", "scripts/clients.ts", "scripts/clients/**/*"],
  },
  {
    name: "openapi lint",
    run: () => script("scripts/openapi-lint.ts"),
    inputs: ["test/snapshots/openapi.*.json", "scripts/openapi-lint.ts"],
  },
  { name: "api breaks", run: () => script("scripts/openapi-breaks.ts") },
  { name: "docs", run: () => script("scripts/docs.ts", "--check") },
  { name: "migrations", run: migrations, inputs: ["src/**/*.ts", "migrations/**/*", "drizzle.config.ts"] },
  { name: "changelog", run: changelog },
  { name: "advisories", run: () => findAdvisories(root, process.env) },
];

const TESTS: Step = { name: "tests", run: () => script("scripts/test.ts") };

const seconds = (value: number): string => value.toFixed(1).padStart(6);

/** Runs a step unless its inputs are those of its last success. */
const outcomeOf = async ({ name, run, inputs }: Step): Promise<Outcome> => {
  if (isWhole || inputs === undefined) return run();
  const digest = await digestOfFiles(root, [...inputs, "bun.lock", "scripts/check.ts"]);
  if (await wasPassedFor(root, name, digest)) return { ok: true, output: "", note: "unchanged since it passed" };
  const outcome = await run();
  if (outcome.ok) await passedFor(root, name, digest);
  return outcome;
};

const perform = async (step: Step): Promise<boolean> => {
  process.stdout.write(step.name.padEnd(14));
  const startedAt = performance.now();
  const { ok, output, cpuSeconds = 0, note } = await outcomeOf(step);
  const wall = seconds((performance.now() - startedAt) / 1000);
  const looked = note === undefined ? "" : `  (${note})`;
  console.log(`${wall} s, ${seconds(cpuSeconds)} s of processor  ${ok ? "ok" : "FAILED"}${looked}`);
  if (!ok) console.error(`\n${output}`);
  return ok;
};

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== "--no-tests");
if (unknown.length > 0) {
  console.error(`unknown argument ${unknown.join(" ")}; usage: check.ts [--no-tests]`);
  process.exit(2);
}
for (const step of args.includes("--no-tests") ? STEPS : [...STEPS, TESTS]) if (!(await perform(step))) process.exit(1);
if (!isWhole) console.log("CI=true looks at everything anew.");
