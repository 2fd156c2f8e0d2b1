import { rmSync } from "node:fs";
import { backupLocation, backupName, removeOldest } from "../../adapters/files/backup-location.ts";
import type { BackupReport, BackupTask } from "../../adapters/files/backups.ts";
import { lowerPriority } from "../../adapters/machine/priority.ts";
import { iso } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { systemRandom } from "../../kernel/random.ts";
import { localDraft, makeBackup } from "../../store/backup/backup.ts";
import { BackupFault } from "../../store/backup/backup-key.ts";
import { DatabaseInUse } from "../../store/engine/connection.ts";
import { VERSION } from "../../version.ts";
import { command, EXIT } from "../command.ts";
import { untilAborted } from "../signals.ts";

/** Makes and stores a backup, then removes old ones. */
const storeBackup = async ({
  place,
  keep,
  isEncrypted,
  from,
  dataDir,
  installation,
  madeAt,
  key: { keyId, secret },
}: BackupTask): Promise<BackupReport> => {
  const startedAt = performance.now();
  const location = backupLocation(place, { installation, localDraft: localDraft(from, dataDir, "backup") });
  const plain = isEncrypted ? localDraft(from, dataDir, "plain") : undefined;
  const mark = Buffer.from(systemRandom().bytes(32)).toString("hex");
  const key = { keyId, secret: Buffer.from(secret, "base64") };
  const signal = untilAborted();
  const { sizeBytes, files, warning } = await makeBackup(
    { from, draft: location.draft, plain, details: { madeAt, version: VERSION }, key, mark },
    signal,
  );
  const name = backupName(installation, iso(madeAt));
  try {
    await location.keep(name, sizeBytes, signal);
  } finally {
    rmSync(location.draft, { force: true });
  }
  const removed = await removeOldest(location, { made: name, most: keep }).catch((error: unknown) => ({
    warning: `old backups could not be removed: ${reasonOf(error)}`,
  }));
  const warnings = [warning ?? [], typeof removed === "number" ? [] : removed.warning].flat();
  return {
    name,
    sizeBytes,
    files,
    durationMs: Math.round(performance.now() - startedAt),
    removed: typeof removed === "number" ? removed : 0,
    ...(warnings.length > 0 ? { warning: warnings.join("; ") } : {}),
  };
};

export const storeBackupCommand = command(
  {
    name: "store-backup",
    about: "make the backup that the JSON on stdin describes; the server runs this at the times of RECADO_BACKUP_AT",
  },
  async ({ out, err }) => {
    try {
      lowerPriority();
      out(JSON.stringify(await storeBackup((await Bun.stdin.json()) as BackupTask)));
      return EXIT.ok;
    } catch (error) {
      err(error instanceof BackupFault || error instanceof DatabaseInUse ? error.message : reasonOf(error));
      return EXIT.fault;
    }
  },
);
