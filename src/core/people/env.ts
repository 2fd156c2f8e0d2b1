import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { AiEnv } from "../ai/env.ts";
import type { BillingEnv } from "../billing/env.ts";
import type { CallsEnv } from "../calls/env.ts";
import type { GroupsEnv } from "../groups/env.ts";
import type { PEOPLE_JOBS } from "./jobs.ts";

/** The environment of the functions of `people`. */
export type PeopleEnv = GroupsEnv &
  CallsEnv &
  AiEnv &
  BillingEnv & {
    /** The background work that `people` enqueues. */
    jobs: Enqueuer<PayloadsOf<typeof PEOPLE_JOBS>>;
  };
