import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { sessionPlugin } from "../../../../plugins/session/plugin.ts";
import { createHttp } from "../../../../src/adapters/http/http.ts";
import { type RecordingHost, recordingHost } from "../../../../src/conformance/recording-host.ts";
import type { ChannelLink } from "../../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type KeyDisk, keyDisk } from "../../../support/session/key-disk.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";

const SEEDS = [1, 2, 3];
const http = createHttp({ allow: [], extraCa: undefined });

let net: WhatsApp;
let phone: Phone;
let host: RecordingHost;
let link: ChannelLink;
let disk: KeyDisk;

/** A channel that is linked with its owner's phone, over keys that are slow to read and to write. */
const linked = async (seed: number): Promise<void> => {
  disk = keyDisk({ yields: 15, seed });
  host = recordingHost({ http, vault: {}, seed });
  link = sessionPlugin({ url: net.url, root: net.root, perMinute: 600 }).open({
    ...host,
    vault: { ...host.vault, openKeyStore: disk.openKeyStore },
  });
  link.connect();
  const qr = await link.pairing?.nextQr(MINUTE_MS);
  await phone.scan(qr?.text ?? "");
  await phone.open();
};

beforeEach(async () => {
  net = await startWhatsApp();
  phone = net.phone("5511900000001");
});

afterEach(async () => {
  await link.close();
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** So many people, of whom nobody has written yet; every third writes from the number. */
const strangers = (count: number): Contact[] =>
  Array.from({ length: count }, (_, index) =>
    net.contact({
      pn: `55119555500${String(index).padStart(2, "0")}`,
      ...(index % 3 === 2 ? { addressing: "pn" } : {}),
    }),
  );

/** Everybody writes the texts in turn, as fast as the network takes them. */
const write = async (people: readonly Contact[], texts: readonly string[]): Promise<void> => {
  for (const text of texts) await Promise.all(people.map((one) => one.say(text, { to: phone })));
};

/** Resolves when the network knows of nothing that was not acknowledged. */
const untilRead = () => net.until(() => phone.devices[0]?.queued === 0);

/** The texts of each person, in the order in which they were published. */
const textsBy = (people: readonly Contact[]): string[][] =>
  people.map(({ pn, lid }) =>
    disk.events.flatMap((event) =>
      event.kind === "received" && (event.chat.pn === pn || event.chat.lid === lid) && event.content.type === "text"
        ? [event.content.content.text]
        : [],
    ),
  );

describe("the messages of a chat are published in the order in which the network gave them", () => {
  test.each(SEEDS)("when new ones come while those that waited are still read (seed %d)", async (seed) => {
    await linked(seed);
    const people = strangers(5);
    await write(people, ["0"]);
    await untilRead();
    await link.close();
    await write(people, numbered(1, 8));
    link.connect();
    await phone.open();
    await write(people, numbered(9, 12));
    await untilRead();
    expect(textsBy(people)).toEqual(people.map(() => numbered(0, 12)));
  });

  test.each(SEEDS)("when they are the first ones of people whom the phone does not know (seed %d)", async (seed) => {
    await linked(seed);
    const people = strangers(12);
    await write(people, numbered(1, 3));
    await untilRead();
    expect(textsBy(people)).toEqual(people.map(() => numbered(1, 3)));
  });

  test("5.11 when one cannot be read: the others of its chat do not wait for it, nor do those of other chats", async () => {
    await linked(1);
    const people = strangers(2);
    await write(people, ["0"]);
    await untilRead();
    for (const one of people) one.receipts = { ...one.receipts, retry: false };
    net.faults.corrupt({ times: 1 });
    await write(people, numbered(1, 3));
    await untilRead();
    expect(
      people.map(({ receivedReceipts }) => receivedReceipts.filter(({ type }) => type === "retry").length),
    ).toEqual([1, 0]);
    expect(textsBy(people)).toEqual([["0", "2", "3"], numbered(0, 3)]);
  });

  test("5.11 when it comes again, it has the place at which it came again", async () => {
    await linked(1);
    const [ana] = strangers(1);
    if (!ana) throw new Error("nobody is there");
    await write([ana], ["0"]);
    await untilRead();
    net.faults.corrupt({ times: 1 });
    await write([ana], ["1"]);
    await untilRead();
    await net.until(() => textsBy([ana])[0]?.includes("1") === true);
    await write([ana], numbered(2, 3));
    await untilRead();
    expect(textsBy([ana])).toEqual([numbered(0, 3)]);
  });
});
