import { expect, test } from "bun:test";
import { createFairSemaphore } from "../../src/kernel/async.ts";

/** Tasks that end on demand, and the order in which they began. */
const bench = (limits: { limit: number; perSource: number; inAll: number }) => {
  const semaphore = createFairSemaphore({ ...limits, refusal: "Too many." });
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const running = new Map<string, () => void>();
  const refused: string[] = [];
  const ask = (source: string, name: string) => {
    const task = () => {
      began.push(name);
      return new Promise<void>((done) => {
        ends.push(done);
        running.set(name, done);
      });
    };
    return semaphore
      .run(source, task)
      .catch(({ code, retryAfterSeconds }) => void refused.push(`${name} ${code} ${retryAfterSeconds}`));
  };
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await tick();
    }
  };
  /** Ends one task that runs. */
  const end = async (name: string) => {
    running.get(name)?.();
    await tick();
  };
  return { semaphore, began, refused, ask, tick, end, endAll };
};

test("sources have their turns one after the other, however much each has waiting", async () => {
  const b = bench({ limit: 1, perSource: 10, inAll: 100 });
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void b.ask(name[0] ?? "", name);
  await b.tick();
  await b.endAll();
  expect([b.began, b.refused]).toEqual([["a1", "a2", "b1", "c1", "a3", "b2", "a4"], []]);
});

test("a source has a second place only while no source waits that has none", async () => {
  const b = bench({ limit: 2, perSource: 10, inAll: 100 });
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2"]) void b.ask(name[0] ?? "", name);
  await b.tick();
  await b.end("a1");
  expect(b.began).toEqual(["a1", "a2", "b1"]);
  await b.end("b1"); // it is a's turn, but a has a place and b has none
  expect(b.began).toEqual(["a1", "a2", "b1", "b2"]);
  await b.end("b2"); // nobody else waits
  expect(b.began).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  await b.endAll();
  expect(b.began.at(-1)).toBe("a4");
});

test("no more than so many run at once", async () => {
  const b = bench({ limit: 2, perSource: 10, inAll: 100 });
  for (const name of ["a1", "a2", "a3"]) void b.ask("a", name);
  await b.tick();
  expect(b.began).toEqual(["a1", "a2"]);
  await b.endAll();
  expect(b.began).toEqual(["a1", "a2", "a3"]);
});

test("a source that has too much waiting is refused, and no other", async () => {
  const b = bench({ limit: 1, perSource: 2, inAll: 100 });
  for (const name of ["a1", "a2", "a3", "a4", "b1"]) void b.ask(name[0] ?? "", name);
  await b.tick();
  expect(b.refused).toEqual(["a4 OVERLOADED 2"]);
  await b.endAll();
  expect(b.began).toEqual(["a1", "a2", "b1", "a3"]);
});

test("when all places are taken, the source with most waiting gives one up for a source with less", async () => {
  const b = bench({ limit: 1, perSource: 10, inAll: 3 });
  for (const name of ["a1", "a2", "a3", "a4", "b1", "c1", "d1"]) void b.ask(name[0] ?? "", name);
  await b.tick();
  expect(b.refused.toSorted()).toEqual(["a3 OVERLOADED 2", "a4 OVERLOADED 2", "d1 OVERLOADED 2"]);
  await b.endAll();
  expect(b.began).toEqual(["a1", "a2", "b1", "c1"]);
});

test("a task that fails gives its place on like any other", async () => {
  const { semaphore } = bench({ limit: 1, perSource: 10, inAll: 3 });
  const failing = semaphore.run("a", () => Promise.reject(new Error("no")));
  const next = semaphore.run("a", async () => "yes");
  expect(await failing.catch(String)).toBe("Error: no");
  expect(await next).toBe("yes");
  expect(await semaphore.run("b", async () => "again")).toBe("again");
});
