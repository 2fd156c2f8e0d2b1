import { rmSync } from "node:fs";
import { backupLocation, nameOf, removeOldest } from "../adapters/backup-location.ts";
import type { BackupReport, BackupTask } from "../adapters/backups.ts";
import { giveWay } from "../adapters/priority.ts";
import { iso } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";
import { systemRandom } from "../kernel/random.ts";
import { localDraft, makeBackup } from "../store/backup.ts";
import { BackupFault } from "../store/backup-key.ts";
import { DatabaseInUse } from "../store/connection.ts";
import { VERSION } from "../version.ts";
import { command, EXIT } from "./command.ts";
import { untilAborted } from "./signals.ts";

/** Makes a backup and keeps it; only then may old ones go. */
const store = async ({
  place: at,
  keep,
  isEncrypted,
  from,
  dataDir,
  installation,
  madeAt,
  key: { keyId, secret },
}: BackupTask): Promise<BackupReport> => {
  const startedAt = performance.now();
  const place = backupLocation(at, { installation, localDraft: localDraft(from, dataDir, "backup") });
  const plain = isEncrypted ? localDraft(from, dataDir, "plain") : undefined;
  const mark = Buffer.from(systemRandom().bytes(32)).toString("hex");
  const key = { keyId, secret: Buffer.from(secret, "base64") };
  const { sizeBytes, files } = await makeBackup(
    { from, draft: place.draft, plain, details: { madeAt, version: VERSION }, key, mark },
    untilAborted(),
  );
  const name = nameOf(installation, iso(madeAt));
  try {
    await place.keep(name, sizeBytes);
  } finally {
    rmSync(place.draft, { force: true });
  }
  const removed = await removeOldest(place, { made: name, most: keep }).catch((error: unknown) => ({
    warning: `old backups could not be removed: ${reasonOf(error)}`,
  }));
  return {
    name,
    sizeBytes,
    files,
    durationMs: Math.round(performance.now() - startedAt),
    ...(typeof removed === "number" ? { removed } : { removed: 0, ...removed }),
  };
};

export const storeBackupCommand = command(
  {
    name: "store-backup",
    about: "make a backup as stdin says, in JSON; the server runs this at the times of RECADO_BACKUP_AT",
  },
  async ({ out, err }) => {
    try {
      giveWay();
      out(JSON.stringify(await store((await Bun.stdin.json()) as BackupTask)));
      return EXIT.ok;
    } catch (error) {
      err(error instanceof BackupFault || error instanceof DatabaseInUse ? error.message : reasonOf(error));
      return EXIT.fault;
    }
  },
);
