import { join, resolve } from "node:path";
import { composeOffline } from "../app.ts";
import { type Mended, mendRestored, type Restored } from "../core/restored.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { createLog } from "../kernel/log.ts";
import { databasePath, existingMasterKey } from "../setup.ts";
import { BackupFault } from "../store/backup-key.ts";
import { DatabaseInUse, lockBackups, lockDatabase } from "../store/connection.ts";
import { type OpenedBackup, openBackup } from "../store/opened-backup.ts";
import { cleanUp, copyForRestore, putInPlace, refuseSame, workFolder } from "../store/restore.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";
import { backupKeysHere, localFile } from "./local-database.ts";
import { checkKey, type Plan, planLines, planOf } from "./restore-plan.ts";
import { withConfig } from "./with-config.ts";

/** Keeps servers and backups away. Throws BackupFault while there is one. */
const lockAll = (path: string): (() => void) => {
  const locks: (() => void)[] = [];
  const unlock = () => {
    for (const release of locks.toReversed()) release();
  };
  try {
    for (const lock of [lockDatabase, lockBackups]) locks.push(lock(path));
    return unlock;
  } catch (error) {
    unlock();
    throw error instanceof DatabaseInUse
      ? new BackupFault(`${error.message}: stop the server, or wait for the other command, before you restore`, {
          cause: error,
        })
      : error;
  }
};

/**
 * Everything that is done to the copy is done before it takes the database's place. Nothing else of the installation is
 * touched: what opening it makes, it makes in the work folder.
 */
const mend = async (
  config: Config,
  { copy, path }: { copy: string; path: string },
  restored: Restored,
): Promise<Mended> => {
  const folder = workFolder(path);
  const offline = {
    ...config,
    databaseUrl: `file:${copy}`,
    dataDir: folder,
    masterKey: existingMasterKey(config),
    media: { kind: "disk" as const, dir: join(folder, "media") },
  };
  const { env, close } = await composeOffline(offline, createLog("error"));
  try {
    return await mendRestored(env, restored);
  } finally {
    await close();
  }
};

const restore = async (config: Config, { database }: OpenedBackup, plan: Plan): Promise<Mended> => {
  const path = databasePath(config);
  const unlock = lockAll(path);
  try {
    const copy = copyForRestore(database, path);
    const mended = await mend(config, { copy, path }, plan);
    putInPlace(copy, path, plan.replaces?.keptAs ?? "");
    return mended;
  } finally {
    cleanUp(path);
    unlock();
  }
};

const doneLine = (plan: Plan, { sessions }: Mended): string =>
  `restored${plan.replaces ? `; the database of before is ${plan.replaces.keptAs}` : ""}${sessions > 0 ? `; ${sessions} sessions begin their chats anew` : ""}. Start the server.`;

/** Who can write where backups lie could change one, and its checksum too: an admin token, a key, a number. */
const refuseUnsealed = (file: string, { found: { details } }: OpenedBackup, isAllowed: boolean): void => {
  if (details?.isSealed || isAllowed) return;
  const what = details ? "a backup of the time before backups were sealed" : "no backup but a copy of a database";
  throw new BackupFault(
    `${file} is ${what}: whether somebody has changed it cannot be told; --unsealed restores it all the same`,
  );
};

/**
 * Puts a backup in the place of the database, in one step: whenever it is broken off there is the old one or the new
 * one.
 */
export const restoreCommand = command(
  {
    name: "restore",
    about: "put the backup FILE in the place of the database, which stays beside it; no server may be running",
    operands: ["FILE"],
    flags: {
      "dry-run": { about: "say what would be done, and change nothing" },
      unsealed: {
        about:
          "take a file without a seal of the master key: a copy of a database, or a backup of before there were seals",
      },
      json: JSON_FLAG,
    },
  },
  (context, { flags, operands: [operand = ""] }) =>
    withConfig(context, async (config) => {
      const [file, path] = [resolve(operand), localFile(config)];
      refuseSame(file, path);
      const opened = openBackup(file, path, backupKeysHere(config));
      try {
        refuseUnsealed(file, opened, flags.unsealed === true);
        checkKey(file, opened.found, config, backupKeysHere(config)[0]?.keyId);
        const plan = await planOf(
          config,
          { file, database: opened.database, path, nowMs: systemClock().now() },
          opened.found,
        );
        if (!flags.json) for (const line of planLines(plan)) context.out(line);
        if (flags["dry-run"]) {
          if (flags.json) context.out(JSON.stringify({ plan, isRestored: false }));
          return EXIT.ok;
        }
        const mended = await restore(config, opened, plan);
        context.out(flags.json ? JSON.stringify({ plan, isRestored: true, mended }) : doneLine(plan, mended));
        return EXIT.ok;
      } finally {
        opened.close();
      }
    }),
);
