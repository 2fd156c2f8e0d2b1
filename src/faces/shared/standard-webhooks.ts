import type { AttemptFacts } from "../../core/events/fact.ts";
import { hmacSha256 } from "../../kernel/crypto.ts";

/**
 * The headers of the Standard Webhooks specification, which ready-made client libraries verify: the id is the event's and the same on every
 * attempt, the signature is over `id.timestamp.body`, keyed by the bytes of the secret as they are.
 */
export const standardHeaders = ({ eventId, body, secret, atMs }: AttemptFacts): Record<string, string> => {
  const timestamp = Math.floor(atMs / 1000);
  return {
    "Content-Type": "application/json",
    "User-Agent": "Recado",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${hmacSha256(secret, `${eventId}.${timestamp}.${body}`, "base64")}`,
  };
};
