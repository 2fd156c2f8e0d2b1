import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer } from "../../runtime/jobs.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { MessagingEnv } from "../messaging/env.ts";

/** What the functions of `calls` may ask for. */
export type CallsEnv = MessagingEnv & {
  config: Pick<Config, "ringTimeoutSeconds">;
  /** Serialises the operations on one call, by its id. */
  callActs: KeyedSemaphore;
  /** The background work that calls enqueues. */
  jobs: Enqueuer<Pick<JobPayloads, "call.ring-out" | "call.end" | "call.end-at-network">>;
};
