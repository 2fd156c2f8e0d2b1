import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../src/conformance/recording-host.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { createKeyRows } from "../../../src/core/channels/settings/key-rows.ts";
import { nextSeed } from "../../support/seeds.ts";

/** A disk whose reads can be held, and which counts them. */
const diskOf = (first: Record<string, string> = {}) => {
  const rows = new Map(Object.entries(first));
  let held: Promise<void> | undefined;
  const disk = {
    rows,
    loads: [] as string[][],
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    async load(ids: readonly string[]) {
      disk.loads.push([...ids]);
      const found = new Map(ids.flatMap((id) => (rows.has(id) ? [[id, rows.get(id) as string]] : [])));
      await held;
      return found;
    },
  };
  return disk;
};

const setup = (first?: Record<string, string>, most?: number) => {
  const memory = createKeyRows(most);
  const disk = diskOf(first);
  const store = memory.open();
  const read = async (...ids: string[]) => Object.fromEntries(await store.read("session", ids, disk.load));
  const begin = (id: string, value: string | null) => store.writing({ rows: [{ kind: "session", id, value }] });
  const write = (id: string, value: string | null) => {
    const end = begin(id, value);
    if (value === null) disk.rows.delete(id);
    else disk.rows.set(id, value);
    end(true);
  };
  return { memory, disk, store, read, begin, write };
};

describe("rows of a key store in memory", () => {
  test("are read from disk once, also those that are not there, and follow every write", async () => {
    const { disk, read, write } = setup({ a: "1" });
    expect([await read("a", "b"), await read("b", "a")]).toEqual([{ a: "1" }, { a: "1" }]);
    write("a", "2");
    write("b", "3");
    expect(await read("a", "b")).toEqual({ a: "2", b: "3" });
    write("a", null);
    expect(await read("a", "b")).toEqual({ b: "3" });
    expect(disk.loads).toEqual([["a", "b"]]);
  });

  test("that nobody has read take no memory when they are written", async () => {
    const { disk, read, write } = setup();
    write("a", "1");
    expect(await read("a")).toEqual({ a: "1" });
    expect(disk.loads).toEqual([["a"]]);
  });

  test("that are read while they change are read again", async () => {
    const { disk, read, write } = setup({ a: "old" });
    const release = disk.hold();
    const reading = read("a");
    write("a", "new");
    release();
    expect(await reading).toEqual({ a: "old" });
    expect(await read("a")).toEqual({ a: "new" });
  });

  test("are read from disk while a write is under way, and after one that failed", async () => {
    const { disk, read, begin } = setup({ a: "old" });
    await read("a");
    const end = begin("a", "never written");
    expect(await read("a")).toEqual({ a: "old" });
    end(false);
    expect(await read("a")).toEqual({ a: "old" });
    expect(disk.loads).toHaveLength(3);
  });

  test("with two writes at once are what the disk says", async () => {
    const { disk, read, begin } = setup({ a: "0" });
    await read("a");
    const [first, second] = [begin("a", "1"), begin("a", "2")];
    disk.rows.set("a", "2");
    second(true);
    first(true);
    expect(await read("a")).toEqual({ a: "2" });
  });

  test("go with a wipe, whatever was read before or meanwhile", async () => {
    const { disk, store, read } = setup({ a: "1", b: "1" });
    await read("a");
    const release = disk.hold();
    const reading = read("b");
    const end = store.writing({ wipe: true, rows: [{ kind: "session", id: "a", value: "2" }] });
    disk.rows.clear();
    disk.rows.set("a", "2");
    release();
    await reading;
    end(true);
    expect(await read("a", "b")).toEqual({ a: "2" });
  });

  test("are forgotten when something else erased them, also those of a write that is under way", async () => {
    const { memory, disk, read, begin } = setup({ a: "1", b: "1" });
    await read("a", "b");
    const end = begin("b", "2");
    disk.rows.clear();
    memory.forget();
    end(true);
    expect(await read("a", "b")).toEqual({});
  });

  test("of one store are not those of another", async () => {
    const { memory, read } = setup({ a: "mine" });
    await read("a");
    expect(await memory.open().read("session", ["a"], async () => new Map())).toEqual(new Map());
  });

  test("that were used longest ago go first, and a row that is too large is not kept", async () => {
    const { disk, read } = setup(
      { a: "x".repeat(200), b: "x".repeat(200), c: "x".repeat(200), d: "x".repeat(2000) },
      700,
    );
    await read("a");
    await read("b");
    await read("a");
    await read("c");
    disk.loads.length = 0;
    await read("a", "c");
    expect(disk.loads).toEqual([]);
    await read("b");
    expect(disk.loads).toEqual([["b"]]);
    await read("d");
    await read("d");
    expect(disk.loads).toEqual([["b"], ["d"], ["d"]]);
  });

  test("where others may erase them, count for a while alone", async () => {
    const disk = diskOf({ a: "1" });
    const store = createKeyRows().open(0);
    await store.read("session", ["a"], disk.load);
    disk.rows.clear();
    expect(await store.read("session", ["a"], disk.load)).toEqual(new Map());
  });

  const SEED = nextSeed();
  test(`whatever happens at once, a read is what the disk had during it (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const below = (most: number) => Math.floor(random.float() * most);
    const wait = async () => {
      for (let left = below(4); left > 0; left--) await nextTurn();
    };
    const memory = createKeyRows(2000);
    const store = memory.open();
    const ids = ["a", "b", "c", "d", "e"];
    /** The disk, and every state that it had. */
    const states = [new Map<string, string>()];
    const disk = () => states.at(-1) as Map<string, string>;
    const load = async (wanted: readonly string[]) => {
      await wait();
      const found = new Map(wanted.flatMap((id) => (disk().has(id) ? [[id, disk().get(id) as string]] : [])));
      await wait();
      return found;
    };
    let turn = Promise.resolve();
    let values = 0;
    const write = async () => {
      const wipe = below(20) === 0;
      const rows = ids.flatMap((id) =>
        below(3) === 0 ? [{ kind: "session", id, value: below(4) === 0 ? null : `${++values}`.padEnd(200) }] : [],
      );
      const isLost = below(5) === 0;
      const end = store.writing({ wipe, rows });
      // writes reach the disk in the order in which they were asked for
      turn = turn.then(async () => {
        await wait();
        if (!isLost) {
          const next = new Map(wipe ? [] : disk());
          for (const { id, value } of rows) {
            if (value === null) next.delete(id);
            else next.set(id, value);
          }
          states.push(next);
        }
        await wait();
        end(!isLost);
      });
      await turn;
    };
    const readOne = async () => {
      const id = ids[below(ids.length)] ?? "";
      const first = states.length - 1;
      const value = (await store.read("session", [id], load)).get(id);
      expect(states.slice(first).map((state) => state.get(id))).toContain(value);
    };
    const act = async () => {
      for (let left = 300; left > 0; left--) {
        await (below(3) === 0 ? write() : readOne());
        await wait();
      }
    };
    await Promise.all([act(), act(), act(), act()]);
    for (const id of ids) expect((await store.read("session", [id], load)).get(id)).toBe(disk().get(id) as string);
  });
});
