import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Subprocess } from "bun";
import type { Confined } from "./small.ts";

const root = resolve(import.meta.dir, "..", "..");

const alive = new Set<Subprocess>();
const dirs: string[] = [];

/** A new directory, on the measured disk. */
export const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "recado-bench-"));
  dirs.push(dir);
  return dir;
};

/** Ends every remaining process and removes every directory, after a failed run too. */
export const cleanUp = async (): Promise<void> => {
  for (const child of alive) child.kill("SIGKILL");
  await Promise.all([...alive].map((child) => child.exited));
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
};

/** A process that the benchmark has started. Figures that this machine does not give are NaN. */
type Running = {
  /** Processor time used so far. */
  cpuMs(): number;
  rssMb(): number;
  /** The most memory that it ever had (VmHWM). */
  peakMb(): number;
  openFiles(): number;
  /** Sends SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL: the process ends in the middle of its work. */
  kill(): Promise<void>;
};

/** `ready`: the first line that it printed, read as JSON. */
export type Child = Running & { ready: unknown; readyAfterMs: number };

const CLOCK_TICK_MS = 10;

const ofProc = (pid: number, file: string, pattern: RegExp): string[] => {
  try {
    return pattern.exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.slice(1) ?? [];
  } catch {
    return []; // the machine does not give it, or the process has ended
  }
};

const cpuMsOf = (pid: number): number => {
  const [user, system] = ofProc(pid, "stat", /\) \S(?: \S+){10} (\d+) (\d+)/);
  return (Number(user) + Number(system)) * CLOCK_TICK_MS;
};

const rssMbOf = (pid: number): number => Number(ofProc(pid, "status", /^VmRSS:\s+(\d+) kB/m)[0]) / 1024;
const peakMbOf = (pid: number): number => Number(ofProc(pid, "status", /^VmHWM:\s+(\d+) kB/m)[0]) / 1024;

const openFilesOf = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN; // as above
  }
};

/** The caller's environment without its Recado settings. */
const cleanEnv = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("RECADO_")));

/** Calls `found` with the first line of a stream, and drops the rest. */
const firstLine = async (stream: ReadableStream<Uint8Array>, found: (line: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  let text: string | undefined = "";
  for await (const chunk of stream) {
    if (text === undefined) continue;
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end < 0) continue;
    found(text.slice(0, end));
    text = undefined;
  }
};

type Options = { args?: readonly string[]; env?: Record<string, string>; input?: unknown; confined?: Confined };

/**
 * Runs a script under this very Bun, or a program, and waits for its first line, which must be JSON. It gets `input` as
 * JSON on stdin. Throws if it ends without such a line.
 */
export const startChild = async (
  script: string,
  { args = [], env = {}, input, confined }: Options = {},
): Promise<Child> => {
  const path = resolve(root, script);
  const startedAt = performance.now();
  const program = [...(confined?.before ?? []), ...(path.endsWith(".ts") ? [process.execPath] : []), path];
  const child = Bun.spawn([...program, ...args], {
    cwd: root,
    env: { ...cleanEnv(), NODE_ENV: "production", ...env },
    stdin: new TextEncoder().encode(JSON.stringify(input ?? null)),
    stdout: "pipe",
    stderr: "inherit",
  });
  alive.add(child);
  void child.exited.then(() => alive.delete(child));
  const line = await new Promise<string>((found, failed) => {
    firstLine(child.stdout, found).then(() => failed(new Error(`${script} ended without a word`)), failed);
  });
  return {
    ready: JSON.parse(line) as unknown,
    readyAfterMs: performance.now() - startedAt,
    ...holdOf(child, () => confined?.ending(peakMbOf(child.pid))),
  };
};

const holdOf = (child: Subprocess, onEnd = () => {}): Running => {
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    onEnd();
    child.kill(signal);
    await child.exited;
  };
  return {
    cpuMs: () => cpuMsOf(child.pid),
    rssMb: () => rssMbOf(child.pid),
    peakMb: () => peakMbOf(child.pid),
    openFiles: () => openFilesOf(child.pid),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
};

/** Runs a program without reading its output. */
export const startProgram = (command: readonly string[]): Running => {
  const child = Bun.spawn([...command], { cwd: root, env: cleanEnv(), stdout: "ignore", stderr: "ignore" });
  alive.add(child);
  void child.exited.then(() => alive.delete(child));
  return holdOf(child);
};

/** How many cores each process kept busy while `work` ran, 1 being one core. */
export const busyDuring = async <Result>(
  children: Record<string, Pick<Child, "cpuMs">>,
  work: () => Promise<Result>,
): Promise<{ result: Result; busy: Record<string, number> }> => {
  const before = Object.entries(children).map(([name, child]) => ({ name, child, cpuMs: child.cpuMs() }));
  const startedAt = performance.now();
  const result = await work();
  const wallMs = performance.now() - startedAt;
  return {
    result,
    busy: Object.fromEntries(before.map(({ name, child, cpuMs }) => [name, (child.cpuMs() - cpuMs) / wallMs])),
  };
};
