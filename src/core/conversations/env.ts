import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MediaEnv } from "../media/env.ts";
import type { CONVERSATION_JOBS } from "./jobs.ts";

/** What the functions of `conversations` may ask for. */
export type ConversationsEnv = MediaEnv & {
  /** The jobs that `conversations` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof CONVERSATION_JOBS>>;
};
