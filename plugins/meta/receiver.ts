import type { UpstreamReceiver, WebhookHead } from "../../src/contract/webhooks.ts";
import { hmacSha256, isSameSecret } from "../../src/kernel/crypto.ts";

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;
const signatureIn = (headers: Headers): string => headers.get("x-hub-signature-256") ?? "";

/**
 * The signatures of a body by each secret: several receivers check the same body, and a pass over it takes
 * milliseconds.
 */
const made = new WeakMap<Uint8Array, Map<string, string>>();

const signatureOf = (rawBody: Uint8Array, secret: string): string => {
  const bySecret = made.get(rawBody) ?? new Map<string, string>();
  made.set(rawBody, bySecret);
  const signature = bySecret.get(secret) ?? `sha256=${hmacSha256(secret, rawBody, "hex")}`;
  bySecret.set(secret, signature);
  return signature;
};

/**
 * The name in the client certificate of Meta's webhooks, alone or as a part of a certificate's subject:
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started#mtls
 */
export const WEBHOOK_CLIENT = "client.webhooks.fbclientcerts.com";
const CLIENT = new RegExp(
  `(^|[,/]\\s*CN\\s*=\\s*|^CN\\s*=\\s*)${WEBHOOK_CLIENT.replaceAll(".", "\\.")}\\s*($|[,/])`,
  "i",
);

/** Whether the proxy names Meta's client certificate; true if no header is named. */
const isMetaClient = (headers: Headers, header: string | undefined): boolean =>
  header === undefined || CLIENT.test(headers.get(header)?.trim() ?? "");

/**
 * `isFor` and `parse` read the body's text. `otherSecrets`: the secrets of the other network's app, which may sign these
 * webhooks too. `webhookClientHeader`: the header in which the reverse proxy names the verified client certificate.
 */
type Parts = {
  isFor(body: string): boolean;
  parse(body: string): Awaited<ReturnType<UpstreamReceiver["parse"]>>;
  webhookClientHeader?: string | undefined;
  appSecrets: readonly string[];
  otherSecrets?: readonly string[];
  verifyToken: string | undefined;
};

const textOf = (rawBody: Uint8Array): string => new TextDecoder().decode(rawBody);

/**
 * Webhooks as Meta signs them: HMAC-SHA256 over the raw bytes with the app's secret. If a header for client
 * certificates is named, the proxy must have named Meta's certificate in it, too.
 */
export const receiverOf = ({
  appSecrets,
  otherSecrets = [],
  verifyToken,
  webhookClientHeader,
  isFor,
  parse,
}: Parts): UpstreamReceiver => {
  // anyone could sign with an empty secret
  const secrets = [...appSecrets, ...otherSecrets].filter((secret) => secret !== "");
  const isSigned = ({ headers }: WebhookHead) =>
    isMetaClient(headers, webhookClientHeader) && SIGNATURE.test(signatureIn(headers));
  return {
    isFor: ({ rawBody }) => isFor(textOf(rawBody)),
    parse: ({ rawBody }) => parse(textOf(rawBody)),
    isConfigured: secrets.length > 0,
    takesJsonAlone: true,
    isSigned,
    verify: (request) =>
      isSigned(request) &&
      secrets.some((secret) => isSameSecret(signatureIn(request.headers), signatureOf(request.rawBody, secret))),
    handshake({ query }) {
      const token = query.get("hub.verify_token");
      if (query.get("hub.mode") !== "subscribe" || token === null) return undefined;
      const answer = { contentType: "text/plain", body: query.get("hub.challenge") ?? "" } as const;
      return { token, isOperators: !!verifyToken && isSameSecret(token, verifyToken), answer };
    },
  };
};
