import type { Config } from "../kernel/config.ts";
import { type Secrets, secretsOf } from "../kernel/crypto.ts";
import { systemRandom } from "../kernel/random.ts";
import { ConfigFault, databaseFile, existingMasterKey } from "../setup.ts";
import { type BackupKey, backupKeyOf } from "../store/backup-key.ts";

/** The file of the database. Throws ConfigFault for a remote one. */
export const localFile = (config: Config): string => {
  const path = databaseFile(config);
  if (path === undefined)
    throw new ConfigFault("RECADO_DATABASE_URL names a libSQL server: a backup is restored there, where its file lies");
  return path;
};

/** What the master key opens; undefined while there is none. */
export const secretsHere = (config: Config): Secrets | undefined => {
  const key = existingMasterKey(config);
  return key && secretsOf(key, systemRandom());
};

/** The keys of backups that the master key here gives. */
export const backupKeysHere = (config: Config): BackupKey[] => {
  const secrets = secretsHere(config);
  return secrets ? [backupKeyOf(secrets)] : [];
};
