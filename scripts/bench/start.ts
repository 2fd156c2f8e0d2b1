import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { startChild } from "./process.ts";
import { FROM_SOURCE, newSite, type Site, serve, startGraph } from "./recado.ts";
import { mb, ms, type Section } from "./report.ts";
import { percentile } from "./wire.ts";

/** TABLE: the aims of a start from source, and of the binary. */
const AIMS = { source: { readyMs: 250, idleMb: 90 }, binary: { readyMs: 100, idleMb: 70 } } as const;
type Aim = (typeof AIMS)[keyof typeof AIMS];
/** The file that scripts/build.ts makes for this machine. */
const BINARY = resolve(import.meta.dir, "../../dist/recado");

const median = (samples: readonly number[]): number => percentile(Float64Array.from(samples).sort(), 0.5);

const readyTimes = async (count: number, program: string, site: () => Site): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const { child } = await serve(site(), program);
    times.push(child.readyAfterMs);
    await child.stop();
  }
  return times;
};

const measureEcho = async (count: number): Promise<{ readyMs: number; rssMb: number }> => {
  const times: number[] = [];
  let rssMb = 0;
  for (let n = 0; n < count; n++) {
    const child = await startChild("scripts/bench/echo.ts");
    times.push(child.readyAfterMs);
    rssMb = child.rssMb();
    await child.stop();
  }
  return { readyMs: median(times), rssMb };
};

type Measured = { name: string; aim: Aim; starts: number[]; firstStarts: number[]; idleMb: number };
type Graph = Awaited<ReturnType<typeof startGraph>>;

const measured = async (
  { name, program, aim }: { name: string; program: string; aim: Aim },
  graph: Graph,
  { starts, idleMs }: { starts: number; idleMs: number },
): Promise<Measured> => {
  const site = newSite(graph);
  const firstStarts = await readyTimes(3, program, () => newSite(graph));
  const laterStarts = await readyTimes(starts, program, () => site);
  const { child } = await serve(site, program);
  await Bun.sleep(idleMs);
  const idleMb = child.rssMb();
  await child.stop();
  return { name, aim, starts: laterStarts, firstStarts, idleMb };
};

const figuresOf = (
  { name, aim, starts, firstStarts, idleMb }: Measured,
  echo: { readyMs: number; rssMb: number },
  idleMs: number,
): Section["figures"] => {
  const ready = median(starts);
  return [
    {
      what: `${name}: start to the ready line, median of ${starts.length} (fastest)`,
      value: `${ms(ready)} (${ms(Math.min(...starts))})`,
      yardstick: `bare echo ${ms(echo.readyMs)}`,
      ratio: ready / echo.readyMs,
      aim: { text: `below ${aim.readyMs} ms`, isMet: ready < aim.readyMs },
    },
    {
      what: `${name}: the same on an empty directory, median of ${firstStarts.length}`,
      value: ms(median(firstStarts)),
    },
    {
      what: `${name}: memory (RSS) ${Math.round(idleMs / 1000)} s after the start`,
      value: mb(idleMb),
      yardstick: `bare echo ${mb(echo.rssMb)}`,
      ratio: idleMb / echo.rssMb,
      aim: { text: `below ${aim.idleMb} MB`, isMet: idleMb < aim.idleMb },
    },
  ];
};

/**
 * The time from the start of the process to its ready line, and its memory at rest: from source, and of the binary if
 * it exists.
 */
export const startSection = async (starts: number, idleMs: number): Promise<Section> => {
  const graph = await startGraph();
  const echo = await measureEcho(3);
  const size = existsSync(BINARY) ? `${(Bun.file(BINARY).size / 1e6).toFixed(0)} MB` : undefined;
  const programs = [
    { name: "from source", program: FROM_SOURCE, aim: AIMS.source },
    ...(size ? [{ name: "the binary", program: BINARY, aim: AIMS.binary }] : []),
  ];
  const all: Measured[] = [];
  for (const program of programs) all.push(await measured(program, graph, { starts, idleMs }));
  await graph.child.stop();
  return {
    title: "Start and memory",
    figures: all.flatMap((one) => figuresOf(one, echo, idleMs)),
    notes: [
      size ? `The binary has ${size}.` : "There was no binary to measure: `npm run build` makes dist/recado.",
      ...all.map(
        ({ name, starts: times }) => `Starts ${name}: ${times.map((time) => Math.round(time)).join(", ")} ms.`,
      ),
    ],
  };
};
