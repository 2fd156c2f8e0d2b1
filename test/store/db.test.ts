import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { hot, type Tx } from "../../src/store/db.ts";
import { meta } from "../../src/store/tenants.ts";
import { gate, tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const names = (db: ReturnType<typeof temp.database>) => db.read(async (reader) => reader.rows<{ name: string }>("SELECT name FROM meta ORDER BY name").map((row) => row.name));
const value = { value: "v" };

const insertHot = hot((q) =>
  q
    .insert(meta)
    .values({ name: sql.placeholder("name"), value: "v" })
    .returning({ name: meta.name })
    .prepare(),
);

describe("a write with RETURNING", () => {
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
    "rows of SQL text": async (tx, name) => tx.rows("INSERT INTO meta (name, value) VALUES (?1, 'v'), (?1 || ' too', 'v') RETURNING name", [name]),
    "run of SQL text": (tx, name) => tx.q.run(sql`INSERT INTO meta (name, value) VALUES (${name}, 'v') RETURNING name`),
    "all of SQL text": (tx, name) => tx.q.all(sql`INSERT INTO meta (name, value) VALUES (${name}, 'v') RETURNING name`),
  };
  for (const [path, insert] of Object.entries(paths)) {
    test(`commits through ${path}, and leaves nothing in progress`, async () => {
      const at = temp.path();
      const db = temp.database(at);
      await db.write((tx) => insert(tx, "one"));
      await db.write((tx) => insert(tx, "two"));
      expect(await names(db)).toEqual(path === "rows of SQL text" ? ["one", "one too", "two", "two too"] : ["one", "two"]);
      await db.close();
      expect(await names(temp.database(at))).toContain("two");
    });
  }
});

describe("a database", () => {
  test("says what failed, and not with which values", async () => {
    const db = temp.database();
    await db.write(async (tx) => void (await tx.q.insert(meta).values({ name: "twice", ...value })));
    const failures = [
      () => db.write(async (tx) => void (await tx.q.insert(meta).values({ name: "twice", value: "of nobody's concern" }))),
      () => db.read(async ({ q }) => q.select().from(meta).where(sql`absent = ${"of nobody's concern"}`)),
    ];
    for (const fail of failures) {
      const error = (await fail().catch((thrown: unknown) => thrown)) as Error;
      expect(error.message).toMatch(/(UNIQUE constraint failed|no such column).*, at: (insert|select)/);
      expect(Bun.inspect(error)).not.toContain("concern");
    }
  });

  test("shows a write to every read after it, and to the same write at once", async () => {
    const db = temp.database();
    const seen = await db.write(async (tx) => {
      await tx.q.insert(meta).values({ name: "one", value: "1" });
      await tx.q.update(meta).set({ value: "2" }).where(eq(meta.name, "one"));
      return tx.q.select().from(meta).get();
    });
    expect(seen).toEqual({ name: "one", value: "2" });
    expect(await db.read((reader) => reader.q.select().from(meta))).toEqual([{ name: "one", value: "2" }]);
  });

  test("lets nothing be changed through a read", async () => {
    const db = temp.database();
    expect(db.read((reader) => reader.q.insert(meta).values({ name: "sly", value: "v" }))).rejects.toThrow();
    expect(db.read(async (reader) => reader.rows("DELETE FROM meta"))).rejects.toThrow("readonly");
    expect(await names(db)).toEqual([]);
  });

  test("does not let a write that was given up speak through the next one", async () => {
    const db = temp.database();
    const wait = gate();
    const late: unknown[] = [];
    const note = (error: unknown) => late.push(String(error));
    const givenUp = db.write(async (tx) => {
      await wait.opened;
      for (const speak of [
        () => tx.q.insert(meta).values({ name: "late query", value: "v" }),
        () => insertHot(tx).run({ name: "late prepared" }),
        async () => tx.rows("DELETE FROM meta"),
        async () => tx.afterCommit(() => note("hook")),
      ]) {
        try {
          await speak();
        } catch (error) {
          note(error);
        }
      }
    });
    expect(givenUp).rejects.toThrow("awaited something other");
    await Promise.allSettled([givenUp]);
    await db.write(async (tx) => {
      wait.open(); // the other one goes on in the middle of this one
      for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
      await tx.q.insert(meta).values({ name: "next", value: "v" });
    });
    expect(late).toEqual(Array.from({ length: 4 }, () => "Error: a statement came after its write had ended"));
    expect(await names(db)).toEqual(["next"]);
  });

  test("writes what is queued before it closes, refuses writes and reads afterwards, and can be opened again", async () => {
    const at = temp.path();
    const db = temp.database(at);
    const writes = Array.from({ length: 700 }, (_, index) => db.write(async (tx) => tx.rows("INSERT INTO meta VALUES (?1, 'v')", [`name ${index}`])));
    const closed = db.close();
    expect(db.write(async () => "late")).rejects.toThrow("closed");
    await Promise.all([closed, db.close(), ...writes]);
    expect(db.read(async (reader) => reader.rows("SELECT 1"))).rejects.toThrow("closed");
    expect(await names(temp.database(at))).toHaveLength(700);
  });

  test("keeps a prepared query per connection: reads and writes do not share one", async () => {
    const db = temp.database();
    const byName = hot((q) =>
      q
        .select()
        .from(meta)
        .where(eq(meta.name, sql.placeholder("name")))
        .prepare(),
    );
    const [written, again] = await db.write(async (tx) => [byName(tx), byName(tx)]);
    expect(await db.write(async (tx) => byName(tx) === written)).toBe(true);
    expect(again).toBe(written);
    expect(await db.read(async (reader) => byName(reader) === written)).toBe(false);
  });
});
