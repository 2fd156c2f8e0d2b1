// Shows that every regular expression of src, plugins and the descriptions takes linear time, by recheck's analysis.
//   bun scripts/patterns.ts [FILE …]     exit code 1 for an expression that is not shown to, and is not in
//                                        scripts/patterns/exceptions.ts. With files: their expressions alone
// node_modules/.cache keeps each verdict, because a first run over all files takes two minutes of processor
// time on a busy machine. One repetition with two large bounds around a word can take minutes alone.
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import recheckPackage from "recheck/package.json";
import { EXCEPTIONS, type Exception } from "./patterns/exceptions.ts";
import { type Pattern, patternsIn, patternsOfDescription } from "./patterns/found.ts";

// the backend of JavaScript alone: recheck would also start a binary or a JVM
process.env["RECHECK_BACKEND"] = "pure";

/**
 * Sizes bound the analysis, not time, so that an expression has the same verdict on every machine. A larger automaton
 * takes up to a minute; its expression is tried with inputs that the analyser makes up.
 */
const TERMS = { timeout: null, incubationTimeout: null, attackTimeout: null, maxNFASize: 3000 };

/** Why an expression is not known to take linear time; undefined if it is known. */
export type Verdict = (source: string, flags: string) => Promise<string | undefined>;

export const verdictOf: Verdict = async (source, flags) => {
  const { checkSync } = await import("recheck");
  const found = checkSync(source, flags, TERMS);
  if (found.status === "safe") return undefined;
  if (found.status === "unknown") return `cannot be analysed (${found.error.kind})`;
  return `takes ${found.complexity.summary} time, for example for ${found.attack.pattern}`;
};

const isExcepted = ({ written, at }: Pattern, exception: Exception): boolean =>
  exception.written === written && at.startsWith(exception.in);

/**
 * The faults of these expressions: a line for each expression that is not linear, and for each exception without a use.
 */
export const faultsOf = async (
  patterns: readonly Pattern[],
  exceptions: readonly Exception[],
  judge: Verdict = verdictOf,
): Promise<string[]> => {
  const faults: string[] = [];
  const needed = new Set<Exception>();
  for (const pattern of patterns) {
    const { source, flags, at, written } = pattern;
    const reason = source === undefined ? "is not made of constants of its file" : await judge(source, flags);
    if (reason === undefined) continue;
    const exception = exceptions.find((one) => isExcepted(pattern, one));
    if (exception) needed.add(exception);
    else faults.push(`${at}: ${written} ${reason}`);
  }
  const unused = exceptions.filter((one) => !needed.has(one));
  return [...faults, ...unused.map((one) => `exceptions.ts: ${one.written} in ${one.in} is not needed`)];
};

const root = resolve(import.meta.dir, "..");
const cachePath = join(root, "node_modules", ".cache", `recado-verdicts-${recheckPackage.version}.json`);

/** Judges each expression once. `known`: the verdicts by expression; null stands for linear time. */
export const remembering =
  (known: Map<string, string | null>, judge: Verdict = verdictOf): Verdict =>
  async (source, flags) => {
    const name = `${flags}/${source}`;
    if (!known.has(name)) known.set(name, (await judge(source, flags)) ?? null);
    return known.get(name) ?? undefined;
  };

const main = async (files: readonly string[]): Promise<void> => {
  const isAsked = (path: string): boolean => files.length === 0 || files.includes(path);
  const cache = Bun.file(cachePath);
  const known = new Map((await cache.exists()) ? ((await cache.json()) as [string, string | null][]) : []);
  const patterns: Pattern[] = [];
  const read = async (glob: string, find: typeof patternsIn) => {
    for (const path of [...new Bun.Glob(glob).scanSync({ cwd: root })].filter(isAsked).sort())
      patterns.push(...find(path, await Bun.file(join(root, path)).text()));
  };
  await read("{src,plugins}/**/*.{ts,tsx,js,mjs}", patternsIn);
  await read("test/snapshots/openapi.*.json", patternsOfDescription);
  const exceptions = EXCEPTIONS.filter((one) => isAsked(one.in));
  const faults = await faultsOf(patterns, exceptions, remembering(known));
  await mkdir(dirname(cachePath), { recursive: true });
  await Bun.write(cachePath, JSON.stringify([...known]));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log(`${patterns.length} regular expressions take linear time, but for ${exceptions.length} exceptions`);
};

if (import.meta.main) await main(process.argv.slice(2));
