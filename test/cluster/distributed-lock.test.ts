import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/kernel/log.ts";
import { createDistributedLock } from "../../src/runtime/distributed-lock.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { shared, testNode } from "../support/databases/nodes.ts";
import { gate, tempDatabases } from "../support/databases/temp-database.ts";

const temp = tempDatabases();

const twoNodes = async () => {
  const db = temp.database();
  const begin = async (processId: string) => {
    const one = testNode(db, processId);
    await one.node.enter(null);
    return {
      ...one,
      turns: createDistributedLock("charging", { db: shared(db), node: one.node, log: createLog("silent") }),
    };
  };
  return { db, a: await begin("a"), b: await begin("b") };
};

describe("a turn", () => {
  test("is one node's at a time: the other's work waits for its end, and another key's does not", async () => {
    const { a, b } = await twoNodes();
    const did: string[] = [];
    const { opened, open } = gate();
    const { opened: begun, open: begin } = gate();
    const first = a.turns.run("invoice", async () => {
      did.push("a begins");
      begin();
      await opened;
      did.push("a ends");
    });
    await begun;
    const second = b.turns.run("invoice", async () => void did.push("b"));
    await b.turns.run("another", async () => void did.push("another"));
    await b.pass(2000);
    expect(did).toEqual(["a begins", "another"]);
    open();
    await first;
    await b.pass(1000);
    await second;
    expect(did).toEqual(["a begins", "another", "a ends", "b"]);
  });

  test("is given back when nobody knows whether it was taken: the database has stored that, and its answer was lost", async () => {
    const { db, a, b } = await twoNodes();
    let isLost = true;
    const losing: Db = {
      ...shared(db),
      write: async (body, options) => {
        const result = await db.write(body, options);
        if (!isLost) return result;
        isLost = false;
        throw new Error("the answer was lost");
      },
    };
    const turns = createDistributedLock("charging", { db: losing, node: a.node, log: createLog("silent") });
    const did: string[] = [];
    expect(await turns.run("invoice", async () => void did.push("a")).catch(String)).toBe("Error: the answer was lost");
    await b.turns.run("invoice", async () => void did.push("b"));
    expect(did).toEqual(["b"]);
  });

  test("is given back when the work fails, and when its node is removed", async () => {
    const { db, a, b } = await twoNodes();
    expect(a.turns.run("invoice", async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await b.turns.run("invoice", async () => "b's turn")).toBe("b's turn");
    void a.turns.run("invoice", () => new Promise(() => {}));
    await db.write(async () => {});
    await a.node.leave();
    expect(await b.turns.run("invoice", async () => "after a")).toBe("after a");
  });
});
