import { sendsAll } from "../../src/contract/capabilities.ts";
import type { KindDeclaration } from "../../src/contract/kind.ts";

/** What a session is: a device linked with its owner's phone, whose link is the connection. */
export const SESSION: KindDeclaration = {
  name: "session",
  kind: "SESSION",
  label: "session",
  network: {
    holdsConnection: true,
    isPaired: true,
    recipients: "phone-numbers",
    receipts: "latest",
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
      "poll",
      "phone_number_request",
      "phone_number_share",
    ]),
    lookups: true,
    operations: {
      react: { inbound: true, outbound: true },
      edit: { outbound: true },
      delete: { inbound: true, outbound: true },
      read: { inbound: true },
    },
    choosesMessageIds: true,
    templates: false,
  },
  refusals: { template: "TEMPLATE_UNSUPPORTED" },
  endings: ["forged"],
};
