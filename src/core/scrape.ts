import { statfsSync, statSync } from "node:fs";
import { SECOND_MS } from "../kernel/clock.ts";
import { COLLECTION_NAMES } from "../kernel/collections.ts";
import { reasonOf } from "../kernel/errors.ts";
import { largestCount } from "../store/collections.ts";
import type { Reader } from "../store/db.ts";
import { type Gauges, readGauges } from "../store/gauges.ts";
import { type LastBackups, lastBackups } from "./backups.ts";
import type { Env } from "./env.ts";
import { type Growth, readGrowth } from "./growth.ts";

/** Where the data directory and, where there are any, the database's own files lie. */
export type ScrapedFiles = { dataDir: string; database?: string; wal?: string };

type ScrapeEnv = Pick<Env, "clock" | "config" | "db" | "log" | "metrics" | "node" | "supervisor">;
type Known = Gauges & {
  backup: LastBackups["lastMade"];
  growth: Growth | undefined;
  largest: (readonly [{ collection: string }, number])[];
};
type Parts = { running(): number; bodyBytes(): number; files: ScrapedFiles };

/** However often it is asked, the database is looked at once in so long. */
const KEPT_MS = 5 * SECOND_MS;

/**
 * Looks up how things stand, and gives that together with all that was counted, at most five seconds ago. What cannot
 * be looked up is left out and logged.
 */
export const createScrape = (env: () => ScrapeEnv, parts: Parts): (() => Promise<string>) => {
  let kept: { at: number; text: Promise<string> } | undefined;
  return () => {
    const at = env().clock.now();
    if (!kept || Math.abs(at - kept.at) >= KEPT_MS) kept = { at, text: scrape(env(), parts) };
    return kept.text;
  };
};

const scrape = async (env: ScrapeEnv, parts: Parts): Promise<string> => {
  const gauges = await standingOf(env);
  noteState(env, gauges);
  noteLimits(env, gauges);
  noteBackup(env, gauges);
  noteGrowthOf(env, gauges?.growth);
  noteProcess(env, parts);
  noteFiles(env, parts.files);
  return env.metrics.text();
};

/** Undefined while the database does not answer. */
const standingOf = async ({ clock, db, log }: ScrapeEnv): Promise<Known | undefined> => {
  try {
    const [gauges, growth, largest] = await db.read((reader) =>
      Promise.all([readGauges(reader, clock.now()), readGrowth(reader), largestOf(reader)]),
    );
    return { ...gauges, growth, largest, backup: (await lastBackups({ db })).lastMade };
  } catch (thrown) {
    log.error({ error: reasonOf(thrown) }, "the database could not be asked how things stand");
    return undefined;
  }
};

const largestOf = (reader: Reader) =>
  Promise.all(
    (["contacts", "stored-bytes"] as const).map(
      async (collection) => [{ collection }, await largestCount(reader, collection)] as const,
    ),
  );

const noteState = ({ clock, metrics }: ScrapeEnv, gauges: Known | undefined): void => {
  const now = clock.now();
  const secondsSince = (at: number | undefined): number => (now - (at ?? now)) / 1000;
  metrics.put("recado_database_up", gauges ? 1 : 0);
  metrics.set("recado_channels", gauges?.channels.map(({ kind, state, n }) => [{ kind, state }, n] as const) ?? []);
  metrics.set("recado_channels_lost", gauges?.lostChannels.map(({ kind, n }) => [{ kind }, n] as const) ?? []);
  metrics.set("recado_queues_paused", gauges?.pausedQueues.map(({ queue, n }) => [{ queue }, n] as const) ?? []);
  metrics.put("recado_jobs_waiting", gauges?.jobsWaiting);
  metrics.put("recado_queues_due", gauges?.queuesDue);
  metrics.put("recado_job_oldest_due_seconds", gauges && secondsSince(gauges.oldestDueAt));
  metrics.put("recado_discarded_jobs", gauges?.discardedJobs);
  metrics.put("recado_deliveries_pending", gauges?.deliveriesPending);
  metrics.put("recado_dead_letters", gauges?.deadLetters);
};

const noteLimits = ({ config, metrics }: ScrapeEnv, gauges: Known | undefined): void => {
  metrics.set(
    "recado_limit",
    COLLECTION_NAMES.map((collection) => [{ collection }, config.limits[collection]] as const),
  );
  metrics.set("recado_largest_account", gauges?.largest ?? []);
};

/** Zeros where there has been no backup yet. */
const noteBackup = ({ metrics }: ScrapeEnv, gauges: Known | undefined): void => {
  metrics.put("recado_backup_last_success_timestamp_seconds", gauges && (gauges.backup?.at ?? 0) / 1000);
  metrics.put("recado_backup_last_duration_seconds", gauges && (gauges.backup?.durationMs ?? 0) / 1000);
  metrics.put("recado_backup_last_size_bytes", gauges && (gauges.backup?.sizeBytes ?? 0));
};

const noteGrowthOf = ({ metrics }: ScrapeEnv, growth: Growth | undefined): void => {
  const series = (counts: object | undefined) =>
    Object.entries(counts ?? {}).map(([group, n]: [string, number]) => [{ group }, n] as const);
  metrics.set("recado_table_rows", series(growth?.rows));
  metrics.set("recado_table_rows_written_per_day", series(growth?.perDay?.written));
  metrics.put("recado_database_growth_bytes_per_day", growth?.perDay?.databaseBytes);
  metrics.put("recado_disk_full_seconds", growth?.fullInMs === undefined ? undefined : growth.fullInMs / 1000);
};

const noteProcess = ({ metrics, node, supervisor }: ScrapeEnv, { running, bodyBytes }: Parts): void => {
  metrics.put("recado_nodes_alive", node.count);
  metrics.put("recado_jobs_running", running());
  metrics.put("recado_request_body_bytes", bodyBytes());
  metrics.put("recado_session_silence_seconds", supervisor.silenceMs() / 1000);
};

const sizeOf = (path: string | undefined): number | undefined =>
  path === undefined ? undefined : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

const noteFiles = ({ metrics }: ScrapeEnv, { dataDir, database, wal }: ScrapedFiles): void => {
  const { bavail, bsize } = statfsSync(dataDir);
  metrics.put("recado_database_bytes", sizeOf(database));
  metrics.put("recado_wal_bytes", sizeOf(wal));
  metrics.put("recado_disk_free_bytes", bavail * bsize);
};
