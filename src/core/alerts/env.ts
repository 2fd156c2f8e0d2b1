import type { Backups } from "../../contract/ports/backups.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { ChannelsEnv } from "../channels/env.ts";
import type { ALERT_JOBS } from "./jobs.ts";
import type { RememberedAlerts } from "./remembered.ts";

/** The environment of the functions of `alerts`. */
export type AlertsEnv = ChannelsEnv & {
  config: Pick<Config, "alerts" | "dataDir">;
  backups: Backups | undefined;
  /** The troubles that were announced while nothing could be stored. */
  rememberedAlerts: RememberedAlerts;
  /** The free space of the disk with the data directory. */
  disk(): { freeBytes: number; totalBytes: number };
  /** The background work that `alerts` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof ALERT_JOBS>>;
};
