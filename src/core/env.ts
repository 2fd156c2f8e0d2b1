import type { Backups } from "../contract/ports/backups.ts";
import type { Config } from "../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../runtime/jobs.ts";
import type { AlertsEnv } from "./alerts/env.ts";
import type { ChatwootEnv } from "./chatwoot/env.ts";
import type { OWN_JOBS } from "./own-jobs.ts";
import type { PeopleEnv } from "./people/env.ts";

/**
 * The environment of the whole core, for functions that concern every slice. composition.ts makes it, and so does the
 * tests' World.
 */
export type Env = PeopleEnv &
  AlertsEnv &
  ChatwootEnv & {
    /** Undefined when the operator has configured no location for backups. */
    backups: Backups | undefined;
    jobs: Enqueuer<PayloadsOf<typeof OWN_JOBS>>;
    config: Pick<Config, "updateUrl">;
  };
