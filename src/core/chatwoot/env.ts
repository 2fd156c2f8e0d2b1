import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MessagingEnv } from "../messaging/env.ts";
import type { CHATWOOT_JOBS } from "./jobs.ts";

/** The environment of the functions of `chatwoot`. */
export type ChatwootEnv = MessagingEnv & {
  /** The jobs that `chatwoot` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof CHATWOOT_JOBS>>;
};
