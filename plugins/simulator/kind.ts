import { sendsAll, WHATSAPP_MARKS } from "../../src/contract/capabilities.ts";
import { CONTENT_TYPES, FURTHER_TYPES } from "../../src/contract/content/content.ts";
import type { KindDeclaration } from "../../src/contract/kind.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";

/** The stand-in for the networks: it takes every content type and every operation. */
export const SIMULATOR: KindDeclaration = {
  name: "simulator",
  kind: "SIMULATOR",
  label: { en: "Simulated channel", pt: "Canal simulado", es: "Canal simulado" },
  standsIn: true,
  network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
  capabilities: {
    send: sendsAll([...CONTENT_TYPES, ...FURTHER_TYPES, "call_permission_request"]),
    mediaHandles: true,
    keptFiles: true,
    marks: WHATSAPP_MARKS,
    fetchesLinks: true,
    lookups: true,
    operations: {
      react: { inbound: true, outbound: true },
      edit: { outbound: true, types: ["text"], withinMs: 15 * MINUTE_MS },
      delete: { inbound: true, outbound: true, withinMs: 2 * DAY_MS },
      read: { inbound: true },
      typing: { inbound: true },
    },
    choosesMessageIds: true,
    templates: false,
  },
};
