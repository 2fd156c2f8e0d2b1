import { describe, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { WriteScope } from "../../../src/store/engine/file-writer.ts";
import { count, heldSync, insert, queueOpener, turn } from "../../support/databases/open-file-writer.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { nextSeed } from "../../support/seeds.ts";
import { untilTrue } from "../../support/waiting.ts";

const SEED = nextSeed();
const temp = tempDatabases();
const openQueue = queueOpener(temp);

describe("a file writer", () => {
  test("shares few syncs among many concurrent writes, and gives each caller its own result", async () => {
    const { queue, reader, syncs } = openQueue();
    const names = Array.from({ length: 1000 }, (_, index) => `name ${index}`);
    expect(await Promise.all(names.map((name) => queue.write(insert(name))))).toEqual(names);
    expect(count(reader)).toBe(1000);
    expect(syncs()).toBeLessThan(100);
  });

  test("rolls back a failed write completely, and no other", async () => {
    const { queue, reader } = openQueue();
    const outcomes = await Promise.allSettled([
      queue.write(insert("first")),
      queue.write(async (scope) => {
        scope.objects("INSERT INTO t (name) VALUES ('half')", []);
        throw new Error("refused");
      }),
      queue.write(insert("first")), // UNIQUE
      queue.write(insert("last")),
    ]);
    expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason).slice(0, 30)))).toEqual([
      "first",
      "Error: refused",
      "Error: UNIQUE constraint faile",
      "last",
    ]);
    expect(reader.prepare("SELECT name FROM t ORDER BY id").rows([])).toEqual([["first"], ["last"]]);
  });

  test("takes back a write that changed something first in its group with the transaction, and keeps those behind it", async () => {
    const { queue, reader, syncs } = openQueue();
    const failing = (name: string) => async (scope: WriteScope) => {
      await insert(name)(scope);
      throw new Error(name);
    };
    const looking = async (scope: WriteScope) => scope.objects("SELECT count(*) AS n FROM t", [])[0]?.["n"];
    const outcomes = await Promise.allSettled([
      queue.write(looking),
      queue.write(failing("one")),
      queue.write(failing("two")),
      queue.write(looking),
      queue.write(insert("kept")),
      queue.write(failing("three")),
      queue.write(looking),
    ]);
    expect(outcomes.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
      0,
      "Error: one",
      "Error: two",
      0,
      "kept",
      "Error: three",
      1,
    ]);
    expect(reader.prepare("SELECT name FROM t").rows([])).toEqual([["kept"]]);
    const before = syncs();
    await queue.write(failing("alone")).catch(() => {});
    expect(await queue.write(looking)).toBe(1);
    expect(syncs()).toBe(before); // nothing was committed, so there is nothing to wait for
  });

  test(`keeps exactly the writes that succeeded, however they fail among each other (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const { queue, reader, fatal } = openQueue();
    const expected: string[] = [];
    const bodies = Array.from({ length: 400 }, (_, n) => {
      const kind = Math.floor(random.float() * 5);
      return async (scope: WriteScope) => {
        scope.objects("SELECT 1", []);
        if (kind === 0) return;
        if (kind === 1) throw new Error("before anything");
        scope.run("INSERT INTO t (name) VALUES (?1)", [`name ${n}`]);
        if (kind === 2) throw new Error("after a change");
        if (kind === 3) scope.run("INSERT INTO t (name) VALUES (?1)", [`name ${n}`]); // UNIQUE
        expected.push(`name ${n}`);
      };
    });
    for (let at = 0; at < bodies.length; ) {
      const size = 1 + Math.floor(random.float() * 8);
      await Promise.allSettled(bodies.slice(at, at + size).map((body) => queue.write(body)));
      at += size;
    }
    expect(expected.length).toBeGreaterThan(20);
    expect(reader.prepare("SELECT name FROM t ORDER BY id").rows([]).flat()).toEqual(expected);
    expect(fatal).toEqual([]);
  });

  test("continues a write whose body caught a refused statement", async () => {
    const { queue, reader } = openQueue();
    await queue.write(insert("taken"));
    const body = async (scope: WriteScope) => {
      scope.objects("INSERT INTO t (name) VALUES ('before')", []);
      expect(() => scope.objects("INSERT INTO t (name) VALUES ('taken')", [])).toThrow("UNIQUE");
      return insert("after")(scope);
    };
    expect(await queue.write(body)).toBe("after");
    expect(count(reader)).toBe(3);
  });

  const elsewhere: Record<string, () => Promise<unknown>> = {
    "a turn of the loop": turn,
    "a timer": () => new Promise((resolve) => setTimeout(resolve, 1)),
    "a request": async () => {
      using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("late") });
      return (await fetch(server.url)).text();
    },
    "a file": () => Bun.file(import.meta.path).text(),
    "a computation of another thread": () => crypto.subtle.digest("SHA-256", new Uint8Array(10)),
    "what never comes": () => new Promise(() => {}),
  };
  for (const [what, wait] of Object.entries(elsewhere)) {
    test(`refuses a write that awaits ${what}, changes nothing, and serves the others`, async () => {
      const { queue, reader } = openQueue();
      const body = async (scope: WriteScope) => {
        scope.objects("INSERT INTO t (name) VALUES ('before')", []);
        await wait();
        scope.objects("INSERT INTO t (name) VALUES ('after')", []);
      };
      const [refused, kept] = await Promise.allSettled([queue.write(body), queue.write(insert("other"))]);
      expect(refused).toMatchObject({
        status: "rejected",
        reason: { message: "a write awaited something other than its own statements" },
      });
      expect(kept).toMatchObject({ status: "fulfilled", value: "other" });
      await queue.write(insert("later"));
      expect(reader.prepare("SELECT name FROM t ORDER BY id").rows([])).toEqual([["other"], ["later"]]);
    });
  }

  test("refuses every statement and hook of a write that has ended", async () => {
    const { queue, reader } = openQueue();
    const kept = await queue.write(async (scope) => ({ scope }));
    for (const late of [
      () => kept.scope.objects("INSERT INTO t (name) VALUES ('late')", []),
      () => kept.scope.objects("SELECT 1", []),
      () => kept.scope.afterCommit(() => {}),
    ]) {
      expect(late).toThrow("after its write had ended");
    }
    expect(count(reader)).toBe(0);
  });

  test("rejects a body that throws before it returns a promise", async () => {
    const { queue } = openQueue();
    const body = (): Promise<void> => {
      throw new Error("at once");
    };
    expect(queue.write(body)).rejects.toThrow("at once");
    expect(await queue.write(insert("next"))).toBe("next");
  });

  test("refuses writes above its limit as OVERLOADED, and writes all accepted ones", async () => {
    const { queue, reader } = openQueue();
    const taken = Array.from({ length: 20_000 }, (_, index) => queue.write(insert(`name ${index}`)));
    expect(queue.write(insert("too many"))).rejects.toMatchObject({ code: "OVERLOADED" });
    await Promise.all(taken);
    expect(count(reader)).toBe(20_000);
    expect(await queue.write(insert("room again"))).toBe("room again");
  });
});

describe("while a sync runs", () => {
  const during = async () => {
    const held = heldSync();
    const opened = openQueue({ sync: held.sync });
    const first = opened.queue.write(insert("first"));
    await untilTrue(() => held.begun() === 1);
    return { ...opened, held, first };
  };
  const turns = async () => {
    for (let n = 0; n < 5; n++) await turn();
  };

  test("few writes wait, share the transaction after it, and one sync", async () => {
    const { queue, reader, held, first } = await during();
    const later = [queue.write(insert("second"))];
    await turns();
    later.push(queue.write(insert("third")));
    await turns();
    expect(count(reader)).toBe(1);
    held.end();
    await first;
    await turns();
    expect([count(reader), held.begun()]).toEqual([3, 1]);
    held.end();
    expect(await Promise.all(later)).toEqual(["second", "third"]);
  });

  test("many writes do not wait: a slow disk does not stop the work before it", async () => {
    const { queue, reader, held, first } = await during();
    const later = [];
    for (let n = 0; n < 32; n++) {
      expect(count(reader)).toBe(1);
      later.push(queue.write(insert(`later ${n}`)));
      await turns();
    }
    expect(count(reader)).toBe(33);
    held.end();
    held.end();
    expect(await Promise.all([first, ...later])).toHaveLength(33);
  });

  test("one that does not wait for the disk takes those before it along", async () => {
    const { queue, reader, held, first } = await during();
    const second = queue.write(insert("second"));
    await turns();
    expect(await queue.write(insert("claim"), false)).toBe("claim");
    expect(count(reader)).toBe(3);
    held.end();
    held.end();
    expect(await Promise.all([first, second])).toEqual(["first", "second"]);
  });

  test("writes that wait are refused when it fails, and nothing more is written", async () => {
    const { queue, reader, held, first, fatal } = await during();
    const later = queue.write(insert("second"));
    await turns();
    held.end(new Error("the disk is gone"));
    expect((await Promise.allSettled([first, later])).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await turns();
    expect([count(reader), fatal.length]).toEqual([1, 1]);
  });
});

describe("an acknowledged write", () => {
  test("is written first, then synced, and only then answered", async () => {
    const steps: string[] = [];
    const held = heldSync();
    const { queue, reader } = openQueue({
      sync: (done) => {
        steps.push(`sync begins with ${count(reader)} row committed`);
        held.sync?.(done);
      },
    });
    const answered = queue.write(async (scope) => {
      scope.afterCommit(() => steps.push("hook"));
      return insert("one")(scope);
    });
    void answered.then(() => steps.push("answer"));
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(steps).toEqual(["sync begins with 1 row committed"]);
    held.end();
    await answered;
    expect(steps).toEqual(["sync begins with 1 row committed", "hook", "answer"]);
  });

  test("waits for a sync that began after its own commit: one that was already running does not count", async () => {
    const held = heldSync();
    const { queue } = openQueue({ sync: held.sync });
    const answers: string[] = [];
    const first = queue.write(insert("first")).then(() => answers.push("first"));
    await turn();
    await turn();
    const second = queue.write(insert("second")).then(() => answers.push("second"));
    await turn();
    await turn();
    expect(held.begun()).toBe(1);
    held.end();
    await first;
    await turn();
    expect(answers).toEqual(["first"]);
    held.end();
    await second;
    expect(answers).toEqual(["first", "second"]);
  });

  test("waits for the changes that it saw: a write that changes nothing is not answered before they are on disk", async () => {
    const held = heldSync();
    const { queue } = openQueue({ sync: held.sync });
    await queue.write(insert("claimed"), false);
    let seen: unknown;
    const repeat = queue
      .write(async (scope) => scope.objects("SELECT name FROM t", [])[0]?.["name"])
      .then((name) => (seen = name));
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(seen).toBeUndefined();
    held.end();
    expect(await repeat).toBe("claimed");
  });

  test("is answered without a sync when nothing was changed since the last one", async () => {
    const { queue, syncs } = openQueue();
    await queue.write(insert("one"));
    const before = syncs();
    expect(await queue.write(async (scope) => scope.objects("SELECT count(*) AS n FROM t", [])[0]?.["n"])).toBe(1);
    expect(syncs()).toBe(before);
  });

  test("does not wait for the disk with isDurable: false, but draining does", async () => {
    const held = heldSync();
    const { queue, reader } = openQueue({ sync: held.sync });
    expect(await queue.write(insert("claim"), false)).toBe("claim");
    expect(count(reader)).toBe(1);
    expect(held.begun()).toBe(0);
    let isDrained = false;
    const drained = queue.drain().then(() => (isDrained = true));
    await turn();
    expect(isDrained).toBe(false);
    held.end();
    expect(await drained).toBe(true);
  });

  test("runs its hooks once it is on disk, also with isDurable: false", async () => {
    const held = heldSync();
    const { queue } = openQueue({ sync: held.sync });
    const hooks: string[] = [];
    const write = async (scope: WriteScope) => {
      scope.atCommit(() => hooks.push("committed"));
      scope.afterCommit(() => hooks.push("on disk"));
      return insert("attempt")(scope);
    };
    expect(await queue.write(write, false)).toBe("attempt");
    await turn();
    expect(hooks).toEqual(["committed"]);
    held.end();
    await turn();
    expect(hooks).toEqual(["committed", "on disk"]);
  });

  test("runs its hooks once, afterwards; the hooks of a failed write never run", async () => {
    const { queue, reader } = openQueue();
    const hooks: unknown[] = [];
    const failing = queue.write(async (scope) => {
      scope.afterCommit(() => hooks.push("never"));
      scope.objects("INSERT INTO t (name) VALUES ('gone')", []);
      throw new Error("refused");
    });
    const good = queue.write(async (scope) => {
      scope.afterCommit(() => hooks.push(count(reader)));
      await insert("kept")(scope);
    });
    await Promise.allSettled([failing, good]);
    expect(hooks).toEqual([1]);
  });

  test("is waited for by a drain, also when it was queued but not begun", async () => {
    const { queue, reader } = openQueue();
    const writes = Array.from({ length: 2000 }, (_, index) => queue.write(insert(`name ${index}`)));
    await queue.drain();
    expect(count(reader)).toBe(2000);
    await Promise.all(writes);
  });
});
