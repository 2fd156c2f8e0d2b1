import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Random } from "../kernel/random.ts";
import type { Db } from "../store/engine/db.ts";

/** The environment of every function of the core: time, randomness, the log, the metrics and the database. */
export type BaseEnv = {
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  db: Db;
};
