import { Type } from "@sinclair/typebox";
import type { Capabilities } from "../../src/contract/capabilities.ts";
import type { ChannelPlugin, UpstreamReceiver } from "../../src/contract/plugin.ts";
import { hmacSha256, isSameSecret } from "../../src/kernel/crypto.ts";
import { Text } from "../../src/kernel/schema.ts";
import { address } from "./address.ts";
import { graphClient } from "./graph.ts";
import { factsOf } from "./inbound.ts";
import { wabaLink } from "./link.ts";

export type WabaSettings = { graphUrl: string; graphVersion: string; appSecrets: readonly string[]; verifyToken: string | undefined };

const NodeId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "must be an id of the Graph API" });

/** Ids become path segments and the token a header: neither may hold anything that would change their meaning there. */
const WabaCredentials = Type.Object({
  phoneNumberId: NodeId,
  businessAccountId: NodeId,
  accessToken: Type.String({ pattern: "^[!-~]{1,4096}$", description: "must be a token without spaces" }),
  verifyToken: Type.Optional(Text(1, 256)),
});

/** Editing and deleting are promised by the gateway's documents and offered by no call of the network: they end as UPSTREAM_UNSUPPORTED. */
const OPERATIONS: Capabilities["operations"] = {
  react: { inbound: true, outbound: true },
  edit: { outbound: true },
  delete: { outbound: true },
  read: { inbound: true },
  typing: { inbound: true },
};

/** The adapter for the official business messaging API. */
export const wabaPlugin = (settings: WabaSettings): ChannelPlugin => ({
  name: "waba",
  kind: "WABA",
  capabilities: { send: { text: {}, image: {}, document: {}, template: {} }, operations: OPERATIONS, choosesKeys: false, templates: true },
  credentials: WabaCredentials,
  open: (host) => wabaLink(host, graphClient(host.http.trusted, settings)),
  receiver: receiverOf(settings),
  address,
  isKey: (key) => key.startsWith("wamid."),
});

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

const receiverOf = ({ appSecrets, verifyToken }: WabaSettings): UpstreamReceiver => {
  const secrets = appSecrets.filter((secret) => secret !== ""); // anyone could sign with an empty one
  return {
    isConfigured: secrets.length > 0,
    verify(rawBody, headers) {
      const signature = headers.get("x-hub-signature-256") ?? "";
      return SIGNATURE.test(signature) && secrets.some((secret) => isSameSecret(signature, `sha256=${hmacSha256(secret, rawBody, "hex")}`));
    },
    isVerifyToken: (token) => !!verifyToken && isSameSecret(token, verifyToken),
    parse: factsOf,
  };
};
