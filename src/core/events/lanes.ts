import type { SubscriptionId } from "../../kernel/ids.ts";

/** New deliveries of an endpoint. A lane of its own for retries lets the breaker hold back the new ones alone. */
export const endpointLane = (subscriptionId: SubscriptionId): string => `endpoint:${subscriptionId}`;
export const retryLane = (subscriptionId: SubscriptionId): string => `endpoint-retry:${subscriptionId}`;
