import type { AdapterKit, AdapterModule } from "../../src/contract/adapter.ts";
import { type Sends, sendsAll } from "../../src/contract/capabilities.ts";
import { CONTRACT_VERSION } from "../../src/contract/kind.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { address, isKey } from "./address.ts";
import { baseOf } from "./api.ts";
import { ENDINGS } from "./connection.ts";
import { botIdOf, credentialsSchema, optionsSchema } from "./credentials.ts";
import { PUBLIC_URL, telegramLink } from "./link.ts";
import { OPERATIONS } from "./operations.ts";
import { SENT_TYPES } from "./outbound.ts";
import { MAX_UPLOAD_BYTES } from "./uploads.ts";
import { telegramWebhook } from "./webhook.ts";

/**
 * The limits of README.md. An operator's own server takes larger files. A picture too large for a photo goes as a
 * document, so both have one limit.
 */
const sendsWithin = (isPublicServer: boolean): Sends["send"] => {
  const file = isPublicServer ? { maxFileBytes: MAX_UPLOAD_BYTES } : {};
  const captioned = { captionMaxChars: 1024, ...file };
  return {
    ...sendsAll(SENT_TYPES),
    text: { textMaxChars: 4096 },
    image: captioned,
    video: captioned,
    audio: file,
    document: captioned,
    sticker: file,
  };
};

/** The adapter for bots of Telegram: https://core.telegram.org/bots/api. */
const telegramPlugin = ({ Type, settings }: AdapterKit): ChannelPlugin => {
  const url = settings["URL"] ?? PUBLIC_URL;
  const shown = Type.Optional(Type.Union([Type.String(), Type.Null()]));
  return {
    name: "telegram",
    kind: "TELEGRAM",
    label: { en: "Telegram bot", pt: "Bot do Telegram", es: "Bot de Telegram" },
    about: {
      text: {
        en: "A bot that people write to, with the token of BotFather",
        pt: "Um bot para o qual as pessoas escrevem, com o token do BotFather",
        es: "Un bot al que la gente escribe, con el token de BotFather",
      },
      site: "https://core.telegram.org/bots",
    },
    network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: {
      send: sendsWithin(baseOf(url) === PUBLIC_URL),
      operations: OPERATIONS,
      choosesMessageIds: false,
      templates: false,
    },
    phoneFields: {
      schema: { telegramBotId: shown, telegramUsername: shown },
      of: ({ profile }) => ({
        telegramBotId: profile["telegramBotId"] ?? null,
        telegramUsername: profile["telegramUsername"] ?? null,
      }),
    },
    endings: ENDINGS,
    probes: [{ name: "telegram", url }],
    credentials: credentialsSchema({ Type }),
    options: optionsSchema({ Type }),
    routeOf: ({ token = "" }) => ({ numberId: botIdOf(token) }),
    open: (host) => telegramLink(host, url),
    webhook: telegramWebhook,
    address,
    isKey,
  };
};

const adapter: AdapterModule = {
  contract: CONTRACT_VERSION,
  name: "telegram",
  version: "1.0.0",
  author: "Recado",
  hosts: ["*"], // files to send are fetched from the links of clients
  settings: [
    {
      name: "URL",
      fallback: PUBLIC_URL,
      pattern: "https?://[^\\s?#@]{1,500}",
      form: "an http or https URL without a query",
      meaning:
        "The Bot API server that Telegram bots are called at; " +
        "name your own server here for files of more than 20 MB in and 50 MB out",
    },
  ],
  create: telegramPlugin,
};
export default adapter;
