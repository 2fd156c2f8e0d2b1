import { Type } from "@sinclair/typebox";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { described, OneOf, Text } from "../../src/kernel/schema.ts";
import { graphClient } from "../meta/graph.ts";
import { receiverOf } from "../meta/receiver.ts";
import { address } from "./address.ts";
import { flowCipher } from "./flows/flow-cipher.ts";
import { isWabaEnvelope, routedEventsOf } from "./inbound.ts";
import { WABA } from "./kind.ts";
import { wabaLink } from "./link.ts";
import { graphProbe } from "./probe.ts";
import { type OwnRates, rateCards } from "./rates/rates.ts";
import { wabaSignup } from "./signing-up/onboarding.ts";
import { webhookProbe } from "./webhook-probe.ts";

/**
 * `signup`: whether people who sign up keep their app on the number beside us. `gatewayUrl`: the address where the
 * network reaches us. `signupVersion` default v4, `signupPin` default 000000.
 */
export type WabaSettings = {
  gatewayUrl?: string;
  signupPin?: "000000" | "random";
  signupVersion?: string;
  webhookClientHeader?: string | undefined;
  appId?: string | undefined;
  configId?: string | undefined;
  signup?: "coexistence" | "dedicated";
  graphUrl: string;
  graphVersion: string;
  appSecrets: readonly string[];
  otherSecrets?: readonly string[];
  verifyToken: string | undefined;
  /** The operator's own prices. */
  rates?: OwnRates | undefined;
};

const NodeId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,64}$", description: "must be an id of the Graph API" });

/**
 * Ids become path segments and the token a header: neither may hold a character that would change their meaning there.
 */
const WabaCredentials = Type.Object({
  phoneNumberId: described(NodeId, "The network's id of the number", "5647382910"),
  businessAccountId: described(NodeId, "The network's id of the business account", "1029384756"),
  accessToken: described(
    Type.String({ pattern: "^[!-~]{1,4096}$", description: "must be a token without spaces" }),
    "A long-lived token without spaces; never shown again",
    "EAAGexemplo",
  ),
  verifyToken: Type.Optional(
    described(Text(1, 256), "The token that the handshake of the network's webhook has to name", "verificar-padaria"),
  ),
});

/**
 * `messagingAccountId`: the Messaging account of the number that pays and sends, if the token reaches several.
 * `marketingMessages`: whether templates of the category MARKETING go by the Marketing Messages API: `fallback` lets
 * the network send them as ordinary messages if it cannot, `strict` does not. Default `off`. `marketingPriceFactor`:
 * what the maximum price of each such message is multiplied by. `directSendName`: the name under which the network
 * counts utility messages without a template; without it they are refused.
 */
const WabaChannelSettings = Type.Object({
  messagingAccountId: Type.Optional(
    described(
      Type.String({ pattern: "^\\d{1,32}$", description: "must be an account's id" }),
      "The messaging account that pays and sends, 1 to 32 digits; null lets the network choose",
      "1029384756",
    ),
  ),
  marketingMessages: Type.Optional(
    OneOf(["off", "fallback", "strict"], { description: "How MARKETING templates go out; null is the default, `off`" }),
  ),
  marketingPriceFactor: Type.Optional(
    described(
      Type.String({
        pattern: "^(0\\.\\d{0,3}[1-9]|[1-9]\\d?(\\.\\d{1,4})?)$",
        description: "must be a number above 0 and below 100",
      }),
      "What the maximum price of a marketing message is multiplied by, with `marketingMessages`; null for none",
      "0.8",
    ),
  ),
  directSendName: Type.Optional(
    described(
      Type.String({ pattern: "^[a-z0-9_]{1,512}$", description: "must be lower-case letters, digits and underscores" }),
      "The name for messages with the tag UTILITY, which go out without a template; null refuses them",
      "avisos",
    ),
  ),
});

/** The adapter for the official business messaging API. */
export const wabaPlugin = (settings: WabaSettings): ChannelPlugin => ({
  ...WABA,
  credentials: WabaCredentials,
  channelSettings: WabaChannelSettings,
  routeOf: ({ phoneNumberId, businessAccountId, verifyToken }) => ({
    ...(phoneNumberId === undefined ? {} : { numberId: phoneNumberId }),
    ...(businessAccountId === undefined ? {} : { accountId: businessAccountId }),
    ...(verifyToken === undefined ? {} : { verifyToken }),
  }),
  probes: [graphProbe(settings), ...webhookProbe(settings)],
  open: (host) => wabaLink(host, graphClient(host.http.trusted, settings), settings.graphUrl),
  receiver: receiverOf({ ...settings, isFor: isWabaEnvelope, parse: routedEventsOf }),
  signup: (http) => wabaSignup(settings, http.trusted),
  flowCipher,
  rates: rateCards(settings.rates),
  address,
  isKey: (key) => key.startsWith("wamid."),
});
