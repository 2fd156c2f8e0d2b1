import { afterEach, beforeEach } from "bun:test";
import { Type } from "@sinclair/typebox";
import adapter from "../../../plugins/messenger/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { type HostOptions, type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";
import { type Messenger, type SimulatedPage, startMessenger } from "../messenger/index.ts";

/** Odd and beyond 2^53: read as a number of JavaScript it is another page's. */
export const PAGE = "17841405793187219";
export const PERSON = "7654321098765433";
export const TOKEN = "EAAG-page-token-0f3e7a21";
export const APP_SECRET = "messenger-app-secret-5d1c";
export const VERIFY_TOKEN = "verify-token-77aa";
export const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
export const VAULT = { pageId: PAGE, accessToken: TOKEN, appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN };

export const pluginAt = (url: string): ChannelPlugin => adapter.create({ Type, settings: { GRAPH_URL: url } });

/** A simulator with one page, and a person who has just written to it. */
export const seededMessenger = async (clock: ManualClock): Promise<{ messenger: Messenger; page: SimulatedPage }> => {
  const messenger = await startMessenger({ clock });
  const page = messenger.addPage({ id: PAGE, appSecret: APP_SECRET, token: TOKEN });
  page.addPerson(PERSON);
  return { messenger, page };
};

/** One page's channel on the simulator, anew for every test of the file; both go by the host's clock. */
export type MessengerChannel = {
  messenger: Messenger;
  page: SimulatedPage;
  plugin: ChannelPlugin;
  host: RecordingHost;
  link: ChannelLink;
  /** Another link, of a channel with this vault and these files. */
  open(more?: Partial<Pick<HostOptions, "vault" | "openFile">>): { host: RecordingHost; link: ChannelLink };
  send(content: Content, more?: Partial<SendOrder>): ReturnType<ChannelLink["send"]>;
};

export const messengerChannel = (): (() => MessengerChannel) => {
  let channel: MessengerChannel | undefined;
  let cleanUp = async () => {};
  beforeEach(async () => {
    const clock = manualClock();
    const { messenger, page } = await seededMessenger(clock);
    const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
    const plugin = pluginAt(messenger.url);
    const links: ChannelLink[] = [];
    const open: MessengerChannel["open"] = (more = {}) => {
      const host = recordingHost({ http, vault: VAULT, clock, ...more });
      const link = plugin.open(host);
      links.push(link);
      return { host, link };
    };
    const first = open();
    const send: MessengerChannel["send"] = (content, more = {}) =>
      first.link.send({ ...content, messageId: MESSAGE_ID, to: `uid:${PERSON}`, ...more } as SendOrder);
    channel = { messenger, page, plugin, open, ...first, send };
    cleanUp = async () => {
      await Promise.all(links.map((link) => link.close()));
      http.close();
      await messenger.stop();
    };
  });
  afterEach(() => cleanUp());
  return () => {
    if (!channel) throw new Error("the channel is made before each test");
    return channel;
  };
};
