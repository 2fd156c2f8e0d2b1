import type { Enqueuer } from "../../runtime/jobs.ts";
import type { AiEnv } from "../ai/env.ts";
import type { BillingEnv } from "../billing/env.ts";
import type { CallsEnv } from "../calls/env.ts";
import type { GroupsEnv } from "../groups/env.ts";
import type { JobPayloads } from "../job-payloads.ts";

/** What the functions of `people` may ask for. */
export type PeopleEnv = GroupsEnv &
  CallsEnv &
  AiEnv &
  BillingEnv & {
    /** The background work that `people` enqueues. */
    jobs: Enqueuer<Pick<JobPayloads, "person.erase">>;
  };
