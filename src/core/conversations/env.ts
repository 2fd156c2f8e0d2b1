import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MediaEnv } from "../media/env.ts";
import type { CONVERSATION_JOBS } from "./jobs.ts";

/** The environment of the functions of `conversations`. */
export type ConversationsEnv = MediaEnv & {
  /** The jobs that `conversations` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof CONVERSATION_JOBS>>;
};
