import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { openConnection } from "../../../src/store/engine/connection.ts";
import { hot, type Query, readerOf } from "../../../src/store/engine/db.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const people = sqliteTable("people", {
  id: integer().primaryKey(),
  name: text().notNull(),
  isGone: integer("is_gone", { mode: "boolean" }).notNull(),
  more: text({ mode: "json" }).$type<{ tags: string[] }>(),
});
const pets = sqliteTable("pets", { id: integer().primaryKey(), of: integer().notNull(), name: text().notNull() });

const opened = () => {
  const connection = temp.keep(openConnection(temp.path(), []));
  connection.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_gone INTEGER NOT NULL, more TEXT) STRICT;
    CREATE TABLE pets (id INTEGER PRIMARY KEY, "of" INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
    INSERT INTO people VALUES (1, 'Ana', 0, '{"tags":["a"]}'), (2, 'Bia', 1, NULL);
    INSERT INTO pets VALUES (1, 1, 'Rex')`);
  return readerOf(connection);
};

const byId = (q: Query) =>
  q
    .select()
    .from(people)
    .where(eq(people.id, sql.placeholder("id")));
const some = (q: Query) =>
  q
    .select({ name: people.name, gone: people.isGone, long: sql<string>`upper(${people.name})`, more: people.more })
    .from(people)
    .where(eq(people.isGone, sql.placeholder("gone")));
const joined = (q: Query) =>
  q
    .select()
    .from(people)
    .leftJoin(pets, eq(pets.of, people.id))
    .where(eq(people.id, sql.placeholder("id")));

test("a hot query answers what the builder's own prepared query answers", async () => {
  const r = opened();
  const [hotById, hotSome, hotJoined] = [
    hot((q) => byId(q).prepare())(r),
    hot((q) => some(q).prepare())(r),
    hot((q) => joined(q).prepare())(r),
  ];
  for (const id of [1, 2, 3]) {
    expect(await hotById.get({ id })).toEqual(await byId(r.q).prepare().get({ id }));
    expect(await hotById.all({ id })).toEqual(await byId(r.q).prepare().all({ id }));
    expect(await hotJoined.all({ id })).toEqual(await joined(r.q).prepare().all({ id }));
    expect(await hotJoined.get({ id })).toEqual(await joined(r.q).prepare().get({ id }));
  }
  for (const gone of [true, false])
    expect(await hotSome.execute({ gone })).toEqual(await some(r.q).prepare().execute({ gone }));
  expect(await hotById.get({ id: 2 })).toEqual({ id: 2, name: "Bia", isGone: true, more: null });
  expect(await hotById.get({ id: 3 })).toBeUndefined();
});

test("a hot query refuses a missing value, and its error names the statement without its values", async () => {
  const r = opened();
  expect(hot((q) => byId(q).prepare())(r).get({})).rejects.toThrow('placeholder "id"');
  const insert = hot((q) =>
    q
      .insert(people)
      .values({ name: sql.placeholder("name"), isGone: sql.placeholder("gone"), more: sql.placeholder("more") })
      .prepare(),
  )(r);
  await insert.run({ name: "Eva", gone: true, more: { tags: ["b"] } });
  expect(await r.rows("SELECT is_gone, more FROM people WHERE name = 'Eva'")).toEqual([
    { is_gone: 1, more: '{"tags":["b"]}' },
  ]);
  expect(insert.run({ name: "Eva", gone: false, more: null })).rejects.toMatchObject({
    cause: { code: "SQLITE_CONSTRAINT_UNIQUE" },
  });
});
