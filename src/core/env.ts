import type { Http } from "../contract/http.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Secrets, Tokens } from "../kernel/crypto.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Enqueuer } from "../runtime/jobs.ts";
import type { Db } from "../store/db.ts";
import type { Registry } from "./channels/registry.ts";
import type { Supervisor } from "./channels/supervisor.ts";
import type { Renderers } from "./events/fact.ts";
import type { EventStream } from "./events/stream.ts";
import type { JobPayloads } from "./jobs.ts";
import type { KeyUse } from "./tenancy/key-use.ts";

/** What the core may ask for; a core function names the part it needs. Put together in app.ts, and in the tests' World. */
export type Env = {
  clock: Clock;
  random: Random;
  log: Log;
  config: Pick<Config, "registration" | "defaultPlan" | "uncertainSends">;
  db: Db;
  secrets: Secrets;
  tokens: Tokens;
  http: Http & { isUrlAllowed(url: string): boolean; close(): void };
  jobs: Enqueuer<JobPayloads>;
  registry: Registry;
  supervisor: Supervisor;
  renderers: Renderers;
  /** Where clients and upstreams find the gateway API, without a slash at the end; known once the process listens. */
  gatewayUrl(): string;
  stream: EventStream;
  keyUse: KeyUse;
  /** Idempotency keys whose first request is being answered. */
  beingAccepted: Set<string>;
};
