import type { AdapterKit, AdapterModule, AdapterSetting } from "../../src/contract/adapter.ts";
import { type SendLimits, sendsAll } from "../../src/contract/capabilities.ts";
import { CONTRACT_VERSION } from "../../src/contract/kind.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { credentialsSchema, optionsSchema, routeOf } from "./credentials.ts";
import { smsLink } from "./link.ts";
import { MAX_TEXT_CHARS, SENT_TYPES } from "./provider.ts";
import { address } from "./senders.ts";
import { smsWebhook } from "./webhook.ts";

const TWILIO_URL = "https://api.twilio.com";
const ZENVIA_URL = "https://api.zenvia.com";

/** A message with its files has at most 5 MB: https://www.twilio.com/docs/messaging/guides/accepted-mime-types. */
const FILE: SendLimits = { maxFileBytes: 5_000_000 };
const MAX_IMAGES = 10;

/** The adapter for SMS and MMS through a provider. */
const smsPlugin = ({ Type, settings }: AdapterKit): ChannelPlugin => {
  const urls = { twilio: settings["TWILIO_URL"] ?? TWILIO_URL, zenvia: settings["ZENVIA_URL"] ?? ZENVIA_URL };
  const shown = Type.Optional(Type.Union([Type.String(), Type.Null()]));
  return {
    name: "sms",
    kind: "SMS",
    label: { en: "SMS", pt: "SMS", es: "SMS" },
    about: {
      text: {
        en: "Text messages and MMS through an account of your own at Twilio or Zenvia",
        pt: "Mensagens de texto e MMS por uma conta sua na Twilio ou na Zenvia",
        es: "Mensajes de texto y MMS por una cuenta propia en Twilio o Zenvia",
      },
    },
    network: {
      holdsConnection: false,
      isPaired: false,
      recipients: "phone-numbers",
      receipts: "each",
      optOutWords: true,
    },
    capabilities: {
      send: {
        ...sendsAll(SENT_TYPES),
        text: { textMaxChars: MAX_TEXT_CHARS },
        image: FILE,
        video: FILE,
        audio: FILE,
        document: FILE,
      },
      imagesPerMessage: MAX_IMAGES,
      fetchesLinks: true,
      operations: {},
      choosesMessageIds: false,
      templates: false,
    },
    phoneFields: {
      schema: { smsProvider: shown, smsSender: shown, smsWebhookConfigured: Type.Optional(Type.Boolean()) },
      of: ({ profile }) => ({
        smsProvider: profile["smsProvider"] ?? null,
        smsSender: profile["smsSender"] ?? null,
        smsWebhookConfigured: profile["smsWebhookConfigured"] === true,
      }),
    },
    probes: [
      { name: "sms-twilio", url: urls.twilio },
      { name: "sms-zenvia", url: urls.zenvia },
    ],
    credentials: credentialsSchema({ Type }),
    options: optionsSchema({ Type }),
    routeOf,
    open: (host) => smsLink(host, urls),
    webhook: smsWebhook,
    address,
  };
};

const urlSetting = (name: string, fallback: string, meaning: string): AdapterSetting => ({
  name,
  fallback,
  pattern: "https?://[^\\s?#@]{1,500}",
  form: "an http or https URL without a query",
  meaning,
});

const adapter: AdapterModule = {
  contract: CONTRACT_VERSION,
  name: "sms",
  version: "1.0.0",
  author: "Recado",
  hosts: ["*"], // files of messages lie where the provider says, and a compatible provider anywhere
  settings: [
    urlSetting("TWILIO_URL", TWILIO_URL, "The API of Twilio, or of a provider with the same API"),
    urlSetting("ZENVIA_URL", ZENVIA_URL, "The API of Zenvia, or of a provider with the same API"),
  ],
  create: smsPlugin,
};
export default adapter;
