import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { sessionPlugin } from "../../../../plugins/session/plugin.ts";
import { createHttp } from "../../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../../src/conformance/recording-host.ts";
import type { ChannelLink } from "../../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { shareOf } from "../../../support/rounds.ts";
import { type KeyDisk, keyDisk } from "../../../support/session/key-disk.ts";
import { textsOn } from "../../../support/session/signal-party.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";

/** Sends that a channel has under way at a time, as the core allows. */
const AT_ONCE = 8;

/** 1,000 and 200 in CI: each costs 10 ms of signatures and key exchange. */
const [MANY, FEWER] = [shareOf(1000), shareOf(200)];

/** A channel that is linked with its owner's phone, over keys that are slow to read and to write. */
type Channel = { phone: Phone; link: ChannelLink; disk: KeyDisk; host: RecordingHost };

let net: WhatsApp;
let ana: Contact;
let opened: ChannelLink[];
const http = createHttp({ allow: [], extraCa: undefined });

beforeEach(async () => {
  net = await startWhatsApp();
  ana = net.contact({ pn: "5511911110001", name: "Ana" });
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((link) => link.close()));
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

/** Resolves when that was reported last. */
const reported = ({ host }: Pick<Channel, "host">, state: string): Promise<void> =>
  host.until(() => host.reports.at(-1)?.state === state);

const openChannel = async (pn: string, seed: number): Promise<Channel> => {
  const disk = keyDisk({ yields: 15, seed });
  const host = recordingHost({ http, vault: {}, seed });
  const link = sessionPlugin({ url: net.url, root: net.root, perMinute: 600 }).open({
    ...host,
    vault: { ...host.vault, openKeyStore: disk.openKeyStore },
  });
  opened.push(link);
  link.connect();
  const phone = net.phone(pn);
  const qr = await link.pairing?.nextQr(MINUTE_MS);
  await phone.scan(qr?.text ?? "");
  const channel = { phone, link, disk, host };
  await reported(channel, "CONNECTED");
  return channel;
};

/** Sends texts `name 0`, `name 1` … Resolves to how many the network took. */
const sendTexts = async ({ link }: Channel, name: string, count: number): Promise<number> => {
  let next = 0;
  let taken = 0;
  const send = async () => {
    while (next < count) {
      const order = {
        type: "text" as const,
        content: { text: `${name} ${next++}` },
        to: `pn:${ana.pn}`,
        messageId: "6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b12",
      };
      const key = link.providerMessageIdFor?.(randomUUID());
      const outcome = await link.send({ ...order, ...(key && { key }) });
      if (outcome.ok) taken += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return taken;
};

const writeTexts = async (to: Phone, name: string, count: number): Promise<void> => {
  let last = "";
  for (let index = 0; index < count; index++) last = await ana.say(`${name} ${index}`, { to });
  await ana.untilReceived(({ id, type }) => id === last && type === "inactive");
};

const expected = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`).sort();
const only = (name: string, texts: readonly string[]): string[] =>
  texts.filter((text) => text.startsWith(`${name} `)).sort();

describe("over the network, with keys that are slow to read and to write", () => {
  test(`5.1 nothing is undecryptable when ${MANY} messages are sent while ${MANY} come`, async () => {
    const channel = await openChannel("5511900000001", 1);
    const [taken] = await Promise.all([sendTexts(channel, "out", MANY), writeTexts(channel.phone, "in", MANY)]);
    expect(taken).toBe(MANY);
    expect(
      only(
        "out",
        ana.received.map(({ text }) => text ?? ""),
      ),
    ).toEqual(expected("out", MANY));
    expect(only("in", textsOn(channel.disk))).toEqual(expected("in", MANY));
    expect(ana.unread).toEqual([]);
  }, 120_000);

  test("5.15 two channels of one process write to one contact who answers both", async () => {
    const channels = [await openChannel("5511900000001", 2), await openChannel("5511900000002", 3)];
    await Promise.all(
      channels.flatMap((channel, index) => [
        sendTexts(channel, `out${index}`, FEWER),
        writeTexts(channel.phone, `in${index}`, FEWER),
      ]),
    );
    for (const [index, { disk }] of channels.entries()) {
      expect(
        only(
          `out${index}`,
          ana.received.map(({ text }) => text ?? ""),
        ),
      ).toEqual(expected(`out${index}`, FEWER));
      expect(only(`in${index}`, textsOn(disk))).toEqual(expected(`in${index}`, FEWER));
    }
    expect(ana.unread).toEqual([]);
  }, 120_000);
});

describe("over the network, with keys that cannot be kept", () => {
  test("5.16 a message that could not be written is not acknowledged, comes again, and is published once", async () => {
    const channel = await openChannel("5511900000001", 4);
    channel.disk.failNext("before");
    const id = await ana.say("hello", { to: channel.phone });
    await reported(channel, "CONNECTING");
    expect(channel.phone.devices[0]?.queued).toBe(1);
    expect(ana.receivedReceipts.filter((receipt) => receipt.id === id && receipt.type === "inactive")).toEqual([]);
    channel.host.clock.advance(5 * MINUTE_MS);
    await ana.untilReceived((receipt) => receipt.id === id && receipt.type === "inactive");
    expect(textsOn(channel.disk)).toEqual(["hello"]);
  });

  test("5.16 a message that was written but not acknowledged comes again, and is not published again", async () => {
    const channel = await openChannel("5511900000001", 5);
    // of a session that both sides use, a message that comes twice is one that no key fits
    await writeTexts(channel.phone, "first", 1);
    await sendTexts(channel, "out", 1);
    channel.disk.failNext("after");
    const id = await ana.say("hello", { to: channel.phone });
    await reported(channel, "CONNECTING");
    channel.host.clock.advance(5 * MINUTE_MS);
    await net.until(() => net.stat.acks.some((ack) => ack.id === id));
    expect(ana.receivedReceipts.filter(({ type }) => type === "retry")).toEqual([]);
    await writeTexts(channel.phone, "later", 1);
    expect(textsOn(channel.disk)).toEqual(["first 0", "hello", "later 0"]);
  });

  test("who lost the keys to another link neither sends nor acknowledges anything", async () => {
    const channel = await openChannel("5511900000001", 6);
    await channel.disk.openKeyStore();
    const rows = new Map(channel.disk.rows);
    await ana.say("hello", { to: channel.phone });
    expect(await sendTexts(channel, "out", 2)).toBe(0);
    await net.until(() => net.stat.connections === 0);
    expect(channel.phone.devices[0]?.queued).toBe(1);
    expect(ana.received).toEqual([]);
    expect(channel.disk.rows).toEqual(rows);
  });
});
