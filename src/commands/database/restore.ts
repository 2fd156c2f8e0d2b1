import { join, resolve } from "node:path";
import { composeOffline } from "../../app.ts";
import { type Mended, mendRestored, type Restored } from "../../core/restored.ts";
import { LOCAL } from "../../core/tenancy/audit/audit.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createLog } from "../../kernel/log.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { databasePath, existingMasterKey } from "../../setup.ts";
import { BackupFault } from "../../store/backup/backup-key.ts";
import { type OpenedBackup, openBackup } from "../../store/backup/opened-backup.ts";
import { cleanUp, copyForRestore, putInPlace, refuseSame, workFolder } from "../../store/backup/restore.ts";
import { DatabaseInUse, lockBackups, lockDatabase } from "../../store/engine/connection.ts";
import { command, EXIT, JSON_FLAG } from "../command.ts";
import { withConfig } from "../with-config.ts";
import { backupKeysHere, localFile } from "./local-database.ts";
import { checkKey, type Plan, planLines, planOf } from "./restore-plan.ts";

/**
 * Locks the database against servers and backups; returns the unlock function.
 *
 * @throws BackupFault while one of them has it.
 */
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
 * Adapts the copy before it replaces the database. Files that opening it makes go into the work folder, so that nothing
 * else of the installation changes.
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
    return await mendRestored(env, LOCAL, restored);
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

const doneLine = (plan: Plan, { sessions }: Mended): string => {
  const parts = [
    "restored",
    ...(plan.replaces ? [`the old database is ${plan.replaces.keptAs}`] : []),
    ...(sessions > 0 ? [`${sessions} sessions make new keys for their chats`] : []),
  ];
  return `${parts.join("; ")}. Start the server.`;
};

/** Refuses a file without a seal: anyone who can write it could have changed it together with its checksum. */
const refuseUnsealed = (file: string, { found: { details } }: OpenedBackup, isAllowed: boolean): void => {
  if (details?.isSealed || isAllowed) return;
  const what = details ? "a backup from before backups were sealed" : "not a backup but a copy of a database";
  throw new BackupFault(`${file} is ${what}, so that changes cannot be detected; --unsealed restores it all the same`);
};

/** Replaces the database by a backup, atomically: after an interruption there is the old database or the new one. */
export const restoreCommand = command(
  {
    name: "restore",
    about: "replace the database by the backup FILE, and keep the old one beside it; no server may be running",
    operands: ["FILE"],
    flags: {
      "dry-run": { about: "say what would be done, and change nothing" },
      unsealed: {
        about: "accept a file without a seal of the master key: a copy of a database, or a backup from before seals",
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
