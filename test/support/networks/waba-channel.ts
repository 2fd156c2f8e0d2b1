import { afterEach, beforeEach } from "bun:test";
import { wabaPlugin } from "../../../plugins/waba/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelLink, SendOrder } from "../../../src/contract/plugin.ts";
import { type Arrived, type ScriptedGraph, scriptedGraph } from "./scripted-graph.ts";

export const CREDENTIALS = {
  phoneNumberId: "106540352242922",
  businessAccountId: "102290129340398",
  accessToken: "EAAJB-token-0f3e",
};
export const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";

/** One WABA channel on a scripted upstream, anew for every test of the file that calls `wabaChannel`. */
export type WabaChannel = {
  graph: ScriptedGraph;
  host: RecordingHost;
  link: ChannelLink;
  /** Opens another link, of a channel with this `vault`. */
  open(vault: Record<string, string>): { host: RecordingHost; link: ChannelLink };
};

export const wabaChannel = (): (() => WabaChannel) => {
  let channel: WabaChannel | undefined;
  let cleanUp = async () => {};

  beforeEach(async () => {
    const graph = await scriptedGraph();
    const http = createHttp({ allow: [], extraCa: undefined });
    const plugin = wabaPlugin({
      graphUrl: `${graph.url}/`,
      graphVersion: "v26.0",
      appSecrets: ["secret"],
      verifyToken: undefined,
    });
    const links: ChannelLink[] = [];
    const open = (vault: Record<string, string>) => {
      const host = recordingHost({ http, vault });
      const link = plugin.open(host);
      links.push(link);
      return { host, link };
    };
    channel = { graph, open, ...open(CREDENTIALS) };
    cleanUp = async () => {
      await Promise.all(links.map((link) => link.close()));
      http.close();
      await graph.close();
    };
  });
  afterEach(() => cleanUp());

  return () => {
    if (!channel) throw new Error("the channel is made before each test");
    return channel;
  };
};

export const orderOf = (content: Content, more: { to?: string; quotedProviderMessageId?: string } = {}): SendOrder => ({
  ...content,
  messageId: MESSAGE_ID,
  to: more.to ?? "5521912345678",
  ...(more.quotedProviderMessageId === undefined
    ? {}
    : { quotedProviderMessageId: more.quotedProviderMessageId as ProviderMessageId }),
});

/** The fields of every message to the recipient of `orderOf` beside its type. */
export const COMMON = {
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: "5521912345678",
  biz_opaque_callback_data: MESSAGE_ID,
};

/** The body that the upstream receives for a content. Throws if the send does not succeed. */
export const bodySent = async (
  channel: WabaChannel,
  content: Content,
  more: Parameters<typeof orderOf>[1] = {},
): Promise<unknown> => {
  const outcome = await channel.link.send(orderOf(content, more));
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.reason}`);
  return arrivedAt(channel, "messages").at(-1)?.body;
};

/** The requests that arrived at an edge, such as `messages`. */
export const arrivedAt = ({ graph }: WabaChannel, edge: string): Arrived[] =>
  graph.arrived.filter(({ path }) => path.endsWith(`/${edge}`));
