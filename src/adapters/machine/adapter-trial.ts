import { machineTimer } from "../../kernel/async.ts";
import type { Cancel } from "../../kernel/clock.ts";
import type { Environment } from "../../kernel/reading.ts";
import { limitedCommand } from "./limited-child.ts";
import { foreignEnvironment } from "./program.ts";

const LINE = /^recado-trial (begins|ends) (\d+)$/;

/** A line of the child: it begins or ends to load the adapter at this place. The code of adapters may print too. */
export const trialLine = (word: "begins" | "ends", place: number): string => `recado-trial ${word} ${place}\n`;

/** A good adapter takes milliseconds; an endless loop never ends. */
const LOAD_MS = 10_000;
/** This program starts within this time on a slow and busy machine. */
const START_MS = 30_000;
const KERNEL_LIMITS = { cpuSeconds: 120, memoryKib: 1024 * 1024 };

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
  let during: number | undefined;
  const child = started(folders, env);
  if (!child) return { during, why: "" };
  let isHung = false;
  const end = () => child.kill("SIGKILL");
  const limit = (ms: number): Cancel =>
    machineTimer.timer(ms, () => {
      isHung = true;
      end();
    });
  let cancel = limit(START_MS);
  process.once("exit", end); // a child in an endless loop would go on
  for await (const line of linesOf(child.stdout)) {
    const [, word, said] = LINE.exec(line) ?? [];
    const place = Number(said);
    if (word === "ends" && place === during) {
      cancel();
      during = undefined;
    } else if (word === "begins" && during === undefined) {
      cancel();
      cancel = limit(LOAD_MS);
      during = place;
    }
  }
  await child.exited;
  cancel();
  process.off("exit", end);
  const how = child.signalCode ?? `exit code ${child.exitCode ?? "unknown"}`;
  const why = isHung
    ? `it was not loaded within ${LOAD_MS / 1000} s: what does it await, or repeat for ever?`
    : `it ended the process that loaded it (${how})`;
  return { during, why };
};

const started = (folders: readonly string[], env: Environment) => {
  const args = ["try-adapters", ...folders.flatMap((folder) => ["--folder", folder])];
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

const linesOf = async function* (stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(-MAX_LINE_CHARS);
    yield* lines;
  }
};

const LOOK_EVERY_MS = 1000;

/** Ends this process when the process that started it is gone. Keeps the process alive until then. */
export const endWithParent = (): void => {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, LOOK_EVERY_MS);
};
