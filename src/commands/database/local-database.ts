import { type Secrets, secretsOf } from "../../kernel/crypto.ts";
import { systemRandom } from "../../kernel/random.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { ConfigFault, databaseFile, existingMasterKey } from "../../setup.ts";
import { type BackupKey, backupKeyOf } from "../../store/backup/backup-key.ts";

/**
 * The path of the database file.
 *
 * @throws ConfigFault for a database on a server.
 */
export const localFile = (config: Config): string => {
  const path = databaseFile(config);
  if (path === undefined)
    throw new ConfigFault("RECADO_DATABASE_URL names a libSQL server: restore the backup on that server's machine");
  return path;
};

/** The secrets under the master key of this installation; undefined without a master key. */
export const secretsHere = (config: Config): Secrets | undefined => {
  const key = existingMasterKey(config);
  return key && secretsOf(key, systemRandom());
};

/** The keys of backups that follow from the master key of this installation. */
export const backupKeysHere = (config: Config): BackupKey[] => {
  const secrets = secretsHere(config);
  return secrets ? [backupKeyOf(secrets)] : [];
};
