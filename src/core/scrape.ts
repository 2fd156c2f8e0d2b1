import { statfsSync, statSync } from "node:fs";
import { SECOND_MS } from "../kernel/clock.ts";
import { COLLECTION_NAMES } from "../kernel/collections.ts";
import { reasonOf } from "../kernel/errors.ts";
import type { Reader } from "../store/engine/db.ts";
import { largestCount } from "../store/tables/collections.ts";
import { type Gauges, readGauges } from "../store/tables/gauges.ts";
import { type LastBackups, lastBackups } from "./backups.ts";
import { endingClients } from "./channels/links/clients.ts";
import type { Env } from "./env.ts";
import { type Growth, readGrowth } from "./growth.ts";

/** The data directory, and the files of a local database. */
export type ScrapedFiles = { dataDir: string; database?: string; wal?: string };

type ScrapeEnv = Pick<
  Env,
  "clock" | "config" | "db" | "log" | "metrics" | "node" | "places" | "registry" | "stream" | "supervisor"
>;
type KnownGauges = Gauges & {
  backup: LastBackups["lastMade"];
  growth: Growth | undefined;
  ending: Awaited<ReturnType<typeof endingClients>>;
  largest: (readonly [{ collection: string }, number])[];
};
type Parts = { running(): number; bodyBytes(): number; files: ScrapedFiles };

/** The database is read at most once in this time, however often metrics are requested. */
const CACHED_MS = 5 * SECOND_MS;

/**
 * Returns the text of all metrics: the gauges of the database and everything that was counted. The text is at most five
 * seconds old. A gauge that cannot be read is left out and logged.
 */
export const createScrape = (env: () => ScrapeEnv, parts: Parts): (() => Promise<string>) => {
  let cached: { at: number; text: Promise<string> } | undefined;
  return () => {
    const at = env().clock.now();
    if (!cached || Math.abs(at - cached.at) >= CACHED_MS) cached = { at, text: scrape(env(), parts) };
    return cached.text;
  };
};

const scrape = async (env: ScrapeEnv, parts: Parts): Promise<string> => {
  const gauges = await gaugesOf(env);
  setGauges(env, gauges);
  setClients(env, gauges?.ending);
  setLimits(env, gauges);
  setBackup(env, gauges);
  setGrowth(env, gauges?.growth);
  setProcess(env, parts);
  setFiles(env, parts.files);
  const { isDurable } = env.db;
  env.metrics.put("recado_database_durable", isDurable === undefined ? undefined : Number(isDurable));
  return env.metrics.text();
};

/** Undefined while the database does not answer. */
const gaugesOf = async ({ clock, db, log, registry }: ScrapeEnv): Promise<KnownGauges | undefined> => {
  try {
    const [gauges, growth, largest, ending] = await db.read((reader) =>
      Promise.all([
        readGauges(reader, clock.now()),
        readGrowth(reader),
        largestOf(reader),
        endingClients(reader, registry.kinds),
      ]),
    );
    return { ...gauges, growth, largest, ending, backup: (await lastBackups({ db })).lastMade };
  } catch (thrown) {
    log.error({ error: reasonOf(thrown) }, "the gauges of the database could not be read");
    return undefined;
  }
};

const largestOf = (reader: Reader) =>
  Promise.all(
    (["contacts", "stored-bytes", "keyed-requests"] as const).map(
      async (collection) => [{ collection }, await largestCount(reader, collection)] as const,
    ),
  );

const setGauges = ({ clock, metrics }: ScrapeEnv, gauges: KnownGauges | undefined): void => {
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
  metrics.put("recado_console_sessions", gauges?.consoleSessions);
};

const setClients = ({ metrics }: ScrapeEnv, ending: KnownGauges["ending"] = []): void =>
  metrics.set(
    "recado_client_expires_timestamp_seconds",
    ending.map(({ kind, expiresAt }) => [{ kind }, expiresAt / 1000] as const),
  );

const setLimits = ({ config, metrics }: ScrapeEnv, gauges: KnownGauges | undefined): void => {
  metrics.set(
    "recado_limit",
    COLLECTION_NAMES.map((collection) => [{ collection }, config.limits[collection]] as const),
  );
  metrics.set("recado_largest_account", gauges?.largest ?? []);
};

/** Zeros if there has been no backup yet. */
const setBackup = ({ metrics }: ScrapeEnv, gauges: KnownGauges | undefined): void => {
  metrics.put("recado_backup_last_success_timestamp_seconds", gauges && (gauges.backup?.at ?? 0) / 1000);
  metrics.put("recado_backup_last_duration_seconds", gauges && (gauges.backup?.durationMs ?? 0) / 1000);
  metrics.put("recado_backup_last_size_bytes", gauges && (gauges.backup?.sizeBytes ?? 0));
};

const setGrowth = ({ metrics }: ScrapeEnv, growth: Growth | undefined): void => {
  const series = (counts: object | undefined) =>
    Object.entries(counts ?? {}).map(([group, n]: [string, number]) => [{ group }, n] as const);
  metrics.set("recado_table_rows", series(growth?.rows));
  metrics.set("recado_table_rows_written_per_day", series(growth?.perDay?.written));
  metrics.put("recado_database_growth_bytes_per_day", growth?.perDay?.databaseBytes);
  metrics.put("recado_disk_full_seconds", growth?.fullInMs === undefined ? undefined : growth.fullInMs / 1000);
};

const setProcess = ({ metrics, node, places, stream, supervisor }: ScrapeEnv, { running, bodyBytes }: Parts): void => {
  metrics.put("recado_nodes_alive", node.count);
  metrics.put("recado_stream_clients", stream.total());
  metrics.put("recado_delivery_more_places", places.more);
  metrics.put("recado_jobs_running", running());
  metrics.put("recado_request_body_bytes", bodyBytes());
  metrics.put("recado_session_silence_seconds", supervisor.silenceMs() / 1000);
};

const sizeOf = (path: string | undefined): number | undefined =>
  path === undefined ? undefined : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);

const setFiles = ({ metrics }: ScrapeEnv, { dataDir, database, wal }: ScrapedFiles): void => {
  const { bavail, bsize } = statfsSync(dataDir);
  metrics.put("recado_database_bytes", sizeOf(database));
  metrics.put("recado_wal_bytes", sizeOf(wal));
  metrics.put("recado_disk_free_bytes", bavail * bsize);
};
