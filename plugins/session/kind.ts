import { sendsAll, WHATSAPP_MARKS } from "../../src/contract/capabilities.ts";
import { MAX_IMAGES } from "../../src/contract/content/content.ts";
import type { KindDeclaration } from "../../src/contract/kind.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { PAIRING_HINTS } from "./lifecycle/pairing-hints.ts";
import { PHONE_FIELDS } from "./phone-fields.ts";

/** The network's own address, which the library that makes the sockets uses too. */
export const WHATSAPP_WEB = "wss://web.whatsapp.com/ws/chat";

/** A session: a device linked with its owner's phone, whose link is the connection. */
export const SESSION: KindDeclaration = {
  name: "session",
  kind: "SESSION",
  label: { en: "WhatsApp", pt: "WhatsApp", es: "WhatsApp" },
  about: {
    text: {
      en: "By QR code or a typed code, with the app on a phone",
      pt: "Por QR code ou código digitado, com o aplicativo em um celular",
      es: "Por código QR o código escrito, con la aplicación en un teléfono",
    },
  },
  network: {
    holdsConnection: true,
    isPaired: true,
    recipients: "phone-numbers",
    hasChatAddresses: true,
    receipts: "latest",
    proxiedTo: WHATSAPP_WEB,
    importsHistory: true,
  },
  capabilities: {
    send: sendsAll([
      "text",
      "image",
      "video",
      "audio",
      "document",
      "sticker",
      "location",
      "contact",
      "button",
      "list",
      "cta_url",
      "copy_code",
      "carousel",
      "poll",
      "event",
      "phone_number_request",
      "phone_number_share",
    ]),
    imagesPerMessage: MAX_IMAGES,
    furtherFields: {
      text: ["mentions", "linkPreview"],
      image: ["mentions", "viewOnce", "quality"],
      video: ["mentions", "viewOnce", "videoNote", "gifPlayback"],
      audio: ["viewOnce"],
      document: ["mentions", "thumbnail"],
    },
    broadcasts: {
      newsletter: ["text", "image", "video", "audio", "document", "sticker", "poll"],
      broadcast: ["text", "image", "video", "audio"],
    },
    lookups: true,
    keptFiles: true,
    marks: WHATSAPP_MARKS,
    operations: {
      react: { inbound: true, outbound: true },
      edit: {
        outbound: true,
        types: ["text", "image", "video", "document"],
        withinMs: 15 * MINUTE_MS,
        broadcastsWithinMs: { newsletter: 30 * DAY_MS },
      },
      delete: {
        inbound: true,
        outbound: true,
        withinMs: 2 * DAY_MS,
        broadcastsWithinMs: { newsletter: 30 * DAY_MS },
      },
      read: { inbound: true },
      played: { inbound: true },
      pin: { inbound: true, outbound: true },
      keep: { inbound: true, outbound: true },
      vote: { inbound: true, outbound: true, types: ["poll"] },
      respond: { inbound: true, outbound: true, types: ["event"] },
      star: { inbound: true, outbound: true },
      label: { inbound: true, outbound: true },
      "delete-for-me": { inbound: true, outbound: true },
      forward: {
        inbound: true,
        outbound: true,
        types: ["text", "image", "video", "audio", "document", "sticker", "location", "contact"],
      },
    },
    choosesMessageIds: true,
    templates: false,
  },
  refusals: { template: "TEMPLATE_UNSUPPORTED" },
  phoneFields: PHONE_FIELDS,
  pairingHints: PAIRING_HINTS,
  endings: ["forged", "unacked", "rate-limited"],
};
