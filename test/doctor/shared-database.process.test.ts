import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Check, Report } from "../../src/doctor/check.ts";
import { database, integrity, schema, wal } from "../../src/doctor/database/database.ts";
import { durability, nodeClock, nodes } from "../../src/doctor/database/shared-database.ts";
import { HOUR_MS, systemClock } from "../../src/kernel/clock.ts";
import { openRemoteDatabase } from "../../src/store/engine/remote/remote-db.ts";
import { places } from "../support/processes/doctor.ts";
import { type LibsqlServer, startLibsqlServer } from "../support/servers/libsql-server.ts";
import { startWorld } from "../support/world.ts";

const { installation, report } = places();
let server: LibsqlServer;
beforeAll(async () => {
  server = await startLibsqlServer();
  const db = await openRemoteDatabase({ url: server.url }, { nowMs: Date.now() });
  await db.close();
}, 120_000);
afterAll(() => server.stop());

const found = (check: Check, settings: Record<string, string> = {}, machine = {}): Promise<Report> =>
  report(check, { RECADO_DATA_DIR: "/nowhere", RECADO_DATABASE_URL: server.url, ...settings }, machine);

/** Nodes, each with where it is reached, and a lease of a minute or one that has run out. */
const withNodes = async (...live: { url: string | null; leaseMs?: number }[]): Promise<void> => {
  const db = await openRemoteDatabase({ url: server.url }, { nowMs: Date.now() });
  await db.write(async (tx) => {
    tx.run("DELETE FROM processes");
    for (const [at, { url, leaseMs = 60_000 }] of live.entries())
      tx.run("INSERT INTO processes (id, lease_until, url) VALUES (?1, ?2, ?3)", [
        `process-${at}`,
        Date.now() + leaseMs,
        url,
      ]);
  });
  await db.close();
};

describe("a database on a server", () => {
  test("is reached, belongs to this version, and is looked after there", async () => {
    expect(await found(database(60_000))).toMatchObject({
      outcome: "ok",
      found: expect.stringMatching(/^127\.0\.0\.1:\d+ answers after [\d.]+ ms$/),
    });
    expect(await found(schema)).toMatchObject({ outcome: "ok" });
    for (const check of [integrity, wal()]) expect(await found(check)).toMatchObject({ outcome: "skipped" });
  });

  test("has a server of this machine whose process is known, as that of a file is by its lock", async () => {
    const world = await startWorld({ env: { RECADO_DATABASE_URL: server.url } });
    const settings = { RECADO_DATA_DIR: world.dataDir, RECADO_DATABASE_URL: server.url };
    expect(await installation(settings).server()).toMatchObject({ pid: process.pid });
    await world.stop();
  });

  test("a warning: it is slow", async () => {
    expect(await found(database(0))).toMatchObject({ outcome: "warning" });
  });

  test("at fault: nobody there, in time too when it hangs; the token is not repeated", async () => {
    const away = { RECADO_DATABASE_URL: "http://127.0.0.1:1", RECADO_DATABASE_TOKEN: "a-canary" };
    expect(await found(database(), away)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("127.0.0.1:1: "),
      remedy: expect.stringContaining("RECADO_DATABASE_TOKEN"),
    });
    expect(JSON.stringify(await found(database(), away))).not.toContain("canary");
    server.pause();
    const hung = await Promise.all([found(database()), found(schema)]);
    server.resume();
    expect(hung).toMatchObject([
      { outcome: "fault", found: expect.stringContaining("no answer within 4 s") },
      { outcome: "skipped" },
    ]);
  }, 120_000);

  test("at fault: it is relaxed about what it acknowledges", async () => {
    expect(await found(durability)).toMatchObject({
      outcome: "fault",
      remedy: expect.stringContaining('"durability_mode":"strong"'),
    });
    await server.makeDurable();
    expect(await found(durability)).toMatchObject({ outcome: "ok" });
  });

  test("its clock is compared with ours", async () => {
    expect(await found(nodeClock)).toMatchObject({ outcome: "ok" });
    expect(await found(nodeClock, {}, { clock: systemClock(HOUR_MS) })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("3600 s ahead of"),
    });
  });
});

describe("nodes", () => {
  const S3 = { RECADO_MEDIA: "s3://bucket", RECADO_S3_ACCESS_KEY_ID: "id", RECADO_S3_SECRET_ACCESS_KEY: "secret" };
  const [A, B] = [{ url: "http://10.0.0.1:8080" }, { url: "http://10.0.0.2:8080" }];

  test("one alone may keep media on its disk; one that has died does not count", async () => {
    await withNodes(A, { ...B, leaseMs: -1000 });
    expect(await found(nodes)).toMatchObject({ outcome: "ok", found: "1 live" });
  });

  test("several share a bucket and reach each other", async () => {
    await withNodes(A, B);
    expect(await found(nodes, S3)).toMatchObject({ outcome: "ok", found: "2 live" });
    expect(await found(nodes)).toMatchObject({
      outcome: "fault",
      found: "2 nodes live, and media is on the disk of each",
      remedy: expect.stringContaining("RECADO_MEDIA"),
    });
  });

  test("at fault: two are reached at one address; a warning: one is not", async () => {
    await withNodes(A, A);
    expect(await found(nodes, S3)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("http://10.0.0.1:8080"),
      remedy: expect.stringContaining("RECADO_NODE_URL"),
    });
    await withNodes(A, { url: null });
    expect(await found(nodes, S3)).toMatchObject({
      outcome: "warning",
      found: "1 nodes cannot be reached by the others",
    });
  });
});

test("a file of this machine has no nodes", async () => {
  for (const check of [durability, nodes, nodeClock])
    expect(await report(check, { RECADO_DATA_DIR: "/nowhere" })).toMatchObject({ outcome: "skipped" });
});
