import { describe, expect, test } from "bun:test";
import type { Db } from "../../src/store/engine/db.ts";
import { acquireLease } from "../../src/store/tables/leases.ts";
import { expire, testNode } from "../support/databases/nodes.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";

const temp = tempDatabases();
const processesIn = async (db: Db): Promise<string[]> =>
  (await db.read((r) => r.rows<{ id: string }>("SELECT id FROM processes ORDER BY id"))).map(({ id }) => id);

/** A database whose writes fail while it is away. */
const fragile = () => {
  const db = temp.database();
  const state = { isAway: false };
  const reach = <Work>(work: () => Work): Work => {
    if (state.isAway) throw new Error("the database is away");
    return work();
  };
  const through: Db = {
    ...db,
    read: async (body) => reach(() => db.read(body)),
    write: async (body, options) => reach(() => db.write(body, options)),
  };
  return { db: through, state, real: db };
};

describe("a node", () => {
  test("renews its lease for as long as it lives, and counts the nodes that do", async () => {
    const db = temp.database();
    const a = testNode(db, "a");
    await a.node.enter(null);
    await testNode(db, "b").node.enter("http://10.0.0.2:8080");
    await db.write(async (tx) => tx.run("UPDATE processes SET lease_until = lease_until - 15000"));
    await a.pass(12_000);
    const [renewed, other] = await db.read((r) =>
      r.rows<{ ahead: number }>(
        "SELECT lease_until - cast(unixepoch('subsec') * 1000 AS integer) AS ahead FROM processes ORDER BY id",
      ),
    );
    expect(renewed?.ahead).toBeGreaterThan(25_000);
    expect(other?.ahead).toBeLessThan(16_000);
    expect([a.node.count, a.node.isSafe()]).toEqual([2, true]);
    expect(new Set(a.said)).toEqual(new Set(["look"]));
  });

  test("that is dead is removed by another, once, with all that it held", async () => {
    const db = temp.database();
    const [a, b, c] = [testNode(db, "a"), testNode(db, "b"), testNode(db, "c")];
    for (const { node } of [a, b, c]) await node.enter(null);
    await db.write((tx) => acquireLease(tx, "channel", "a"));
    await expire(db, "a");
    await b.pass(2500);
    await c.pass(2500);
    expect(await processesIn(db)).toEqual(["b", "c"]);
    expect(await db.read((r) => r.rows("SELECT * FROM leases"))).toEqual([]);
    expect([...b.said, ...c.said].filter((word) => word === "rescued 0")).toHaveLength(1);
  });

  test("that was removed learns it at its next renewal, and takes nothing more", async () => {
    const db = temp.database();
    const [a, b] = [testNode(db, "a"), testNode(db, "b")];
    for (const { node } of [a, b]) await node.enter(null);
    await expire(db, "a");
    await b.pass(2500);
    expect(await db.write((tx) => acquireLease(tx, "channel", "a"))).toBe(false);
    expect(await db.read((r) => r.rows("SELECT * FROM leases"))).toEqual([]);
    await a.pass(12_000);
    expect([a.said.filter((word) => word !== "look"), a.node.isSafe()]).toEqual([["lost"], false]);
    expect(await processesIn(db)).toEqual(["b"]);
  });

  test("that cannot renew its lease stops before the lease is over, and goes on when it can again", async () => {
    const { db, state, real } = fragile();
    const a = testNode(db, "a");
    await a.node.enter(null);
    state.isAway = true;
    await a.pass(23_000);
    expect([a.node.isSafe(), a.said.includes("fenced")]).toEqual([true, false]);
    let heartbeats = 0;
    await a.pass(1500);
    a.node.onHeartbeat(() => heartbeats++);
    await a.pass(20_000);
    expect([a.node.isSafe(), a.said.filter((word) => word === "fenced").length, heartbeats]).toEqual([false, 1, 0]);
    state.isAway = false;
    await a.pass(3000);
    expect([a.node.isSafe(), a.said.filter((word) => word !== "look")]).toEqual([true, ["fenced", "back"]]);
    expect(heartbeats).toBeGreaterThan(0);
    expect(await processesIn(real)).toEqual(["a"]);
  });

  test("that was away with the database removes nobody until the others have had time to come back", async () => {
    const { db, state, real } = fragile();
    const [a, b] = [testNode(db, "a"), testNode(db, "b")];
    for (const { node } of [a, b]) await node.enter(null);
    state.isAway = true;
    await a.pass(40_000);
    state.isAway = false;
    await expire(real, "b");
    await a.pass(28_000);
    expect(await processesIn(real)).toEqual(["a", "b"]);
    await b.pass(12_000); // it renews its own, late as it is
    await a.pass(6000);
    expect([await processesIn(real), b.node.isSafe()]).toEqual([["a", "b"], true]);
  });

  test("that leaves gives back what it held at once; what is reported of it afterwards changes nothing", async () => {
    const db = temp.database();
    const a = testNode(db, "a");
    await a.node.enter(null);
    await db.write((tx) => acquireLease(tx, "channel", "a"));
    a.node.retire();
    const looks = a.said.length;
    await a.pass(4000);
    expect(a.said).toHaveLength(looks);
    await a.node.leave();
    expect([await processesIn(db), await db.read((r) => r.rows("SELECT * FROM leases"))]).toEqual([[], []]);
    await a.pass(60_000);
    expect(a.said).toHaveLength(looks);
  });
});
