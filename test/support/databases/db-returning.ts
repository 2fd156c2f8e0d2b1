import { expect, test } from "bun:test";
import type { Db, Tx } from "../../../src/store/engine/db.ts";
import { columnsOf, insertInto, insertNew, statement } from "../../../src/store/engine/statement.ts";
import { meta } from "../../../src/store/tables/meta.ts";

/**
 * The source of databases. Each place is another database, and can be opened again after it was closed. All are closed
 * after the test.
 */
export type DbPlaces = { newPlace(): Promise<string>; open(place: string): Promise<Db> };

/** The names that are stored, in their order. */
export const names = (db: Db) =>
  db.read(async (reader) =>
    (await reader.rows<{ name: string }>("SELECT name FROM meta ORDER BY name")).map((row) => row.name),
  );
type Row = typeof meta.$inferSelect;
const INSERT = "INSERT INTO meta (name, value) VALUES (:name, 'v') RETURNING *";
const returned = statement<Row, { name: string }>(INSERT, columnsOf(meta));
const insert = insertInto(meta, "RETURNING name");
const insertOne = insertNew(meta);

/** A write that gives rows back, in every way to write it. */
export const returning = ({ newPlace, open }: DbPlaces): void => {
  const paths: Record<string, (tx: Tx, name: string) => Promise<unknown>> = {
    "all rows of a statement": (tx, name) => returned.all(tx, { name }),
    "the first row of a statement": (tx, name) => returned.get(tx, { name }),
    "a statement that only runs": async (tx, name) => returned.run(tx, { name }),
    "a statement whose rows are taken": async (tx, name) => returned.take(tx, { name }, () => {}),
    "an insert": async (tx, name) => insert(tx, { name, value: "v" }),
    "an insert of what is new": (tx, name) => insertOne(tx, { name, value: "v" }),
    "rows of SQL text": async (tx, name) =>
      tx.rows("INSERT INTO meta (name, value) VALUES (?1, 'v'), (?1 || ' too', 'v') RETURNING name", [name]),
    "run without rows": async (tx, name) =>
      tx.run("INSERT INTO meta (name, value) VALUES (?1, 'v') RETURNING name", [name]),
  };
  for (const [path, add] of Object.entries(paths)) {
    test(`commits through ${path}, and leaves nothing in progress`, async () => {
      const at = await newPlace();
      const db = await open(at);
      await db.write((tx) => add(tx, "one"));
      await db.write((tx) => add(tx, "two"));
      expect(await names(db)).toEqual(
        path === "rows of SQL text" ? ["one", "one too", "two", "two too"] : ["one", "two"],
      );
      await db.close();
      expect(await names(await open(at))).toContain("two");
    });
  }
};
