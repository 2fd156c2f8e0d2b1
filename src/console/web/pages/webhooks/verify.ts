/** Programs that check the signature of a delivery, to be copied. The secret stays a setting of the reader's system. */
export const VERIFY_NODE = `import { createHmac, timingSafeEqual } from "node:crypto";

// rawBody: the bytes of the request, before JSON.parse
export function isFromRecado(rawBody, headers, secret) {
  const given = Buffer.from(headers["x-gateway-signature"] ?? "");
  const right = Buffer.from(
    "sha256=" + createHmac("sha256", secret).update(rawBody).digest("hex"),
  );
  return given.length === right.length && timingSafeEqual(given, right);
}
// answer 401 where it is false, and 200 where it is true`;

export const VERIFY_PYTHON = `import hashlib, hmac

def is_from_recado(raw_body: bytes, headers, secret: str) -> bool:
    right = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("X-Gateway-Signature", ""), right)`;
