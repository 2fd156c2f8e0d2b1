import { AppError, reasonOf, refusalText } from "../kernel/errors.ts";
import { fileRemedy } from "../kernel/file-faults.ts";
import { type Config, readConfig } from "../kernel/settings/config.ts";
import { PluginFault } from "../loading/folder.ts";
import { ConfigFault, databaseFile } from "../setup.ts";
import { BackupFault } from "../store/backup/backup-key.ts";
import { DatabaseInUse, NoLock } from "../store/engine/connection.ts";
import { TokenRefused } from "../store/engine/remote/hrana.ts";
import { type CommandContext, EXIT } from "./command.ts";
import { dropSessionToken } from "./session-token.ts";

/**
 * Runs with the configuration of the environment. Prints all of its faults at once and returns exit code 78 for them.
 */
export const withConfig = async (
  { env, err }: CommandContext,
  run: (config: Config) => Promise<number>,
): Promise<number> => {
  const read = readConfig(env);
  if (!read.ok) {
    for (const fault of read.faults) err(fault);
    return EXIT.config;
  }
  try {
    await dropSessionToken(read.config, env);
    return await run(read.config);
  } catch (thrown) {
    if (thrown instanceof TokenRefused) {
      err(`RECADO_DATABASE_TOKEN: ${thrown.message}`);
      return EXIT.config;
    }
    const isConfig = thrown instanceof ConfigFault || thrown instanceof PluginFault;
    const isReported =
      isConfig || thrown instanceof BackupFault || thrown instanceof DatabaseInUse || thrown instanceof NoLock;
    err(
      isReported ? thrown.message : thrown instanceof AppError ? refusalText(thrown) : withRemedy(thrown, read.config),
    );
    return isConfig ? EXIT.config : EXIT.fault;
  }
};

/** The reason, with the doctor's remedy if the file system refuses. */
const withRemedy = (thrown: unknown, config: Config): string => {
  const remedy = fileRemedy(thrown, databaseFile(config) ?? config.dataDir);
  return remedy === undefined ? reasonOf(thrown) : `${reasonOf(thrown)}: ${remedy}`;
};
