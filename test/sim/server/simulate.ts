import { mkdtempSync, rmSync } from "node:fs";
import { takeOver, uncaught } from "./machine.ts";

// `npm run simulate -- --seeds 1000 --from 1`: runs these seeds, and says of each that fails how it is run again.
// `--verbose` shows what happened before. `--planted` has the simulation find each planted fault instead.

if (process.argv.includes("--planted")) await import("./planted-run.ts"); // it ends the process

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
takeOver();
process.on("unhandledRejection", uncaught);
process.on("uncaughtException", uncaught);
const { makeScene } = await import("./scene.ts");
const { runSeed } = await import("./run.ts");
const { config } = await import("./server.ts");

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const isVerbose = process.argv.includes("--verbose");

const folder = mkdtempSync("/dev/shm/recado-simulation-");
process.on("exit", () => {
  for (const made of [folder, config.dataDir]) rmSync(made, { recursive: true, force: true });
});
const scene = await makeScene(folder);
const [first, count, most] = [option("from", 1), option("seeds", 100), option("failures", 10)];
let failures = 0;
let steps = 0;
let deaths = 0;
let traces = 0;
const begun = used();
for (let seed = first; seed < first + count; seed++) {
  const outcome = await runSeed(seed, scene, folder);
  steps += outcome.steps;
  deaths += outcome.deaths;
  traces = Bun.hash.crc32(String(outcome.trace), traces);
  if (process.env["TRACES"]) console.log(`${seed} ${outcome.trace}`);
  if (isVerbose) console.log(`${seed}: ${outcome.steps} steps, ${outcome.deaths} deaths, trace ${outcome.trace}`);
  if (outcome.wrong.length === 0) continue;
  console.log(`seed ${seed}: ${outcome.wrong.slice(0, 12).join("\n  ")}`);
  console.log(`  npm run simulate -- --seeds 1 --from ${seed} --verbose`);
  if (isVerbose) {
    console.log(
      outcome.world.customers.arrivals
        .map((a) => `${a.at} ${a.host} ${a.status} #${a.attempt} ${a.body.slice(0, 260)}`)
        .join("\n"),
    );
    console.log(outcome.world.machine.recent.join("\n"));
    console.log(outcome.world.server.log.join("\n"));
    console.log(outcome.world.server.deaths);
  }
  if (++failures >= most) break;
}
const ms = used() - begun;
console.log(
  `${count} seeds, ${failures} failed, ${steps} steps, ${deaths} deaths, ${(ms / count).toFixed(1)} ms of processor each, trace ${traces}`,
);
process.exit(failures > 0 ? 1 : 0);
