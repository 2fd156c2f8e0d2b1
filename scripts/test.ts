// Runs the tests, in a random order whose seed is printed.
//   bun scripts/test.ts [--process | --binary | --system | --n8n | --changed[=COMMIT]] [./FILE …] [arguments of bun test]
//     ./FILE      these files alone, of those that the mode runs
//     (none)      everything that runs in this process alone
//     --process   the tests that start processes: test/process, test/cluster, and all files *.process.test.ts;
//                 with --no-programs without test/process, which --binary runs against the binary
//     --binary    the same tests against the compiled binary in an empty root; it is compiled first
//     --system    the tests of test/system, which need packages of the operating system
//     --n8n       the nodes for n8n in a real one, which is installed from npm: 2 GB
//     --changed   of the in-process tests, the laws and those nearest to what changed since COMMIT (default: main)
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeJail } from "../test/support/processes/jail.ts";
import { areAllRounds } from "../test/support/rounds.ts";
import { changedTests } from "./test/changed.ts";
import { memoryFolder } from "./test/memory-folder.ts";
import { codeOf, type Ended, joinReports, portionsOf, summaryOf } from "./test/portions.ts";
import { runShown } from "./test/shown.ts";

const MODES = ["process", "binary", "system", "n8n", "changed"] as const;
type Mode = (typeof MODES)[number] | "in-process";

const root = resolve(import.meta.dir, "..");
const flag = (mode: string) => new RegExp(`^--${mode}(=.*)?$`);
const modes = MODES.filter((mode) => process.argv.some((arg) => flag(mode).test(arg)));
const hasPrograms = !process.argv.includes("--no-programs");
const isFile = (arg: string): boolean => arg.startsWith("./");
const named = process.argv.slice(2).filter(isFile);
const args = process.argv
  .slice(2)
  .filter((arg) => arg !== "--no-programs" && !isFile(arg) && !MODES.some((mode) => flag(mode).test(arg)));
/** What a mode runs, unless files are named. */
const unlessNamed = (selection: readonly string[]): readonly string[] => (named.length > 0 ? named : selection);
const mode: Mode = modes[0] ?? "in-process";
if (modes.length > 1) {
  console.error(`--${modes.join(" and --")} exclude each other`);
  process.exit(2);
}

const run = (command: readonly string[], env: Record<string, string> = {}): Promise<number> => {
  const environment = { ...process.env, ...env };
  return Bun.spawn([process.execPath, ...command], {
    cwd: root,
    env: environment,
    stdio: ["inherit", "inherit", "inherit"],
  }).exited;
};

const OTHER_PROCESSES = ["test/process/**", "test/cluster/**", "**/*.process.test.ts"];
const OTHER_MACHINES = ["test/system/**", "test/n8n/**", "test/binary/**"];
const LEFT_OUT = [
  "npm run test:process  test/process, test/cluster, *.process.test.ts: they start processes",
  "npm run test:binary   the same against the compiled binary, and test/binary",
  "npm run test:system   test/system: needs the Debian packages that the README names",
  "npm run test:n8n      test/n8n: installs n8n from npm, which takes 2 GB",
];

/**
 * bunfig.toml ignores the tests that start processes. These patterns replace its list; an empty list ignores nothing.
 */
const ignoring = (patterns: readonly string[]): string[] =>
  patterns.length === 0
    ? ["--path-ignore-patterns", ""]
    : patterns.flatMap((pattern) => ["--path-ignore-patterns", pattern]);

/**
 * What spares the workers processor time: together 18 % of test/apis/gateway/messages, 38.6 to 31.6 s. The tests in one
 * process alone run with it, so that the server of the others runs as users run it.
 *
 * - Bun collects garbage whenever its event loop finds the heap grown, as by each new server. The engine also decides.
 * - With a worker on each processor, threads that collect beside it have none of their own.
 * - Few functions run often enough here to repay their last stage of compilation.
 * - From the third program of WebAssembly on, the engine collects the whole heap for each new one, because it reserves
 *   4 GiB of addresses for each: the three files of test/adapters/voice took 123 s after 500 others, and 9 s alone.
 */
const WORKER_ENGINE = {
  BUN_GC_TIMER_DISABLE: "1",
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "1",
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_useWasmFastMemory: "0",
};

/** A worker holds all modules and the worlds of a file. Each gets one processor and this much memory. */
const WORKER_BYTES = 1.5 * 1024 ** 3;
const workersFor = (processors: number): number =>
  Math.max(1, Math.min(Math.floor(processors), Math.floor(freemem() / WORKER_BYTES)));

const seedOf = (): string => {
  const given = args.find((arg) => arg.startsWith("--seed="));
  return given?.slice("--seed=".length) ?? String(crypto.getRandomValues(new Uint32Array(1))[0]);
};

/** How long a test may wait for other processes on a busy machine. */
const TIMEOUT_MS = 120_000;

/** A run of tests. `seed` and `env` are also those of its processes. */
type Run = { workers: number; seed: string; env: Record<string, string> };

const introduce = ({ workers, seed, env }: Run): void => {
  const rounds = areAllRounds ? "all" : "few (CI=true: all)";
  console.log(
    `Seed ${seed}; workers ${workers}; rounds of long tests: ${rounds}; temporary files in ${env["TMPDIR"] ?? tmpdir()}`,
  );
};

const commandOf = (selection: readonly string[], { workers, seed }: Run): string[] => {
  const atOnce = workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : [];
  const shown = mode === "changed" ? ["--only-failures"] : []; // hundreds of titles that passed hide the one that failed
  const own = [...shown, "--no-orphans", "--randomize", `--seed=${seed}`, `--timeout=${TIMEOUT_MS}`, ...atOnce];
  return ["test", ...own, ...selection];
};

const given = args.filter((arg) => !arg.startsWith("--seed="));

const runTests = (selection: readonly string[], workers: number, env: Record<string, string> = {}): Promise<number> => {
  const one: Run = { workers, seed: seedOf(), env };
  introduce(one);
  return run([...commandOf(selection, one), ...given], { RECADO_TEST_SEED: one.seed, ...env });
};

const REPORTER = "--reporter-outfile=";
const isOfReporter = (arg: string): boolean => arg.startsWith("--reporter");

/** Runs one portion after the other, each with workers of its own, and ends as one run of all. */
const runPortions = async (portions: readonly (readonly string[])[], ignored: readonly string[], one: Run) => {
  introduce(one);
  const outfile = given.find((arg) => arg.startsWith(REPORTER))?.slice(REPORTER.length);
  const ended: Ended[] = [];
  const reports: string[] = [];
  for (const [at, files] of portions.entries()) {
    console.log(`Portion ${at + 1} of ${portions.length}: ${files.length} files`);
    const part = join(one.env["TMPDIR"] ?? tmpdir(), `report-${at}.xml`);
    const reporter = given.map((arg) => (arg.startsWith(REPORTER) ? REPORTER + part : arg));
    const command = [...commandOf([...ignored, ...files], one), ...reporter];
    const { code, tail } = await runShown(command, { RECADO_TEST_SEED: one.seed, ...one.env });
    const hasReport = existsSync(part);
    if (hasReport) reports.push(readFileSync(part, "utf8"));
    ended.push({ code, tail, hasReport: hasReport || outfile === undefined });
  }
  if (outfile !== undefined) writeFileSync(outfile, joinReports(reports));
  console.error(`\nIn ${portions.length} portions:\n${summaryOf(ended)}`);
  return codeOf(ended);
};

/** Runs with a temporary folder of its own, in memory where there is room; the folder is removed afterwards. */
const inTempFolder = async (work: (folder: string) => Promise<number>): Promise<number> => {
  const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), "recado-tests-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** What bun test finds by itself. */
const inProcessFiles = (): string[] => {
  const others = [...OTHER_MACHINES, ...OTHER_PROCESSES, "**/node_modules/**"].map((pattern) => new Bun.Glob(pattern));
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: root })];
  return files.filter((path) => !others.some((glob) => glob.match(path))).map((path) => `./${path}`);
};

/** A selection within the files, by arguments of bun test, runs in one portion. */
const runInProcess = (files: readonly string[] = named): Promise<number> =>
  inTempFolder((TMPDIR) => {
    const one: Run = { workers: workersFor(availableParallelism()), seed: seedOf(), env: { TMPDIR, ...WORKER_ENGINE } };
    const all = files.length > 0 ? files : inProcessFiles();
    const portions = given.every(isOfReporter) ? portionsOf(all, one.workers, one.seed) : [];
    const ignored = ignoring([...OTHER_MACHINES, ...OTHER_PROCESSES]);
    if (portions.length > 1) return runPortions(portions, ignored, one);
    return runTests([...ignored, ...files], one.workers, one.env);
  });

const processFiles = (): string[] =>
  [...new Bun.Glob("test/**/*.process.test.ts").scanSync({ cwd: root })].map((path) => `./${path}`).sort();

/**
 * How many files run at once of those that start processes or a browser: one works while the other waits for a start, a
 * page, a broker or the end of a lease.
 */
const MOST_FILES = 4;
const filesAtOnce = (): number => workersFor(Math.min(MOST_FILES, availableParallelism()));

const runProcesses = (): Promise<number> => {
  const folders = hasPrograms ? ["./test/process/", "./test/cluster/"] : ["./test/cluster/"];
  return runTests([...ignoring(OTHER_MACHINES), ...unlessNamed([...folders, ...processFiles()])], filesAtOnce());
};

const { RECADO_TEST_BINARY } = process.env;
const BINARY = RECADO_TEST_BINARY ?? join(root, "dist/recado");
/** Compiles the binary, unless RECADO_TEST_BINARY names one of this tree. */
const build = async (): Promise<number> => (RECADO_TEST_BINARY ? 0 : run([join(root, "scripts/build.ts")]));

const runAgainstBinary = async (): Promise<number> => {
  const built = await build();
  if (built !== 0) return built;
  const jail = makeJail(BINARY);
  try {
    const env = { RECADO_TEST_PROGRAM: jail.program, TMPDIR: jail.folder };
    return await runTests([...ignoring([]), ...unlessNamed(["./test/binary/", "./test/process/"])], filesAtOnce(), env);
  } finally {
    jail.remove();
  }
};

/** The files of releases share one binary. */
const runSystem = async (): Promise<number> => {
  const files = unlessNamed(["./test/system/"]);
  const needsBinary = files.some((path) => "./test/system/release/".startsWith(path) || path.includes("/release/"));
  const built = needsBinary ? await build() : 0;
  if (built !== 0) return built;
  const env = needsBinary ? { RECADO_TEST_BINARY: BINARY } : {};
  return runTests([...ignoring([]), ...files], filesAtOnce(), env);
};

const runChanged = async (): Promise<number> => {
  const base = process.argv.find((arg) => arg.startsWith("--changed="))?.slice("--changed=".length);
  const { laws, files, why } = changedTests(root, base, [...OTHER_MACHINES, ...OTHER_PROCESSES]);
  console.log(why);
  const runFiles = (paths: readonly string[]): Promise<number> =>
    paths.length === 0 ? Promise.resolve(0) : runInProcess(paths.map((path) => `./${path}`));
  const ofLaws = await runFiles(laws);
  const ofOthers = await runFiles(files);
  return ofLaws === 0 ? ofOthers : ofLaws;
};

const RUN: Record<Mode, () => Promise<number>> = {
  "in-process": runInProcess,
  process: runProcesses,
  binary: runAgainstBinary,
  system: runSystem,
  n8n: () => runTests([...ignoring([]), "./test/n8n/"], 1),
  changed: runChanged,
};

const startedAtMs = performance.now();
const code = await RUN[mode]();
console.log(`${((performance.now() - startedAtMs) / 1000).toFixed(0)} s`);
if (mode === "in-process") console.log(["Left out:", ...LEFT_OUT].join("\n  "));
process.exit(code);
