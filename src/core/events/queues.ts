import type { SubscriptionId } from "../../kernel/ids.ts";
import { type Queue, queueOf } from "../../store/queues.ts";

/** New deliveries of an endpoint. A queue of its own for retries lets the breaker hold back the new ones alone. */
export const endpointQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint", subscriptionId);
export const retryQueue = (subscriptionId: SubscriptionId): Queue => queueOf("endpoint-retry", subscriptionId);
