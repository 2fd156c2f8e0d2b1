import type { UpstreamReceiver } from "../../src/contract/plugin.ts";
import { hmacSha256, isSameSecret } from "../../src/kernel/crypto.ts";

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** `otherSecrets`: of the app of the other network, which may sign these webhooks too. */
type Parts = Pick<UpstreamReceiver, "isFor" | "parse"> & { appSecrets: readonly string[]; otherSecrets?: readonly string[]; verifyToken: string | undefined };

/** Webhooks as Meta signs them: HMAC-SHA256 over the raw bytes with the app's secret. */
export const receiverOf = ({ appSecrets, otherSecrets = [], verifyToken, isFor, parse }: Parts): UpstreamReceiver => {
  const secrets = [...appSecrets, ...otherSecrets].filter((secret) => secret !== ""); // anyone could sign with an empty one
  return {
    isFor,
    parse,
    isConfigured: secrets.length > 0,
    verify(rawBody, headers) {
      const signature = headers.get("x-hub-signature-256") ?? "";
      return SIGNATURE.test(signature) && secrets.some((secret) => isSameSecret(signature, `sha256=${hmacSha256(secret, rawBody, "hex")}`));
    },
    isVerifyToken: (token) => !!verifyToken && isSameSecret(token, verifyToken),
  };
};
