import type { AttemptContext } from "../../core/events/audience.ts";
import { hmacSha256 } from "../../kernel/crypto.ts";

const PREFIX = "whsec_";

/** The keys of a secret: its bytes, and for the specification's form (`whsec_…`) first the decoded base64. */
const keysOf = (secret: string): (string | Uint8Array)[] => {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded) && encoded !== ""
    ? [Buffer.from(encoded, "base64"), secret]
    : [secret];
};

/** The meaning of these headers, by their names. */
export const STANDARD_HEADERS = {
  "webhook-id": "The event's id, the same on every attempt",
  "webhook-timestamp": "When this attempt was made, in seconds since 1970",
  "webhook-signature": "Standard Webhooks signatures of `id.timestamp.body`, each as `v1,<base64>`",
} as const;

/**
 * The headers of Standard Webhooks, which ready-made client libraries verify. The id is the event's, the same on every
 * attempt. The signatures are over `id.timestamp.body`: one for each key of the secret, and of the previous secret
 * while it is valid. See https://www.standardwebhooks.com/.
 */
export const standardHeaders = ({
  eventId,
  body,
  secret,
  previousSecret,
  atMs,
}: AttemptContext): Record<string, string> => {
  const timestamp = Math.floor(atMs / 1000);
  const keys = [secret, previousSecret].flatMap((one) => (one === undefined ? [] : keysOf(one)));
  return {
    "Content-Type": "application/json",
    "User-Agent": "Recado",
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys
      .map((key) => `v1,${hmacSha256(key, `${eventId}.${timestamp}.${body}`, "base64")}`)
      .join(" "),
  };
};
