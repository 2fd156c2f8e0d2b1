import { Type } from "@sinclair/typebox";
import type { Capabilities } from "../../../src/contract/capabilities.ts";
import type { ChannelEvent } from "../../../src/contract/events.ts";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import type { ChannelHost, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";

const word = (text: string) => ({ en: text, pt: text, es: text });

/**
 * A network that gets files by links alone. `sent`: the orders; `outcomes`: those of the next sends. `notify`: its
 * report about a channel.
 */
export type PosterNetwork = {
  plugin: ChannelPlugin;
  sent: SendOrder[];
  outcomes: SendOutcome[];
  notify(channelId: string, event: ChannelEvent): Promise<void>;
};

export const posterNetwork = (more: Partial<Capabilities> = {}, name = "poster"): PosterNetwork => {
  const sent: SendOrder[] = [];
  const outcomes: SendOutcome[] = [];
  const hosts = new Map<string, ChannelHost>();
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
    open(host) {
      hosts.set(host.channelId, host);
      return {
        connect: () => host.report({ state: "CONNECTED", profile: { name } }),
        close: async () => {},
        forget: async () => {},
        async send(order) {
          sent.push(order);
          return outcomes.shift() ?? { ok: true, key: order.messageId as never };
        },
      };
    },
  };
  const notify = async (channelId: string, event: ChannelEvent) => {
    const host = hosts.get(channelId);
    if (!host) throw new Error(`no link is open for ${channelId}`);
    await host.emit(event);
  };
  return { plugin, sent, outcomes, notify };
};
