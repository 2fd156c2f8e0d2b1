/** Fields of webhooks, events and deliveries. */
export const EVENTS_FIELDS = {
  events: { description: "Event types", examples: [["message:received"], ["message.received"]] },
  secret: { description: "The key of the signatures; never shown again", example: "segredo-de-exemplo" },
  attempts: { description: "How often delivery was tried", example: 1 },
  attempt: { description: "1 is the first", example: 1 },
  deliveries: {
    examples: [
      [
        {
          id: "019a1b2c-eeee-4a1e-8b2e-c3ed4ee5ef01",
          url: "https://padaria-estrela.example/eventos",
          status: "DELIVERED",
          attempts: 1,
          nextRetryAt: null,
          lastStatusCode: 200,
          lastError: null,
          deliveredAt: "2026-11-22T12:00:02.000Z",
        },
      ],
      { pending: 3, dead: 0 },
    ],
  },
  nextRetryAt: { description: "When it is tried next; null: not any more", example: null },
  lastError: { description: "Why the last try failed; null where none did", examples: [null, "HTTP 503"] },
  active: { description: "Whether events are delivered; true by default", example: true },
  retryPolicy: { example: { maxRetries: 5, retryDelay: 30000 } },
  maxRetries: { description: "Tries after the first; 5 by default", example: 5 },
  retryDelay: { description: "Milliseconds between tries; 30000 by default", example: 30000 },
  consecutiveFailures: { description: "At 5 the webhook is disabled", example: 0 },
  lastFailedAt: { description: "Null while no delivery has failed", example: null },
  statusCode: { description: "What the endpoint answered", example: 200 },
  responseTime: { description: "Milliseconds until the answer", example: 84 },
} as const;
