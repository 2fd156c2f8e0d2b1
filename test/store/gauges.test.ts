import { describe, expect, test } from "bun:test";
import { openWriter } from "../../src/store/connection.ts";
import { type Db, migrateDatabase } from "../../src/store/db.ts";
import { readStanding } from "../../src/store/gauges.ts";
import { holdLane, insertJob } from "../../src/store/jobs.ts";
import { explaining } from "../support/explain.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const NOW = 1_000_000;

const standingOf = (db: Db) => db.read((reader) => readStanding(reader, NOW));

const CHANNEL =
  "INSERT INTO channels (id, tenant_id, kind, label, state, is_webhook_configured, profile, disconnected_at, created_at, updated_at) VALUES (?1, 't', ?2, 'l', ?3, 0, ?4, ?5, 1, 1)";

describe("how things stand", () => {
  test("is nothing at all in a new database", async () => {
    expect(await standingOf(temp.database())).toEqual({
      channels: [],
      lostChannels: [],
      heldLanes: [],
      jobsWaiting: 0,
      lanesDue: 0,
      oldestDueAt: undefined,
      deadJobs: 0,
      deliveriesPending: 0,
      deadLetters: 0,
    });
  });

  test("counts channels by kind and state, and as lost those whose connection the network has ended", async () => {
    const db = temp.database();
    const run = (sql: string, params: unknown[] = []) => db.write(async (tx) => tx.rows(sql, params));
    const put = (kind: string, state: string, disconnectedAt: number | null = null, reason = "") =>
      run(CHANNEL, [`${kind} ${state} ${reason}`, kind, state, JSON.stringify({ stateReason: reason }), disconnectedAt]);
    await run("INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at) VALUES ('t', 't', 'ACTIVE', 'NONE', 'p', 1, 1)");
    await put("WABA", "CONNECTED");
    await put("SESSION", "PENDING_QR"); // never connected
    await put("SESSION", "DISCONNECTED", 1, "LOGOUT"); // by its owner
    await put("SESSION", "PENDING_QR", 1, "PAIRING_RESET"); // by its owner, too
    await put("SESSION", "DISCONNECTED", 1, "BANNED");
    await put("SESSION", "PENDING_QR", 1, "LOGGED_OUT");
    const { channels, lostChannels } = await standingOf(db);
    expect(channels).toEqual([
      { kind: "WABA", state: "CONNECTED", n: 1 },
      { kind: "SESSION", state: "DISCONNECTED", n: 2 },
      { kind: "SESSION", state: "PENDING_QR", n: 3 },
    ]);
    expect(lostChannels).toEqual([{ kind: "SESSION", n: 2 }]);
  });

  test("tells lanes that are due from those that are held, by what they are for, and since when the oldest job is due", async () => {
    const db = temp.database();
    const put = (lane: string, runAt: number) =>
      db.write(async (tx) => insertJob(tx, { kind: "k", lane, cap: 1, priority: 1, payload: "{}", uniqueKey: null, runAt, createdAt: 1 }));
    await put("endpoint:held", 5);
    await put("endpoint:was held", 7);
    await put("channel:c", 9);
    await put("housekeeping", NOW + 1);
    await db.write(async (tx) => holdLane(tx, "endpoint:held", NOW + 1));
    await db.write(async (tx) => holdLane(tx, "endpoint:was held", NOW));
    const { heldLanes, jobsWaiting, lanesDue, oldestDueAt } = await standingOf(db);
    expect({ heldLanes, jobsWaiting, lanesDue, oldestDueAt }).toEqual({ heldLanes: [{ lane: "endpoint", n: 1 }], jobsWaiting: 4, lanesDue: 2, oldestDueAt: 9 });
  });
});

test("looking walks through no table, and through no index but that of the channels without a limit", async () => {
  const path = temp.path();
  migrateDatabase(path, 0);
  const { tx, sent } = explaining(temp.keep(openWriter(path)));
  await readStanding(tx, NOW);
  const steps = sent.flatMap(({ plan }) => plan);
  const walks = steps.filter((step) => /^SCAN (?!\(|CONSTANT)/.test(step));
  expect(walks.toSorted()).toEqual([
    "SCAN channels USING COVERING INDEX channels_by_state",
    "SCAN dead_jobs USING COVERING INDEX dead_jobs_by_age",
    "SCAN deliveries USING COVERING INDEX deliveries_dead",
    "SCAN deliveries USING COVERING INDEX deliveries_waiting",
    "SCAN jobs USING INDEX jobs_waiting",
  ]);
  const unlimited = sent.filter(({ sql }) => !sql.includes("LIMIT")).map(({ sql }) => sql);
  expect(unlimited).toEqual(["SELECT kind, state, count(*) AS n FROM channels GROUP BY state, kind"]);
});
