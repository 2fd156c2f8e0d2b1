import type { Files } from "../../contract/ports/files.ts";
import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { ChannelsEnv } from "../channels/env.ts";
import type { MEDIA_JOBS } from "./jobs.ts";

/** The environment of the functions of `media`. */
export type MediaEnv = ChannelsEnv & {
  config: Pick<Config, "keep">;
  files: Files;
  /**
   * Limits the number of files on disk: files that are fetched from networks, by kind of channel, and customers'
   * uploads, by tenant.
   */
  downloads: KeyedSemaphore;
  uploads: KeyedSemaphore;
  /** The jobs that `media` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof MEDIA_JOBS>>;
};
