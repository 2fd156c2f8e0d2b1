import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MessagingEnv } from "../messaging/env.ts";
import type { CALL_JOBS } from "./jobs.ts";

/** The environment of the functions of `calls`. */
export type CallsEnv = MessagingEnv & {
  config: Pick<Config, "ringTimeoutSeconds">;
  /** Serialises the operations on one call, by its id. */
  callActs: KeyedSemaphore;
  /** The background work that calls enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof CALL_JOBS>>;
};
