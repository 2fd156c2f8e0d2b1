import { statSync } from "node:fs";
import type { BackupOutcome, BackupProgress, Backups, StoredBackup } from "../../contract/ports/backups.ts";
import type { BackupConfig, MediaConfig } from "../../kernel/settings/config.ts";
import { foreignEnvironment, PROGRAM } from "../machine/program.ts";
import { backupLocation, madeAtOf } from "./backup-location.ts";

/** The input on the stdin of the process that makes a backup: all of its settings. */
export type BackupTask = Pick<BackupConfig, "place" | "keep" | "isEncrypted"> & {
  from: string | { url: string; token?: string | undefined };
  dataDir: string;
  installation: string;
  madeAt: number;
  key: { keyId: string; secret: string };
};

/** The output of the process after a backup. `warning`: a fault that did not prevent the backup. */
export type BackupReport = Omit<Extract<BackupOutcome, { ok: true }>, "ok">;

/** The longest time that a backup may take: more than any working disk or network needs. */
const MAX_MS = 6 * 60 * 60 * 1000;
const MAX_OUTPUT_BYTES = 64 * 1024;

/** `draftOf`: the path of a draft on this machine. */
type Settings = BackupConfig &
  Pick<BackupTask, "from" | "dataDir"> & {
    key: { keyId: string; secret: Uint8Array };
    draftOf(what: "backup" | "plain"): string;
  };

const shownPlace = (place: MediaConfig): string =>
  place.kind === "disk" ? place.dir : `s3://${[place.bucket, place.prefix].filter(Boolean).join("/")}`;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

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
  draftOf,
}: Settings): Backups => {
  let stop: (() => void) | undefined;
  let current: { startedAtMs: number; drafts: readonly string[] } | undefined;
  const locationOf = (installation: string) => backupLocation(place, { installation, localDraft: draftOf("backup") });
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
    const drafts = [locationOf(installation).draft, ...(isEncrypted ? [draftOf("plain")] : [])];
    current = { startedAtMs: madeAt, drafts };
    stop = () => child.kill("SIGTERM");
    if (isStopping) stop();
    const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    stop = undefined;
    current = undefined;
    if (code === 0) return { ok: true, ...(JSON.parse(output) as BackupReport) };
    return {
      ok: false,
      isStopped: isStopping,
      error: errors.trim().split("\n").at(-1) || `the process that made it ended with ${code}`,
    };
  };
  return {
    pattern: at,
    place: shownPlace(place),
    keep,
    isEncrypted,
    async list(installation): Promise<StoredBackup[]> {
      const location = locationOf(installation);
      const names = (await location.names()).toReversed();
      const sizes = await Promise.all(names.map(location.sizeOf));
      return names.flatMap((name, index) => {
        const sizeBytes = sizes[index];
        return sizeBytes === undefined ? [] : [{ name, madeAtMs: madeAtOf(name), sizeBytes }];
      });
    },
    progress(): BackupProgress | undefined {
      if (!current) return undefined;
      const { startedAtMs, drafts } = current;
      return { startedAtMs, copiedBytes: Math.max(...drafts.map(sizeOf)) };
    },
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
