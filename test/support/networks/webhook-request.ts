import type { WebhookRequest } from "../../../src/contract/webhooks.ts";

/** A request of a network, as an adapter gets it. */
export const webhookRequest = (body: string | Uint8Array = "", headers = new Headers()): WebhookRequest => ({
  method: "POST",
  url: "https://recado.example/gateway/v1/upstream-webhook",
  query: new URLSearchParams(),
  headers,
  receivedAt: 0,
  rawBody: Buffer.from(body),
});
