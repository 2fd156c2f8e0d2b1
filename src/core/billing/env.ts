import type { Processor } from "../../contract/ports/processor.ts";
import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { MessagingEnv } from "../messaging/env.ts";
import type { BILLING_JOBS } from "./jobs.ts";

/** The environment of the functions of `billing`. */
export type BillingEnv = MessagingEnv & {
  config: Pick<Config, "billingTz" | "comparesCharges" | "processor" | "pix">;
  /** Undefined when the operator has configured no payment processor. */
  processor: Processor | undefined;
  /** Requests to the payment processor: one at a time per invoice and per customer. */
  charging: KeyedSemaphore;
  /** The background work that billing enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof BILLING_JOBS>>;
};
