import { expect, test } from "bun:test";
import { join } from "node:path";

const SIMULATE = join(import.meta.dir, "server/simulate.ts");
/** The whole server takes 0.1 s of processor per seed; RECADO_SIMULATION_SEEDS=1000000 is for a night. */
const SEEDS = Number(process.env["RECADO_SIMULATION_SEEDS"] ?? 300);

/** In a process of its own, whose time, timers and sockets are replaced for good. */
const simulate = async (...options: string[]): Promise<{ code: number; said: string }> => {
  const child = Bun.spawn([process.execPath, SIMULATE, ...options], { stdout: "pipe", stderr: "pipe" });
  const [said, failed] = [await new Response(child.stdout).text(), await new Response(child.stderr).text()];
  return { code: await child.exited, said: said + failed };
};

test("no seed breaks a promise: whatever the disk, the network, the clock, customers and operators do", async () => {
  const { code, said } = await simulate("--seeds", String(SEEDS));
  expect({ code, said: code === 0 ? "" : said }).toEqual({ code: 0, said: "" });
}, 3_600_000);

test("a seed always runs in the same way, alone and after others", async () => {
  const tracesOf = async (...options: string[]) => {
    const { said } = await simulate(...options, "--verbose");
    return new Map([...said.matchAll(/^(\d+): (.* trace \d+)$/gm)].map(([, seed, trace]) => [seed, trace]));
  };
  const [all, again] = [await tracesOf("--seeds", "8", "--from", "53"), await tracesOf("--seeds", "8", "--from", "53")];
  expect(all.size).toBe(8);
  expect(again).toEqual(all);
  expect([...(await tracesOf("--seeds", "1", "--from", "60"))]).toEqual([...all].slice(-1));
}, 300_000);
