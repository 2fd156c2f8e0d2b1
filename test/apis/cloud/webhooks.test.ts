import { describe, expect, test } from "bun:test";
import { messageIdOf, wamidOf } from "../../../src/apis/cloud/ids.ts";
import { NETWORK_NAMES, useCloudPhone } from "../../support/apis/cloud-phones.ts";
import { expectMetaShape } from "../../support/apis/cloud-program.ts";
import { receivedBy } from "../../support/customers/customer.ts";

for (const name of NETWORK_NAMES)
  describe(`webhooks of a phone on the ${name} network`, () => {
    const c = useCloudPhone(name);
    const metadata = () => ({
      display_phone_number: c.customer.phone.number,
      phone_number_id: c.client.number.numberId,
    });

    test("rule 14: a text, alone in its body, signed over ASCII bytes", async () => {
      await c.says("olá 👋 ç");
      await c.until();
      const [post] = c.program.posts;
      if (!post) throw new Error("nothing came");
      expectMetaShape(post, c.secret);
      expect(post.body.entry[0].id).toBe(c.client.number.accountId);
      expect(c.program.values("messages")).toMatchObject([
        {
          messaging_product: "whatsapp",
          metadata: metadata(),
          contacts: [{ profile: { name: expect.stringMatching(/./) }, wa_id: c.person }],
          messages: [{ from: c.person, type: "text", text: { body: "olá 👋 ç" } }],
        },
      ]);
      expect(c.program.messages()[0].timestamp).toMatch(/^\d{9,11}$/);
    });

    test("rule 6: an id of a message is ours, and the same as in the gateway's event", async () => {
      await c.says("oi");
      await c.until();
      const [{ id }] = c.program.messages();
      expect(messageIdOf(id)).toBe(receivedBy(c.customer.hook, "message:received")[0].messageId);
    });

    test("rule 17: each status of a message comes once, with its recipient", async () => {
      const messageId = await c.customer.sent({ to: c.person });
      await c.until();
      const [status] = c.program.statuses();
      expect(status).toMatchObject({ id: wamidOf(messageId), status: "sent", recipient_id: c.person });
      expect(status.timestamp).toMatch(/^\d{9,11}$/);
      for (const post of c.program.posts) expectMetaShape(post, c.secret);
    });

    test("a person's answer names the message that it answers", async () => {
      const messageId = await c.customer.sent({ to: c.person });
      await c.answers("sim", messageId);
      const answer = () => c.program.messages().find(({ text }) => text?.body === "sim");
      await c.until(() => answer() !== undefined);
      expect(answer().context).toEqual({ from: c.customer.phone.number, id: wamidOf(messageId) });
    });

    test("a reaction is a message of its own that names the reacted one", async () => {
      const messageId = await c.customer.sent({ to: c.person });
      await c.reacts(messageId, "👍");
      const reaction = () => c.program.messages().find(({ type }) => type === "reaction");
      await c.until(() => reaction() !== undefined);
      expect(reaction()).toMatchObject({
        from: c.person,
        reaction: { message_id: wamidOf(messageId), emoji: "👍" },
      });
    });

    test("rule 9: a file comes as an id of digits, its type and its SHA-256", async () => {
      await c.sendsImage("a foto");
      await c.until();
      const [message] = c.program.messages();
      expect(message).toMatchObject({ type: "image", image: { caption: "a foto", mime_type: "image/png" } });
      expect(message.image.id).toMatch(/^\d+$/);
      expect(Buffer.from(message.image.sha256, "base64")).toHaveLength(32);
    });

    test("what the owner writes in the app is an echo", async () => {
      await c.ownerSays("do celular");
      await c.until();
      const [value] = c.program.values("smb_message_echoes");
      expect(value).toMatchObject({
        metadata: metadata(),
        message_echoes: [{ from: c.customer.phone.number, to: c.person, type: "text", text: { body: "do celular" } }],
      });
    });
  });
