import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { made } from "../../../support/tenants/platform.ts";
import { attempts } from "../../../support/waiting.ts";
import { type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let key: string;
let id: string;
let hook: Receiver;
let owner: Phone;
let owners = 0;
beforeAll(async () => {
  net = await startWhatsApp();
  const network = { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root };
  w = await startWorld({ env: { ...network, RECADO_GATEWAY_RATE: "1000000" }, logLevel: "debug" });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  ({ key } = await w.account());
  hook = w.receiver();
  id = made(
    await w.gateway("/v1/phones", {
      key,
      body: { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
    }),
    201,
  ).id;
  owner = net.phone(`55119000000${10 + owners++}`);
});

// the network understood all of it, and no key and no code was logged
afterEach(() => {
  expect([net.stat.unhandled, net.stat.refused]).toEqual([[], []]);
  const logs = w.logs.join("");
  expect(logs).toContain("PENDING_QR");
  for (const secret of ["privKey", "rootKey", "linked_devices#", "noiseKey"]) expect(logs).not.toContain(secret);
});

/** The answer with this status, once it is that: a client asks again. */
const asked = async (path: string, status = 200) => {
  for (const checkLimit = attempts(); ; checkLimit()) {
    const answer = await w.gateway(`/v1/phones/${id}${path}`, { key });
    if (answer.status === status) return answer.body;
    if (answer.status !== 425) throw new Error(`${answer.status} ${answer.text}`);
  }
};
const linked = () => owner.devices.length;
const pair = async () => {
  await owner.scan((await asked("/qrcode")).qr);
  await untilStatus(w, id, "CONNECTED");
};
const post = async (what: string, body?: object) =>
  made(await w.gateway(`/v1/phones/${id}/${what}`, { key, method: "POST", ...(body ? { body } : {}) }), 202);
const receivedEvents = async (count: number) => {
  await hook.received(count);
  return hook.arrived.map(({ body }) => [body.type, body.data.reason].filter(Boolean).join(" "));
};

describe("a session on its network", () => {
  test("G-170 G-172 G-210 G-211 is paired by the QR code that the gateway shows, which it then never shows again", async () => {
    await pair();
    expect([await receivedEvents(1), linked()]).toEqual([["channel:connected"], 1]);
    expect(await asked("")).toMatchObject({ status: "CONNECTED", phoneNumber: owner.pn });
    expect((await w.gateway(`/v1/phones/${id}/qrcode`, { key })).status).toBe(409);
  });

  test("G-190 G-193 G-197 G-198 is paired by the code that is typed", async () => {
    await post("pairing-code", { phoneNumber: `+${owner.pn}` });
    await owner.typeCode((await asked("/pairing-code")).code);
    await untilStatus(w, id, "CONNECTED");
    expect(await receivedEvents(1)).toEqual(["channel:connected"]);
  });

  test("G-213 comes back by itself after its connection is cut, and after a restart, which is not published", async () => {
    await pair();
    owner.cut();
    await untilStatus(w, id, "CONNECTING");
    w.clock.advance(5000);
    await untilStatus(w, id, "CONNECTED");
    const logins = net.stat.logins;
    await w.restart();
    await net.until(() => net.stat.logins > logins);
    await untilStatus(w, id, "CONNECTED");
    expect(await receivedEvents(1)).toEqual(["channel:connected"]);
  });

  test("G-181 G-182 G-184 a logout unlinks it at the network, publishes it, and shows a new QR code; a reconnect joins it", async () => {
    await pair();
    await post("logout");
    await post("reconnect");
    const { qr } = await asked("/qrcode");
    expect(await receivedEvents(3)).toEqual([
      "channel:connected",
      "channel:disconnected PAIRING_RESET",
      "channel:qrcode",
    ]);
    expect(linked()).toBe(0);
    await owner.scan(qr);
    await untilStatus(w, id, "CONNECTED");
  });

  test("G-214 G-625 G-626 a device that its owner removes is published as LOGGED_OUT, with a new QR code", async () => {
    await pair();
    owner.unlink();
    await untilStatus(w, id, "PENDING_QR");
    expect(await receivedEvents(3)).toEqual(["channel:connected", "channel:disconnected LOGGED_OUT", "channel:qrcode"]);
    await pair();
  });

  test("G-151 is logged out when it is deleted", async () => {
    await pair();
    expect((await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" })).status).toBe(204);
    expect(linked()).toBe(0);
  });
});
