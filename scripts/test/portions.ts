// A long run in portions: each has workers of its own. What the portions print and report becomes that of one run.

/**
 * The maximum number of files of a worker. It keeps the modules, the compiled code and some of the data of all files
 * that it ran, and each collection of garbage walks over them.
 */
const FILES_OF_WORKER = 95;

/** The files in an order of the seed, in as few portions of equal size as the workers may take. */
export const portionsOf = (files: readonly string[], workers: number, seed: string): string[][] => {
  const order = new Map(files.map((file) => [file, Bun.hash(`${seed} ${file}`)]));
  const shuffled = files.toSorted((a, b) => ((order.get(a) ?? 0) < (order.get(b) ?? 0) ? -1 : 1));
  const count = Math.max(1, Math.ceil(files.length / (workers * FILES_OF_WORKER)));
  const at = (portion: number): number => Math.round((portion * files.length) / count);
  return Array.from({ length: count }, (_, portion) => shuffled.slice(at(portion), at(portion + 1)));
};

/** The length of the end of a run's output that surely has its counts. */
export const TAIL_LENGTH = 2000;

const COUNT = /^ *(\d+) (pass|skip|todo|fail|error)s?$/;
/** The counts at the end of a run's output. */
const countsOf = (tail: string): [name: string, count: number][] =>
  Bun.stripANSI(tail)
    .split("\n")
    .flatMap((line) => {
      const [, count, name] = COUNT.exec(line) ?? [];
      return count === undefined || name === undefined ? [] : [[name, Number(count)] as [string, number]];
    });

/** A portion that has ended. `tail`: the end of its output. `hasReport`: false where its report was asked and is missing. */
export type Ended = { code: number; tail: string; hasReport: boolean };

/** Whether the report of all portions shows how this one ended. It does not show a kill, or an exit within a test. */
const isReported = ({ code, tail, hasReport }: Ended): boolean => {
  const counts = countsOf(tail);
  const isRed = counts.some(([name, count]) => count > 0 && (name === "fail" || name === "error"));
  return counts.length > 0 && hasReport && (code === 0 || isRed);
};

/** The counts of a portion. An end that is in no report is an error: the failures that are in one may be chance. */
const countsWithItsEnd = (ended: Ended): [name: string, count: number][] =>
  isReported(ended) ? countsOf(ended.tail) : [...countsOf(ended.tail), ["error", 1]];

/** The exit code of a run in portions. */
export const codeOf = (portions: readonly Ended[]): number =>
  portions.find(({ code }) => code !== 0)?.code ?? (portions.every(isReported) ? 0 : 1);

/** The counts of all portions as Bun prints those of one run. */
export const summaryOf = (portions: readonly Ended[]): string => {
  const sums = new Map<string, number>();
  for (const [name, count] of portions.flatMap(countsWithItsEnd)) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].map(([name, sum]) => ` ${sum} ${name}`).join("\n");
};

/** One JUnit report of several. */
export const joinReports = (reports: readonly string[]): string => {
  const suites = reports.map((report) =>
    report.replace(/^.*?<testsuites\b[^>]*>/s, "").replace(/<\/testsuites>\s*$/, ""),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="bun test">${suites.join("")}</testsuites>\n`;
};
