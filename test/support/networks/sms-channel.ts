import { afterEach, beforeEach } from "bun:test";
import { Type } from "@sinclair/typebox";
import adapter from "../../../plugins/sms/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type ManualClock, manualClock } from "../../../src/conformance/manual-clock.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ChannelLink, ChannelPlugin, SendOrder } from "../../../src/contract/plugin.ts";
import { type SimulatedTwilio, type SimulatedZenvia, type Sms, startSms } from "../sms/index.ts";

export const PERSON = "5511987650001";
export const OUR_NUMBER = "+551140040001";
export const ACCOUNT_SID = "AC11112222333344445555666677778888";
export const TWILIO_TOKEN = "twilio-auth-token-0f3e7a21";
export const ZENVIA_TOKEN = "zenvia-api-token-5d1c77aa";
export const ALIAS = "padaria.estrela";
export const WEBHOOK_TOKEN = "ab".repeat(32);
export const MESSAGE_ID = "0198a000-1111-4222-8333-444455556666";

export const TWILIO_VAULT = { provider: "twilio", account: ACCOUNT_SID, token: TWILIO_TOKEN, sender: OUR_NUMBER };
export const ZENVIA_VAULT = { provider: "zenvia", account: "padaria", token: ZENVIA_TOKEN, sender: ALIAS };

export const pluginAt = (url: string): ChannelPlugin =>
  adapter.create({ Type, settings: { TWILIO_URL: url, ZENVIA_URL: url } });

/** Both providers with one account each. */
export const seededSms = async (clock: ManualClock) => {
  const sms = await startSms({ clock });
  const twilio = sms.addTwilio({ sid: ACCOUNT_SID, token: TWILIO_TOKEN });
  twilio.addNumber(OUR_NUMBER);
  const zenvia = sms.addZenvia({ token: ZENVIA_TOKEN, aliases: [ALIAS, "outro.alias"] });
  return { sms, twilio, zenvia };
};

/** One channel on the simulated providers, anew for every test of the file; all go by the host's clock. */
export type SmsChannel = {
  sms: Sms;
  twilio: SimulatedTwilio;
  zenvia: SimulatedZenvia;
  plugin: ChannelPlugin;
  open(vault: Record<string, string>): Opened;
};
export type Opened = {
  host: RecordingHost;
  link: ChannelLink;
  send(content: Content, more?: Partial<SendOrder>): ReturnType<ChannelLink["send"]>;
  /** Connects, and gives the report. */
  connected(): Promise<RecordingHost["reports"][number] | undefined>;
};

export const smsChannel = (): (() => SmsChannel) => {
  let channel: SmsChannel | undefined;
  let cleanUp = async () => {};
  beforeEach(async () => {
    const clock = manualClock();
    const seeded = await seededSms(clock);
    const http = createHttp({ allow: ["127.0.0.1", "localhost"], extraCa: undefined });
    const plugin = pluginAt(seeded.sms.url);
    const links: ChannelLink[] = [];
    const open: SmsChannel["open"] = (vault) => {
      const host = recordingHost({ http, vault, clock });
      const link = plugin.open(host);
      links.push(link);
      return {
        host,
        link,
        send: (content, more = {}) =>
          link.send({ ...content, messageId: MESSAGE_ID, to: `pn:${PERSON}`, ...more } as SendOrder),
        async connected() {
          const before = host.reports.length;
          link.connect();
          await host.until(() => host.reports.length > before);
          return host.reports.at(-1);
        },
      };
    };
    channel = { ...seeded, plugin, open };
    cleanUp = async () => {
      await Promise.all(links.map((link) => link.close()));
      http.close();
      await seeded.sms.stop();
    };
  });
  afterEach(() => cleanUp());
  return () => {
    if (!channel) throw new Error("the channel is made before each test");
    return channel;
  };
};
