// Kapso's SDK, as it is on npm, pointed at a phone of either network by its own `baseUrl`.
import { describe, expect, test } from "bun:test";
import { GraphApiError, WhatsAppClient } from "@kapso/whatsapp-cloud-api";
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server";
import { wamidOf } from "../../../../src/apis/cloud/ids.ts";
import { NETWORK_NAMES, useCloudPhone } from "../../../support/apis/cloud-phones.ts";
import { FILES } from "../../../support/customers/media.ts";

for (const name of NETWORK_NAMES)
  describe(`Kapso's SDK on the ${name} network`, () => {
    const c = useCloudPhone(name);
    const client = () => new WhatsAppClient({ baseUrl: c.w.app.cloudUrl ?? "", accessToken: c.client.token });
    const to = () => ({ phoneNumberId: c.client.number.numberId, to: c.person });

    test("sends a text, and follows it by its id", async () => {
      const sent = await client().messages.sendText({ ...to(), body: "olá ção", bizOpaqueCallbackData: "order-7" });
      expect(sent).toMatchObject({ messagingProduct: "whatsapp", contacts: [{ input: c.person, waId: c.person }] });
      const [message] = sent.messages;
      await c.until(() => c.program.statuses().some(({ id }) => id === message?.id));
      expect(c.texts()).toContain("olá ção");
      const [first] = c.program.posts;
      const { statuses, phoneNumberId } = normalizeWebhook(first?.body);
      expect(phoneNumberId).toBe(c.client.number.numberId);
      expect(statuses).toMatchObject([{ status: "sent", recipientId: c.person, bizOpaqueCallbackData: "order-7" }]);
    });

    test("reads what a person writes, and verifies its signature", async () => {
      await c.says("bom dia, amanhã às 9?");
      await c.until();
      const [post] = c.program.posts;
      if (!post) throw new Error("nothing came");
      const signatureHeader = post.headers["x-hub-signature-256"] ?? "";
      expect(verifySignature({ appSecret: c.secret, rawBody: post.raw, signatureHeader })).toBe(true);
      expect(verifySignature({ appSecret: "another", rawBody: post.raw, signatureHeader })).toBe(false);
      const { messages, contacts, object } = normalizeWebhook(post.body);
      expect(object).toBe("whatsapp_business_account");
      expect(contacts).toMatchObject([{ waId: c.person, profile: { name: expect.any(String) } }]);
      expect(messages).toMatchObject([
        { from: c.person, type: "text", text: { body: "bom dia, amanhã às 9?" }, kapso: { direction: "inbound" } },
      ]);
    });

    test("answers, reacts and marks as read by the id of the webhook", async () => {
      await c.says("oi");
      await c.until();
      const [{ id }] = c.program.messages();
      const answered = await client().messages.sendText({ ...to(), body: "resposta", contextMessageId: id });
      expect(answered.messages[0]?.id).toMatch(/^wamid\./);
      await c.until(() => c.texts().includes("resposta"));
      expect(
        (await client().messages.sendReaction({ ...to(), reaction: { messageId: id, emoji: "👍" } })).messages,
      ).toHaveLength(1);
      const marked = await client().messages.markRead({ phoneNumberId: to().phoneNumberId, messageId: id });
      expect(marked).toMatchObject({ success: true });
    });

    test("an owner's message in the app is outbound", async () => {
      await c.ownerSays("do celular");
      await c.until();
      expect(normalizeWebhook(c.program.posts[0]?.body).messages).toMatchObject([
        { type: "text", text: { body: "do celular" }, kapso: { direction: "outbound", source: "smb_message_echo" } },
      ]);
    });

    test("sends a location, cards and a list", async () => {
      const { messages } = client();
      for (const sent of [
        await messages.sendLocation({ ...to(), location: { latitude: -23.55, longitude: -46.63, name: "Sé" } }),
        await messages.sendContacts({
          ...to(),
          contacts: [{ name: { formattedName: "Ana" }, phones: [{ phone: "+5511988887777" }] }],
        }),
        await messages.sendInteractiveList({
          ...to(),
          bodyText: "Escolha",
          buttonText: "Ver",
          sections: [{ title: "Pães", rows: [{ id: "1", title: "Francês" }] }],
        }),
      ])
        expect(sent.messages[0]?.id).toMatch(/^wamid\./);
    });

    test("uploads, sends, reads and deletes a file; the download goes without a token", async () => {
      const { media, messages } = client();
      const file = new Blob([FILES.png], { type: "image/png" });
      const { id } = await media.upload({ phoneNumberId: to().phoneNumberId, type: "image", file, fileName: "a.png" });
      expect(id).toMatch(/^\d+$/);
      expect((await messages.sendImage({ ...to(), image: { id, caption: "a foto" } })).messages).toHaveLength(1);
      expect(await media.get({ mediaId: id })).toMatchObject({
        id,
        mimeType: "image/png",
        messagingProduct: "whatsapp",
      });
      const bytes = (await media.download({ mediaId: id })) as ArrayBuffer;
      expect(Buffer.from(bytes).equals(Buffer.from(FILES.png))).toBe(true);
      expect(await media.delete({ mediaId: id })).toMatchObject({ success: true });
    });

    test("downloads the file that a person sent", async () => {
      await c.sendsImage("foto");
      await c.until();
      const [{ image }] = c.program.messages();
      const bytes = (await client().media.download({ mediaId: image.id })) as ArrayBuffer;
      expect(Buffer.from(bytes).equals(Buffer.from(FILES.png))).toBe(true);
    });

    test("lists templates", async () => {
      const { data } = await client().templates.list({ businessAccountId: c.client.number.accountId });
      expect(Array.isArray(data)).toBe(true);
    });

    test("reads the network's errors", async () => {
      const stranger = new WhatsAppClient({ baseUrl: c.w.app.cloudUrl ?? "", accessToken: "ck_live_wrong" });
      const wrong = await stranger.messages.sendText({ ...to(), body: "x" }).catch((error: unknown) => error);
      expect(wrong).toBeInstanceOf(GraphApiError);
      expect(wrong).toMatchObject({ httpStatus: 401, code: 190, type: "OAuthException" });
      expect((wrong as GraphApiError).isAuthError()).toBe(true);
      const foreign = await client()
        .messages.sendText({ phoneNumberId: "100000000000001", to: c.person, body: "x" })
        .catch((error: unknown) => error);
      expect(foreign).toMatchObject({ httpStatus: 400, code: 100, errorSubcode: 33 });
      const unknown = await client()
        .messages.sendText({ ...to(), body: "x", contextMessageId: wamidOf("not ours") })
        .catch((error: unknown) => error);
      expect(unknown).toMatchObject({ httpStatus: 400, details: expect.any(String) });
    });
  });
