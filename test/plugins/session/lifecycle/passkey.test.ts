import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import type { PasskeyApi } from "../../../../src/contract/abilities/pairing.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { realTime, untilTrue } from "../../../support/waiting.ts";
import { passkeyBrowser, RefusedByPhone } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();

const apiOf = ({ link }: UnpairedChannel): PasskeyApi => {
  const { passkey } = link.pairing;
  if (!passkey) throw new Error("a session takes passkeys");
  return passkey;
};

const stageOf = (all: UnpairedChannel, stage: string) => untilTrue(() => apiOf(all).current()?.stage === stage);

/** Scans with a phone whose account wants its passkey; what becomes of the scan. */
const scanned = async (all: UnpairedChannel, browser = passkeyBrowser()) => {
  all.phone.account.passkey = browser.credential;
  const qr = await all.qr();
  const linked = all.phone.scan(qr).catch((refusal: unknown) => refusal);
  await stageOf(all, "ASSERTION_REQUIRED");
  return { browser, qr, linked };
};

/** Signs what is wanted. */
const sign = (
  all: UnpairedChannel,
  browser = passkeyBrowser(),
  wrong?: "challenge" | "origin" | "signature" | "flags",
) => apiOf(all).assert(browser.sign(apiOf(all).current()?.options ?? {}, wrong));

describe("linking with a passkey", () => {
  test("W26-6 after a scan: the browser signs the network's own options, and the session is linked", async () => {
    const all = channel();
    const { link, host, net, reported } = all;
    link.connect();
    const { browser } = await scanned(all);
    expect(apiOf(all).current()).toMatchObject({
      stage: "ASSERTION_REQUIRED",
      options: { rpId: "whatsapp.com", userVerification: "required", timeout: 600_000, extensions: {} },
      expiresAt: host.clock.now() + 10 * MINUTE_MS,
    });
    expect(link.pairing.hint?.("qr")).toEqual({ code: "PASSKEY_REQUIRED" });
    expect(host.reports.at(-1)).toMatchObject({ state: "PENDING_QR", pairing: { code: "PASSKEY_REQUIRED" } });
    expect(await sign(all, browser)).toEqual({ ok: true });
    await reported(CONNECTED);
    expect([apiOf(all).current(), link.pairing.hint?.("qr")]).toEqual([undefined, undefined]);
    expect(net.stat.linkAcks.map(({ type }) => type)).toEqual(["passkey_prologue_request", "crsc_continuation"]);
    expect(net.stat.unhandled).toEqual([]);
  });

  test("W26-6 after a code, which is used up", async () => {
    const all = channel();
    const { link, phone, reported } = all;
    const browser = passkeyBrowser();
    phone.account.passkey = browser.credential;
    link.pairing.requestCode(PN);
    await untilTrue(() => link.pairing.code() !== undefined);
    void phone.typeCode(link.pairing.code() ?? "").catch(() => {});
    await stageOf(all, "ASSERTION_REQUIRED");
    expect(link.pairing.code()).toBeUndefined();
    expect(await sign(all, browser)).toEqual({ ok: true });
    await reported(CONNECTED);
  });

  test("W26-6 after five minutes there is no proof: the owner compares the code that both sides show", async () => {
    const all = channel();
    const { link, host, phone, reported } = all;
    link.connect();
    const { browser } = await scanned(all);
    host.clock.advance(5 * MINUTE_MS);
    expect(await apiOf(all).confirm()).toMatchObject({ ok: false, code: "NOT_REQUESTED" });
    expect(await sign(all, browser)).toEqual({ ok: true });
    await stageOf(all, "CONFIRMATION_REQUIRED");
    expect(apiOf(all).current()?.code).toMatch(/^[1-9A-Z]{4}-[1-9A-Z]{4}$/);
    expect(apiOf(all).current()?.code).toBe(phone.passkeyCode);
    expect(link.pairing.hint?.("qr")).toEqual({ code: "PASSKEY_CONFIRMATION_REQUIRED" });
    expect(host.reports.at(-1)?.pairing?.code).toBe("PASSKEY_CONFIRMATION_REQUIRED");
    expect(host.reports.some(({ state }) => state === "CONNECTING")).toBe(false);
    expect(await apiOf(all).confirm()).toEqual({ ok: true });
    await reported(CONNECTED);
  });

  test("W26-6 options that did not come with the request are asked for", async () => {
    const all = channel();
    all.net.faults.withholdPasskeyOptions();
    all.link.connect();
    const { browser } = await scanned(all);
    expect(await sign(all, browser)).toEqual({ ok: true });
    await all.reported(CONNECTED);
  });

  for (const wrong of ["signature", "challenge", "origin", "flags"] as const)
    test(`W26-6 a wrong ${wrong} is refused with the reason, links nothing, and leaves the QR code good`, async () => {
      const all = channel();
      const { link, host, phone, reported } = all;
      link.connect();
      const { browser, qr, linked } = await scanned(all);
      const outcome = await sign(all, browser, wrong);
      expect(outcome).toMatchObject({ ok: false, code: "REFUSED" });
      expect(await linked).toBeInstanceOf(RefusedByPhone);
      expect(apiOf(all).current()).toBeUndefined();
      expect(link.pairing.hint?.("qr")).toEqual({ code: "PASSKEY_FAILED" });
      expect(host.reports.at(-1)?.pairing?.code).toBe("PASSKEY_FAILED");
      expect([link.pairing.qr()?.text, phone.devices.length]).toEqual([qr, 0]);
      delete phone.account.passkey;
      await phone.scan(qr);
      await reported(CONNECTED);
    });

  test("W26-6 the socket stays open for ten minutes; an abandoned try leaves the QR code good", async () => {
    const all = channel();
    const { link, host, net, phone, reported } = all;
    link.connect();
    const { qr } = await scanned(all);
    for (let round = 0; round < 21; round += 1) {
      await passTwoTicks(all);
      expect([link.pairing.qr()?.text, net.stat.attempts]).toEqual([qr, 1]);
    }
    host.clock.advance(12 * SECOND_MS);
    expect([apiOf(all).current(), link.pairing.hint?.("qr")]).toEqual([undefined, { code: "PASSKEY_FAILED" }]);
    expect(link.pairing.qr()?.text).toBe(qr);
    expect(await apiOf(all).confirm()).toMatchObject({ ok: false, code: "NOT_REQUESTED" });
    delete phone.account.passkey;
    await phone.scan(qr);
    await reported(CONNECTED);
    expect(net.stat.attempts).toBe(2);
  });

  test("W26-6 a second scan begins a new try; the signature of the first is refused", async () => {
    const all = channel();
    all.link.connect();
    const { browser, qr } = await scanned(all);
    const first = apiOf(all).current();
    void all.phone.scan(qr).catch(() => {});
    await untilTrue(() => ![undefined, first?.id].includes(apiOf(all).current()?.id));
    expect(await apiOf(all).assert(browser.sign(first?.options ?? {}))).toMatchObject({ ok: false, code: "REFUSED" });
    void all.phone.scan(qr).catch(() => {});
    await stageOf(all, "ASSERTION_REQUIRED");
    expect(await sign(all, browser)).toEqual({ ok: true });
    await all.reported(CONNECTED);
  });

  test("W26-6 once a new try has begun, a phone cannot vouch under the secret of the one before", async () => {
    const all = channel();
    const { link, net, phone, reported } = all;
    link.connect();
    const { browser, qr, linked } = await scanned(all);
    const first = apiOf(all).current();
    const vouch = net.faults.delayVouching();
    expect(await sign(all, browser)).toEqual({ ok: true });
    await untilTrue(() => net.stat.passkeysUsed === 1);
    void phone.scan(qr).catch(() => {});
    await untilTrue(() => ![undefined, first?.id].includes(apiOf(all).current()?.id));
    vouch();
    expect(await linked).toBeInstanceOf(RefusedByPhone);
    expect([net.stat.pairings, phone.devices.length]).toEqual([0, 0]);
    expect(await sign(all, browser)).toEqual({ ok: true });
    await reported(CONNECTED);
  });

  test("W26-6 a socket that is lost ends the try; the next QR code links, and nothing is said after a close", async () => {
    const all = channel();
    const { link, host, net, phone, pass, reported } = all;
    link.connect();
    const { browser } = await scanned(all);
    net.cutUnlinked();
    await untilTrue(() => apiOf(all).current() === undefined);
    expect(await sign(all, browser)).toMatchObject({ ok: false, code: "NOT_REQUESTED" });
    await pass(MINUTE_MS);
    const qr = await all.qr();
    expect(link.pairing.hint?.("qr")).toEqual({ code: "PASSKEY_FAILED" });
    delete phone.account.passkey;
    await phone.scan(qr);
    await reported(CONNECTED);
    expect(host.reports.at(-1)).toEqual(CONNECTED);
  });

  test("W26-6 neither the challenge, the signature nor the code is on a log", async () => {
    const all = channel();
    all.link.connect();
    const { browser } = await scanned(all);
    const { options = {} } = apiOf(all).current() ?? {};
    const assertion = browser.sign(options);
    await apiOf(all).assert(assertion);
    await all.reported(CONNECTED);
    for (const secret of [String(options["challenge"]), assertion.response.signature, assertion.id])
      expect(all.host.logLines.join("")).not.toContain(secret);
  });
});

/** Lets 28 s pass, after which the watchdog asks whether the network is still there, and waits until it was asked. */
const passTwoTicks = async ({ host, net }: UnpairedChannel): Promise<void> => {
  const before = net.stat.stanzas["iq"] ?? 0;
  for (let tick = 0; tick < 2; tick += 1) {
    host.clock.advance(14 * SECOND_MS);
    await nextTurn();
  }
  await untilTrue(() => (net.stat.stanzas["iq"] ?? 0) > before);
  await realTime(5);
};
