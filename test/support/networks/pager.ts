import { Type } from "@sinclair/typebox";
import type { ChannelEvent, LinkReport, ProviderMessageId } from "../../../src/contract/events.ts";
import type { Measured } from "../../../src/contract/outcome.ts";
import type { ChannelHost, ChannelLink, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { parsedJson } from "../../../src/kernel/texts/json.ts";

/** The messages that went through the network: recipient, text and id. */
export type Page = {
  channelId: string;
  to: string;
  text: string;
  key: ProviderMessageId;
  options?: Readonly<Record<string, string>>;
};

/** A made-up network of pagers, whose people are named by ids such as `anna.7`, and the adapter for it. */
export type PagerNetwork = {
  plugin: ChannelPlugin;
  sent: Page[];
  /** The tokens that the network takes; others are refused when a channel connects or sends. */
  tokens: Set<string>;
  /** The channels that connected, each time with the address that they gave the network. */
  connects: { channelId: string; webhookUrl: string }[];
  /** What the network says of the parts and the price of the next messages. */
  measured: Measured;
  /** The network's report about a channel, over its open connection. */
  notify(channelId: string, event: ChannelEvent): Promise<void>;
  /** The address at which the network reaches a channel. */
  webhookUrl(channelId: string): string;
};

export const PAGER_TOKEN = "pg-0123456789";

const Token = Type.String({
  pattern: "^pg-[0-9]{4,20}$",
  description: "must be a pager token such as pg-0123",
  title: "the token of the pager account",
  label: { en: "Pager token", pt: "Token do pager", es: "Token del buscapersonas" },
  helpUrl: "https://pager.example/tokens",
  isSecret: true,
});

export const pagerNetwork = (): PagerNetwork => {
  const hosts = new Map<string, ChannelHost>();
  const network: Omit<PagerNetwork, "plugin"> = {
    sent: [],
    tokens: new Set([PAGER_TOKEN]),
    connects: [],
    measured: {},
    async notify(channelId, event) {
      const host = hosts.get(channelId);
      if (!host) throw new Error(`no link is open for ${channelId}`);
      await host.emit(event);
    },
    webhookUrl: (channelId) => hosts.get(channelId)?.webhookUrl ?? "",
  };
  return Object.assign(network, { plugin: pagerPlugin(network, hosts) });
};

const pagerPlugin = (network: Omit<PagerNetwork, "plugin">, hosts: Map<string, ChannelHost>): ChannelPlugin => ({
  name: "pager",
  kind: "PAGER",
  label: { en: "Pager", pt: "Pager", es: "Buscapersonas" },
  network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "latest" },
  capabilities: {
    send: {
      text: { textMaxChars: 160, textMaxBytes: 200 },
      image: { captionMaxChars: 20, maxFileBytes: 1000, mimeTypes: ["image/png"] },
      document: { mimeTypes: ["text/*"] },
    },
    furtherFields: { image: ["viewOnce"] },
    keptFiles: true,
    operations: {},
    choosesMessageIds: false,
    templates: false,
  },
  credentials: Type.Object({ token: Token, zone: Type.Optional(Type.String({ maxLength: 20 })) }),
  options: Type.Object({
    urgency: Type.Optional(
      Type.String({
        pattern: "^(high|low)$",
        description: "must be high or low",
        label: { en: "Urgency", pt: "Urgência", es: "Urgencia" },
      }),
    ),
  }),
  routeOf: ({ token }) => (token === undefined ? {} : { numberId: token.slice("pg-".length) }),
  phoneFields: {
    schema: { pagerZone: Type.Optional(Type.String()) },
    of: ({ profile }) => (typeof profile["pagerZone"] === "string" ? { pagerZone: profile["pagerZone"] } : {}),
  },
  probes: [{ name: "pager-net", url: "https://pager.example", isAlwaysAsked: true }],
  address: (to) =>
    /^(?:uid:)?[a-z]+\.\d+$/.test(to)
      ? { ok: true, to: `uid:${to.replace("uid:", "")}` }
      : { ok: false, code: "RECIPIENT_INVALID" },
  open(host) {
    hosts.set(host.channelId, host);
    return pagerLink(network, host);
  },
  webhook: {
    isSigned: ({ headers }) => headers.has("x-pager-token"),
    verify: ({ headers }, { token }) => headers.get("x-pager-token") === token,
    parse: ({ rawBody }) => [
      receivedPage(parsedJson(new TextDecoder().decode(rawBody)) as { id: string; from: string; text: string }),
    ],
  },
});

/**
 * An adapter of the same network that keeps no connection. The first four digits of a token name the pager, so a pager
 * may get another token.
 */
export const beeperPlugin = ({ plugin }: Pick<PagerNetwork, "plugin">): ChannelPlugin => ({
  ...plugin,
  name: "beeper",
  kind: "BEEPER",
  label: { en: "Beeper", pt: "Bipe", es: "Bíper" },
  network: { ...plugin.network, holdsConnection: false },
  phoneFields: { schema: {}, of: () => ({}) },
  routeOf: ({ token = "" }) => ({ numberId: token.slice("pg-".length, "pg-0000".length) }),
});

/** A page from a person to the channel. */
export const receivedPage = ({ id, from, text }: { id: string; from: string; text: string }): ChannelEvent => ({
  kind: "received",
  key: id as ProviderMessageId,
  at: 0,
  from: { uid: from },
  chat: { uid: from },
  pushName: null,
  content: { type: "text", content: { text } },
});

const pagerLink = (network: Omit<PagerNetwork, "plugin">, host: ChannelHost): ChannelLink => {
  let isClosed = false;
  const report = (said: LinkReport) => {
    if (isClosed) return;
    host.report(said);
  };
  return {
    connect() {
      isClosed = false;
      network.connects.push({ channelId: host.channelId, webhookUrl: host.webhookUrl });
      void host.vault.read().then(({ token = "", zone }) => {
        const isKnown = network.tokens.has(token);
        report(
          isKnown
            ? { state: "CONNECTED", ...(zone === undefined ? {} : { profile: { pagerZone: zone } }) }
            : { state: "FAILED", reason: "TOKEN_REFUSED" },
        );
      });
    },
    async close() {
      isClosed = true;
    },
    async forget() {},
    media: {
      async open(nativeId) {
        const { token = "" } = await host.vault.read();
        if (!network.tokens.has(token)) return { ok: false, kind: "token", reason: "the token is refused" };
        const body = (async function* () {
          yield Buffer.from(`bytes of ${nativeId}`);
        })();
        return { ok: true, value: { body } };
      },
    },
    async send({ to, messageId, options, ...message }) {
      const key = `page-${messageId}` as ProviderMessageId;
      if (message.type !== "text")
        return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: "a pager shows texts alone" };
      const { token = "" } = await host.vault.read();
      if (!network.tokens.has(token))
        return { ok: false, kind: "retry", code: "CREDENTIALS_REFUSED", reason: "the token is refused" };
      network.sent.push({
        channelId: host.channelId,
        to,
        text: message.content.text,
        key,
        ...(options ? { options } : {}),
      });
      return { ok: true, key, ...network.measured };
    },
  };
};
