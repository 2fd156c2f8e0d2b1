import { readFileSync, writeSync } from "node:fs";
import { endAtOnce, endWithParent, MOST_MEMORY_MIB, trialLine } from "../../adapters/machine/adapter-trial.ts";
import { loadPlugin } from "../../loading/loader.ts";
import { command, EXIT } from "../command.ts";

/**
 * Loads adapters one after the other and says which, so that the server knows the adapter that ends or holds up this
 * process. The server finds every other fault itself.
 */
export const tryAdaptersCommand = command(
  {
    name: "try-adapters",
    about: "load adapters and say which; the server runs it before it loads them itself",
    flags: {
      parent: { value: "PID", about: "the process that runs it: it ends with that" },
      folder: { value: "FOLDER", isList: true, about: "the folder of an adapter" },
    },
  },
  async ({ env }, { flags: { parent, folder: folders } }) => {
    endWithParent(parent === undefined ? process.ppid : Number(parent));
    // the server would go on too
    for (const event of ["unhandledRejection", "uncaughtException"]) process.on(event, () => {});
    for (const [place, folder] of folders.entries()) {
      say(trialLine("begins", place));
      const [nowMib, peakMib] = [process.memoryUsage.rss() / 2 ** 20, mostMib()];
      await loadPlugin(folder, [], env, { timer: ENDLESS }).catch(() => {});
      const isBloated = mostMib() > peakMib && mostMib() - nowMib > MOST_MEMORY_MIB;
      say(trialLine(isBloated ? "bloats" : "ends", place));
    }
    return EXIT.ok;
  },
);

/**
 * The most memory that this process ever had. Linux says it by VmHWM, because its `maxRSS` may be that of the process
 * that started this one: https://man7.org/linux/man-pages/man2/getrusage.2.html.
 */
const mostMib = (): number => {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) / 1024;
};

/** The parent limits the time. */
const ENDLESS = { timer: () => () => {} };

/** Writes at once: an endless loop of the adapter would hold back the line. Without a reader nobody limits the time. */
const say = (line: string): void => {
  try {
    writeSync(process.stdout.fd, line);
  } catch {
    endAtOnce();
  }
};
