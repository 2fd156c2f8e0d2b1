import { afterEach, beforeEach } from "bun:test";
import { type SessionSettings, sessionPlugin } from "../../../plugins/session/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { nextTurn, type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { PairingApi } from "../../../src/contract/abilities/pairing.ts";
import type { LinkReport, LinkState } from "../../../src/contract/events.ts";
import type { ChannelLink, ChannelPlugin } from "../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";
import { lidFor } from "../whatsapp/people/person.ts";

export type SessionLink = ChannelLink & { readonly pairing: PairingApi };

/** A channel without a linked phone, on a separate network, with a clock that the test moves. */
export type UnpairedChannel = {
  readonly net: WhatsApp;
  readonly host: RecordingHost;
  readonly plugin: ChannelPlugin;
  readonly link: SessionLink;
  readonly phone: Phone;
  /** Another link over the same keys. */
  openAgain(): SessionLink;
  /** The present QR code, or the next one. */
  qr(): Promise<string>;
  /** Lets the owner's phone scan, and waits until the session is open. */
  pair(): Promise<void>;
  /** Resolves when this was the last report. */
  reported(report: LinkReport): Promise<void>;
  /** The states reported so far, one after another. */
  states(): LinkState[];
  /** Lets the longest wait pass, and its immediate effects. */
  pass(ms?: number): Promise<void>;
};

export const PN = "5511900000001";
export const CONNECTED: LinkReport = {
  state: "CONNECTED",
  phoneNumber: PN,
  profile: { lid: `${lidFor(PN)}@lid` },
};

export const newUnpairedChannel = async (
  settings: Partial<SessionSettings> = {},
): Promise<UnpairedChannel & { stop(): Promise<void> }> => {
  const net = await startWhatsApp();
  const http = createHttp({ allow: ["127.0.0.0/8", "localhost"], extraCa: net.mediaCa });
  const host = recordingHost({ http, vault: {} });
  const plugin = sessionPlugin({ url: net.url, root: net.root, perMinute: 20, ...settings });
  const links: SessionLink[] = [];
  const openAgain = (): SessionLink => {
    const link = plugin.open(host);
    if (!link.pairing) throw new Error("a session is paired");
    const made = link as SessionLink; // it has just been looked at
    links.push(made);
    return made;
  };
  const link = openAgain();
  const qr = async () => {
    const shown = await link.pairing.nextQr(MINUTE_MS);
    if (!shown) throw new Error("there is no QR code");
    return shown.text;
  };
  const reported = (report: LinkReport) => host.until(() => Bun.deepEquals(host.reports.at(-1), report));

  return {
    net,
    host,
    plugin,
    link,
    phone: net.phone(PN),
    openAgain,
    qr,
    async pair() {
      link.connect();
      await net.phone(PN).scan(await qr());
      await reported(CONNECTED);
      await net.phone(PN).open();
    },
    reported,
    states: () => host.reports.map(({ state }) => state),
    async pass(ms = 5 * MINUTE_MS) {
      host.clock.advance(ms);
      await nextTurn();
    },
    async stop() {
      await Promise.all(links.map((one) => endLink(one, host)));
      http.close();
      await net.stop();
    },
  };
};

/** A link that waits for the other side to say goodbye waits by the clock of its host. */
const endLink = async (link: SessionLink, host: RecordingHost): Promise<void> => {
  const closed = link.close();
  await nextTurn();
  host.clock.advance(MINUTE_MS);
  await closed;
};

/** A new channel for every test of the file. */
export const unpairedChannel = (settings: Partial<SessionSettings> = {}): (() => UnpairedChannel) => {
  let channel: Awaited<ReturnType<typeof newUnpairedChannel>>;
  beforeEach(async () => {
    channel = await newUnpairedChannel(settings);
  });
  afterEach(() => channel.stop());
  return () => channel;
};
