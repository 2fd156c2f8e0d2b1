import type { BackupOutcome, Backups } from "../contract/backups.ts";
import type { BackupConfig } from "../kernel/config.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

/** What the process that makes a backup is told on its stdin; all it knows. */
export type BackupTask = Pick<BackupConfig, "place" | "keep" | "isEncrypted"> & {
  from: string | { url: string; token?: string | undefined };
  dataDir: string;
  installation: string;
  madeAt: number;
  key: { keyId: string; secret: string };
};

/** What it says when all went well. `warning`: what did not keep the backup from being made. */
export type BackupReport = Omit<Extract<BackupOutcome, { ok: true }>, "ok">;

/** Longer than any disk or network takes that works at all. */
const MAX_MS = 6 * 60 * 60 * 1000;
const MAX_OUTPUT_BYTES = 64 * 1024;

type Settings = BackupConfig & Pick<BackupTask, "from" | "dataDir"> & { key: { keyId: string; secret: Uint8Array } };

/**
 * Backups by another process of this program: the copying, checking and sending take nothing of this one's time and
 * memory.
 */
export const createBackups = ({
  at,
  place,
  keep,
  isEncrypted,
  from,
  dataDir,
  key: { keyId, secret },
}: Settings): Backups => {
  let stop: (() => void) | undefined;
  let isStopping = false;

  const make = async (madeAt: number, installation: string): Promise<BackupOutcome> => {
    const key = { keyId, secret: Buffer.from(secret).toString("base64") };
    const task: BackupTask = { place, keep, isEncrypted, from, dataDir, installation, madeAt, key };
    const child = Bun.spawn([...PROGRAM, "store-backup"], {
      stdin: new TextEncoder().encode(JSON.stringify(task)),
      stdout: "pipe",
      stderr: "pipe",
      env: foreignEnvironment(),
      timeout: MAX_MS,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    stop = () => child.kill("SIGTERM");
    if (isStopping) stop();
    const [said, complaint, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    stop = undefined;
    if (code === 0) return { ok: true, ...(JSON.parse(said) as BackupReport) };
    return {
      ok: false,
      isStopped: isStopping,
      error: complaint.trim().split("\n").at(-1) || `the process that made it ended with ${code}`,
    };
  };
  return {
    pattern: at,
    async make(madeAt, installation) {
      try {
        return await make(madeAt, installation);
      } catch (error) {
        return { ok: false, isStopped: isStopping, error: error instanceof Error ? error.message : String(error) };
      }
    },
    stop() {
      isStopping = true;
      stop?.();
    },
  };
};
