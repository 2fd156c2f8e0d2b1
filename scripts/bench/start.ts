import { startChild } from "./process.ts";
import { newSite, type Site, serve, startGraph } from "./recado.ts";
import { mb, ms, type Section } from "./report.ts";
import { percentile } from "./wire.ts";

const MAX_READY_MS = 500;
const MAX_IDLE_MB = 100;

const median = (samples: readonly number[]): number => percentile(Float64Array.from(samples).sort(), 0.5);

const readyTimes = async (count: number, site: () => Site): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const { child } = await serve(site());
    times.push(child.readyAfterMs);
    await child.stop();
  }
  return times;
};

const echoFacts = async (count: number): Promise<{ readyMs: number; rssMb: number }> => {
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

/** From the start of the process to its ready line, and its memory when it has nothing to do. */
export const startSection = async (starts: number, idleMs: number): Promise<Section> => {
  const graph = await startGraph();
  const site = newSite(graph);
  const firstStarts = await readyTimes(3, () => newSite(graph));
  const laterStarts = await readyTimes(starts, () => site);
  const echo = await echoFacts(3);
  const { child } = await serve(site);
  await Bun.sleep(idleMs);
  const idleMb = child.rssMb();
  await Promise.all([child.stop(), graph.child.stop()]);
  const ready = median(laterStarts);
  return {
    title: "Start and memory",
    figures: [
      {
        what: `start to the ready line, median of ${starts}`,
        value: ms(ready),
        yardstick: `bare echo ${ms(echo.readyMs)}`,
        ratio: ready / echo.readyMs,
        aim: { text: `below ${MAX_READY_MS} ms`, isMet: ready < MAX_READY_MS },
      },
      { what: "the same on an empty directory, median of 3", value: ms(median(firstStarts)) },
      {
        what: `memory (RSS) ${Math.round(idleMs / 1000)} s after the start`,
        value: mb(idleMb),
        yardstick: `bare echo ${mb(echo.rssMb)}`,
        ratio: idleMb / echo.rssMb,
        aim: { text: `below ${MAX_IDLE_MB} MB`, isMet: idleMb < MAX_IDLE_MB },
      },
    ],
    notes: [`Run from source (\`bun src/main.ts serve\`); the compiled binary is not measured. Starts: ${laterStarts.map((time) => Math.round(time)).join(", ")} ms.`],
  };
};
