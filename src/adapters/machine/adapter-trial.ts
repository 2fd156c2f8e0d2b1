import { machineTimer } from "../../kernel/async.ts";
import type { Cancel } from "../../kernel/clock.ts";
import type { Environment } from "../../kernel/reading.ts";
import { limitedCommand, lookAtMemory } from "./limited-child.ts";
import { foreignEnvironment } from "./program.ts";

const LINE = /^recado-trial (begins|ends|bloats) (\d+)$/;

/**
 * A line of the child: it begins or ends to load the adapter at this place, or the adapter takes too much memory. The
 * code of adapters may print too.
 */
export const trialLine = (word: "begins" | "ends" | "bloats", place: number): string =>
  `recado-trial ${word} ${place}\n`;

/** A good adapter takes milliseconds; an endless loop never ends. */
const LOAD_MS = 10_000;
/** This program starts within this time on a slow and busy machine. */
const START_MS = 30_000;
const KERNEL_LIMITS = { cpuSeconds: 120, memoryKib: 1024 * 1024 };
/**
 * The most memory that an adapter may take while it is loaded, as of its calls later. An allocation fails far below the
 * kernel's limit, and the adapter may handle that: it would then take the memory of the server, which has no limit.
 */
export const MOST_MEMORY_MIB = 200;

/** Time for the next adapter to begin, after one has ended. It begins at once. */
const NEXT_MS = 5000;
/** Lines that the child wrote before its end are read within this time. A process that it started may keep the pipe open. */
const DRAIN_MS = 2000;

/** One child: the place of the adapter that ended it, and how. */
type Run = { during: number | undefined; why: string };

/**
 * Loads adapters in another process of this program first. Names each adapter that would end or hold up the process that
 * loads it, with the reason, by its folder. An endless loop cannot be ended within a process. All other faults are found
 * when the adapter is loaded.
 *
 * No adapter is named if no such process can be started.
 */
export const tryAdapters = async (
  folders: readonly string[],
  env: Environment,
): Promise<ReadonlyMap<string, string>> => {
  const faults = new Map<string, string>();
  let left = folders;
  while (left.length > 0) {
    const { during, why } = await run(left, env);
    const culprit = during === undefined ? undefined : left[during];
    if (during === undefined || culprit === undefined) break;
    faults.set(culprit, why);
    left = left.slice(during + 1);
  }
  return faults;
};

const run = async (folders: readonly string[], env: Environment): Promise<Run> => {
  const child = started(folders, env);
  if (!child) return { during: undefined, why: "" };
  const end = () => child.kill("SIGKILL");
  let isHung = false;
  let cancel: Cancel = () => {};
  const limit = (ms: number): void => {
    cancel();
    cancel = machineTimer.timer(ms, () => {
      isHung = true;
      end();
    });
  };
  limit(START_MS);
  process.once("exit", end); // a child in an endless loop would go on
  let hasAllMemory = false;
  const stopLooking = lookAtMemory(child.pid, KERNEL_LIMITS, () => {
    hasAllMemory = true;
    end();
  });
  const { during, isBloated } = await lastBegun(child, folders.length, limit);
  end(); // the code of adapters may hold up its end
  await child.exited;
  stopLooking();
  cancel();
  process.off("exit", end);
  const how = child.signalCode ?? `exit code ${child.exitCode ?? "unknown"}`;
  const why =
    hasAllMemory || isBloated
      ? `it takes over ${MOST_MEMORY_MIB} MB while it is loaded`
      : isHung
        ? `it was not loaded within ${LOAD_MS / 1000} s: what does it await, or repeat for ever?`
        : `it ended the process that loaded it (${how})`;
  return { during, why };
};

type Child = NonNullable<ReturnType<typeof started>>;

/**
 * Reads the lines of a child. Resolves to the place of its last adapter, undefined if all have ended or none began, and
 * whether that took too much memory.
 */
const lastBegun = async (
  child: Child,
  count: number,
  limit: (ms: number) => void,
): Promise<{ during: number | undefined; isBloated: boolean }> => {
  const reader = child.stdout.getReader();
  let drained: Cancel = () => {};
  void child.exited.then(() => {
    drained = machineTimer.timer(DRAIN_MS, () => void reader.cancel());
  });
  let during: number | undefined;
  let isLoading = false;
  let isBloated = false;
  for await (const line of linesOf(reader)) {
    const [, word, said] = LINE.exec(line) ?? [];
    const place = Number(said);
    if (word === "bloats" && isLoading && place === during) {
      isBloated = true;
      break;
    }
    if (word === "ends" && isLoading && place === during) {
      if (place === count - 1) {
        during = undefined;
        break;
      }
      isLoading = false;
      limit(NEXT_MS);
    } else if (word === "begins" && !isLoading) {
      isLoading = true;
      during = place;
      limit(LOAD_MS);
    }
  }
  drained();
  return { during, isBloated };
};

const started = (folders: readonly string[], env: Environment) => {
  const args = ["try-adapters", "--parent", String(process.pid), ...folders.flatMap((folder) => ["--folder", folder])];
  try {
    return Bun.spawn(limitedCommand(args, KERNEL_LIMITS), {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      env: { ...foreignEnvironment(), ...env },
    });
  } catch {
    return undefined; // the machine starts no process now
  }
};

const MAX_LINE_CHARS = 1000;

/** The part of a stream's reader in which the types of Bun and of browsers agree. */
type Reader = { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>; cancel(): Promise<void> };

const linesOf = async function* (reader: Reader): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(-MAX_LINE_CHARS);
      yield* lines;
    }
  } finally {
    await reader.cancel(); // a process that the child started may keep the pipe open
  }
};

const LOOK_EVERY_MS = 1000;

/** Ends this process when the process that started it is gone, now or later. Keeps the process alive until then. */
export const endWithParent = (parent: number): void => {
  const look = (): void => {
    if (process.ppid !== parent) endAtOnce();
  };
  look();
  setInterval(look, LOOK_EVERY_MS);
};

/** Ends this process without the code that adapters left for its exit. */
export const endAtOnce = (): void => void process.kill(process.pid, "SIGKILL");
