import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { graphClient } from "../meta/graph.ts";
import { receiverOf } from "../meta/receiver.ts";
import { address } from "./address.ts";
import { WabaChannelSettings, WabaCredentials } from "./fields.ts";
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
