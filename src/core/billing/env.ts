import type { Processor } from "../../contract/processor.ts";
import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/config.ts";
import type { Enqueuer } from "../../runtime/jobs.ts";
import type { JobPayloads } from "../job-payloads.ts";
import type { MessagingEnv } from "../messaging/env.ts";

/** What the functions of `billing` may ask for. */
export type BillingEnv = MessagingEnv & {
  config: Pick<Config, "billingTz" | "processor">;
  /** Undefined where the operator has configured none. */
  processor: Processor | undefined;
  /** What is asked of the payment processor, one thing at a time for each invoice and each customer. */
  charging: KeyedSemaphore;
  /** The background work that billing enqueues. */
  jobs: Enqueuer<Pick<JobPayloads, "invoice.issue" | "processor.apply">>;
};
