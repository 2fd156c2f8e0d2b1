import { afterAll, beforeAll, expect, test } from "bun:test";
import { customer, made, sendText, untilState } from "../../support/tenants/platform.ts";
import { startWhatsApp, type WhatsApp } from "../../support/whatsapp/index.ts";
import { startWorld, type World } from "../../support/world.ts";

let net: WhatsApp;
let w: World;
beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({ env: { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root } });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});

test("P-198 P-200 P-202 P-211 create, connect, scan, send: the message arrives; a disconnect unlinks the device", async () => {
  const who = await customer(w);
  const [owner, ana] = [net.phone("5511900000001"), net.contact({ pn: "5511911110001" })];
  const { id } = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  );
  const { qr } = made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200);
  await owner.scan(qr);
  await untilState(w, who.id, id, "CONNECTED");
  made(await sendText(w, who.key, id, { to: ana.pn, text: "olá, Ana" }), 202);
  expect((await ana.until(({ text }) => text === "olá, Ana")).from).toContain(String(owner.pn));
  made(await w.platform(`/v1/channels/${id}/disconnect`, { key: who.key, method: "POST" }), 200);
  await net.until(() => owner.devices.length === 0);
  expect(made(await w.platform(`/v1/channels/${id}`, { key: who.key }), 200)).toMatchObject({ status: "DISCONNECTED" });
  expect(made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200).qr).not.toBe(qr);
});
