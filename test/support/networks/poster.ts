import { Type } from "@sinclair/typebox";
import type { Capabilities } from "../../../src/contract/capabilities.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";

const word = (text: string) => ({ en: text, pt: text, es: text });

/** A network that gets files by links alone. `sent`: the orders; `outcomes`: those of the next sends. */
export type PosterNetwork = { plugin: ChannelPlugin; sent: SendOrder[]; outcomes: SendOutcome[] };

export const posterNetwork = (more: Partial<Capabilities> = {}, name = "poster"): PosterNetwork => {
  const sent: SendOrder[] = [];
  const outcomes: SendOutcome[] = [];
  const plugin: ChannelPlugin = {
    name,
    kind: name.toUpperCase() as ChannelPlugin["kind"],
    label: word(name),
    network: { holdsConnection: false, isPaired: false, recipients: "phone-numbers", receipts: "each" },
    capabilities: {
      send: { text: {}, image: {}, document: {} },
      fetchesLinks: true,
      operations: {},
      choosesMessageIds: false,
      templates: false,
      ...more,
    },
    credentials: Type.Object({ token: Type.String({ label: word("token") }) }),
    address: (to) =>
      /^(?:pn:)?\d{8,15}$/.test(to)
        ? { ok: true, to: `pn:${to.replace("pn:", "")}` }
        : { ok: false, code: "RECIPIENT_INVALID" },
    open: (host) => ({
      connect: () => host.report({ state: "CONNECTED", profile: { name } }),
      close: async () => {},
      forget: async () => {},
      async send(order) {
        sent.push(order);
        return outcomes.shift() ?? { ok: true, key: order.messageId as never };
      },
    }),
  };
  return { plugin, sent, outcomes };
};
