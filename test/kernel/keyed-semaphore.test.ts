import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createKeyedSemaphore } from "../../src/kernel/async.ts";

describe("a keyed semaphore of one", () => {
  test("runs tasks of a key one after the other in the given order, with any mix of keys and failures", async () => {
    const task = fc.record({ key: fc.constantFrom("a", "b", "c"), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(task, { maxLength: 20 }), async (scheduler, tasks) => {
        const queue = createKeyedSemaphore();
        const begun: Record<string, number[]> = { a: [], b: [], c: [] };
        const running = new Set<string>();
        const work = async (key: string, index: number, fails: boolean) => {
          expect(running.has(key)).toBe(false);
          running.add(key);
          begun[key]?.push(index);
          await scheduler.schedule(Promise.resolve());
          running.delete(key);
          if (fails) throw new Error(`task ${index}`);
        };
        const outcomes = Promise.allSettled(
          tasks.map(({ key, fails }, index) => queue.run(key, () => work(key, index, fails))),
        );
        await scheduler.waitFor(outcomes);
        expect((await outcomes).map((one) => one.status === "rejected")).toEqual(tasks.map((one) => one.fails));
        for (const [key, order] of Object.entries(begun))
          expect(order).toEqual(tasks.flatMap((one, index) => (one.key === key ? [index] : [])));
      }),
    );
  });

  test("does not make one key wait for another", async () => {
    const queue = createKeyedSemaphore();
    void queue.run("stuck", () => new Promise(() => {}));
    let ran = false;
    await queue.run("free", async () => void (ran = true));
    expect(ran).toBe(true);
  });
});
