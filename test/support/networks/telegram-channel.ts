import { afterEach, beforeEach } from "bun:test";
import { Type } from "@sinclair/typebox";
import adapter from "../../../plugins/telegram/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";
import type { Http, HttpOpen } from "../../../src/contract/ports/http.ts";
import { type SimulatedBot, startTelegram, type Telegram } from "../telegram/index.ts";

const BOT_ID = 7_012_345_678;
export const SECRET = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
export const TOKEN = `${BOT_ID}:${SECRET}`;
export const PERSON = 1_535_148_674;
export const OTHER = 1_535_148_675;
export const GROUP = -1_001_234_567_890;
export const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";
const TEXT: Content = { type: "text", content: { text: "oi" } };

/** The files behind the links of the samples, by the ends of their names. */
const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg; codecs=opus",
  pdf: "application/pdf",
  webp: "image/webp",
};
const FILE_BYTES = new Uint8Array(500).fill(7);

/** Serves the files of files.example.com. Other addresses go to their hosts. */
export const withFiles = (http: Http): Http => {
  const guardedStream: HttpOpen = async (request) => {
    const { hostname, pathname } = new URL(request.url);
    if (hostname !== "files.example.com") return http.guardedStream(request);
    const type = TYPES[pathname.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    return {
      ok: true,
      status: 200,
      headers: { "content-type": type, "content-length": String(FILE_BYTES.length) },
      body: (async function* () {
        yield FILE_BYTES;
      })(),
    };
  };
  return { ...http, guardedStream };
};

/** A simulator with one bot, two people and a group. */
export const seededTelegram = async (clock: ManualClock): Promise<{ telegram: Telegram; bot: SimulatedBot }> => {
  const telegram = await startTelegram({ clock });
  const bot = telegram.addBot({ id: BOT_ID, secret: SECRET, username: "PadariaBot" });
  telegram.addPerson({ id: PERSON, first_name: "Ana", last_name: "Souza", username: "AnaSouza" });
  telegram.addPerson({ id: OTHER, first_name: "Bruno" });
  telegram.addGroup({ id: GROUP, title: "Padeiros" });
  return { telegram, bot };
};

export const pluginAt = (url: string): ChannelPlugin => adapter.create({ Type, settings: { URL: url } });

/**
 * One bot's channel on the simulator, anew for every test of the file that calls `telegramChannel`; both go by the
 * host's clock.
 */
export type TelegramChannel = {
  telegram: Telegram;
  bot: SimulatedBot;
  plugin: ChannelPlugin;
  http: Http;
  host: RecordingHost;
  link: ChannelLink;
  /** Another link, of a channel with this `vault`. */
  open(vault?: Record<string, string>): { host: RecordingHost; link: ChannelLink };
  /** Connects this link, or another link. */
  connect(one?: { host: RecordingHost; link: ChannelLink }): Promise<void>;
  send(
    content?: Content,
    more?: Partial<Pick<SendOrder, "to" | "quotedProviderMessageId" | "options">>,
  ): ReturnType<ChannelLink["send"]>;
};

export const telegramChannel = (): (() => TelegramChannel) => {
  let channel: TelegramChannel | undefined;
  let cleanUp = async () => {};
  beforeEach(async () => {
    const clock = manualClock();
    const { telegram, bot } = await seededTelegram(clock);
    const client = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
    const http = withFiles(client);
    const plugin = pluginAt(telegram.url);
    const links: ChannelLink[] = [];
    const open = (vault: Record<string, string> = { token: TOKEN }) => {
      const host = recordingHost({ http, vault, clock });
      const link = plugin.open(host);
      links.push(link);
      return { host, link };
    };
    const first = open();
    const connect = async ({ host, link } = first) => {
      link.connect();
      await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
    };
    const send: TelegramChannel["send"] = (content = TEXT, more = {}) =>
      first.link.send({ ...content, messageId: MESSAGE_ID, to: `uid:${PERSON}`, ...more });
    channel = { telegram, bot, plugin, http, open, ...first, connect, send };
    cleanUp = async () => {
      await Promise.all(links.map((link) => link.close()));
      client.close();
      await telegram.stop();
    };
  });
  afterEach(() => cleanUp());
  return () => {
    if (!channel) throw new Error("the channel is made before each test");
    return channel;
  };
};

/** The calls of a method, in short. */
export const callsOf = ({ telegram }: Pick<TelegramChannel, "telegram">, method: string) =>
  telegram.journal.filter((entry) => entry.method === method);

export const keyOf = (chatId: number, messageId: number): ProviderMessageId =>
  `${chatId}:${messageId}` as ProviderMessageId;
