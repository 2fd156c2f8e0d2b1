import type { Enqueuer } from "../../runtime/jobs.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { MediaEnv } from "../media/env.ts";

/** What the functions of `conversations` may ask for. */
export type ConversationsEnv = MediaEnv & {
  /** The jobs that `conversations` enqueues. */
  jobs: Enqueuer<Pick<JobPayloads, "conversation.release-idle">>;
};
