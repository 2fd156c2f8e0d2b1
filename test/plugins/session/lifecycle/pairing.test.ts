import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { RefusedByPhone } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();
const ROUND_MS = 6 * 20 * SECOND_MS;

/** Resolves when the next round of QR codes is shown. */
const nextRound = async ({ host, link, qr }: UnpairedChannel): Promise<string> => {
  const before = link.pairing.qr()?.text;
  host.clock.advance(ROUND_MS);
  const after = await qr();
  expect(after).not.toBe(before);
  return after;
};

describe("QR codes", () => {
  test("G-176 there is none at first, then one; the channel is PENDING_QR all the while", async () => {
    const { link, host, qr, net } = channel();
    link.connect();
    expect(link.pairing.qr()).toBeUndefined();
    expect(await qr()).toStartWith("https://wa.me/settings/linked_devices#");
    expect(host.reports).toEqual([{ state: "PENDING_QR" }]);
    expect(host.state).toBe("PENDING_QR");
    expect(net.stat.connections).toBe(1);
  });

  test("a link that nobody connected shows a code when asked", async () => {
    const { link, qr, host } = channel();
    expect(link.pairing.qr()).toBeUndefined();
    await qr();
    expect(host.reports).toEqual([{ state: "PENDING_QR" }]);
  });

  test("G-171 another one follows every 20 s, six in all, each with the time of its end", async () => {
    const { link, host, qr } = channel();
    link.connect();
    await qr();
    const shown = [];
    for (let place = 0; place < 6; place += 1) {
      const current = link.pairing.qr();
      expect(current?.expiresAt).toBe(host.clock.now() + 20 * SECOND_MS);
      host.clock.advance(19 * SECOND_MS);
      expect(link.pairing.qr()).toEqual(current);
      shown.push(current?.text);
      if (place < 5) host.clock.advance(SECOND_MS);
    }
    expect(new Set(shown).size).toBe(6);
  });

  test("each of them can be scanned, not the first alone", async () => {
    const { link, host, qr, phone, reported } = channel();
    link.connect();
    await qr();
    host.clock.advance(45 * SECOND_MS);
    await phone.scan(await qr());
    await reported(CONNECTED);
  });

  test("G-172 G-210 one that was scanned is never given again: PENDING_QR, CONNECTING, CONNECTED", async () => {
    const { link, host, qr, phone, reported, states } = channel();
    link.connect();
    const text = await qr();
    const scanned = phone.scan(text);
    await host.until(() => states().includes("CONNECTING"));
    expect(link.pairing.qr()).toBeUndefined();
    await scanned;
    await reported(CONNECTED);
    expect(states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
    expect(host.reports.at(-1)).toEqual(CONNECTED);
    expect(link.pairing.qr()).toBeUndefined();
    const again = await phone.scan(text).catch((refusal: unknown) => refusal);
    expect(again).toBeInstanceOf(RefusedByPhone);
  });

  test("GAP-G18 they keep coming while somebody asks, on one socket after another", async () => {
    const all = channel();
    all.link.connect();
    await all.qr();
    for (let round = 0; round < 4; round += 1) await nextRound(all);
    expect(all.net.stat.connections).toBe(1);
    expect(all.host.reports).toEqual([{ state: "PENDING_QR" }]);
  });

  test("GAP-G18 five minutes after the last question the session idles, and the next one wakes it", async () => {
    const { link, host, qr, net, pass } = channel();
    link.connect();
    const first = await qr();
    await pass(5 * MINUTE_MS);
    await net.until(() => net.stat.connections === 0);
    await pass(60 * MINUTE_MS);
    expect(net.stat.connections).toBe(0);
    expect(host.clock.pendingTimers).toBe(0);
    expect(link.pairing.qr()).toBeUndefined();
    expect(await qr()).not.toBe(first);
    expect(host.reports).toEqual([{ state: "PENDING_QR" }]);
  });

  test("a request for one ends when there is none in time, and when the link closes", async () => {
    const { link, host, net } = channel();
    net.faults.silent();
    link.connect();
    const inTime = link.pairing.nextQr(15 * SECOND_MS);
    host.clock.advance(15 * SECOND_MS);
    expect(await inTime).toBeUndefined();
    const never = link.pairing.nextQr(MINUTE_MS);
    const closed = link.close();
    expect(await never).toBeUndefined();
    host.clock.advance(5 * SECOND_MS);
    await closed;
  });

  test("no QR code is ever on a log", async () => {
    const all = channel();
    all.link.connect();
    const texts = [await all.qr(), await nextRound(all)];
    await all.phone.scan(texts[1] ?? "");
    await all.reported(CONNECTED);
    const logged = all.host.logLines.join("");
    for (const text of texts)
      for (const part of text.split(/[#,]/).filter(({ length }) => length > 3)) expect(logged).not.toContain(part);
    expect(logged).not.toContain(PN);
  });
});
