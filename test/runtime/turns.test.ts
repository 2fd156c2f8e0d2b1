import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createTurns } from "../../src/runtime/turns.ts";

describe("turns", () => {
  test("run so many tasks of a key at once and no more, in the order given, whatever they await, fail or how keys mix", async () => {
    const task = fc.record({ key: fc.constantFrom("a", "b"), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 3 }), fc.array(task, { maxLength: 20 }), async (scheduler, atOnce, tasks) => {
        const turns = createTurns(atOnce);
        const running: Record<string, number> = { a: 0, b: 0 };
        const begun: Record<string, number[]> = { a: [], b: [] };
        const count = (key: string, by: number) => void (running[key] = (running[key] ?? 0) + by);
        const work = async (key: string, index: number, fails: boolean) => {
          begun[key]?.push(index);
          count(key, 1);
          expect(running[key]).toBeLessThanOrEqual(atOnce);
          await scheduler.schedule(Promise.resolve());
          expect(turns.isFull(key)).toBe(running[key] === atOnce);
          count(key, -1);
          if (fails) throw new Error(`task ${index}`);
          return index;
        };
        const outcomes = Promise.allSettled(tasks.map(({ key, fails }, index) => turns.run(key, () => work(key, index, fails))));
        await scheduler.waitFor(outcomes);
        expect((await outcomes).map((one, index) => one.status === (tasks[index]?.fails ? "rejected" : "fulfilled"))).toEqual(tasks.map(() => true));
        for (const [key, order] of Object.entries(begun)) expect(order).toEqual(tasks.flatMap((one, index) => (one.key === key ? [index] : [])));
        expect([turns.isFull("a"), turns.isFull("b")]).toEqual([false, false]);
      }),
    );
  });
});
