import { describe, expect, test } from "bun:test";
import type { Restriction } from "../../../../src/contract/abilities/restriction.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, type UnpairedChannel, unpairedChannel } from "../../../support/session/unpaired.ts";
import { stanza } from "../../../support/whatsapp/index.ts";

const channel = unpairedChannel();

/** The session's connection ends, and every login after it is refused so. */
const refuseLogins = async (
  { net, phone, host }: UnpairedChannel,
  attrs: Record<string, string>,
  times = 1,
): Promise<void> => {
  const refused = net.stat.refused.length;
  net.faults.failLogin(attrs, { times });
  phone.cut();
  await host.until(() => host.reports.at(-1)?.state === "CONNECTING");
  host.clock.advance(SECOND_MS);
  await net.until(() => net.stat.refused.length > refused);
};

/** The identity is as it was: the same device logs in again. */
const expectSameIdentity = async ({ link, net, phone, reported }: UnpairedChannel): Promise<void> => {
  expect(link.pairing.qr()).toBeUndefined();
  expect(phone.devices.map(({ id }) => id)).toEqual([1]);
  link.connect({ isAsked: true });
  await reported(CONNECTED);
  expect({ logins: net.stat.logins, pairings: net.stat.pairings }).toEqual({ logins: 2, pairings: 1 });
};

describe("a session that ends", () => {
  test.each<[string, Parameters<UnpairedChannel["phone"]["streamError"]>[0]]>([
    ["503", "503"],
    ["500", "500"],
    ["428", "428"],
    ["ack", stanza("ack")],
    ["xml-not-well-formed", stanza("xml-not-well-formed")],
  ])("G-213 by %s is an interruption: CONNECTING, then CONNECTED with the same identity", async (_name, how) => {
    const all = channel();
    await all.pair();
    all.phone.streamError(how);
    await all.reported({ state: "CONNECTING" });
    expect(all.link.pairing.qr()).toBeUndefined();
    await all.pass(SECOND_MS);
    await all.reported(CONNECTED);
    expect(all.states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED", "CONNECTING", "CONNECTED"]);
    expect(all.net.stat.pairings).toBe(1);
  });

  test("G-213 by a connection that is cut, or ended without a word, comes back as it was", async () => {
    const all = channel();
    await all.pair();
    for (const end of [all.phone.cut, all.phone.end]) {
      end();
      await all.reported({ state: "CONNECTING" });
      await all.pass(4 * SECOND_MS);
      await all.reported(CONNECTED);
      await all.phone.open();
    }
    expect(all.phone.devices.length).toBe(1);
  });

  test("G-178 G-179 keeps its identity while CONNECTING, and retries every five minutes or sooner", async () => {
    const all = channel();
    await all.pair();
    const heal = all.net.faults.silent();
    all.phone.cut();
    await all.reported({ state: "CONNECTING" });
    for (let tries = 0; tries < 12; tries += 1) {
      const { attempts } = all.net.stat;
      await all.pass(5 * MINUTE_MS);
      await all.net.until(() => all.net.stat.attempts > attempts);
      await all.pass(25 * SECOND_MS);
    }
    expect(all.states().slice(2)).toEqual(["CONNECTED", "CONNECTING"]);
    heal();
    await all.pass(5 * MINUTE_MS);
    await all.reported(CONNECTED);
    expect([all.phone.devices.map(({ id }) => id), all.net.stat.pairings]).toEqual([[1], 1]);
  });

  test("by 515 is opened again at once", async () => {
    const all = channel();
    await all.pair();
    all.phone.streamError("515");
    await all.reported({ state: "CONNECTING" });
    await all.reported(CONNECTED);
  });

  test("G-214 by the owner's phone is wiped: PENDING_QR for LOGGED_OUT, and a new QR code that pairs", async () => {
    const all = channel();
    const { phone, qr, reported, host, net } = all;
    await all.pair();
    phone.unlink();
    await reported({ state: "PENDING_QR", reason: "LOGGED_OUT" });
    await phone.scan(await qr());
    await reported(CONNECTED);
    expect(host.reports.map(({ state, reason }) => reason ?? state)).toEqual([
      "PENDING_QR",
      "CONNECTING",
      "CONNECTED",
      "LOGGED_OUT",
      "CONNECTING",
      "CONNECTED",
    ]);
    expect(phone.devices.map(({ id }) => id)).toEqual([2]);
    expect(net.stat.pairings).toBe(2);
  });

  test("G-214 while it was away finds out at its next login", async () => {
    const all = channel();
    await all.pair();
    await all.link.close();
    all.phone.unlink();
    all.link.connect();
    await all.reported({ state: "PENDING_QR", reason: "LOGGED_OUT" });
    expect(await all.qr()).toBeString();
  });

  test("by 401 at the very first login after pairing is tried once more, and not wiped", async () => {
    const all = channel();
    const { link, net, phone, reported, states } = all;
    net.faults.failLogin({ reason: "401" }, { phone, times: 1 });
    link.connect();
    await phone.scan(await all.qr());
    await net.until(() => net.stat.refused.length === 1 && net.stat.connections === 0);
    await all.pass(0);
    await all.pass(2 * SECOND_MS);
    await reported(CONNECTED);
    expect(states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
    expect(net.stat.pairings).toBe(1);
  });

  test.each([
    ["403", "BANNED", { reason: "LOCKED", until: null, allows: "none" }],
    ["406", "BANNED", { reason: "BANNED", until: null, allows: "none" }],
    ["409", "CLIENT_OUTDATED", undefined],
    ["411", "CLIENT_OUTDATED", undefined],
    ["414", "CLIENT_OUTDATED", undefined],
  ] as [code: string, reason: string, restriction: Restriction | undefined][])(
    "G-215 by %s is paused as %s: the identity stays, nothing is tried, no QR code comes until the owner acts",
    async (code, reason, restriction) => {
      const all = channel();
      await all.pair();
      await refuseLogins(all, { reason: code });
      await all.reported({ state: "DISCONNECTED", reason, ...(restriction ? { restriction } : {}) });
      const { attempts } = all.net.stat;
      await all.pass(HOUR_MS);
      expect(all.host.clock.pendingTimers).toBe(0);
      expect(all.net.stat.attempts).toBe(attempts);
      await expectSameIdentity(all);
    },
  );

  test("G-215 by 411 as the network says it on an open connection is paused too", async () => {
    const all = channel();
    await all.pair();
    all.phone.downgrade();
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
    await expectSameIdentity(all);
  });

  test("by 405 is never tried again with the number that was refused", async () => {
    const all = channel();
    await all.pair();
    await refuseLogins(all, { reason: "405" });
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
    const { attempts } = all.net.stat;
    for (let round = 0; round < 12; round += 1) await all.pass(5 * MINUTE_MS);
    expect([all.net.stat.attempts, all.states().at(-1)]).toEqual([attempts, "DISCONNECTED"]);
    await expectSameIdentity(all);
  });

  test("by 402 is paused until the ban is over", async () => {
    const all = channel();
    await all.pair();
    await refuseLogins(all, { reason: "402", expire: "600" });
    const until = all.host.clock.now() + 10 * MINUTE_MS;
    await all.reported({
      state: "DISCONNECTED",
      reason: "BANNED",
      restriction: { reason: "TEMPORARY_BAN", until, allows: "none" },
    });
    const { attempts } = all.net.stat;
    await all.pass(10 * MINUTE_MS - 1);
    expect(all.net.stat.attempts).toBe(attempts);
    await all.pass(1);
    await all.reported(CONNECTED);
  });

  test("G-215 because another took its place is paused at once, and does not take the place back", async () => {
    const all = channel();
    await all.pair();
    all.phone.replace();
    await all.reported({ state: "DISCONNECTED", reason: "REPLACED" });
    const { attempts } = all.net.stat;
    await all.pass(HOUR_MS);
    expect([all.net.stat.attempts, all.host.clock.pendingTimers]).toEqual([attempts, 0]);
    await expectSameIdentity(all);
  });

  test.each([
    ["REPLACED", undefined],
    ["CLIENT_OUTDATED", "405"],
    ["CLIENT_OUTDATED", "411"],
  ])("G-215 as %s (%s) stays so over a restart: nothing is tried until the owner connects it", async (reason, code) => {
    const all = channel();
    await all.pair();
    if (code === undefined) all.phone.replace();
    else await refuseLogins(all, { reason: code });
    await all.reported({ state: "DISCONNECTED", reason });
    const { attempts } = all.net.stat;
    let link = all.link;
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await link.close();
      all.host.reports.length = 0;
      link = all.openAgain();
      link.connect();
      await all.reported({ state: "DISCONNECTED", reason });
      await all.pass(HOUR_MS);
    }
    expect([all.net.stat.attempts, all.phone.devices.length]).toEqual([attempts, 1]);
    link.connect({ isAsked: true });
    await all.reported(CONNECTED);
    await link.close();
    // what the owner lifted does not come back
    all.host.reports.length = 0;
    all.openAgain().connect();
    await all.reported(CONNECTED);
  });

  test.each([
    ["at once", false],
    ["while its process is still starting it", true],
  ])(
    "G-215 as REPLACED is connected by its owner after a restart: %s, and at the first try",
    async (_when, isStarted) => {
      const all = channel();
      await all.pair();
      all.phone.replace();
      await all.reported({ state: "DISCONNECTED", reason: "REPLACED" });
      await all.link.close();
      all.host.reports.length = 0;
      const link = all.openAgain();
      if (isStarted) link.connect({ isAsked: false });
      link.connect({ isAsked: true });
      await all.reported(CONNECTED);
      expect(all.host.reports.map(({ state }) => state)).not.toContain("DISCONNECTED");
    },
  );

  test("G-179 G-215 GAP-G21 is CONNECTION_LOST at the tenth 503, and comes back by itself", async () => {
    const all = channel();
    const { net, phone, host, pass, reported } = all;
    await all.pair();
    const heal = net.faults.failLogin({ reason: "503" });
    phone.cut();
    await reported({ state: "CONNECTING" });
    for (let refusals = 1; refusals <= 10; refusals += 1) {
      await pass();
      await net.until(() => net.stat.refused.length === refusals && net.stat.connections === 0);
      await pass(0);
    }
    await reported({ state: "DISCONNECTED", reason: "CONNECTION_LOST" });
    expect(host.reports.length).toBe(5);
    expect(all.link.pairing.qr()).toBeUndefined();
    heal();
    await pass();
    await reported(CONNECTED);
    expect(net.stat.pairings).toBe(1);
  });

  test("GAP-G21 GAP-G23 is CONNECTING when its owner connects it, and DISCONNECTED if that fails", async () => {
    const all = channel();
    await all.pair();
    await refuseLogins(all, { reason: "405" });
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
    all.net.faults.failLogin({ reason: "405" }, { times: 1 });
    await all.pass();
    all.link.connect({ isAsked: true });
    await all.reported({ state: "CONNECTING" });
    await all.reported({ state: "DISCONNECTED", reason: "CLIENT_OUTDATED" });
  });

  test("before it is paired waits in PENDING_QR and says why, while somebody asks", async () => {
    const all = channel();
    all.net.faults.failLogin({ reason: "405" }, { times: 1 });
    all.link.connect();
    await all.reported({ state: "PENDING_QR", reason: "CLIENT_OUTDATED" });
    expect(all.link.pairing.qr()).toBeUndefined();
    await all.pass(5 * MINUTE_MS - 1);
    expect(all.link.pairing.qr()).toBeUndefined();
    await all.pass(1);
    await all.qr();
    expect(all.host.reports).toEqual([{ state: "PENDING_QR" }, { state: "PENDING_QR", reason: "CLIENT_OUTDATED" }]);
  });
});
