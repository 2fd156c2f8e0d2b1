import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CheckedFile, checkFile, otherKey } from "./backup-check.ts";
import { decryptFile, encryptedUnder } from "./backup-cipher.ts";
import { BackupFault, type BackupKey } from "./backup-key.ts";

/** A checked backup. `database`: the file itself, or the decrypted copy, which `close` deletes. */
export type OpenedBackup = { database: string; found: CheckedFile; isEncrypted: boolean; close(): void };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
};

/** Removes decrypted copies of killed processes: each is as large as a database, and unprotected. */
const removeLeft = (path: string): void => {
  const prefix = `${basename(path)}.opened-`;
  for (const name of readdirSync(dirname(path)).filter((one) => one.startsWith(prefix)))
    if (!isAlive(Number.parseInt(name.slice(prefix.length), 10)))
      rmSync(join(dirname(path), name), { recursive: true, force: true });
};

/**
 * Checks a backup, and decrypts an encrypted one into a folder beside the database at `path`.
 *
 * @throws BackupFault as `checkFile`; nothing stays then
 */
export const openBackup = (file: string, path: string, keys: readonly BackupKey[]): OpenedBackup => {
  const keyId = encryptedUnder(file);
  if (keyId === undefined) return { database: file, found: checkFile(file, keys), isEncrypted: false, close: () => {} };
  const key = keys.find((one) => one.keyId === keyId);
  if (!key) throw otherKey(file, "encrypted", { keyId, keys });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeLeft(path);
  const folder = mkdtempSync(`${path}.opened-${process.pid}-`);
  const database = join(folder, "backup.db");
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    decryptFile(file, database, key);
    return { database, found: checkFile(database, keys), isEncrypted: true, close };
  } catch (error) {
    close();
    if (error instanceof BackupFault) throw new BackupFault(error.message.replaceAll(database, file), { cause: error });
    throw error;
  }
};
