import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type Db, hot, type Tx } from "../../../src/store/engine/db.ts";
import { meta } from "../../../src/store/tables/meta.ts";

/**
 * Where databases come from: each place is another one, and can be opened again once it was closed. Whatever was opened
 * is closed after the test.
 */
export type DbPlaces = { newPlace(): Promise<string>; open(place: string): Promise<Db> };

/** The names that are stored, in their order. */
export const names = (db: Db) =>
  db.read(async (reader) =>
    (await reader.rows<{ name: string }>("SELECT name FROM meta ORDER BY name")).map((row) => row.name),
  );
const value = { value: "v" };

/** Inserts by a prepared query. */
export const insertHot = hot((q) =>
  q
    .insert(meta)
    .values({ name: sql.placeholder("name"), value: "v" })
    .returning({ name: meta.name })
    .prepare(),
);
/** A write that gives rows back, by every way there is to write one. */
export const returning = ({ newPlace, open }: DbPlaces): void => {
  const paths: Record<string, (tx: Tx, name: string) => Promise<unknown>> = {
    "an awaited query": (tx, name) =>
      tx.q
        .insert(meta)
        .values({ name, ...value })
        .returning(),
    all: (tx, name) =>
      tx.q
        .insert(meta)
        .values({ name, ...value })
        .returning()
        .all(),
    get: (tx, name) =>
      tx.q
        .insert(meta)
        .values({ name, ...value })
        .returning()
        .get(),
    values: (tx, name) =>
      tx.q
        .insert(meta)
        .values({ name, ...value })
        .returning()
        .values(),
    run: (tx, name) =>
      tx.q
        .insert(meta)
        .values({ name, ...value })
        .returning()
        .run(),
    "a prepared all": (tx, name) => insertHot(tx).all({ name }),
    "a prepared get": (tx, name) => insertHot(tx).get({ name }),
    "a prepared run": (tx, name) => insertHot(tx).run({ name }),
    "rows of SQL text": async (tx, name) =>
      tx.rows("INSERT INTO meta (name, value) VALUES (?1, 'v'), (?1 || ' too', 'v') RETURNING name", [name]),
    "run without rows": async (tx, name) =>
      tx.run("INSERT INTO meta (name, value) VALUES (?1, 'v') RETURNING name", [name]),
    "run of SQL text": (tx, name) => tx.q.run(sql`INSERT INTO meta (name, value) VALUES (${name}, 'v') RETURNING name`),
    "all of SQL text": (tx, name) => tx.q.all(sql`INSERT INTO meta (name, value) VALUES (${name}, 'v') RETURNING name`),
  };
  for (const [path, insert] of Object.entries(paths)) {
    test(`commits through ${path}, and leaves nothing in progress`, async () => {
      const at = await newPlace();
      const db = await open(at);
      await db.write((tx) => insert(tx, "one"));
      await db.write((tx) => insert(tx, "two"));
      expect(await names(db)).toEqual(
        path === "rows of SQL text" ? ["one", "one too", "two", "two too"] : ["one", "two"],
      );
      await db.close();
      expect(await names(await open(at))).toContain("two");
    });
  }
};
