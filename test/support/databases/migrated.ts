import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openWriter } from "../../../src/store/engine/connection.ts";
import { migrateDatabase } from "../../../src/store/engine/db.ts";

let bytes: Buffer | undefined;

/** The file of a closed database with all tables and no rows. It is made once per process, because that takes 60 ms. */
const emptyDatabase = (): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "recado-empty-"));
  try {
    const path = join(folder, "recado.db");
    migrateDatabase(path, 0);
    const writer = openWriter(path);
    writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    writer.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Puts a migrated, empty database at the path, and makes its folder. Leaves an existing file unchanged. */
export const makeMigrated = (path: string): void => {
  if (existsSync(path)) return;
  bytes ??= emptyDatabase();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { mode: 0o600 });
};
