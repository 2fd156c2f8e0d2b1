import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { lidFor } from "../../../support/whatsapp/people/person.ts";

const channel = unpairedChannel();
const OTHER = "5511900000002";

/** The code, as soon as the network has received it. */
const codeOf = async ({ link }: Pick<UnpairedChannel, "link">): Promise<string> => {
  await untilTrue(() => link.pairing.code() !== undefined);
  return link.pairing.code() ?? "";
};

/** The hint about the code, as soon as there is one. */
const hintOf = async ({ link }: UnpairedChannel) => {
  await untilTrue(() => link.pairing.hint?.("code") !== undefined);
  return link.pairing.hint?.("code");
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
    await reported({ ...CONNECTED, phoneNumber: OTHER, profile: { lid: `${lidFor(OTHER)}@lid` } });
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

describe("the stages of a code", () => {
  test("W26-3 the request has the nonce of one zero byte, and a browser with a system that exists", async () => {
    const all = channel();
    all.link.pairing.requestCode(PN);
    await codeOf(all);
    expect(all.net.stat.hellos).toEqual([{ jid: `${PN}@s.whatsapp.net`, display: "Chrome (Ubuntu)", nonce: [0] }]);
  });

  for (const refusal of [400, 429])
    test(`W26-3 a request that is refused with ${refusal} shows no code, says why, and rests twice as long each time`, async () => {
      const all = channel();
      const { link, net, host, pass } = all;
      const heal = net.faults.refuseHello(refusal);
      let restMs = MINUTE_MS;
      for (let round = 1; round <= 6; round += 1) {
        expect(link.pairing.requestCode(PN)).toBeUndefined();
        await untilTrue(() => link.pairing.hint?.("code") !== undefined);
        const retryAt = host.clock.now() + restMs;
        expect(link.pairing.hint?.("code")).toEqual({ code: "CODE_REFUSED", retryAt });
        expect(link.pairing.code()).toBeUndefined();
        host.clock.advance(restMs - 1);
        expect(link.pairing.requestCode(PN)).toEqual({ code: "CODE_REFUSED", retryAt });
        expect(net.stat.hellos).toHaveLength(round);
        await pass(1);
        restMs = Math.min(2 * restMs, 10 * MINUTE_MS);
      }
      heal();
      link.pairing.requestCode(PN);
      expect(await codeOf(all)).toHaveLength(8);
      expect(link.pairing.hint?.("code")).toBeUndefined();
    });

  test("W26-3 a refresh makes another code; another stage, or one of another linking, does nothing", async () => {
    const all = channel();
    const { link, host, phone, net, reported } = all;
    link.pairing.requestCode(PN);
    const first = await codeOf(all);
    host.clock.advance(MINUTE_MS);
    for (const other of [{ stage: "another_stage" }, { stage: "primary_hello" }, { ref: "of another linking" }])
      phone.refreshCode(other);
    await untilTrue(() => net.stat.linkAcks.length === 3);
    expect([link.pairing.code(), net.stat.hellos.length]).toEqual([first, 1]);
    phone.refreshCode();
    await untilTrue(() => ![undefined, first].includes(link.pairing.code()));
    const second = await codeOf(all);
    expect(net.stat.hellos).toHaveLength(2);
    await phone.typeCode(second);
    await reported(CONNECTED);
    expect(new Set(net.stat.linkAcks.map(({ type }) => type))).toEqual(new Set(["link_code_companion_reg"]));
    expect(net.stat.linkAcks).toHaveLength(5);
  });

  test("W26-3 a phone that does not vouch within 60 s gets another code, with the hint to try once more", async () => {
    const all = channel();
    const { link, net, host, phone, reported } = all;
    net.faults.abandonCode({ times: 1 });
    link.pairing.requestCode(PN);
    const first = await codeOf(all);
    const typed = phone.typeCode(first).catch((refusal: unknown) => refusal);
    await untilTrue(() => net.stat.finished === 1);
    host.clock.advance(MINUTE_MS);
    await untilTrue(() => ![undefined, first].includes(link.pairing.code()));
    expect(await hintOf(all)).toEqual({ code: "CODE_TRY_AGAIN" });
    const second = await codeOf(all);
    await phone.typeCode(second);
    await reported(CONNECTED);
    void typed;
  });

  test("W26-3 a number has one code at a time over all channels; another channel says when it may ask", async () => {
    const all = channel();
    const { link, plugin, host } = all;
    link.pairing.requestCode(PN);
    await codeOf(all);
    const other = plugin.open({ ...host, channelId: "another" });
    const refused = other.pairing?.requestCode(PN);
    expect(refused).toEqual({ code: "CODE_WAIT", retryAt: host.clock.now() + 2 * MINUTE_MS });
    expect(other.pairing?.code()).toBeUndefined();
    expect(other.pairing?.hint?.("code")).toEqual(refused ?? undefined);
    host.clock.advance(2 * MINUTE_MS);
    expect(other.pairing?.requestCode(PN)).toBeUndefined();
    expect(all.net.stat.hellos).toHaveLength(1);
    const closed = other.close();
    host.clock.advance(5 * SECOND_MS);
    await closed;
  });
});
