// @great-detail/whatsapp, as it is on npm, pointed at a phone of either network by its own `baseUrl`.
import { describe, expect, test } from "bun:test";
import { Client, MessageType } from "@great-detail/whatsapp";
import { NETWORK_NAMES, useCloudPhone } from "../../../support/apis/cloud-phones.ts";
import { FILES } from "../../../support/customers/media.ts";

for (const name of NETWORK_NAMES)
  describe(`@great-detail/whatsapp on the ${name} network`, () => {
    const c = useCloudPhone(name);
    const phoneNumberID = () => c.client.number.numberId;
    const sdk = () =>
      new Client({
        baseUrl: c.w.app.cloudUrl ?? "",
        graphVersion: "v23.0",
        request: { headers: { Authorization: `Bearer ${c.client.token}` }, retry: 0 },
      });

    test("sends a text", async () => {
      const sent = await sdk()
        .message.createMessage({
          phoneNumberID: phoneNumberID(),
          to: c.person,
          type: MessageType.Text,
          text: { body: "olá" },
        })
        .json();
      expect(sent).toMatchObject({
        messaging_product: "whatsapp",
        contacts: [{ input: c.person, wa_id: c.person }],
        messages: [{ id: expect.stringMatching(/^wamid\./) }],
      });
      await c.until(() => c.texts().includes("olá"));
    });

    test("checks the signature of a webhook, and marks its message as read", async () => {
      await c.says("bom dia ☀");
      await c.until();
      const [post] = c.program.posts;
      if (!post) throw new Error("nothing came");
      const event = await sdk().webhook.eventNotification({
        method: "POST",
        query: {},
        body: post.raw,
        headers: post.headers,
      });
      await event.verifySignature(c.secret);
      expect(event.verifySignature("another")).rejects.toThrow();
      const marked = await sdk()
        .message.createStatus({
          phoneNumberID: phoneNumberID(),
          status: "read",
          message_id: c.program.messages()[0].id,
          typing_indicator: { type: "text" },
        })
        .json();
      expect(marked).toMatchObject({ success: true });
    });

    test("registers the webhook of the account by a call", async () => {
      const businessAccountID = c.client.number.accountId;
      const made = await sdk()
        .subscribedApps.createSubscription({
          businessAccountID,
          override_callback_uri: `${c.program.url}/again`,
          verify_token: c.program.verifyToken,
        })
        .json();
      expect(made).toEqual({ success: true });
      const listed = await sdk().subscribedApps.listSubscriptions({ businessAccountID }).json();
      expect(listed).toMatchObject({
        data: [
          {
            whatsapp_business_api_data: { id: c.client.number.appId },
            override_callback_uri: `${c.program.url}/again`,
          },
        ],
      });
    });

    test("uploads a file, and reads and deletes it", async () => {
      const { media } = sdk();
      const uploaded: any = await media
        .upload({
          phoneNumberID: phoneNumberID(),
          file: new Blob([FILES.png], { type: "image/png" }),
          filename: "a.png",
          mimeType: "image/png",
        })
        .json();
      expect(await media.getURL({ mediaID: uploaded.id }).json()).toMatchObject({
        messaging_product: "whatsapp",
        mime_type: "image/png",
        id: uploaded.id,
      });
      expect(await media.delete({ mediaID: uploaded.id }).json()).toEqual({ success: true });
    });

    test("lists the numbers and templates of the account", async () => {
      const listed: any = await sdk()
        .phoneNumbers.listPhoneNumbers({ businessAccountID: c.client.number.accountId })
        .json();
      expect(listed.data).toMatchObject([
        { id: phoneNumberID(), display_phone_number: expect.stringContaining(c.customer.phone.number.slice(-4)) },
      ]);
      const templates: any = await sdk()
        .template.list(c.client.number.accountId as never, {})
        .json();
      expect(Array.isArray(templates.data)).toBe(true);
    });
  });
