import type { BackupOutcome, Backups } from "../contract/backups.ts";
import type { BackupConfig } from "../kernel/config.ts";
import { foreignEnvironment, PROGRAM } from "./program.ts";

/** What the process that makes a backup reads from its stdin: all of its settings. */
export type BackupTask = Pick<BackupConfig, "place" | "keep" | "isEncrypted"> & {
  from: string | { url: string; token?: string | undefined };
  dataDir: string;
  installation: string;
  madeAt: number;
  key: { keyId: string; secret: string };
};

/** What the process prints when the backup was made. `warning`: a fault that did not prevent the backup. */
export type BackupReport = Omit<Extract<BackupOutcome, { ok: true }>, "ok">;

/** The longest time that a backup may take: more than any working disk or network needs. */
const MAX_MS = 6 * 60 * 60 * 1000;
const MAX_OUTPUT_BYTES = 64 * 1024;

type Settings = BackupConfig & Pick<BackupTask, "from" | "dataDir"> & { key: { keyId: string; secret: Uint8Array } };

/**
 * Makes backups in another process of this program, so that copying, checking and sending take no time and memory of
 * this one.
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
    const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    stop = undefined;
    if (code === 0) return { ok: true, ...(JSON.parse(output) as BackupReport) };
    return {
      ok: false,
      isStopped: isStopping,
      error: errors.trim().split("\n").at(-1) || `the process that made it ended with ${code}`,
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
