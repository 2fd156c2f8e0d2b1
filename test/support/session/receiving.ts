import { afterEach, beforeEach, expect } from "bun:test";
import { randomUUID } from "node:crypto";
import { type SessionSettings, sessionPlugin } from "../../../plugins/session/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../src/conformance/recording-host.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../src/contract/events.ts";
import type { ChannelLink } from "../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { untilTrue } from "../waiting.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../whatsapp/index.ts";

/** A channel that is linked with its owner's phone, on a separate network with two people. */
export type ReceivingChannel = {
  net: WhatsApp;
  phone: Phone;
  ana: Contact;
  bia: Contact;
  host: RecordingHost;
  link: ChannelLink;
};

/** Every event of a kind. Waits for the first `count` of them. */
export const received = async <Kind extends ChannelEvent["kind"]>(
  host: RecordingHost,
  kind: Kind,
  count = 1,
): Promise<Extract<ChannelEvent, { kind: Kind }>[]> => {
  const ofKind = () =>
    host.events.filter((event): event is Extract<ChannelEvent, { kind: Kind }> => event.kind === kind);
  await host.until(() => ofKind().length >= count);
  return ofKind();
};

/** Lets the time pass until the link's pace takes a send. */
export const untilPaced = ({ host, link }: Pick<ReceivingChannel, "host" | "link">, to: string): Promise<void> =>
  untilTrue(async () => {
    const waitMs = (await link.paceMs?.(to)) ?? 0;
    if (waitMs > 0) host.clock.advance(MINUTE_MS);
    return waitMs === 0;
  });

/** Sends a text; its key. */
export const sendText = async (
  { host, link }: Pick<ReceivingChannel, "host" | "link">,
  to: string,
  text: string,
): Promise<ProviderMessageId> => {
  const key = link.providerMessageIdFor?.(randomUUID());
  if (!key) throw new Error("no key");
  await untilPaced({ host, link }, to);
  const outcome = await link.send({
    type: "text",
    content: { text },
    to,
    messageId: "6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b12",
    key,
  });
  if (!outcome.ok) throw new Error(`not sent: ${outcome.reason}`);
  return outcome.key;
};

/**
 * A linked channel, a new one for every test of the file. At the end the network must have understood everything, and
 * logs must name no person.
 */
export const receivingChannel = (settings: Partial<SessionSettings> = {}): (() => ReceivingChannel) => {
  let channel: ReceivingChannel | undefined;
  let stopHttp = () => {};

  beforeEach(async () => {
    const net = await startWhatsApp();
    const http = createHttp({ allow: ["127.0.0.0/8", "::1", "localhost"], extraCa: net.mediaCa });
    stopHttp = http.close;
    const phone = net.phone("5511900000001");
    const [ana, bia] = [
      net.contact({ pn: "5511911110001", name: "Ana" }),
      net.contact({ pn: "5511911110002", name: "Bia" }),
    ];
    const host = recordingHost({ http, vault: {} });
    const link = sessionPlugin({ url: net.url, root: net.root, perMinute: 600, ...settings }).open(host);
    channel = { net, phone, ana, bia, host, link };
    link.connect();
    const qr = await link.pairing?.nextQr(MINUTE_MS);
    await phone.scan(qr?.text ?? "");
    await host.until(() => host.reports.at(-1)?.state === "CONNECTED");
  });

  afterEach(async () => {
    await channel?.link.close();
    stopHttp();
    expect(channel?.net.stat.unhandled).toEqual([]);
    for (const { pn = "-", lid } of channel ? [channel.ana, channel.bia] : [])
      expect(channel?.host.logLines.filter((line) => line.includes(pn) || line.includes(lid))).toEqual([]);
    await channel?.net.stop();
  });

  return () => {
    if (!channel) throw new Error("no test is running");
    return channel;
  };
};
