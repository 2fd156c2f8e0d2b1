import { describe, expect, test } from "bun:test";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { HOUR_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CONNECTED, PN, unpairedChannel } from "../../../support/session/unpaired.ts";

const channel = unpairedChannel();

describe("a reset", () => {
  test("G-181 of an open session unlinks the device, and begins anew with another identity", async () => {
    const all = channel();
    const { link, phone, reported, host, net } = all;
    await all.pair();
    await link.pairing.reset();
    expect(phone.devices).toEqual([]);
    await phone.scan(await all.qr());
    await reported(CONNECTED);
    expect(phone.devices.map(({ id }) => id)).toEqual([2]);
    expect(host.reports.map(({ state, reason }) => reason ?? state)).toEqual([
      "PENDING_QR",
      "CONNECTING",
      "CONNECTED",
      "PENDING_QR",
      "CONNECTING",
      "CONNECTED",
    ]);
    expect(net.stat.unhandled).toEqual([]);
  });

  test("G-183 works before anything was ever connected, and while it waits for a scan", async () => {
    const all = channel();
    await all.link.pairing.reset();
    const before = await all.qr();
    await all.link.pairing.reset();
    const after = await all.qr();
    expect(after).not.toBe(before);
    await all.phone.scan(after);
    await all.reported(CONNECTED);
  });

  test("G-183 works where the keys cannot be read", async () => {
    const all = channel();
    const keyStore = await all.host.vault.openKeyStore();
    await keyStore.write({ rows: [{ kind: "creds", id: "creds", value: "{not what was written" }] });
    all.link.connect();
    await all.reported({ state: "FAILED", reason: "CREDENTIALS_UNREADABLE" });
    expect(all.link.pairing.qr()).toBeUndefined();
    await all.link.pairing.reset();
    await all.phone.scan(await all.qr());
    await all.reported(CONNECTED);
  });

  test("G-184 a request for a reset, or to connect, while one runs joins it", async () => {
    const all = channel();
    await all.pair();
    const { attempts } = all.net.stat;
    const first = all.link.pairing.reset();
    all.link.connect();
    const second = all.link.pairing.reset();
    all.link.connect();
    await Promise.all([first, second]);
    await all.qr();
    expect(all.net.stat.attempts).toBe(attempts + 1);
    expect(all.net.stat.logins).toBe(1);
  });

  test("G-185 drops the reconnect that was scheduled before it: the old identity is never used again", async () => {
    const all = channel();
    await all.pair();
    all.phone.cut();
    await all.reported({ state: "CONNECTING" });
    await all.link.pairing.reset();
    await all.qr();
    await all.pass(SECOND_MS);
    await nextTurn();
    expect(all.net.stat.logins).toBe(1);
    expect(all.host.state).toBe("PENDING_QR");
  });

  test("does not wait for a network that says nothing for more than some seconds", async () => {
    const all = channel();
    await all.pair();
    all.phone.freeze();
    const reset = all.link.pairing.reset();
    for (let seconds = 0; seconds < 7; seconds += 1) await all.pass(SECOND_MS);
    await reset;
    expect(await all.qr()).toBeString();
    expect(all.host.state).toBe("PENDING_QR");
  });

  test("whose link is closed meanwhile is not finished, and says so; nothing is said after it", async () => {
    const all = channel();
    await all.pair();
    all.phone.freeze();
    const reset = all.link.pairing.reset();
    const refused = reset.catch((thrown: Error) => thrown.message);
    const closed = all.link.close();
    for (let seconds = 0; seconds < 7; seconds += 1) await all.pass(SECOND_MS);
    await closed;
    expect(await refused).toContain("closed");
    expect(all.states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
  });

  test("a code that was asked for before it is not made after it", async () => {
    const all = channel();
    all.net.faults.silent({ times: 1 });
    all.link.pairing.requestCode(PN);
    await all.net.until(() => all.net.stat.attempts === 1);
    const reset = all.link.pairing.reset();
    await all.pass(3 * SECOND_MS);
    await reset;
    await all.qr();
    await nextTurn();
    expect(all.link.pairing.code()).toBeUndefined();
  });
});

describe("a reset while the network is away", () => {
  /** Has the channel be reset without a connection; its phone lists the device still. */
  const resetAway = async () => {
    const all = channel();
    await all.pair();
    all.phone.cut();
    await all.reported({ state: "CONNECTING" });
    await all.link.pairing.reset();
    await all.qr();
    expect(all.phone.devices.map(({ id }) => id)).toEqual([1]);
    return all;
  };

  test("leaves the old identity to be unlinked later, by another process too, while a new one is paired", async () => {
    const { openAgain, phone, qr, reported, link, net, host } = await resetAway();
    await phone.scan(await qr());
    await reported(CONNECTED);
    await link.close();
    const again = openAgain();
    host.reports.length = 0;
    again.connect();
    expect(await again.pairing.unlinkOld()).toBe(false);
    await reported(CONNECTED);
    expect(await again.pairing.unlinkOld()).toBe(true);
    expect(phone.devices.map(({ id }) => id)).toEqual([2]);
    const { logins } = net.stat;
    expect([await again.pairing.unlinkOld(), net.stat.logins]).toEqual([true, logins]);
    expect(host.logLines.join()).not.toContain("privKey");
  });

  test("is tried again while the network is still away, and nothing is forgotten", async () => {
    const { link, phone, net, pass } = await resetAway();
    net.faults.silent({ times: 1 });
    const tried = link.pairing.unlinkOld();
    for (let seconds = 0; seconds < 25; seconds += 1) await pass(SECOND_MS);
    expect([await tried, phone.devices.length]).toEqual([false, 1]);
    expect([await link.pairing.unlinkOld(), phone.devices]).toEqual([true, []]);
  });

  test("is done where the owner has removed the device meanwhile", async () => {
    const { link, phone, net } = await resetAway();
    phone.unlink();
    expect(await link.pairing.unlinkOld()).toBe(true);
    const { attempts } = net.stat;
    expect([await link.pairing.unlinkOld(), net.stat.attempts]).toEqual([true, attempts]);
  });
});

describe("a session that is forgotten", () => {
  test("G-151 is taken off the phone, and says and tries nothing more", async () => {
    const all = channel();
    await all.pair();
    const said = all.host.reports.length;
    await all.link.forget({ deregister: true, isLastOfAccount: true });
    expect(all.phone.devices).toEqual([]);
    const { attempts } = all.net.stat;
    await all.pass(HOUR_MS);
    expect(all.host.reports.length).toBe(said);
    expect(all.net.stat.attempts).toBe(attempts);
    expect(all.host.clock.pendingTimers).toBe(0);
  });

  test("G-151 ends within ten seconds where the network does not answer, and never throws", async () => {
    const all = channel();
    await all.pair();
    all.phone.freeze();
    const forgotten = all.link.forget({ deregister: true, isLastOfAccount: true });
    for (let seconds = 0; seconds < 10; seconds += 1) await all.pass(SECOND_MS);
    await forgotten;
    all.host.breakVault();
    await all.link.forget({ deregister: true, isLastOfAccount: true });
  });
});
