import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, openWriter } from "../../store/engine/connection.ts";
import { readPathKind } from "./files.ts";
import { SourceFault } from "./found.ts";

const HEADER = Buffer.from("SQLite format 3\0");
const MAX_DATABASE_BYTES = 1024 * 1024 * 1024;

/** Whether a file begins as a database of SQLite does. */
export const isSqlite = async (path: string): Promise<boolean> =>
  Buffer.from(await Bun.file(path).slice(0, HEADER.length).arrayBuffer()).equals(HEADER);

/**
 * Runs on a copy of the database, with the contents of its WAL, so that the original is not touched.
 * @throws SourceFault for any other file
 */
export const onCopy = async <Result>(path: string, work: (db: Connection) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-import-"));
  try {
    const copy = join(folder, "copy.db");
    for (const end of ["", "-wal"]) {
      if ((await readPathKind(path + end)) !== "file") continue;
      if ((await stat(path + end)).size > MAX_DATABASE_BYTES)
        throw new SourceFault(`${path}${end} has more than ${MAX_DATABASE_BYTES} bytes`);
      await copyFile(path + end, copy + end);
    }
    const db = openWriter(copy);
    try {
      return await work(db);
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (thrown instanceof SourceFault) throw thrown;
    throw new SourceFault(`${path} cannot be read as a database`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Only real tables: a view could compute for ever. */
export const hasTable = (db: Connection, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1").rows([name]).length > 0;
