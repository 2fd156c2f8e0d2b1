import type { Mailer } from "../../contract/ports/mail.ts";
import type { Secrets, Tokens } from "../../kernel/crypto.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { BaseEnv } from "../base-env.ts";
import type { Activity } from "./accounts/activity.ts";
import type { FOR_CONVERSATIONS, TENANCY_JOBS } from "./jobs.ts";
import type { KeyUse } from "./keys/key-use.ts";
import type { Passwords } from "./sign-in/passwords.ts";
import type { Refusals } from "./sign-in/refusals.ts";

/** The environment of the functions of `tenancy`. */
export type TenancyEnv = BaseEnv & {
  config: Pick<Config, "registration" | "defaultPlan" | "limits" | "language" | "passwords">;
  secrets: Secrets;
  tokens: Tokens;
  passwords: Passwords;
  /** Logs refused proofs of identity. */
  refusals: Refusals;
  /** The address of a console page that a mailed link opens, with its token. */
  linkTo(page: "invitation" | "operator" | "reset-password" | "verify-email", token: string): string;
  /** Ends the event streams of a tenant whose access has ended. */
  endStreams(tenantId: TenantId): void;
  mailer: Mailer | undefined;
  keyUse: KeyUse;
  /** Counts events for charts. */
  activity: Activity;
  /** The use of the console's sessions, by the hash of each. */
  sessionUse: KeyUse;
  /** The claims of requests with an idempotency key that this process is answering. */
  openClaims: Set<string>;
  /** The background work that tenancy enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof TENANCY_JOBS & typeof FOR_CONVERSATIONS>>;
};
