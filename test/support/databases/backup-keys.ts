import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { secretsOf } from "../../../src/kernel/crypto.ts";
import { type BackupKey, backupKeyOf } from "../../../src/store/backup/backup-key.ts";

/** The keys of backups that the master key of a data directory gives. */
export const backupKeysIn = (dataDir: string): BackupKey[] => {
  const masterKey = Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8").trim(), "base64");
  return [backupKeyOf(secretsOf(masterKey, seededRandom(1)))];
};
