import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../src/conformance/recording-host.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../support/session/unpaired.ts";

const channel = unpairedChannel();
const OTHER = "5511900000002";

/** The code, as soon as the network has received it. */
const codeOf = async ({ link, net }: UnpairedChannel): Promise<string> => {
  await net.until(() => link.pairing.code());
  return link.pairing.code() ?? "";
};

describe("pairing codes", () => {
  test("G-194 G-198 one that is asked for before the first QR code is made after it, and connects", async () => {
    const all = channel();
    const { link, phone, reported, states } = all;
    link.pairing.requestCode(PN);
    expect(link.pairing.code()).toBeUndefined();
    const code = await codeOf(all);
    expect(code).toMatch(/^[1-9A-HJKLMNP-TV-Z]{8}$/);
    expect(states()).toEqual(["PENDING_QR"]);
    await phone.typeCode(code);
    await reported(CONNECTED);
    expect(states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
  });

  test("G-197 one that was typed is gone", async () => {
    const all = channel();
    const { link, phone, host, states, reported } = all;
    link.pairing.requestCode(PN);
    const typed = phone.typeCode(await codeOf(all));
    await host.until(() => states().includes("CONNECTING"));
    expect(link.pairing.code()).toBeUndefined();
    await typed;
    await reported(CONNECTED);
    expect(link.pairing.code()).toBeUndefined();
  });

  test("G-196 it is good for two minutes, however old the socket was, and not for longer", async () => {
    const all = channel();
    const { link, host, qr, pass, net } = all;
    link.connect();
    await qr();
    host.clock.advance(110 * SECOND_MS);
    link.pairing.requestCode(PN);
    const code = await codeOf(all);
    await pass(2 * MINUTE_MS - 1);
    expect(link.pairing.code()).toBe(code);
    expect(net.stat.connections).toBe(1);
    await pass(1);
    expect(link.pairing.code()).toBeUndefined();
  });

  test("QR codes go on beside it", async () => {
    const all = channel();
    all.link.pairing.requestCode(PN);
    await codeOf(all);
    const first = all.link.pairing.qr();
    all.host.clock.advance(20 * SECOND_MS);
    expect(all.link.pairing.qr()?.text).not.toBe(first?.text);
    expect(await codeOf(all)).toHaveLength(8);
  });

  test("within a minute the same number is given the same code; after it a new one", async () => {
    const all = channel();
    const { link, host } = all;
    link.pairing.requestCode(PN);
    const first = await codeOf(all);
    host.clock.advance(MINUTE_MS - 1);
    link.pairing.requestCode(PN);
    expect(link.pairing.code()).toBe(first);
    host.clock.advance(1);
    link.pairing.requestCode(PN);
    expect(link.pairing.code()).toBeUndefined();
    expect(await codeOf(all)).not.toBe(first);
  });

  test("another number waits until the minute is over, and the last one that was asked for is served", async () => {
    const all = channel();
    const { link, net, host, reported } = all;
    link.pairing.requestCode(PN);
    const first = await codeOf(all);
    link.pairing.requestCode("5511900000003");
    link.pairing.requestCode(OTHER);
    await nextTurn();
    expect(link.pairing.code()).toBeUndefined();
    host.clock.advance(MINUTE_MS);
    const second = await codeOf(all);
    expect(second).not.toBe(first);
    await net.phone(OTHER).typeCode(second);
    await reported({ state: "CONNECTED", phoneNumber: OTHER });
  });

  test("one dies with its socket, and what it left of an identity spoils nothing: the next QR code pairs", async () => {
    const all = channel();
    const { link, qr, pass, phone, reported, host } = all;
    link.pairing.requestCode(PN);
    await codeOf(all);
    await pass(2 * MINUTE_MS);
    expect(link.pairing.code()).toBeUndefined();
    await phone.scan(await qr());
    await reported(CONNECTED);
    expect(host.reports.map(({ state }) => state)).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
  });

  test("a code on a socket that is closed meanwhile is asked for again on the next", async () => {
    const all = channel();
    const { link, net, pass, qr } = all;
    net.faults.silent({ times: 1 });
    link.pairing.requestCode(PN);
    await net.until(() => net.stat.attempts === 1);
    await pass(25 * SECOND_MS);
    await pass(SECOND_MS);
    await qr();
    expect(await codeOf(all)).toHaveLength(8);
  });

  test("no code is on a log", async () => {
    const all = channel();
    all.link.pairing.requestCode(PN);
    const code = await codeOf(all);
    await all.phone.typeCode(code);
    await all.reported(CONNECTED);
    expect(all.host.logLines.join("")).not.toContain(code);
    expect(all.host.logLines.join("")).not.toContain(PN);
  });
});
