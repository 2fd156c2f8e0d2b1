import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, connect, linked } from "../baileys.ts";
import { RefusedByPhone, startWhatsApp, type WhatsApp } from "../index.ts";

const PN = "5511900000001";

let net: WhatsApp;
let clients: Client[];

const client = (...args: Parameters<typeof connect> extends [unknown, ...infer Rest] ? Rest : never): Client => {
  const made = connect(net, ...args);
  clients.push(made);
  return made;
};

beforeEach(async () => {
  net = await startWhatsApp();
  clients = [];
});

afterEach(async () => {
  for (const { end } of clients) end();
  await net.stop();
});

describe("linking by QR", () => {
  test("a scanned companion is asked to restart, and logs in with its keys", async () => {
    const phone = net.phone(PN);
    const first = client();
    const device = await phone.scan(await first.qr());
    expect(await first.closed()).toBe(515);
    const second = client(first.identity);
    await second.opened();
    expect(await phone.open()).toBe(device);
    expect(second.identity.creds.me).toMatchObject({ id: `${PN}:1@s.whatsapp.net`, lid: `${phone.lid}:1@lid` });
    expect(device.preKeys).toBe(812);
    expect(net.stat.unhandled).toEqual([]);
  });

  test("a ref is good once, and only while its connection lives", async () => {
    const phone = net.phone(PN);
    const first = client();
    const qr = await first.qr();
    await phone.scan(qr);
    expect(phone.scan(qr)).rejects.toThrow(RefusedByPhone);
    const second = client();
    const other = await second.qr();
    second.end();
    await net.until(() => net.stat.connections === 0);
    expect(phone.scan(other)).rejects.toThrow("unknown, used or too old");
    expect(phone.scan("hello")).rejects.toThrow("no QR");
    expect(phone.devices).toHaveLength(1);
  });

  test("refs expire", async () => {
    const first = client();
    const qr = await first.qr();
    net.expireRefs();
    expect(net.phone(PN).scan(qr)).rejects.toThrow("unknown, used or too old");
  });

  test("a companion refuses a phone that does not know its secret", async () => {
    const first = client();
    const [head, ...parts] = (await first.qr()).split(",");
    const forged = [head, parts[0], parts[1], Buffer.alloc(32, 7).toString("base64"), parts[3]].join(",");
    expect(net.phone(PN).scan(forged)).rejects.toThrow("the companion is gone");
    await first.closed();
    expect(net.phone(PN).devices).toHaveLength(0);
  });
});

describe("linking by code", () => {
  test("the code that the companion shows links it", async () => {
    const phone = net.phone(PN);
    const first = client();
    await first.qr();
    const code = await first.sock.requestPairingCode(PN);
    await phone.typeCode(code);
    expect(await first.closed()).toBe(515);
    const second = client(first.identity);
    await second.opened();
    expect(phone.devices).toHaveLength(1);
    expect(net.stat.unhandled).toEqual([]);
  });

  test("another code does not", async () => {
    const phone = net.phone(PN);
    const first = client();
    await first.qr();
    await first.sock.requestPairingCode(PN);
    expect(phone.typeCode("AAAAAAAA")).rejects.toThrow("not the code");
    await net.until(() => phone.devices.length === 0);
  });
});

describe("logging in", () => {
  test("another noise key is refused with 401", async () => {
    const first = await linked(net, PN);
    clients.push(first);
    first.end();
    const stranger = client();
    await stranger.qr();
    stranger.end();
    stranger.identity.creds.me = { ...first.identity.creds.me, id: `${PN}:1@s.whatsapp.net` };
    expect(await client(stranger.identity).closed()).toBe(401);
    expect(net.stat.refused).toEqual(["login 401"]);
  });

  test("the root key is the one that certifies, and a forged chain has another", async () => {
    expect(net.root).toMatch(/^[0-9a-f]{64}$/);
  });
});
