import { BY_CHANNEL, type Definitions, TO_ACCOUNTS } from "./definition.ts";
import { idOf } from "./samples.ts";

/** Webhooks that lose events. */

export type SubscriptionEvents = {
  "subscription.failed": {
    failedSubscriptionId: string;
    eventId: string;
    eventType: string;
    url: string;
    attempts: number;
    lastStatusCode: number | null;
    lastError: string | null;
  };
};

export const SUBSCRIPTION_EVENTS = {
  "subscription.failed": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    exceptSubscription: ({ failedSubscriptionId }) => failedSubscriptionId, // it would fail again
    samples: [
      {
        failedSubscriptionId: idOf(13),
        eventId: idOf(14),
        eventType: "message:received",
        url: "https://example.com/hooks/recado",
        attempts: 9,
        lastStatusCode: 503,
        lastError: "HTTP 503",
      },
    ],
  },
} satisfies Definitions<SubscriptionEvents>;
