import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import type { Db } from "../src/store/engine/db.ts";
import { startWorld } from "./support/world.ts";

const MIB = 1024 * 1024;
const SERVERS = 6;

const used = (): number => {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
};

/** A server that has described both APIs and stopped; its database, which somebody still has. */
const stopped = async (): Promise<Db> => {
  const w = await startWorld();
  await w.account();
  await w.institution();
  const { db } = w.app.env;
  await w.stop();
  return db;
};

test("a server that has stopped lets go of its APIs and their descriptions, even if its database is still held", async () => {
  const held = [await stopped(), await stopped()]; // what a process makes once is made
  const before = used();
  for (let n = 0; n < SERVERS; n++) held.push(await stopped());
  expect((used() - before) / SERVERS).toBeLessThan(3 * MIB); // 1.3, and 8 with the APIs
  expect(held).toHaveLength(SERVERS + 2);
});
