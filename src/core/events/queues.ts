import type { SubscriptionId } from "../../kernel/ids.ts";
import { type Queue, queueOf } from "../../store/queues.ts";

/**
 * The queue of the new deliveries of an endpoint. Retries have their own queue, so that the breaker pauses only the new
 * ones.
 */
export const endpointQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint", subscriptionId);
export const retryQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint-retry", subscriptionId);
