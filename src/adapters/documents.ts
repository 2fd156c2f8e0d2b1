import { existsSync, readFileSync } from "node:fs";
import type { ReadDocument, ReadText } from "../contract/documents.ts";
import { charsetOf } from "./document-decoding.ts";
import { kindOf } from "./document-kinds.ts";
import { readHere, type Unread } from "./document-reading.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

/** More than any honest document of 10 MB takes: of a processor, and on a machine that is busy. */
const MAX_CPU_SECONDS = 20;
const MAX_SECONDS = 60;
/**
 * Private writable memory, half of which Bun sets aside and does not use: under the limit the reader holds at most
 * about 300 MB.
 */
const MAX_MEMORY_KIB = 512 * 1024;
const LOOK_EVERY_MS = 100;
const SHELL = "/bin/sh";
/** What only has to be decoded, and is no longer than this, takes no time worth a process. */
const SHORT_BYTES = 256 * 1024;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export const readText: ReadText = async ({ bytes, contentType, name }) => {
  const kind = kindOf({ bytes, contentType, name });
  if (!kind) return { ok: false, reason: "UNSUPPORTED_TYPE" };
  const unread = { bytes, kind, charset: charsetOf(contentType) };
  return kind === "text" && bytes.length <= SHORT_BYTES ? readHere(unread) : readElsewhere(unread);
};

/**
 * A shell sets the limits, then becomes the program. The kernel enforces them, of memory by RLIMIT_DATA: the reader
 * fails at once, however fast it takes memory. When the machine itself runs out of memory, the kernel ends the reader
 * first. Where a limit cannot be set nothing is read.
 */
const LIMITED = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ulimit -c 0; ulimit -t ${MAX_CPU_SECONDS} && ulimit -d ${MAX_MEMORY_KIB} && exec "$@"`;

/**
 * Has another process read a document: one can be made so that reading it takes minutes, or gigabytes, and then this
 * process is ended. It is told none of our settings. Throws when it cannot be begun.
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
  // in a container that has no shell nothing else limits it
  const watch = setInterval(() => memoryOf(child.pid) > MAX_MEMORY_KIB && child.kill("SIGKILL"), LOOK_EVERY_MS);
  try {
    const [said, code] = await Promise.all([child.stdout.text(), child.exited]);
    return code === 0 ? (JSON.parse(said) as ReadDocument) : { ok: false, reason: "UNREADABLE" };
  } finally {
    clearInterval(watch);
  }
};

/** The memory that a process holds, in KiB; 0 where the system does not tell it so. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
};
