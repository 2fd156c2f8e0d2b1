import { expect, test } from "bun:test";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  columnsOf,
  columnsOfEach,
  columnsWithout,
  insertInto,
  insertNew,
  isWordOf,
  lines,
  replacing,
  statement,
  updateOf,
} from "../../../src/store/engine/statement.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const people = sqliteTable("people", {
  id: integer().primaryKey(),
  fullName: text("full_name").notNull(),
  isGone: integer("is_gone", { mode: "boolean" }).notNull().default(false),
  more: text({ mode: "json" }).$type<{ tags: string[] } | string>(),
});
type Person = typeof people.$inferSelect;
const PERSON = columnsOf(people);

const CREATE = `CREATE TABLE people (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, is_gone INTEGER NOT NULL DEFAULT 0,
  more TEXT, foreign_column TEXT DEFAULT 'x') STRICT`;
const insert = insertInto(people);
const ANA: Person = { id: 1, fullName: "Ana", isGone: false, more: { tags: ["a"] } };
const BIA: Person = { id: 2, fullName: "Bia", isGone: true, more: null };

const opened = async () => {
  const db = temp.database();
  await db.write(async (tx) => {
    tx.run(CREATE);
    insert(tx, ANA);
    insert(tx, BIA);
  });
  return db;
};

const byId = statement<Person, { id: number }>("SELECT * FROM people WHERE id = :id", PERSON);
const everybody = statement<Person>("SELECT * FROM people ORDER BY id", PERSON);

test("a star is the columns of the table by their properties, and no others; JSON and booleans are read", async () => {
  const db = await opened();
  expect(await db.read((r) => everybody.all(r))).toEqual([ANA, BIA]);
  expect(await db.read((r) => byId.get(r, { id: 2 }))).toEqual(BIA);
  expect(await db.read((r) => byId.get(r, { id: 3 }))).toBeUndefined();
});

test("a star stands for some columns, and for those of one table of a join, beside what the SQL names", async () => {
  const db = await opened();
  const flags = statement<Pick<Person, "isGone"> & { upper: string }>(
    "SELECT DISTINCT p.*, upper(p.full_name) AS upper FROM people AS p JOIN people AS q ON q.id = p.id ORDER BY p.id",
    columnsOf(people, "isGone"),
  );
  expect(await db.read((r) => flags.all(r))).toEqual([
    { isGone: false, upper: "ANA" },
    { isGone: true, upper: "BIA" },
  ]);
  const count = statement<{ n: number }>("SELECT count(*) AS n FROM people");
  expect(await db.read((r) => count.get(r))).toEqual({ n: 2 });
});

test("a star stands for all columns but some", async () => {
  const db = await opened();
  const short = statement<Omit<Person, "more" | "isGone">, { id: number }>(
    "SELECT * FROM people WHERE id = :id",
    columnsWithout(people, "more", "isGone"),
  );
  expect(await db.read((r) => short.get(r, { id: 1 }))).toEqual({ id: 1, fullName: "Ana" });
});

test("the rows of a statement that nobody waits for are taken as arrays, before the hooks of the commit", async () => {
  const db = await opened();
  const rename = statement<unknown, { id: number }>(
    "UPDATE people SET full_name = 'X' WHERE id = :id RETURNING *",
    PERSON,
  );
  const order: unknown[] = [];
  await db.write(async (tx) => {
    tx.atCommit(() => order.push("commit"));
    rename.take(tx, { id: 2 }, (rows) => order.push(rows));
  });
  expect(order).toEqual([[[2, "X", 1, null]], "commit"]);
});

test("the rows of joined tables are objects under their aliases, and null where a table has no row", async () => {
  const db = await opened();
  const pairs = statement<{ one: Person; next: Pick<Person, "more" | "fullName"> | null; upper: string }>(
    `SELECT *, upper(one.full_name) AS upper FROM people AS one LEFT JOIN people AS next ON next.id = one.id - 1
      ORDER BY one.id`,
    columnsOfEach({ one: PERSON, next: columnsOf(people, "more", "fullName") }),
  );
  expect(await db.read((r) => pairs.all(r))).toEqual([
    { one: ANA, next: null, upper: "ANA" },
    { one: BIA, next: { more: ANA.more, fullName: "Ana" }, upper: "BIA" },
  ]);
});

test("a text with the same columns is one statement, which is made once; with other columns it is another", async () => {
  const db = await opened();
  const SHORT = columnsOf(people, "id");
  const sql = "SELECT * FROM people ORDER BY id";
  const asked = () => statement<Person>(lines("SELECT *", "FROM people"), PERSON);
  expect(asked()).toBe(asked());
  const short = statement<Pick<Person, "id">>(sql, SHORT);
  expect(await db.read((r) => short.all(r))).toEqual([{ id: 1 }, { id: 2 }]);
  expect(await db.read((r) => statement<Person>(sql, PERSON).all(r))).toEqual([ANA, BIA]);
  expect(await db.read((r) => statement<Person>(sql, SHORT).all(r))).toEqual([{ id: 1 }, { id: 2 }] as never);
  expect(await db.read((r) => statement<{ full_name: string }>(sql).all(r))).toMatchObject([{ full_name: "Ana" }, {}]);
});

test("the columns of a statement are listed when it runs first, and once: a start makes all statements, and runs few", async () => {
  const db = await opened();
  const listed: string[] = [];
  const counted = {
    get star() {
      listed.push("star");
      return PERSON.star;
    },
    decoders: PERSON.decoders,
  };
  const names = statement<Person>("SELECT * FROM people ORDER BY full_name", counted);
  expect(listed).toEqual([]);
  expect(await db.read((r) => names.all(r))).toEqual([ANA, BIA]);
  expect(await db.read((r) => names.get(r))).toEqual(ANA);
  expect(listed).toEqual(["star"]);
});

test("each part of a union has the columns of its star", async () => {
  const db = await opened();
  const both = statement<Person>(
    "SELECT * FROM people WHERE id = 2 UNION ALL SELECT p.* FROM people AS p WHERE p.id = 1 ORDER BY id",
    PERSON,
  );
  expect(await db.read((r) => both.all(r))).toEqual([ANA, BIA]);
});

test.each([
  "SELECT /* all */ * FROM people",
  "SELECT -- it's :all\n* FROM people AS p",
  "SELECT p./**/* FROM people AS p",
])("a comment before a star hides it from nobody: %j", async (sql) => {
  const db = await opened();
  const all = statement<Person>(`${sql} ORDER BY id`, PERSON);
  expect(await db.read((r) => all.all(r))).toEqual([ANA, BIA]);
  expect(() => statement(`SELECT id, ${sql.slice("SELECT ".length)}`, PERSON)).toThrow("is not the first of a list");
});

test.each([-1, 20_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "10"])(
  "LIMIT :limit is a bound: %j is refused",
  async (limit) => {
    const db = await opened();
    const some = statement<Person, { limit: number }>("SELECT * FROM people ORDER BY id LIMIT :limit", PERSON);
    expect(await db.read((r) => some.all(r, { limit: 1 }))).toEqual([ANA]);
    expect(db.read((r) => some.all(r, { limit: limit as number }))).rejects.toThrow("is no bound");
  },
);

test.each(["SELECT ALL * FROM people", 'SELECT "p".* FROM people AS "p"', "SELECT DISTINCT p . * FROM people AS p"])(
  "a star stands for the columns in every spelling: %s",
  async (sql) => {
    const db = await opened();
    const rows = await db.read((r) => statement<Person>(sql, PERSON).all(r));
    expect(rows).toEqual([ANA, BIA]);
  },
);

test("a star that the columns cannot stand for is refused when the statement is made; other signs are no stars", () => {
  const refused = [
    ["SELECT p.*, q.* FROM people AS p, people AS q", PERSON, "q.*"],
    ["SELECT id, * FROM people", PERSON, "*"],
    ["SELECT * FROM (SELECT * FROM people)", PERSON, "*"],
    ["WITH some AS (SELECT people.* FROM people) SELECT * FROM some", PERSON, "people.*"],
    ["UPDATE people SET id = 1 RETURNING *, p.*", PERSON, "p.*"],
    ['SELECT id, "p".* FROM people AS p', PERSON, '"p".*'],
    ["SELECT [p].* FROM people AS p", PERSON, ".*"],
    ["SELECT p.id, p. * FROM people AS p", PERSON, "p. *"],
  ] as const;
  for (const [sql, reads, star] of refused)
    expect(() => statement(sql, reads)).toThrow(`${star} is not the first of a list of columns`);
  const ofOne = () => statement("SELECT p.* FROM people AS p, people AS q", columnsOfEach({ p: PERSON, q: PERSON }));
  expect(ofOne).toThrow("p.* is not the first of a list of columns");
  const other = "SELECT *, count(*) AS n, 2 * id AS twice, ', *' AS text FROM people WHERE id IN (1, 2 * 3)";
  expect(() => statement(other, PERSON)).not.toThrow();
});

test("a column has one of the words of a list, and no part of a word", async () => {
  const db = await opened();
  const named = statement<{ id: number }, { names: readonly string[] }>(
    `SELECT id FROM people WHERE ${isWordOf("full_name", "names")}`,
  );
  const of = (...names: string[]) => db.read((r) => named.all(r, { names }));
  expect(await of("Bia", "Ana")).toHaveLength(2);
  expect(await of("Bia")).toEqual([{ id: 2 }]);
  expect(await of("Biana", "An", "")).toEqual([]);
  expect(await of()).toEqual([]);
});

test("a parameter has one value wherever it stands, a list is bound as JSON, and texts with colons stay", async () => {
  const db = await opened();
  const named = statement<{ text: string; id: number }, { ids: number[]; id: number; name: string }>(
    `SELECT ':name ' || :name || "full_name" AS text, :id AS id FROM people
      WHERE id IN (SELECT value FROM json_each(:ids)) AND id <> :id`,
  );
  expect(await db.read((r) => named.all(r, { ids: [1, 2], id: 2, name: "' OR 1" }))).toEqual([
    { text: ":name ' OR 1Ana", id: 2 },
  ]);
});

test("a parameter without a value is refused by its name, and nothing is written", async () => {
  const db = await opened();
  const gone = statement<never, { id: number }>("UPDATE people SET is_gone = 1 WHERE id = :id");
  const asked = db.write(async (tx) => gone.run(tx, { id: undefined } as never));
  expect(await asked.catch(String)).toContain("the parameter id has no value");
  expect(await db.read((r) => everybody.all(r))).toEqual([ANA, BIA]);
});

test("an insert leaves absent columns to their defaults, and writes each value in its column's form", async () => {
  const db = await opened();
  await db.write(async (tx) => {
    insert(tx, { id: 3, fullName: "Caio", more: "a text" });
    insertInto(people, "ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name")(tx, {
      ...ANA,
      fullName: "Anna",
    });
  });
  expect(await db.read((r) => everybody.all(r))).toEqual([
    { ...ANA, fullName: "Anna" },
    BIA,
    { id: 3, fullName: "Caio", isGone: false, more: "a text" },
  ]);
});

test("a row with a known key is left as it is, and the insert says so; every other fault fails", async () => {
  const db = await opened();
  const inserts = insertNew(people, "(id)");
  expect(await db.write((tx) => inserts(tx, { id: 3, fullName: "Caio" }))).toBe(true);
  expect(await db.write((tx) => inserts(tx, { id: 3, fullName: "Carla" }))).toBe(false);
  expect(await db.write((tx) => insertNew(people)(tx, { id: 3, fullName: "Carla" }))).toBe(false);
  const nameless = db.write((tx) => inserts(tx, { id: 4 } as never));
  expect(await nameless.catch(String)).toContain("NOT NULL");
  expect(await db.read((r) => byId.get(r, { id: 3 }))).toEqual({ id: 3, fullName: "Caio", isGone: false, more: null });
});

test("a row replaces the one with its key, in every column of the table", async () => {
  const db = await opened();
  const put = insertInto(people, replacing(people, "(id)"));
  await db.write(async (tx) => put(tx, { id: 1, fullName: "Anna", isGone: true, more: null }));
  expect(await db.read((r) => everybody.all(r))).toEqual([{ id: 1, fullName: "Anna", isGone: true, more: null }, BIA]);
});

test("an update without RETURNING is not waited for: it gives no rows, and its failure fails the write", async () => {
  const db = await opened();
  const update = updateOf<typeof people, { id: number }>(people, "WHERE id = :id");
  const [given, read] = await db.write(async (tx) => [
    await update(tx, { isGone: true }, { id: 1 }),
    await byId.get(tx, { id: 1 }),
  ]);
  expect(given).toEqual([]);
  expect(read).toEqual({ ...ANA, isGone: true });
  const caught = db.write((tx) => update(tx, { id: 2 }, { id: 1 }).catch(() => []));
  expect(await caught.catch(String)).toContain("UNIQUE");
});

test("an update changes the given columns of the rows that its end names, and gives them back", async () => {
  const db = await opened();
  const update = updateOf<typeof people, { ids: readonly number[] }>(
    people,
    "WHERE id IN (SELECT value FROM json_each(:ids)) RETURNING *",
    { fullName: "upper(:new_fullName)" },
  );
  const changed = await db.write((tx) => update(tx, { fullName: "Bea", more: "x" }, { ids: [2] }));
  expect(changed).toEqual([{ ...BIA, fullName: "BEA", more: "x" }]);
  expect(await db.read((r) => everybody.all(r))).toEqual([ANA, { ...BIA, fullName: "BEA", more: "x" }]);
});

test("an update without a change is refused", async () => {
  const db = await opened();
  const update = updateOf<typeof people, { id: number }>(people, "WHERE id = :id RETURNING *");
  const asked = db.write((tx) => update(tx, {}, { id: 1 }));
  expect(await asked.catch(String)).toContain("no column of people changes");
});

test("conditions that do not apply are left out", () => {
  expect(lines("SELECT 1", false, undefined, "", "LIMIT :limit")).toBe("SELECT 1\nLIMIT :limit");
});
