import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import type { Check, Report } from "../../src/doctor/check.ts";
import { memory, openFiles } from "../../src/doctor/machine/limits.ts";
import { channels, deadLetters, discardedJobs, jobs, setUp, testClock } from "../../src/doctor/work.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { openWriter } from "../../src/store/engine/connection.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { places } from "../support/processes/doctor.ts";
import { insertEverythingOf } from "../support/tenants/rows.ts";
import { startWorld, type World } from "../support/world.ts";

const temp = tempDatabases();
const { report } = places();

let path: string;
beforeEach(() => {
  path = temp.path();
});

/** What a check finds in a database that nobody serves: with a row of everything, and changed by these statements. */
const found = async (check: Check, ...statements: string[]): Promise<Report> => {
  const db = temp.database(path);
  await db.write((tx) => insertEverythingOf(tx, "ours"));
  await db.close();
  const writer = openWriter(path);
  for (const sql of statements) writer.exec(sql);
  writer.close();
  return report(check, { RECADO_DATA_DIR: dirname(path) });
};

const QUEUE = "INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until) VALUES";

describe("jobs", () => {
  test("are ok while none is overdue, one that is not due for long neither", async () => {
    expect(await found(jobs)).toMatchObject({ outcome: "ok" });
    path = temp.path();
    expect(await found(jobs, `${QUEUE} ('x', 'x', 1, 0, ${Date.now() - 9 * MINUTE_MS}, 0)`)).toMatchObject({
      outcome: "ok",
    });
  });

  test("that are overdue while nobody runs are reported, and are no fault", async () => {
    expect(await found(jobs, `${QUEUE} ('x', 'x', 1, 0, ${Date.now() - HOUR_MS}, 0)`)).toMatchObject({
      outcome: "skipped",
      found: expect.stringContaining("1 queues have jobs"),
    });
  });

  test("a queue that is full or empty is not overdue", async () => {
    expect(
      await found(jobs, `${QUEUE} ('full', 'full', 1, 1, 1000, 0), ('empty', 'empty', 1, 0, NULL, 0)`),
    ).toMatchObject({ outcome: "ok" });
  });

  describe("beside a server", () => {
    let world: World;
    afterEach(() => world.stop());

    test("at fault: overdue", async () => {
      world = await startWorld();
      await world.app.env.db.write(async (tx) => tx.run(`${QUEUE} ('stuck', 'stuck', 1, 0, 1000, 0)`));
      expect(await report(jobs, { RECADO_DATA_DIR: world.dataDir })).toMatchObject({
        outcome: "fault",
        found: expect.stringMatching(/^1 queues have jobs .* since 1970-01-01T00:00:01/),
        remedy: expect.stringContaining("log"),
      });
    });

    test("time is the test clock's where that is on", async () => {
      world = await startWorld();
      const settings = { RECADO_DATA_DIR: world.dataDir, RECADO_TEST_CLOCK: "1" };
      await world.app.env.db.write(async (tx) =>
        tx.run(`${QUEUE} ('later', 'later', 1, 0, ?1, 0)`, [Date.now() + HOUR_MS]),
      );
      expect(await report(jobs, settings)).toMatchObject({ outcome: "ok" });
      await world.app.env.db.write(async (tx) =>
        tx.run("INSERT INTO meta (name, value) VALUES ('test-clock-offset-ms', ?1)", [String(2 * HOUR_MS)]),
      );
      expect(await report(jobs, settings)).toMatchObject({ outcome: "fault" });
    });
  });
});

describe("what was discarded", () => {
  test("is none", async () => {
    expect(await found(discardedJobs)).toMatchObject({ outcome: "ok", found: "none" });
    path = temp.path();
    expect(await found(deadLetters, "UPDATE deliveries SET status = 'DELIVERED'")).toMatchObject({
      outcome: "ok",
      found: "none",
    });
  });

  test("is counted: jobs", async () => {
    const dead =
      "INSERT INTO discarded_jobs (id, kind, queue, payload, attempts, reason, discarded_at) VALUES (1, 'mail.send', 'mail', '{}', 3, 'no', 0), (2, 'mail.send', 'mail', '{}', 3, 'no', 0)";
    expect(await found(discardedJobs, dead)).toMatchObject({ outcome: "warning", found: "2 jobs were discarded" });
  });

  test("is counted: deliveries", async () => {
    expect(await found(deadLetters, "UPDATE deliveries SET status = 'DEAD'")).toMatchObject({
      outcome: "warning",
      found: expect.stringMatching(/^\d+ webhook deliveries were discarded$/),
    });
  });
});

describe("channels", () => {
  const stateOf = (state: string, reason: string | null = null): string =>
    `UPDATE channels SET connected_at = 1, state = '${state}', profile = json_object('stateReason', ${reason === null ? "NULL" : `'${reason}'`})`;

  test.each([
    ["CONNECTED", null],
    ["DISCONNECTED", "LOGOUT"],
  ])("%s by %p is as it should be", async (state, reason) => {
    expect(await found(channels, stateOf(state, reason))).toMatchObject({ outcome: "ok" });
  });

  test.each([
    ["TOKEN_EXPIRED", null],
    ["FAILED", "CREDENTIALS_UNREADABLE"],
    ["PENDING_QR", "LOGGED_OUT"],
    ["DISCONNECTED", "BANNED"],
    ["CONNECTING", "CONNECTION_LOST"],
    ["RESTRICTED", "BIZ_QUALITY"],
  ])("a warning: %s by %p, with its id", async (state, reason) => {
    const shown = reason === null ? state : `${state} (${reason})`;
    expect(await found(channels, stateOf(state, reason))).toMatchObject({
      outcome: "warning",
      found: expect.stringMatching(new RegExp(`channel-ours is ${shown.replace(/[()]/g, "\\$&")}$`)),
    });
  });

  test("one that reconnects just now, or was never connected, is not reported", async () => {
    expect(
      await found(channels, stateOf("CONNECTING"), `UPDATE channels SET updated_at = ${Date.now()}`),
    ).toMatchObject({ outcome: "ok" });
    path = temp.path();
    expect(await found(channels, stateOf("FAILED"), "UPDATE channels SET connected_at = NULL")).toMatchObject({
      outcome: "ok",
    });
  });
});

describe("set-up", () => {
  test("is done with the first account", async () => {
    expect(await found(setUp)).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining("the admin API is closed"),
    });
    path = temp.path();
    expect(await found(setUp, "INSERT INTO meta (name, value) VALUES ('admin-token', 'a hash')")).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining("the admin API has a token"),
    });
  });

  test("a warning: there is no account", async () => {
    await temp.database(path).close();
    expect(await report(setUp, { RECADO_DATA_DIR: dirname(path) })).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("recado account create"),
    });
  });

  test("a warning: the test clock is on", async () => {
    expect(await report(testClock, { RECADO_TEST_CLOCK: "1" })).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("RECADO_TEST_CLOCK"),
    });
    expect(await report(testClock, {})).toMatchObject({ outcome: "skipped" });
  });
});

describe("the process", () => {
  test("may open files enough", async () => {
    const nowhere = { RECADO_DATA_DIR: "/nowhere" };
    expect(await report(openFiles(1), nowhere)).toMatchObject({ outcome: "ok" });
    expect(await report(openFiles(Infinity), nowhere)).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("LimitNOFILE="),
    });
  });

  test("has memory left", async () => {
    const nowhere = { RECADO_DATA_DIR: "/nowhere" };
    expect(await report(memory(1), nowhere)).toMatchObject({ outcome: "ok" });
    expect(await report(memory(Infinity), nowhere)).toMatchObject({ outcome: "warning" });
  });
});
