import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { graphClient } from "../meta/graph.ts";
import { receiverOf } from "../meta/receiver.ts";
import { address } from "./address.ts";
import { isSocialEnvelope, routedEventsOf } from "./inbound.ts";
import { SOCIAL } from "./kind.ts";
import { socialLink } from "./link.ts";
import { socialOAuth } from "./oauth.ts";

export type SocialSettings = {
  appId: string | undefined;
  appSecrets: readonly string[];
  graphUrl: string;
  graphVersion: string;
  tokenUrl: string;
  authorizeUrl: string;
  redirectUris: readonly string[];
  otherSecrets?: readonly string[];
  verifyToken: string | undefined;
  /**
   * Whether owners are also asked for access to their comments, and whether the network granted the app its human-agent
   * tag.
   */
  comments?: boolean;
  humanAgent?: boolean;
  webhookClientHeader?: string | undefined;
};

/** The adapter for business messaging of the photo network. */
export const socialPlugin = (settings: SocialSettings): ChannelPlugin => ({
  ...SOCIAL,
  capabilities: { ...SOCIAL.capabilities, ...(settings.humanAgent ? { tags: ["HUMAN_AGENT"] } : {}) },
  probes: [
    { name: "instagram", url: settings.graphUrl, isAlwaysAsked: settings.appId !== undefined },
    {
      name: "instagram-login",
      url: settings.tokenUrl,
      isAlwaysAsked: settings.appId !== undefined,
      isAskedForChannels: false,
    },
  ],
  open: (host) => socialLink(host, graphClient(host.http.trusted, { ...settings, appSecrets: [] }), settings),
  oauth: ({ http, clock }) => socialOAuth(settings, http, clock),
  receiver: receiverOf({
    ...settings,
    isFor: isSocialEnvelope,
    parse: (rawBody) => routedEventsOf(rawBody, settings.appId),
  }),
  address,
});
