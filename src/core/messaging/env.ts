import type { KeyedSemaphore } from "../../kernel/async.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Config } from "../../kernel/settings/config.ts";
import type { Enqueuer, PayloadsOf } from "../../runtime/jobs.ts";
import type { ConversationsEnv } from "../conversations/env.ts";
import type { MESSAGING_JOBS } from "./jobs.ts";
import type { UnsentTries } from "./sending/unsent.ts";

/** `missing`: why the list did not come; null if the network answered. */
type TemplateList = { askedAt: number; missing: string | null };

/** The environment of the functions of `messaging`. */
export type MessagingEnv = ConversationsEnv & {
  config: Pick<Config, "uncertainSends" | "billingTz">;
  /** The idempotency keys whose first request is being answered. */
  beingAccepted: Set<string>;
  /** The attempts that never left this process, but may be stored as begun. */
  unsentTries: UnsentTries;
  /** Limits the template syncs that unknown templates cause, by channel. */
  templateSyncs: KeyedSemaphore;
  /** How the last list of a channel's templates ended in this process. */
  templateLists: Map<ChannelId, TemplateList>;
  /** The jobs that `messaging` enqueues. */
  jobs: Enqueuer<PayloadsOf<typeof MESSAGING_JOBS>>;
};
