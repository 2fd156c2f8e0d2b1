import { existsSync, readFileSync } from "node:fs";
import type { ReadDocument, ReadText } from "../contract/documents.ts";
import { charsetOf } from "./document-decoding.ts";
import { kindOf } from "./document-kinds.ts";
import { readHere, type Unread } from "./document-reading.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

/** More than an ordinary document of 10 MB takes: CPU time, and real time on a busy machine. */
const MAX_CPU_SECONDS = 20;
const MAX_SECONDS = 60;
/**
 * Private writable memory. Bun reserves half of it without using it: under this limit the reader holds about 300 MB at
 * most.
 */
const MAX_MEMORY_KIB = 512 * 1024;
const LOOK_EVERY_MS = 100;
const SHELL = "/bin/sh";
/** Plain texts up to this size are decoded in this process: starting another takes longer. */
const SHORT_BYTES = 256 * 1024;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export const readText: ReadText = async ({ bytes, contentType, name }) => {
  const kind = kindOf({ bytes, contentType, name });
  if (!kind) return { ok: false, reason: "UNSUPPORTED_TYPE" };
  const unread = { bytes, kind, charset: charsetOf(contentType) };
  return kind === "text" && bytes.length <= SHORT_BYTES ? readHere(unread) : readElsewhere(unread);
};

/**
 * A shell sets the limits, then executes the program. The kernel enforces them, memory by RLIMIT_DATA
 * (https://man7.org/linux/man-pages/man2/getrlimit.2.html). When the machine runs out of memory, the kernel ends the
 * reader first. Where a limit cannot be set, nothing is read.
 */
const LIMITED = [
  "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0;",
  `ulimit -t ${MAX_CPU_SECONDS} && ulimit -d ${MAX_MEMORY_KIB} && exec "$@"`,
].join(" ");

/**
 * Reads a document in another process, because a hostile document can take minutes or gigabytes: then that process is
 * ended. It gets none of our settings.
 *
 * @throws when the process cannot be started.
 */
const readElsewhere = async ({ bytes, kind, charset }: Unread): Promise<ReadDocument> => {
  const child = Bun.spawn(
    [
      ...(existsSync(SHELL) ? [SHELL, "-c", LIMITED, "sh"] : []),
      ...PROGRAM,
      "read-document",
      kind,
      ...(charset === undefined ? [] : ["--charset", charset]),
    ],
    {
      stdin: bytes,
      stdout: "pipe",
      stderr: "ignore",
      env: foreignEnvironment(),
      timeout: MAX_SECONDS * 1000,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT_BYTES,
    },
  );
  // the only limit of memory in a container without a shell
  const watch = setInterval(() => memoryOf(child.pid) > MAX_MEMORY_KIB && child.kill("SIGKILL"), LOOK_EVERY_MS);
  try {
    const [output, code] = await Promise.all([child.stdout.text(), child.exited]);
    return code === 0 ? (JSON.parse(output) as ReadDocument) : { ok: false, reason: "UNREADABLE" };
  } finally {
    clearInterval(watch);
  }
};

/** The memory of a process in KiB; 0 where the system does not show it. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};
