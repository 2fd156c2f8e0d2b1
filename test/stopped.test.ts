import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../src/kernel/errors.ts";
import { lockDatabase } from "../src/store/engine/connection.ts";
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

/** The same, but one step of the stop failed: the file with its address cannot be removed. */
const stoppedBadly = async (): Promise<Db> => {
  const w = await startWorld();
  await w.account();
  await w.institution();
  const { env } = w.app;
  const path = join(w.dataDir, "serving.json");
  rmSync(path);
  mkdirSync(path);
  expect(await w.app.stop().catch(reasonOf)).toContain("serving.json");
  const file = join(w.dataDir, "recado.db");
  if (existsSync(file)) lockDatabase(file)(); // no other server could start if this one had kept its lock
  rmdirSync(path);
  await w.stop();
  return env.db;
};

describe("a server that has stopped lets go of its APIs and their descriptions", () => {
  test.each([
    ["even if its database is still held", stopped],
    ["and of its database, even if a step of the stop failed", stoppedBadly],
  ])("%s", async (_, stop) => {
    const held = [await stop(), await stop()]; // what a process makes once is made
    const before = used();
    for (let n = 0; n < SERVERS; n++) held.push(await stop());
    expect((used() - before) / SERVERS).toBeLessThan(3 * MIB); // 1.3, and 8 with the APIs
    expect(held).toHaveLength(SERVERS + 2);
  });
});
