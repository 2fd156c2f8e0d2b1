import { describe, expect, test } from "bun:test";
import type { Tx } from "../../../src/store/engine/db.ts";
import { columnsOf, insertInto, statement } from "../../../src/store/engine/statement.ts";
import { meta } from "../../../src/store/tables/meta.ts";
import { type DbPlaces, names, returning } from "./db-returning.ts";
import { gate } from "./temp-database.ts";

const put = insertInto(meta);
const insert = (name: string) => async (tx: Tx) => put(tx, { name, value: "v" });
const every = statement<typeof meta.$inferSelect>("SELECT * FROM meta ORDER BY name", columnsOf(meta));

/** The promises of every database, on a file or a server. Called once per file. */
export const dbSuite = (places: DbPlaces): void => {
  describe("a write with RETURNING", () => returning(places));
  describe("a database", () => {
    promises(places);
    writes(places);
  });
};

const promises = ({ newPlace, open }: DbPlaces): void => {
  test("says what failed, and not with which values", async () => {
    const db = await open(await newPlace());
    await db.write(insert("twice"));
    const value = "of nobody's concern";
    const failures = [
      () => db.write(async (tx) => put(tx, { name: "twice", value })),
      () => db.write(async (tx) => tx.rows("INSERT INTO meta VALUES ('twice', ?1) RETURNING name", [value])),
      () => db.read(async (r) => r.rows("SELECT 1 FROM meta WHERE absent = ?1", [value])),
    ];
    for (const fail of failures) {
      const error = (await fail().catch((thrown: unknown) => thrown)) as Error;
      expect(error.message).toMatch(/(UNIQUE constraint failed|no such column).*, at: (INSERT|SELECT)/);
      expect(Bun.inspect(error)).not.toContain("concern");
    }
  });

  test("shows a write to every read after it, and to the same write at once", async () => {
    const db = await open(await newPlace());
    const seen = await db.write(async (tx) => {
      put(tx, { name: "one", value: "1" });
      tx.run("UPDATE meta SET value = '2' WHERE name = 'one'");
      return every.get(tx);
    });
    expect(seen).toEqual({ name: "one", value: "2" });
    expect(await db.read((reader) => every.all(reader))).toEqual([{ name: "one", value: "2" }]);
  });

  test("shows nothing of a write that has not ended to a read beside it", async () => {
    const db = await open(await newPlace());
    await db.write(insert("before"));
    let beside: Promise<string[]> | undefined;
    await db.write(async (tx) => {
      await insert("within")(tx);
      beside = names(db);
      await insert("later")(tx);
    });
    const after = ["before", "later", "within"];
    // on a server, the read may also arrive after the commit
    expect([["before"], after]).toContainEqual((await beside)?.toSorted() ?? []);
    expect((await names(db)).toSorted()).toEqual(after);
  });

  test("lets nothing be changed through a read", async () => {
    const db = await open(await newPlace());
    expect(db.read(async (reader) => reader.rows("INSERT INTO meta VALUES ('sly', 'v')"))).rejects.toThrow("readonly");
    expect(db.read(async (reader) => reader.rows("DELETE FROM meta"))).rejects.toThrow("readonly");
    expect(await names(db)).toEqual([]);
  });

  test("does not let a write that was given up speak through the next one", async () => {
    const db = await open(await newPlace());
    const wait = gate();
    const late: unknown[] = [];
    const note = (error: unknown) => late.push(String(error));
    const givenUp = db.write(async (tx) => {
      await wait.opened;
      for (const speak of [
        () => every.all(tx),
        insert("late").bind(undefined, tx),
        async () => tx.rows("DELETE FROM meta"),
        async () => tx.run("DELETE FROM meta"),
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
      wait.open(); // the other write continues in the middle of this one
      for (let microtask = 0; microtask < 50; microtask++) await Promise.resolve();
      await insert("next")(tx);
    });
    expect(late).toEqual(Array.from({ length: 5 }, () => "Error: a statement came after its write had ended"));
    expect(await names(db)).toEqual(["next"]);
  });

  test("writes what is queued before it closes, refuses writes and reads afterwards, and can be opened again", async () => {
    const at = await newPlace();
    const db = await open(at);
    const writes = Array.from({ length: 700 }, (_, index) =>
      db.write(async (tx) => tx.rows("INSERT INTO meta VALUES (?1, 'v')", [`name ${index}`])),
    );
    const closed = db.close();
    expect(db.write(async () => "late")).rejects.toThrow("closed");
    await Promise.all([closed, db.close(), ...writes]);
    expect(db.read(async (reader) => reader.rows("SELECT 1"))).rejects.toThrow("closed");
    expect(await names(await open(at))).toHaveLength(700);
  });
};

const writes = ({ newPlace, open }: DbPlaces): void => {
  test("undoes a write that fails alone and wholly, whichever way it fails", async () => {
    const db = await open(await newPlace());
    const outcomes = await Promise.allSettled([
      db.write(insert("first")),
      db.write(async (tx) => {
        await insert("thrown")(tx);
        throw new Error("thought better of it");
      }),
      db.write(async (tx) => {
        tx.run("DELETE FROM meta");
        await tx.rows("SELECT 1");
        throw new Error("after an answer");
      }),
      db.write(async (tx) => {
        tx.run("DELETE FROM meta");
        await insert("twice")(tx);
        await insert("twice")(tx);
      }),
      db.write(insert("first")),
      db.write(insert("last")),
    ]);
    expect(
      outcomes.map((one) =>
        one.status === "fulfilled" ? "written" : String(one.reason).replace(/^.*UNIQUE constraint.*$/s, "UNIQUE"),
      ),
    ).toEqual(["written", "Error: thought better of it", "Error: after an answer", "UNIQUE", "UNIQUE", "written"]);
    expect(await names(db)).toEqual(["first", "last"]);
  });

  test("goes on with a write that caught the failure of what it waited for, not of what it only ran", async () => {
    const db = await open(await newPlace());
    await db.write(insert("taken"));
    const waited = db.write(async (tx) => {
      await tx.rows("INSERT INTO meta VALUES ('taken', 'v') RETURNING name").catch(() => {});
      await insert("went on")(tx);
    });
    const ran = db.write(async (tx) => {
      await insert("not to stay")(tx);
      try {
        tx.run("INSERT INTO meta VALUES ('taken', 'v')");
      } catch {
        // a file says so at once, a server later
      }
    });
    const answers = await Promise.allSettled([waited, ran]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await names(db)).toEqual(["taken", "went on"]);
  });

  test("stores nothing of a transaction that the database has undone by itself, nor by itself what came after", async () => {
    const db = await open(await newPlace());
    await db.write(insert("taken"));
    const outcomes = await Promise.allSettled([
      db.write(insert("before")),
      db.write(async (tx) => {
        // as on a full disk
        const undone = tx.rows("INSERT OR ROLLBACK INTO meta VALUES ('taken', 'v') RETURNING name").catch(() => {});
        await Promise.all([undone, tx.rows("INSERT INTO meta VALUES ('same write', 'v') RETURNING name")]);
      }),
      db.write(insert("after")),
    ]);
    const [before, undone, after] = outcomes.map(({ status }) => status === "fulfilled");
    expect(undone).toBe(false);
    // on a slow machine they are in transactions of their own
    expect(await names(db)).toEqual([...(after ? ["after"] : []), ...(before ? ["before"] : []), "taken"]);
    await db.write(insert("later"));
    expect(await names(db)).toContain("later");
  });

  test("says whether the statement before changed anything, over whatever lies between", async () => {
    const db = await open(await newPlace());
    await db.write(insert("there"));
    const follow = (found: string, name: string) =>
      db.write(async (tx) => {
        tx.run("UPDATE meta SET value = 'w' WHERE name = ?1", [found]);
        tx.run("INSERT INTO meta SELECT ?1, 'v' WHERE changes() > 0", [name]);
      });
    await Promise.all([follow("there", "followed"), follow("absent", "never")]);
    expect(await names(db)).toEqual(["followed", "there"]);
  });

  const elsewhere: Record<string, () => Promise<unknown>> = {
    "a timer": () => new Promise((resolve) => setTimeout(resolve, 1)),
    "a file": () => Bun.file(import.meta.path).text(),
    "what never comes": () => new Promise(() => {}),
  };
  for (const [what, wait] of Object.entries(elsewhere)) {
    test(`refuses a write that awaits ${what}, before a statement and after one, and serves the others`, async () => {
      const db = await open(await newPlace());
      const outcomes = await Promise.allSettled([
        db.write(insert("before")),
        db.write(async (tx) => {
          tx.run("DELETE FROM meta");
          await wait();
        }),
        db.write(async (tx) => {
          await tx.rows("DELETE FROM meta RETURNING name");
          await wait();
          tx.run("DELETE FROM meta");
        }),
        db.write(insert("after")),
      ]);
      const refused = {
        status: "rejected",
        reason: { message: "a write awaited something other than its own statements" },
      };
      expect(outcomes).toMatchObject([{ status: "fulfilled" }, refused, refused, { status: "fulfilled" }]);
      expect(await names(db)).toEqual(["after", "before"]);
    });
  }

  test("runs hooks at the commit, and others before the answer; those of a write that failed never", async () => {
    const db = await open(await newPlace());
    const steps: string[] = [];
    const good = db.write(async (tx) => {
      tx.atCommit(() => steps.push("at commit"));
      tx.afterCommit(() => steps.push("after commit"));
      await insert("kept")(tx);
    });
    const failing = db.write(async (tx) => {
      for (const hook of [tx.atCommit, tx.afterCommit]) hook(() => steps.push("never"));
      await insert("kept")(tx);
    });
    const answered = good.then(() => steps.push("answer"));
    await Promise.allSettled([answered, failing]);
    expect(steps).toEqual(["at commit", "after commit", "answer"]);
  });

  test("takes a thousand writes at once, each with its own answer", async () => {
    const db = await open(await newPlace());
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    const write = (index: number) =>
      db.write(async (tx) => {
        tx.run("INSERT INTO meta VALUES (?1, 'v')", [`name ${index}`]);
        return index;
      });
    expect(await Promise.all(numbers.map(write))).toEqual(numbers);
    expect(await names(db)).toHaveLength(1000);
  });
};
