/** Fields of webhooks, events and deliveries. */
export const EVENTS_FIELDS = {
  events: { description: "Event types", examples: [["message:received"], ["message.received"]] },
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
  lastFailedAt: { description: "Null while no delivery has failed", example: null },
} as const;
