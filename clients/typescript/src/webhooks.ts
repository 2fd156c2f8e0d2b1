import { WebhookVerificationError } from "./errors.ts";
import type { WebhookEvent as GatewayEvent } from "./generated/gateway.ts";
import type { WebhookEvent as PlatformEvent } from "./generated/platform.ts";

/** Headers as a server gives them: of the fetch API, of Node.js, or pairs of names and values. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /**
   * How far the time of the delivery may be from now; by default 300,000. With `null` any age will do, and a delivery
   * that has lost its Standard Webhooks headers on the way is verified by `X-Gateway-Signature` alone.
   */
  toleranceMs?: number | null;
  /** In place of the present, in milliseconds since 1970. */
  nowMs?: number;
};

type Verify<Event> = (
  raw: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options?: VerifyOptions,
) => Promise<Event>;

const DEFAULT_TOLERANCE_MS = 300_000;
const SECRET_PREFIX = "whsec_";
const HEX_HEADERS = [
  "x-gateway-signature",
  "x-gateway-signature-previous",
  "x-webhook-signature",
  "x-webhook-signature-previous",
];

const encoder = new TextEncoder();

const bytesOf = (raw: string | Uint8Array | ArrayBuffer): Uint8Array => {
  if (typeof raw === "string") return encoder.encode(raw);
  return raw instanceof Uint8Array ? raw : new Uint8Array(raw);
};

const headerOf = (headers: WebhookHeaders, name: string): string => {
  if (isHeaders(headers)) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? "";
  return typeof found === "string" ? found : found.join(" ");
};

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === "function";

/** The text's bytes from base64 or hex; undefined where it is neither. */
const decoded = (text: string, encoding: "base64" | "hex"): Uint8Array<ArrayBuffer> | undefined => {
  if (encoding === "hex")
    return /^(?:[0-9a-f]{2})+$/i.test(text)
      ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      : undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** The keys that a secret stands for: its bytes, and those that the form `whsec_<base64>` encodes. */
const keysOf = (secret: string): Uint8Array<ArrayBuffer>[] => {
  const inner = secret.startsWith(SECRET_PREFIX) ? decoded(secret.slice(SECRET_PREFIX.length), "base64") : undefined;
  return [encoder.encode(secret), ...(inner && inner.length > 0 ? [inner] : [])];
};

const joined = (head: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const first = encoder.encode(head);
  const all = new Uint8Array(first.length + body.length);
  all.set(first);
  all.set(body, first.length);
  return all;
};

/** Whether one of the keys made one of the signatures. WebCrypto compares in constant time. */
const isSignedBy = async (
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  for (const bytes of secrets.flatMap(keysOf)) {
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  return false;
};

const present = <Value>(values: (Value | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== undefined);

/** What the headers claim: the signatures, and the bytes that they are over. */
const claimOf = (body: Uint8Array, headers: WebhookHeaders, { toleranceMs, nowMs }: Required<VerifyOptions>) => {
  const [id, timestamp, list] = ["id", "timestamp", "signature"].map((name) => headerOf(headers, `webhook-${name}`));
  if (id && timestamp && list) {
    const ageMs = Math.abs(nowMs - Number(timestamp) * 1000);
    if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is no time.");
    if (toleranceMs !== null && ageMs > toleranceMs)
      throw new WebhookVerificationError(`The delivery is ${Math.round(ageMs / 1000)} s away from now.`);
    const signatures = list
      .split(" ")
      .map((one) => (one.startsWith("v1,") ? decoded(one.slice(3), "base64") : undefined));
    return { signatures: present(signatures), signed: joined(`${id}.${timestamp}.`, body) };
  }
  // without a signed time an old delivery could be sent again for ever
  if (toleranceMs !== null)
    throw new WebhookVerificationError("The headers webhook-id, -timestamp and -signature are missing.");
  const signatures = HEX_HEADERS.map((name) => decoded(headerOf(headers, name).replace(/^sha256=/, ""), "hex"));
  return { signatures: present(signatures), signed: joined("", body) };
};

const verify = async (
  raw: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceMs = DEFAULT_TOLERANCE_MS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<unknown> => {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (secrets.length === 0 || secrets.includes("")) throw new TypeError("A secret is missing.");
  const body = bytesOf(raw);
  const { signatures, signed } = claimOf(body, headers, { toleranceMs, nowMs });
  if (!(await isSignedBy(secrets, signatures, signed)))
    throw new WebhookVerificationError("No signature of the delivery is by the secret.");
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch (cause) {
    throw new WebhookVerificationError("The body is not JSON.", { cause });
  }
};

/** Whether an event came without its content, because it has more than 256 KiB. */
const isCut = (event: object): boolean => {
  const { isCut: own, data } = event as { isCut?: unknown; data?: { isCut?: unknown } };
  return own === true || data?.isCut === true;
};

/** Verifies deliveries of the gateway API's webhooks. */
export const webhooks = {
  /**
   * The event of a delivery. `raw` is the body as it came, before anything parses it. With several secrets each will
   * do, so a secret can be changed. @throws WebhookVerificationError where Recado did not send it so, or not now.
   */
  verify: verify as Verify<GatewayEvent>,
  /** Whether an event came without its content, because it has more than 256 KiB. `recado.events.get(id)` has it. */
  isCut,
};

/** Verifies deliveries of the platform API's webhooks. */
export const platformWebhooks = {
  /** The same as `webhooks.verify`, for the events of the platform API. */
  verify: verify as Verify<PlatformEvent>,
  /** Whether an event came without its content, because it has more than 256 KiB. `messages.get(id)` has the message. */
  isCut,
};
