import { accessSync, constants, existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mb, type Section } from "./report.ts";

/** The smallest machine that Recado is made for: one core, and this much memory. */
const MEMORY_MB = 512;
const MAX_PEAK_MB = 350;

/** Keeps a process to a part of the machine: the words before its command, and the steps at its end. */
export type Confined = { before: readonly string[]; ending(peakMb: number): void };

/** The place for a control group that limits memory; undefined if this user may make none, or the system has none. */
const groupRoot = (): { root: string; limit: string } | undefined =>
  [
    { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes" },
    { root: "/sys/fs/cgroup", limit: "memory.max" },
  ].find(({ root }) => {
    try {
      accessSync(root, constants.W_OK);
      return existsSync(join(root, "cgroup.procs"));
    } catch {
      return false;
    }
  });

/**
 * Keeps servers to one core and, if this user may, to 512 MB. The system kills a server that needs more, and the run
 * fails. `section` says the maximum memory of the servers.
 */
export const smallMachine = (): { confined: Confined; section(): Section; end(): void } => {
  const found = groupRoot();
  const group = found && join(found.root, `recado-bench-${process.pid}`);
  if (found && group !== undefined) {
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, found.limit), String(MEMORY_MB * 2 ** 20));
  }
  const enter = group === undefined ? "" : `echo $$ > ${join(group, "cgroup.procs")}; `;
  const peaks: number[] = [];
  return {
    confined: {
      before: ["sh", "-c", `${enter}exec taskset -c 0 "$@"`, "sh"],
      ending: (peakMb) => void peaks.push(peakMb),
    },
    section: () => ({
      title: `Servers on one core${group === undefined ? "" : ` and ${MEMORY_MB} MB`}`,
      figures: [
        {
          what: `the most memory (VmHWM) of ${peaks.length} servers`,
          value: mb(Math.max(...peaks)),
          aim: { text: `below ${MAX_PEAK_MB} MB`, isMet: Math.max(...peaks) < MAX_PEAK_MB },
        },
      ],
      notes: [
        `Each: ${peaks.map(mb).join(", ")}.`,
        group === undefined
          ? "No control group could be made, so memory was not limited."
          : "The limit counts what SQLite's files have in the system's cache too. Nobody was killed.",
      ],
    }),
    end() {
      if (group !== undefined) rmdirSync(group);
    },
  };
};
