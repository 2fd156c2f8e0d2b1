import { existsSync, readFileSync } from "node:fs";
import type { Cancel } from "../../kernel/clock.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

const LOOK_EVERY_MS = 100;
const SHELL = "/bin/sh";

/** The limits of a child: CPU time, real time, private writable memory, and bytes of output. */
export type ChildLimits = {
  cpuSeconds: number;
  seconds: number;
  memoryKib: number;
  outputBytes: number;
};

type KernelLimits = Pick<ChildLimits, "cpuSeconds" | "memoryKib">;

/**
 * A shell sets the limits, then executes the program. The kernel enforces them, memory by RLIMIT_DATA
 * (https://man7.org/linux/man-pages/man2/getrlimit.2.html). When the machine runs out of memory, the kernel ends the
 * child first. If a limit cannot be set, the program is not run.
 */
const limitedBy = ({ cpuSeconds, memoryKib }: KernelLimits): string =>
  [
    "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0;",
    `ulimit -t ${cpuSeconds} && ulimit -d ${memoryKib} && exec "$@"`,
  ].join(" ");

/** The command line that runs a command of this program within limits; without them in a container without a shell. */
export const limitedCommand = (args: readonly string[], limits: KernelLimits): string[] => [
  ...(existsSync(SHELL) ? [SHELL, "-c", limitedBy(limits), "sh"] : []),
  ...PROGRAM,
  ...args,
];

/** As `runLimitedBytes`; its output is a text. */
export const runLimited = async (...run: Parameters<typeof runLimitedBytes>): Promise<string | undefined> => {
  const output = await runLimitedBytes(...run);
  return output && new TextDecoder().decode(output);
};

/**
 * Runs a command of this program in another process, which is ended when it exceeds a limit. It gets none of our
 * settings. Resolves to its output; undefined when it failed or was ended.
 * @throws when the process cannot be started.
 */
export const runLimitedBytes = async (
  args: readonly string[],
  stdin: Uint8Array | Bun.BunFile,
  limits: ChildLimits,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const child = Bun.spawn(limitedCommand(args, limits), {
    stdin,
    stdout: "pipe",
    stderr: "ignore",
    env: foreignEnvironment(),
    timeout: limits.seconds * 1000,
    killSignal: "SIGKILL",
    maxBuffer: limits.outputBytes,
  });
  const stopLooking = lookAtMemory(child.pid, limits, () => child.kill("SIGKILL"));
  try {
    const [output, code] = await Promise.all([child.stdout.bytes(), child.exited]);
    return code === 0 ? output : undefined;
  } finally {
    stopLooking();
  }
};

/**
 * Calls when a process takes more memory than its limit. It is the only limit in a container without a shell, and of
 * memory that the kernel does not count, such as files in memory. Returns how to stop.
 */
export const lookAtMemory = (
  pid: number,
  { memoryKib }: Pick<ChildLimits, "memoryKib">,
  onExcess: () => void,
): Cancel => {
  const looks = setInterval(() => memoryOf(pid) > memoryKib && onExcess(), LOOK_EVERY_MS);
  return () => clearInterval(looks);
};

/** The memory of a process in KiB; 0 if the system does not show it. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};
