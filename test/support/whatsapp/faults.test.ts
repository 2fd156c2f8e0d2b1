import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Curve, generateSignalPubKey } from "@whiskeysockets/baileys";
import { verifySignature } from "libsignal/src/curve.js";
import { type Client, connect, linked } from "./baileys.ts";
import { type Contact, type Phone, stanza, startWhatsApp, type WhatsApp } from "./index.ts";

const PN = "5511900000001";

let net: WhatsApp;
let phone: Phone;
let ana: Contact;
let client: Client;

beforeEach(async () => {
  net = await startWhatsApp();
  phone = net.phone(PN);
  ana = net.contact({ pn: "5511911110001" });
  client = await linked(net, PN, { connectTimeoutMs: 5_000 });
});

afterEach(async () => {
  client.end();
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

const reconnect = (): Client => {
  client.end();
  client = connect(net, client.identity);
  return client;
};

describe("the end of a connection", () => {
  const ends: [string, () => void, number][] = [
    ["an unknown stream error", () => phone.streamError(stanza("ack")), 500],
    ["a stream error with a code", () => phone.streamError("503"), 503],
    ["515", () => phone.streamError("515"), 515],
    ["a conflict without a code", () => phone.replace(), 440],
    ["unlinking", () => phone.unlink(), 401],
    ["a downgrade", () => phone.downgrade(), 411],
    ["xmlstreamend", () => phone.end(), 428],
    ["a cut", () => phone.cut(), 428],
  ];
  test.each(ends)("by %s", async (_name, end, code) => {
    end();
    expect(await client.closed()).toBe(code);
  });

  test("by a second login with the same keys: the first is replaced", async () => {
    const second = connect(net, client.identity);
    expect(await client.closed()).toBe(440);
    await second.opened();
    second.end();
    expect(net.stat.logins).toBe(2);
  });
});

describe("a login", () => {
  test.each([401, 402, 403, 405, 406, 409, 411, 412, 413, 500, 503])("refused with %d, once", async (code) => {
    net.faults.failLogin({ reason: String(code), expire: "60" }, { phone, times: 1 });
    expect(await reconnect().closed()).toBe(code);
    await reconnect().opened();
  });

  test("of an unlinked device is refused with 401", async () => {
    client.end();
    phone.unlink();
    expect(await reconnect().closed()).toBe(401);
    expect(phone.devices).toEqual([]);
  });

  test("over an upgrade that is refused does not open", async () => {
    const heal = net.faults.refuseUpgrade(503);
    client.end();
    client = connect(net, client.identity, { connectTimeoutMs: 200 });
    expect([408, 503, 500]).toContain(await client.closed());
    heal();
    await reconnect().opened();
  });

  test("to a silent server times out", async () => {
    net.faults.silent({ times: 1 });
    client.end();
    client = connect(net, client.identity, { connectTimeoutMs: 200 });
    expect(await client.closed()).toBe(408);
  });

  test("without the marker after what was offline", async () => {
    net.faults.noOfflineMarker({ phone, times: 1 });
    await reconnect().opened();
    expect(client.updates.some(({ receivedPendingNotifications }) => receivedPendingNotifications)).toBe(false);
  });

  test("behind a forged chain is given up by a client to whom signatures count", async () => {
    const believing = Curve.verify;
    Curve.verify = (key, message, signature) =>
      verifySignature(Buffer.from(generateSignalPubKey(key)), Buffer.from(message), Buffer.from(signature));
    try {
      await reconnect().opened();
      net.faults.forgedChain({ times: 1 });
      expect(await reconnect().closed()).toBe(400);
    } finally {
      Curve.verify = believing;
    }
  });
});

describe("a message", () => {
  const ackOf = (id: string) => client.until(() => client.acks.find(({ attrs }) => attrs["id"] === id));
  const write = (id: string) => client.sock.sendMessage(ana.jid, { text: id }, { messageId: id });

  test("is nacked, and nobody has it", async () => {
    net.faults.nack(463, ({ attrs }) => attrs["to"] === ana.jid, { times: 1 });
    await write("N1");
    expect((await ackOf("N1")).attrs["error"]).toBe("463");
    expect(ana.received).toEqual([]);
    await write("N2");
    expect((await ackOf("N2")).attrs["error"]).toBeUndefined();
  });

  test("arrives although its ack is lost; sent again under the same id it is a repeat", async () => {
    net.faults.dropAcks(() => true, { times: 1 });
    await write("L1");
    await ana.until(({ id }) => id === "L1");
    await write("L1");
    await ackOf("L1");
    expect(ana.received).toHaveLength(1);
    expect(ana.repeats).toEqual(["L1"]);
  });

  test("is acknowledged only when acks are released", async () => {
    const release = net.faults.delayAcks();
    await write("D1");
    await ana.until(({ id }) => id === "D1");
    expect(client.acks).toEqual([]);
    release();
    await ackOf("D1");
  });

  test("waits while what comes in is held", async () => {
    const release = net.faults.holdIncoming();
    await ana.say("espera", { to: phone });
    expect(client.messages).toEqual([]);
    release();
    await client.until(() => client.messages.length === 1);
  });

  test("comes twice", async () => {
    net.faults.duplicate({ phone, times: 1 });
    const id = await ana.say("eco", { to: phone });
    await net.until(
      () =>
        net.stat.receipts.filter((receipt) => receipt.id === id).length +
          net.stat.acks.filter((ack) => ack.id === id).length ===
        2,
    );
  });

  test("under a restriction of the account: mex and a notification say so", async () => {
    phone.restrict({ until: Math.floor(Date.now() / 1000) + 3600, type: "BIZ_COMMERCE_VIOLATION_ALCOHOL" });
    await client.until(() => client.updates.find(({ reachoutTimeLock }) => reachoutTimeLock?.isActive));
    expect(await client.sock.fetchAccountReachoutTimelock()).toMatchObject({ isActive: true });
    phone.unrestrict();
    expect(await client.sock.fetchAccountReachoutTimelock()).toMatchObject({ isActive: false });
  });
});

test("a frozen link answers nothing, and everything once it thaws", async () => {
  const thaw = phone.freeze();
  const asked = client.sock.onWhatsApp(ana.jid);
  const id = await ana.say("frio", { to: phone });
  expect(net.stat.usync.some(({ protocols }) => protocols.includes("contact"))).toBe(false);
  thaw();
  expect(await asked).toEqual([{ jid: ana.jid, exists: true }]);
  await client.until(() => client.messages.find(({ key }) => key.id === id));
});

test("an iq without an answer, and one with another", async () => {
  net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "blocklist", { times: 1 });
  net.faults.answerIq(({ attrs }) =>
    attrs["xmlns"] === "blocklist"
      ? stanza("iq", {}, [stanza("list", {}, [stanza("item", { jid: ana.jid })])])
      : undefined,
  );
  await reconnect().opened();
  expect(await client.sock.fetchBlocklist()).toEqual([ana.jid]);
});

test("a piece of history says who is who", async () => {
  const received = new Promise((resolve) => client.sock.ev.on("messaging-history.set", resolve));
  await phone.history({ lidPnMappings: [{ lid: "777", pn: "5511977770000" }] });
  await received;
  expect(await client.sock.signalRepository.lidMapping.getPNForLID("777@lid")).toBe("5511977770000:0@s.whatsapp.net");
});

test("remove-companion-device unlinks", async () => {
  await client.sock.logout();
  await net.until(() => phone.devices.length === 0);
});
