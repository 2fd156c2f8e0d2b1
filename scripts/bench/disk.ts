import { Database } from "bun:sqlite";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { systemRandom } from "../../src/kernel/random.ts";
import { migrateDatabase } from "../../src/store/engine/db.ts";
import { newDir } from "./process.ts";
import { perSecond, type Section } from "./report.ts";

/** The speed of the disk and of the database alone. */
export type DiskLimits = { syncsPerSecond: number; rowsPerSecond: number };

const SYNC_MS = 1000;
const WRITE_MS = 2000;
/** The number of writes per transaction: as many callers wait at once. */
const GROUP = 64;

/** The number of runs of `step` in a second. */
const rateOf = (runMs: number, step: () => void): number => {
  const startedAt = performance.now();
  let steps = 0;
  for (; performance.now() - startedAt < runMs; steps++) step();
  return steps / ((performance.now() - startedAt) / 1000);
};

const syncRate = (): number => {
  const fd = openSync(join(newDir(), "file"), "w");
  const block = new Uint8Array(4096);
  const rate = rateOf(SYNC_MS, () => {
    writeSync(fd, block);
    fdatasyncSync(fd);
  });
  closeSync(fd);
  return rate;
};

const MESSAGE = `INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status, send_state, uncertain_attempts, created_at)
  VALUES (?1, ?2, ?3, 'live', 'text', ?4, ?5, 'QUEUED', 'NONE', 0, ?6)`;
const JOB = `INSERT INTO jobs (kind, queue, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at)
  VALUES ('message.deliver', ?1, 1, ?2, ?3, ?4, 0, 0, 0, ?4) ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id`;
const QUEUE = `INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until) VALUES (?1, 'channel', 8, 0, ?2, 0)
  ON CONFLICT (key) DO UPDATE SET next_at = min(coalesce(next_at, max(excluded.next_at, paused_until)), max(excluded.next_at, paused_until))`;

/**
 * The rows of an accepted send, by prepared statements of the bare library in transactions of 64, each synced before
 * the next begins.
 */
const rowRate = (): number => {
  const path = join(newDir(), "rows.db");
  const ids = { clock: systemClock(), random: systemRandom() };
  migrateDatabase(path, ids.clock.now());
  const db = new Database(path);
  for (const pragma of ["journal_mode=WAL", "synchronous=FULL", "cache_size=-65536", "wal_autocheckpoint=2000"])
    db.run(`PRAGMA ${pragma}`);
  const [message, job, queue] = [db.prepare(MESSAGE), db.prepare(JOB), db.prepare(QUEUE)];
  const [tenantId, channelId, content] = [
    newId(ids),
    newId(ids),
    JSON.stringify({ text: "Hello, this is a message of the benchmark." }),
  ];
  const groups = rateOf(WRITE_MS, () => {
    db.run("BEGIN IMMEDIATE");
    for (let n = 0; n < GROUP; n++) {
      const [id, now] = [newId(ids), ids.clock.now()];
      message.run(id, tenantId, channelId, "5511990000000", content, now);
      job.all(
        `channel:${channelId}`,
        JSON.stringify({ messageId: id, channelId, chat: "5511990000000" }),
        `message:${id}`,
        now,
      );
      queue.run(`channel:${channelId}`, now);
    }
    db.run("COMMIT");
  });
  db.close(true);
  return groups * GROUP;
};

export const diskLimits = (): DiskLimits => ({ syncsPerSecond: syncRate(), rowsPerSecond: rowRate() });

export const diskSection = ({ syncsPerSecond, rowsPerSecond }: DiskLimits): Section => ({
  title: "The disk",
  figures: [
    { what: "4 KiB appended and fdatasynced", value: perSecond(syncsPerSecond) },
    {
      what: `sends written by the bare library: message, job and queue, ${GROUP} a transaction, synced`,
      value: perSecond(rowsPerSecond),
      yardstick: `fdatasync ${perSecond(syncsPerSecond)}`,
      ratio: rowsPerSecond / syncsPerSecond,
    },
  ],
  notes: [],
});
