import { join } from "node:path";
import { systemClock } from "../../src/kernel/clock.ts";
import { type Db, openDatabase } from "../../src/store/engine/db.ts";
import { claimJobs } from "../../src/store/tables/job-claims.ts";
import { type ClaimedJob, deleteJob, insertJob } from "../../src/store/tables/jobs.ts";
import { commonQueue, type Queue, queueOfChannel } from "../../src/store/tables/queues.ts";
import { newDir } from "./process.ts";
import { ms, perSecond, type Section, spread, whole } from "./report.ts";
import { type Spread, spreadOf } from "./wire.ts";

const FEW = 1000;
const MANY = 1_000_000;
const BATCH = 64;
const OWNER = "a-process-of-the-benchmark";
const SEED = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
  INSERT INTO jobs (kind, queue, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at)
  SELECT 'message.deliver', ?2, 1, '{"messageId":"0198a000-1111-4222-8333-444455556666"}', 'waiting:' || i, i, 0, 0, 0, i FROM n`;
const OPEN_QUEUE =
  "INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until) VALUES (?1, ?1, ?2, 0, ?3, ?3)";
const FAR_FUTURE_MS = 4e12;

type Cost = Spread & { perSecond: number };

const withJobs = async <Result>(
  waiting: number,
  isHeld: boolean,
  work: (db: Db) => Promise<Result>,
): Promise<Result> => {
  const db = openDatabase(join(newDir(), "claims.db"), {
    nowMs: systemClock().now(),
    onFatal: (error) => {
      throw error;
    },
  });
  await db.write(async (tx) => {
    tx.run(SEED, [waiting, "backlog"]);
    tx.run(OPEN_QUEUE, ["backlog", BATCH, isHeld ? FAR_FUTURE_MS : 1]);
  });
  const result = await work(db);
  await db.close();
  return result;
};

/**
 * Claims batch after batch and completes each job in a write of its own, as the runner does. `refill` puts the next
 * batch there.
 */
const measure = async (db: Db, runMs: number, refill: () => Promise<void>): Promise<Cost> => {
  const claims: number[] = [];
  let [jobs, spentMs] = [0, 0];
  while (spentMs < runMs) {
    await refill();
    const startedAt = performance.now();
    const claimed = await db.write(
      (tx) => timed(claims, () => claimJobs(tx, { owner: OWNER, nowMs: systemClock().now(), limit: BATCH })),
      { isDurable: false },
    );
    if (claimed.length !== BATCH) throw new Error(`${claimed.length} jobs were claimed, not ${BATCH}`);
    await Promise.all(claimed.map((job) => db.write(async (tx) => deleteJob(tx, job), { isDurable: false })));
    spentMs += performance.now() - startedAt;
    jobs += claimed.length;
  }
  return { ...spreadOf(claims), perSecond: jobs / (spentMs / 1000) };
};

const timed = async (samples: number[], claim: () => Promise<ClaimedJob[]>): Promise<ClaimedJob[]> => {
  const startedAt = performance.now();
  const claimed = await claim();
  samples.push(performance.now() - startedAt);
  return claimed;
};

const inSameQueue = (waiting: number, runMs: number): Promise<Cost> =>
  withJobs(waiting + BATCH, false, (db) => measure(db, runMs, () => refillBacklog(db)));

let refilled = 0;

/** Adds as many jobs to the end of the backlog as a claim takes from its head. */
const refillBacklog = (db: Db): Promise<void> => putJobs(db, () => commonQueue("backlog"), BATCH);

const putJobs = (db: Db, queueAt: (n: number) => Queue, concurrencyLimit: number): Promise<void> =>
  db.write(
    async (tx) => {
      const now = systemClock().now();
      for (let n = 0; n < BATCH; n++) {
        insertJob(tx, {
          kind: "message.deliver",
          queue: queueAt(n),
          concurrencyLimit,
          priority: 1,
          payload: "{}",
          payloadVersion: 1,
          uniqueKey: `fresh:${refilled++}`,
          runAt: now,
          createdAt: now,
        });
      }
    },
    { isDurable: false },
  );

/** One job in each of 64 queues, while the backlog waits in a paused queue. */
const besideBacklog = (waiting: number, runMs: number): Promise<Cost> =>
  withJobs(waiting, true, (db) =>
    measure(db, runMs, () => putJobs(db, (n) => queueOfChannel("channel", String(n)), 8)),
  );

/** The cost of claiming with few and with many waiting jobs. */
export const claimsSection = async (runMs: number): Promise<Section> => {
  const cases = [
    { what: "another queue; one job in each of 64 queues is claimed", measure: besideBacklog },
    { what: "the same queue; its first 64 are claimed", measure: inSameQueue },
  ];
  const figures: Section["figures"] = [];
  for (const { what, measure: costOf } of cases) {
    const few = await costOf(FEW, runMs);
    const many = await costOf(MANY, runMs);
    figures.push(
      {
        what: `${whole(FEW)} jobs wait in ${what}`,
        value: `${perSecond(few.perSecond)}; one claim of ${BATCH} ${spread(few)}`,
      },
      {
        what: `${whole(MANY)} wait there`,
        value: `${perSecond(many.perSecond)}; one claim of ${BATCH} ${spread(many)}`,
        yardstick: `with ${whole(FEW)}: ${perSecond(few.perSecond)}, ${ms(few.p50)}`,
        ratio: many.perSecond / few.perSecond,
      },
    );
  }
  return {
    title: "Claiming jobs",
    figures,
    notes: [
      "Claimed and completed, a write for each completion, in this process; not counting the time to put new jobs there.",
    ],
  };
};
