import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import {
  createKeyedMutex,
  createKeyedSemaphore,
  createSemaphore,
  createThrottle,
  createWatchdog,
  deadlineIn,
  firstThat,
  hasEndedWithin,
  withTimeout,
} from "../../src/kernel/async.ts";

describe("a keyed semaphore", () => {
  test("runs up to its limit of tasks per key, in the given order, with any mix of keys and failures", async () => {
    const task = fc.record({ key: fc.constantFrom("a", "b"), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.integer({ min: 1, max: 3 }),
        fc.array(task, { maxLength: 20 }),
        async (scheduler, limit, tasks) => {
          const semaphore = createKeyedSemaphore(limit);
          const running: Record<string, number> = { a: 0, b: 0 };
          const begun: Record<string, number[]> = { a: [], b: [] };
          const count = (key: string, by: number) => void (running[key] = (running[key] ?? 0) + by);
          const work = async (key: string, index: number, fails: boolean) => {
            begun[key]?.push(index);
            count(key, 1);
            expect(running[key]).toBeLessThanOrEqual(limit);
            await scheduler.schedule(Promise.resolve());
            expect(semaphore.isFull(key)).toBe(running[key] === limit);
            count(key, -1);
            if (fails) throw new Error(`task ${index}`);
            return index;
          };
          const outcomes = Promise.allSettled(
            tasks.map(({ key, fails }, index) => semaphore.run(key, () => work(key, index, fails))),
          );
          await scheduler.waitFor(outcomes);
          expect(
            (await outcomes).map((one, index) => one.status === (tasks[index]?.fails ? "rejected" : "fulfilled")),
          ).toEqual(tasks.map(() => true));
          for (const [key, order] of Object.entries(begun))
            expect(order).toEqual(tasks.flatMap((one, index) => (one.key === key ? [index] : [])));
          expect([semaphore.isFull("a"), semaphore.isFull("b")]).toEqual([false, false]);
        },
      ),
    );
  });
});

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that ends when the test says so. */
const openEnd = () => Promise.withResolvers<string>();

describe("a semaphore", () => {
  test("gives a place to the first waiter, and a place that is released twice to one only", async () => {
    const semaphore = createSemaphore(1);
    const first = await semaphore.acquire();
    const began: string[] = [];
    const second = semaphore.acquire().then((release) => (began.push("second"), release));
    void semaphore.acquire().then(() => began.push("third"));
    await tick();
    expect([semaphore.isFull, began]).toEqual([true, []]);
    first();
    first();
    await tick();
    expect(began).toEqual(["second"]);
    (await second)();
    await tick();
    expect(began).toEqual(["second", "third"]);
  });
});

describe("a keyed mutex", () => {
  test("runs work when all of its names are free, in any order, and frees them after a failure", async () => {
    const mutex = createKeyedMutex();
    const [one, two] = [openEnd(), openEnd()];
    const began: string[] = [];
    const run = (name: string, names: string[], work: Promise<string>) =>
      mutex.run(names, () => {
        began.push(name);
        return work;
      });
    const first = run("ab", ["a", "b"], one.promise).catch(String);
    const second = run("bac", ["b", "a", "c", "a"], two.promise);
    const third = run("d", ["d"], Promise.resolve("d"));
    await tick();
    expect([began.toSorted(), await third]).toEqual([["ab", "d"], "d"]);
    one.reject(new Error("no"));
    expect(await first).toBe("Error: no");
    await tick();
    expect(began.at(-1)).toBe("bac");
    two.resolve("done");
    expect(await second).toBe("done");
    expect(await run("free", ["a", "b", "c"], Promise.resolve("free"))).toBe("free");
  });
});

describe("a timeout", () => {
  test("gives the result that comes in time, and throws what the work throws", async () => {
    const clock = manualClock();
    expect(await withTimeout(10, Promise.resolve("in time"), { clock })).toBe("in time");
    expect(await withTimeout(10, Promise.reject(new Error("its own")), { clock }).catch(String)).toBe("Error: its own");
    expect(clock.pendingTimers).toBe(0);
  });

  test("throws when the time is over, by default what it waited for, or what it is given", async () => {
    const clock = manualClock();
    const late = [{}, { message: "too slow" }, { error: () => new RangeError("ours") }].map((options) =>
      withTimeout(10, openEnd().promise, { clock, ...options }).catch(String),
    );
    clock.advance(10);
    expect(await Promise.all(late)).toEqual(["Error: no answer within 10 ms", "Error: too slow", "RangeError: ours"]);
  });

  test("without a result says whether the work has ended, and never rejects", async () => {
    const clock = manualClock();
    expect(await hasEndedWithin(clock, 10, Promise.reject(new Error("no")))).toBe(true);
    const waiting = hasEndedWithin(clock, 10, openEnd().promise);
    clock.advance(10);
    expect([await waiting, clock.pendingTimers]).toEqual([false, 0]);
  });
});

describe("a deadline", () => {
  test("gives results until its time; a later one is disposed of", async () => {
    const clock = manualClock();
    const deadline = deadlineIn(clock, 10);
    const disposed: string[] = [];
    const dispose = (late: string) => void disposed.push(late);
    expect(await deadline.wait(Promise.resolve("early"), dispose)).toBe("early");
    const work = openEnd();
    const waiting = deadline.wait(work.promise, dispose);
    clock.advance(10);
    expect(await waiting).toBe("late");
    work.resolve("a file");
    await tick();
    expect([disposed, await deadline.wait(openEnd().promise, dispose)]).toEqual([["a file"], "late"]);
  });

  test("cuts a body that does not arrive in time, and releases its source", async () => {
    const clock = manualClock();
    const deadline = deadlineIn(clock, 10);
    let isReleased = false;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => {}),
        return: async () => ((isReleased = true), { done: true as const, value: undefined }),
      }),
    };
    const reading = Array.fromAsync(deadline.cut(source)).catch(String);
    await tick();
    clock.advance(10);
    expect([await reading, isReleased]).toEqual(["Error: not all of it came within 10 ms", true]);
  });
});

test("a throttle runs one at a time, not above its rate, and continues after a failure", async () => {
  const faults: unknown[] = [];
  let runs = 0;
  let end = openEnd();
  const call = createThrottle(
    async () => {
      runs++;
      await end.promise;
    },
    10,
    (error) => void faults.push(String(error)),
  );
  call(0);
  call(20); // the first still runs
  expect(runs).toBe(1);
  end.reject(new Error("no"));
  await tick();
  end = openEnd();
  call(9);
  expect([runs, faults]).toEqual([1, ["Error: no"]]);
  call(10);
  expect(runs).toBe(2);
});

test("a watchdog that was stopped is silent, and one that is restarted waits anew", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stopped = createWatchdog(1, () => resolve("the stopped one"));
  stopped.restart();
  stopped.stop();
  createWatchdog(5, () => resolve("the other")).restart();
  expect(await promise).toBe("the other");
});

describe("the first result that fits", () => {
  const never = new Promise<number>(() => {});
  const isBig = (value: number) => value > 5;
  const failing = () => Promise.reject(new Error("the task failed"));

  test("is there while other tasks run, and whatever fails", async () => {
    expect(await firstThat([never, failing(), Promise.resolve(1), Promise.resolve(7)], isBig)).toBe(7);
  });

  test("is undefined where none fits, and of no tasks", async () => {
    expect([await firstThat([Promise.resolve(1)], isBig), await firstThat([], isBig)]).toEqual([undefined, undefined]);
  });

  test("is the first failure where none fits", async () => {
    expect(firstThat([Promise.resolve(1), failing()], isBig)).rejects.toThrow("the task failed");
  });
});
