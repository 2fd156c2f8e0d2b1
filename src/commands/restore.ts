import { join, resolve } from "node:path";
import { composeOffline } from "../app.ts";
import { type Mended, mendRestored, type Restored } from "../core/restored.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import { createLog } from "../kernel/log.ts";
import { databasePath, existingMasterKey } from "../setup.ts";
import { BackupFault, checkFile } from "../store/backup-check.ts";
import { DatabaseInUse, lockBackups, lockDatabase } from "../store/connection.ts";
import { cleanUp, copyForRestore, putInPlace, refuseSame, workFolder } from "../store/restore.ts";
import { command, EXIT, JSON_FLAG } from "./command.ts";
import { keyIdHere, localFile } from "./local-database.ts";
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
    throw error instanceof DatabaseInUse ? new BackupFault(`${error.message}: stop the server, or wait for the other command, before you restore`, { cause: error }) : error;
  }
};

/** Everything that is done to the copy is done before it takes the database's place. Nothing else of the installation is touched: what opening it makes, it makes in the work folder. */
const mend = async (config: Config, { copy, path }: { copy: string; path: string }, restored: Restored): Promise<Mended> => {
  const folder = workFolder(path);
  const offline = { ...config, databaseUrl: `file:${copy}`, dataDir: folder, masterKey: existingMasterKey(config), media: { kind: "disk" as const, dir: join(folder, "media") } };
  const { env, close } = await composeOffline(offline, createLog("error"));
  try {
    return await mendRestored(env, restored);
  } finally {
    await close();
  }
};

const restore = async (config: Config, plan: Plan): Promise<Mended> => {
  const path = databasePath(config);
  const unlock = lockAll(path);
  try {
    const copy = copyForRestore(plan.file, path);
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

/** Puts a backup in the place of the database, in one step: whenever it is broken off there is the old one or the new one. */
export const restoreCommand = command(
  {
    name: "restore",
    about: "put the backup FILE in the place of the database, which stays beside it; no server may be running",
    operands: ["FILE"],
    flags: { "dry-run": { about: "say what would be done, and change nothing" }, json: JSON_FLAG },
  },
  (context, { flags, operands: [operand = ""] }) =>
    withConfig(context, async (config) => {
      const [file, path] = [resolve(operand), localFile(config)];
      refuseSame(file, path);
      const found = checkFile(file);
      checkKey(file, found, config, keyIdHere(config));
      const plan = await planOf(config, { file, path, nowMs: systemClock().now() }, found);
      if (!flags.json) for (const line of planLines(plan)) context.out(line);
      if (flags["dry-run"]) {
        if (flags.json) context.out(JSON.stringify({ plan, isRestored: false }));
        return EXIT.ok;
      }
      const mended = await restore(config, plan);
      context.out(flags.json ? JSON.stringify({ plan, isRestored: true, mended }) : doneLine(plan, mended));
      return EXIT.ok;
    }),
);
