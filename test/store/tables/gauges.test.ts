import { describe, expect, test } from "bun:test";
import { openWriter } from "../../../src/store/engine/connection.ts";
import { type Db, migrateDatabase } from "../../../src/store/engine/db.ts";
import { readGauges } from "../../../src/store/tables/gauges.ts";
import { insertJob } from "../../../src/store/tables/jobs.ts";
import { commonQueue, pauseQueue, type Queue, queueOf, queueOfChannel } from "../../../src/store/tables/queues.ts";
import { explaining } from "../../support/databases/explain.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const NOW = 1_000_000;

const gaugesOf = (db: Db) => db.read((reader) => readGauges(reader, NOW));

const CHANNEL =
  "INSERT INTO channels (id, tenant_id, kind, label, state, is_webhook_configured, holds_connection, profile, disconnected_at, created_at, updated_at) VALUES (?1, 't', ?2, 'l', ?3, 0, ?2 <> 'WABA', ?4, ?5, 1, 1)";

describe("gauges", () => {
  test("are zero in a new database", async () => {
    expect(await gaugesOf(temp.database())).toEqual({
      channels: [],
      lostChannels: [],
      pausedQueues: [],
      jobsWaiting: 0,
      queuesDue: 0,
      oldestDueAt: undefined,
      discardedJobs: 0,
      deliveriesPending: 0,
      deadLetters: 0,
      consoleSessions: 0,
    });
  });

  test("count channels by kind and state, and as lost those whose connection the network ended", async () => {
    const db = temp.database();
    const run = (sql: string, params: unknown[] = []) => db.write(async (tx) => tx.rows(sql, params));
    const put = (kind: string, state: string, disconnectedAt: number | null = null, reason = "") =>
      run(CHANNEL, [
        `${kind} ${state} ${reason}`,
        kind,
        state,
        JSON.stringify({ stateReason: reason }),
        disconnectedAt,
      ]);
    await run(
      "INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at) VALUES ('t', 't', 'ACTIVE', 'NONE', 'p', 1, 1)",
    );
    await put("WABA", "CONNECTED");
    await put("SESSION", "PENDING_QR"); // never connected
    await put("SESSION", "DISCONNECTED", 1, "LOGOUT"); // by its owner
    await put("SESSION", "PENDING_QR", 1, "PAIRING_RESET"); // by its owner, too
    await put("SESSION", "DISCONNECTED", 1, "BANNED");
    await put("SESSION", "PENDING_QR", 1, "LOGGED_OUT");
    const { channels, lostChannels } = await gaugesOf(db);
    expect(channels).toEqual([
      { kind: "WABA", state: "CONNECTED", n: 1 },
      { kind: "SESSION", state: "DISCONNECTED", n: 2 },
      { kind: "SESSION", state: "PENDING_QR", n: 3 },
    ]);
    expect(lostChannels).toEqual([{ kind: "SESSION", n: 2 }]);
  });

  test("separate due queues from paused ones, by kind, and say since when the oldest job is due", async () => {
    const db = temp.database();
    const put = (queue: Queue, runAt: number) =>
      db.write(async (tx) =>
        insertJob(tx, {
          kind: "k",
          queue,
          concurrencyLimit: 1,
          priority: 1,
          payload: "{}",
          payloadVersion: 1,
          uniqueKey: null,
          runAt,
          createdAt: 1,
        }),
      );
    await put(queueOf("endpoint", "held"), 5);
    await put(queueOf("endpoint", "was held"), 7);
    await put(queueOfChannel("channel", "c"), 9);
    await put(commonQueue("housekeeping"), NOW + 1);
    await db.write(async (tx) => pauseQueue(tx, "endpoint:held", NOW + 1, "breaker"));
    await db.write(async (tx) => pauseQueue(tx, "endpoint:was held", NOW, "breaker"));
    const { pausedQueues, jobsWaiting, queuesDue, oldestDueAt } = await gaugesOf(db);
    expect({ pausedQueues, jobsWaiting, queuesDue, oldestDueAt }).toEqual({
      pausedQueues: [{ queue: "endpoint", n: 1 }],
      jobsWaiting: 4,
      queuesDue: 2,
      oldestDueAt: 9,
    });
  });
});

test("gauges read no whole table, and no whole index but that of the channels", async () => {
  const path = temp.path();
  migrateDatabase(path, 0);
  const { tx, sent } = explaining(temp.keep(openWriter(path)));
  await readGauges(tx, NOW);
  const steps = sent.flatMap(({ plan }) => plan);
  const walks = steps.filter((step) => /^SCAN (?!\(|CONSTANT)/.test(step));
  expect(walks.toSorted()).toEqual([
    "SCAN channels USING COVERING INDEX channels_by_state",
    "SCAN deliveries USING COVERING INDEX deliveries_dead",
    "SCAN deliveries USING COVERING INDEX deliveries_pending",
    "SCAN discarded_jobs USING COVERING INDEX discarded_jobs_by_age",
    "SCAN jobs USING INDEX jobs_waiting",
  ]);
  const unlimited = sent.filter(({ sql }) => !sql.includes("LIMIT")).map(({ sql }) => sql);
  expect(unlimited).toEqual(["SELECT kind, state, count(*) AS n FROM channels GROUP BY state, kind"]);
});
