import { Glob } from "bun";
import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";

const FOLDER = new URL("../../../src/store/tables", import.meta.url).pathname;

/** Every table that the store declares, once. */
export const storeTables = async (): Promise<SQLiteTable[]> => {
  const files = [...new Glob("**/*.ts").scanSync({ cwd: FOLDER, absolute: true })];
  const modules = await Promise.all(files.map(async (file) => (await import(file)) as Record<string, unknown>));
  const found = modules.flatMap((exported) => Object.values(exported)).filter((value) => is(value, SQLiteTable));
  return [...new Set(found)];
};
