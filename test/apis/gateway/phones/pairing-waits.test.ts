import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { made } from "../../../support/tenants/platform.ts";
import { startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, untilTrue, type World } from "../../../support/world.ts";

const NUMBER = "5511900000044";

let net: WhatsApp;
let w: World;
let key: string;
let id: string;

beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({ env: { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root } });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  ({ key } = await w.account());
  id = made(await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } }), 201).id;
});

const ask = (path: string, call: object = {}) => w.gateway(`/v1/phones/${id}${path}`, { key, ...call });

test("one request that waits gets the QR code, without asking again and again", async () => {
  const { status, body, headers } = await ask("/qrcode?wait=30");
  expect([status, typeof body.qr, headers.get("cache-control")]).toEqual([200, "string", "no-store"]);
});

test("one request that waits gets the code to type", async () => {
  await ask("/qrcode?wait=30");
  expect((await ask("/pairing-code", { body: { phoneNumber: NUMBER } })).status).toBe(202);
  const { status, body } = await ask("/pairing-code?wait=30");
  expect([status, body.formatted]).toEqual([200, expect.stringMatching(/^[1-9A-Z]{4}-[1-9A-Z]{4}$/)]);
});

test("nobody waits for a code to type that was not requested", async () => {
  expect(gatewaySays(await ask("/pairing-code?wait=30"))).toBe("425 PAIRING_NOT_READY");
});

test("who waits longer than the network is silent is refused as before", async () => {
  const heal = net.faults.silent();
  const waiting = ask("/qrcode?wait=30");
  let isOver = false;
  void waiting.finally(() => (isOver = true));
  await untilTrue(() => {
    w.clock.advance(SECOND_MS);
    return isOver;
  });
  expect(gatewaySays(await waiting)).toBe("425 QR_NOT_READY");
  heal();
});

test.each(["31", "-1", "soon", "1.5", ""])("wait=%s is refused by name", async (wait) => {
  expect(fieldsOf(await ask(`/qrcode?wait=${wait}`))).toEqual(["wait"]);
  expect(fieldsOf(await ask(`/pairing-code?wait=${wait}`))).toEqual(["wait"]);
});
