import { spawnSync } from "node:child_process";
import { cpus, loadavg, totalmem } from "node:os";

/**
 * One line of the table. `ratio`: the figure divided by its yardstick. `aim`: the wanted value, and whether it was
 * reached.
 */
export type Figure = {
  what: string;
  value: string;
  yardstick?: string;
  ratio?: number;
  aim?: { text: string; isMet: boolean };
};

/** Figures that belong together, with the facts to read them. */
export type Section = { title: string; figures: Figure[]; notes: string[] };

export const whole = (value: number): string => (Number.isFinite(value) ? Math.round(value).toLocaleString("en") : "–");
export const tenths = (value: number): string => (Number.isFinite(value) ? value.toFixed(1) : "–");
export const perSecond = (value: number): string => `${whole(value)}/s`;
export const ms = (value: number): string =>
  Number.isFinite(value) ? `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms` : "–";
export const mb = (value: number): string => (Number.isFinite(value) ? `${Math.round(value)} MB` : "–");
export const spread = ({ p50, p99 }: { p50: number; p99: number }): string => `p50 ${ms(p50)}, p99 ${ms(p99)}`;

/** The users of the processor, in cores. */
export const busyNote = (busy: Record<string, number>): string =>
  `busy cores: ${Object.entries(busy)
    .map(([name, cores]) => `${name} ${Number.isFinite(cores) ? cores.toFixed(2) : "–"}`)
    .join(", ")}`;

const row = ({ what, value, yardstick = "", ratio, aim }: Figure): string =>
  `| ${what} | ${value} | ${yardstick} | ${ratio === undefined ? "" : ratio.toFixed(2)} | ${aim ? `${aim.isMet ? "reached" : "**missed**"}: ${aim.text}` : ""} |`;

/** The section as text, for the terminal and for the file. */
export const sectionText = ({ title, figures, notes }: Section): string =>
  [
    `## ${title}`,
    "",
    "| Figure | Measured | Yardstick of the same run | Ratio | Aim |",
    "|---|---|---|---|---|",
    ...figures.map(row),
    "",
    ...notes.map((note) => `- ${note}`),
    "",
  ].join("\n");

const commit = (): string => {
  const { stdout, status } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : "not committed";
};

/** The machine of the measurements. */
const machineText = (): string => {
  const cores = cpus();
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return `${cores.length} cores (${cores[0]?.model.trim() ?? "unknown"}), ${memory} of memory, ${process.platform} ${process.arch}; Bun ${Bun.version}; ${new Date().toISOString().slice(0, 10)}; commit ${commit()}`;
};

/** The load of the machine by others at this moment, as the mean number of processes that want a core. */
export const loadNow = (): number => loadavg()[0] ?? Number.NaN;

/** One run of measurements: its sections, and their conditions. */
export const blockText = (
  sections: readonly Section[],
  { tookMs, loadBefore }: { tookMs: number; loadBefore: number },
): string =>
  [
    `Measured on ${machineText()}. It took ${Math.round(tookMs / 1000)} s; load average before it: ${loadBefore.toFixed(1)} (anything but 0 is other work on the same cores).`,
    "",
    ...sections.map(sectionText),
  ].join("\n");

const HEAD = `# Benchmark

Written by \`npm run bench\`; do not edit. Servers, simulated network, customer and load generator are processes of their own on this one machine and share its cores. Compare
a figure with its yardstick of the same run, not with other machines. Timings never fail a test.

Each part says when and on what it was measured. Parts of different days are of different machines.

`;

const MARK = /^<!-- bench: (\w+) -->\n/gm;

/** The file with these parts in place of its own of the same names, in the order of `names`. */
export const reportText = (before: string, blocks: ReadonlyMap<string, string>, names: readonly string[]): string => {
  const [, ...parts] = before.split(MARK);
  const kept = new Map(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1] ?? ""]] : [])));
  return (
    HEAD +
    names
      .flatMap((name) => {
        const text = blocks.get(name) ?? kept.get(name);
        return text === undefined ? [] : [`<!-- bench: ${name} -->\n${text.trimEnd()}\n`];
      })
      .join("\n")
  );
};

/** The most processor time of one message in one direction. */
const MAX_CPU_MS = 0.4;

export const cpuFigure = (what: string, cpuMs: number): Figure => ({
  what,
  value: `${cpuMs.toFixed(2)} ms`,
  aim: { text: `at most ${MAX_CPU_MS} ms`, isMet: cpuMs <= MAX_CPU_MS },
});
