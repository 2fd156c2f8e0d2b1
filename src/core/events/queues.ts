import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type Queue, queueOf, resumeQueue } from "../../store/tables/queues.ts";
import type { EventsEnv } from "./env.ts";

/**
 * The queue of the new deliveries of an endpoint. Retries have their own queue, so that the breaker pauses only the new
 * ones.
 */
export const endpointQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint", subscriptionId);
export const retryQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint-retry", subscriptionId);

/** Resumes the new deliveries of an endpoint now, which its breaker has paused. */
export const resumeEndpoint = ({ jobs }: Pick<EventsEnv, "jobs">, tx: Tx, subscriptionId: SubscriptionId): void => {
  resumeQueue(tx, jobs, endpointQueue(subscriptionId).key, "breaker");
};
