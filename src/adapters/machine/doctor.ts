import type { Examination, Examined, Machine } from "../../contract/ports/machine.ts";
import { MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { Environment } from "../../kernel/reading.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

/** The checks themselves have shorter limits: this one ends a process that hangs as a whole. */
const LONGEST_MS = 45 * SECOND_MS;
const KEPT_MS = MINUTE_MS;
const MAX_OUTPUT_BYTES = 1024 * 1024;

const failed = (found: string): Examined[] => [
  { name: "doctor", outcome: "fault", found, remedy: "run recado doctor on the machine, which shows where it stops" },
];

const run = async (environment: Environment): Promise<readonly Examined[]> => {
  const child = Bun.spawn([...PROGRAM, "doctor", "--json"], {
    env: { ...foreignEnvironment(), ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: LONGEST_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.signalCode === "SIGKILL") return failed(`the checks did not end within ${LONGEST_MS / SECOND_MS} s`);
  if (!output.startsWith("{")) return failed(`the doctor failed: ${errors.trim().split("\n").at(-1) ?? ""}`);
  return (JSON.parse(output) as { checks: Examined[] }).checks;
};

/**
 * Runs `recado doctor` in another process: its checks read the whole database, which would hold up requests here. One
 * runs at a time, and its result is kept for a minute.
 */
export const createDoctor = (environment: Environment): Machine["examine"] => {
  let kept: { until: number; result: Promise<Examination> } | undefined;
  const examine = async (): Promise<Examination> => {
    const atMs = Date.now();
    const begun = performance.now();
    const checks = await run(environment).catch((error: unknown) => failed(String(error)));
    if (kept) kept.until = performance.now() + KEPT_MS;
    return { atMs, tookMs: Math.round(performance.now() - begun), checks };
  };
  return () => {
    if (!kept || performance.now() >= kept.until) kept = { until: Number.POSITIVE_INFINITY, result: examine() };
    return kept.result;
  };
};
