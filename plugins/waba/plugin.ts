import { Type } from "@sinclair/typebox";
import { type Capabilities, SENDS } from "../../src/contract/capabilities.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { Text } from "../../src/kernel/schema.ts";
import { graphClient } from "../meta/graph.ts";
import { receiverOf } from "../meta/receiver.ts";
import { address } from "./address.ts";
import { flowCipher } from "./flow-cipher.ts";
import { factsOf, isWabaEnvelope } from "./inbound.ts";
import { wabaLink } from "./link.ts";
import { wabaSignup } from "./onboarding.ts";

/** `signup`: whether people who sign up keep their app on the number beside us. */
export type WabaSettings = {
  appId?: string | undefined;
  configId?: string | undefined;
  signup?: "coexistence" | "dedicated";
  graphUrl: string;
  graphVersion: string;
  appSecrets: readonly string[];
  otherSecrets?: readonly string[];
  verifyToken: string | undefined;
};

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
  capabilities: { ...SENDS.WABA, operations: OPERATIONS, choosesKeys: false, templates: true },
  credentials: WabaCredentials,
  open: (host) => wabaLink(host, graphClient(host.http.trusted, settings), settings.graphUrl),
  receiver: receiverOf({ ...settings, isFor: isWabaEnvelope, parse: factsOf }),
  signup: (http) => wabaSignup(settings, http.trusted),
  flowCipher,
  address,
  isKey: (key) => key.startsWith("wamid."),
});
