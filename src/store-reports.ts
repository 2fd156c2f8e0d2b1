import { dirname } from "node:path";
import { MINUTE_MS, monotonicClock } from "./kernel/clock.ts";
import type { Log } from "./kernel/log.ts";
import type { Metrics } from "./kernel/metrics.ts";
import { databaseFile } from "./setup.ts";
import type { ServerSettings } from "./store/engine/remote/hrana.ts";
import type { WriteObserver } from "./store/engine/write-queue.ts";

/** The database's reports to the log. */
export const reporting = (log: Log) => ({
  onReplicaTrouble: (error: unknown) =>
    log.warn({ error: String(error) }, "the replica does not follow its server; the server is asked until it does"),
  onMigrated: (migration: string, durationMs: number) => log.info({ migration, durationMs }, "migration applied"),
  onSettings: serverSettingsLogged(log),
});

/** Logs the settings of the database server that break a promise, and when they no longer do. */
const serverSettingsLogged = (log: Log): ((settings: ServerSettings) => void) => {
  let wasDurable = true;
  return ({ isDurable, hasReferences }) => {
    if (!isDurable)
      log.error(
        { durability: "relaxed" },
        "the database server acknowledges before its disk does: a loss of power there loses what was accepted; " +
          "set its durability_mode to strong, at each of its starts (docs/cluster.md)",
      );
    else if (!wasDurable) log.info({ durability: "strong" }, "the database server writes to its disk first again");
    if (!hasReferences) log.error({}, "the database server does not check foreign keys: switch that on there");
    wasDurable = isDurable;
  };
};

/** The place of the database, for people. */
export const placeOfDatabase = (config: Parameters<typeof databaseFile>[0]): string => {
  const file = databaseFile(config);
  return file === undefined ? "the database server" : dirname(file);
};

const atMostEvery = (ms: number, run: () => void): (() => void) => {
  const { now } = monotonicClock();
  let last: number | undefined;
  return () => {
    if (last !== undefined && now() - last < ms) return;
    last = now();
    run();
  };
};

/** `place`: the place of the database, for people. */
type Observing = { metrics: Metrics; log: Log; onWork(): void; place: string };

/**
 * The database's reports to the figures, and to the log of a full disk. `takeFull`: whether a write has found no space
 * since the last call.
 */
export const observing = ({ metrics, log, onWork, place }: Observing): WriteObserver & { takeFull(): boolean } => {
  let wasFull = false;
  const logFull = atMostEvery(MINUTE_MS, () =>
    log.error({}, `the disk of ${place} is full: requests are refused with 503 until there is room`),
  );
  return {
    onGroup({ size, tookMs, queued }) {
      onWork();
      metrics.observe("recado_write_group_size", {}, size);
      metrics.observe("recado_write_commit_seconds", {}, tookMs / 1000);
      metrics.put("recado_write_queue_length", queued);
    },
    onFull() {
      wasFull = true;
      logFull();
    },
    takeFull() {
      const taken = wasFull;
      wasFull = false;
      return taken;
    },
    onSync: (durationMs) => metrics.observe("recado_disk_sync_seconds", {}, durationMs / 1000),
  };
};
