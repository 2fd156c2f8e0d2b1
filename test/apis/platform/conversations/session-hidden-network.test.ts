import { afterAll, beforeAll, expect, test } from "bun:test";
import { customer, made, sendText, untilState } from "../../../support/tenants/platform.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, type World } from "../../../support/world.ts";

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

test("W26-9 somebody without a number has one contact and one conversation, before and after the number is known", async () => {
  const who = await customer(w);
  const [owner, joana] = [
    net.phone("5511900000001"),
    net.contact({ lid: "98765432", username: "joana.s", name: "Joana" }),
  ];
  const { id } = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  );
  const { qr } = made(await w.platform(`/v1/channels/${id}/connect`, { key: who.key, method: "POST" }), 200);
  await owner.scan(qr);
  await untilState(w, who.id, id, "CONNECTED");

  const conversations = async () => made(await w.platform("/v1/conversations", { key: who.key }), 200).data;
  const written = async (count: number): Promise<any[]> => {
    let found: any[] = [];
    await untilTrue(async () => {
      const [conversation] = await conversations();
      if (!conversation) return false;
      found = made(await w.platform(`/v1/conversations/${conversation.id}/messages`, { key: who.key }), 200).data;
      return found.length >= count;
    });
    return found;
  };

  await joana.say("oi", { to: owner });
  expect(await written(1)).toMatchObject([{ direction: "INBOUND", from: "lid:98765432", text: "oi" }]);
  const [before] = await conversations();
  const contact = async () => made(await w.platform(`/v1/contacts/${before.contactId}`, { key: who.key }), 200);
  expect(await contact()).toMatchObject({ name: "Joana", phoneNumber: null });

  made(await sendText(w, who.key, id, { to: joana.lidJid, text: "olá" }), 202);
  await joana.until(({ text }) => text === "olá");
  const batch = { channelId: id, text: "promoção", recipients: [joana.lidJid] };
  made(await w.platform("/v1/bulk", { key: who.key, body: batch }), 202);
  await joana.until(({ text }) => text === "promoção");

  await joana.sharePhoneNumber("5511933330001", owner);
  await joana.say("este é o meu número", { to: owner });
  const texts = (await written(5)).map(({ direction, text }) => [direction, text]);
  expect(texts).toEqual([
    ["INBOUND", "este é o meu número"],
    ["INBOUND", undefined],
    ["OUTBOUND", "promoção"],
    ["OUTBOUND", "olá"],
    ["INBOUND", "oi"],
  ]);
  expect(await contact()).toMatchObject({ id: before.contactId, name: "Joana", phoneNumber: "5511933330001" });
  expect((await conversations()).map((one: any) => one.id)).toContain(before.id);
});
