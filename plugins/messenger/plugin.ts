import type { AdapterKit, AdapterModule } from "../../src/contract/adapter.ts";
import { sendsAll } from "../../src/contract/capabilities.ts";
import { CONTRACT_VERSION } from "../../src/contract/kind.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { NEWEST_GRAPH } from "../../src/kernel/settings/graph-version.ts";
import { address } from "./address.ts";
import { credentialsSchema, HUMAN_AGENT_SETTING, settingsSchema } from "./credentials.ts";
import { messengerLink } from "./link.ts";
import { FILE_TYPES, MAX_FILE_BYTES, MAX_QUICK_REPLIES, MAX_TEXT_CHARS, SENT_TYPES } from "./outbound.ts";
import { messengerWebhook } from "./webhook.ts";

const PUBLIC_URL = "https://graph.facebook.com";
const DAY_MS = 24 * 3_600_000;

/** The adapter for Facebook Messenger: https://developers.facebook.com/docs/messenger-platform. */
const messengerPlugin = ({ Type, settings }: AdapterKit): ChannelPlugin => {
  const graphUrl = settings["GRAPH_URL"] ?? PUBLIC_URL;
  const graphVersion = settings["GRAPH_VERSION"] ?? NEWEST_GRAPH;
  const shown = Type.Optional(Type.Union([Type.String(), Type.Null()]));
  return {
    name: "messenger",
    kind: "MESSENGER",
    label: { en: "Facebook Messenger", pt: "Facebook Messenger", es: "Facebook Messenger" },
    about: {
      text: {
        en: "A Facebook Page that people write to in Messenger, with an app of your own at Meta",
        pt: "Uma Página do Facebook para a qual as pessoas escrevem no Messenger, com um app seu na Meta",
        es: "Una página de Facebook a la que la gente escribe en Messenger, con una app propia en Meta",
      },
      site: "https://developers.facebook.com/docs/messenger-platform",
    },
    network: {
      holdsConnection: false,
      isPaired: false,
      recipients: "ids",
      receipts: "each",
      answerWindowMs: DAY_MS,
      sharesConversations: true,
    },
    capabilities: {
      send: {
        ...sendsAll(SENT_TYPES),
        text: { textMaxChars: MAX_TEXT_CHARS },
        ...Object.fromEntries(FILE_TYPES.map((type) => [type, { maxFileBytes: MAX_FILE_BYTES }])),
      },
      quickReplies: MAX_QUICK_REPLIES,
      fetchesLinks: true,
      keptFiles: true,
      tags: ["HUMAN_AGENT"],
      tagSettings: { HUMAN_AGENT: HUMAN_AGENT_SETTING },
      operations: { react: { inbound: true }, read: { inbound: true }, typing: { inbound: true } },
      echoesSends: true,
      choosesMessageIds: false,
      templates: false,
    },
    phoneFields: {
      schema: {
        messengerPageId: shown,
        messengerPageName: shown,
        messengerWebhookConfigured: Type.Optional(Type.Boolean()),
      },
      of: ({ profile }) => ({
        messengerPageId: profile["messengerPageId"] ?? null,
        messengerPageName: profile["messengerPageName"] ?? null,
        messengerWebhookConfigured: profile["messengerWebhookConfigured"] === true,
      }),
    },
    probes: [{ name: "messenger", url: graphUrl }],
    credentials: credentialsSchema({ Type }),
    channelSettings: settingsSchema({ Type }),
    routeOf: ({ pageId, appId }) => ({
      ...(pageId ? { numberId: pageId } : {}),
      ...(appId ? { accountId: appId } : {}),
    }),
    open: (host) => messengerLink(host, { graphUrl, graphVersion }),
    webhook: messengerWebhook,
    address,
  };
};

const adapter: AdapterModule = {
  contract: CONTRACT_VERSION,
  name: "messenger",
  version: "1.0.0",
  author: "Recado",
  hosts: ["graph.facebook.com", "*.fbcdn.net", "*.fbsbx.com"], // the API, and the files of messages
  settings: [
    {
      name: "GRAPH_URL",
      fallback: PUBLIC_URL,
      pattern: "https?://[^\\s?#@]{1,500}",
      form: "an http or https URL without a query",
      meaning: "The Graph API that pages of Messenger are called at",
    },
    {
      name: "GRAPH_VERSION",
      fallback: NEWEST_GRAPH,
      pattern: "v\\d{1,3}\\.\\d",
      form: `a version of the Graph API, such as ${NEWEST_GRAPH}`,
      meaning: "The version of the Graph API",
    },
  ],
  create: messengerPlugin,
};
export default adapter;
