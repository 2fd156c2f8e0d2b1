import type { Backups } from "../contract/backups.ts";
import type { Config } from "../kernel/config.ts";
import type { Enqueuer } from "../runtime/jobs.ts";
import type { JobPayloads } from "./job-payloads.ts";
import type { PeopleEnv } from "./people/env.ts";

/**
 * All that the core asks for, for what concerns every slice at once. Put together in composition.ts, and in the tests'
 * World.
 */
export type Env = PeopleEnv & {
  config: Pick<Config, "dataDir">;
  /** Undefined where the operator has named no place for backups. */
  backups: Backups | undefined;
  jobs: Enqueuer<JobPayloads>;
};
