import { readdirSync, readFileSync } from "node:fs";

/** The children of this process during a watch: the highest memory of one, and the highest number at once. */
export type Seen = { peakBytes: number; atOnce: number };

/** Watches the children that read documents, every few milliseconds until `stop`. */
export const watchReaders = (): { stop(): Seen } => {
  const seen = { peakBytes: 0, atOnce: 0 };
  const timer = setInterval(() => {
    const peaks = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? peakOf(pid) : []));
    seen.peakBytes = Math.max(seen.peakBytes, ...peaks);
    seen.atOnce = Math.max(seen.atOnce, peaks.length);
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return seen;
    },
  };
};

const peakOf = (pid: string): number[] => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const isReader =
      status.includes(`\nPPid:\t${process.pid}\n`) &&
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("read-document");
    return isReader ? [Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024] : [];
  } catch {
    return []; // it has ended meanwhile
  }
};
