import { afterEach } from "bun:test";
import { join } from "node:path";
import type { Connection } from "../../../src/store/engine/connection.ts";
import { type Db, openDatabase } from "../../../src/store/engine/db.ts";
import { tempFolders } from "../temp-folders.ts";
import { makeMigrated } from "./migrated.ts";

type Closable = { close(): unknown };

/** Folders and databases of one test file, removed after each test. Called once, at the top of the file. */
export const tempDatabases = () => {
  const { newFolder, removeFolders } = tempFolders();
  const opened: Closable[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
    removeFolders();
  });

  const keep = <One extends Closable>(one: One): One => {
    opened.push(one);
    return one;
  };
  /** An unused path in a new folder. */
  const path = (): string => join(newFolder(), "recado.db");
  /** A migrated database. A fatal error of it fails the test by `fatal`. */
  const database = (at: string = path(), onFatal: (error: unknown) => void = throwIt): Db => {
    makeMigrated(at);
    return keep(openDatabase(at, { nowMs: 0, onFatal }));
  };
  return { path, keep, database };
};

const throwIt = (error: unknown): never => {
  throw new Error("the database broke down", { cause: error });
};

/** The first column of the first row. */
export const valueOf = (connection: Connection, sql: string, params: readonly unknown[] = []): unknown =>
  connection.prepare(sql).rows(params)[0]?.[0];

/** A promise with its resolve, for tests that hold work back. */
export const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};
