// whatsapp-api-js, as it is on npm. Its host is built in: its own `ponyfill.fetch` leads it here.
import { describe, expect, test } from "bun:test";
import { WhatsAppAPI } from "whatsapp-api-js";
import { Image, Location, Reaction, Text } from "whatsapp-api-js/messages";
import { NETWORK_NAMES, useCloudPhone } from "../../../support/apis/cloud-phones.ts";
import { FILES } from "../../../support/customers/media.ts";

const HOST = "https://graph.facebook.com";

for (const name of NETWORK_NAMES)
  describe(`whatsapp-api-js on the ${name} network`, () => {
    const c = useCloudPhone(name);
    const phoneID = () => c.client.number.numberId;
    const api = () =>
      new WhatsAppAPI({
        token: c.client.token,
        appSecret: c.secret,
        webhookVerifyToken: c.program.verifyToken,
        v: "v24.0",
        ponyfill: {
          fetch: ((url: string | URL, init?: RequestInit) =>
            fetch(String(url).replace(HOST, c.w.app.cloudUrl ?? ""), init)) as typeof fetch,
        },
      });

    test("takes a webhook by its signature, answers it and marks it as read", async () => {
      await c.says("olá 👋 São Paulo");
      await c.until();
      const whatsapp = api();
      const seen: unknown[] = [];
      whatsapp.on.message = async ({ phoneID: phone, from, message, name: called, reply, received }) => {
        seen.push(phone, from, message.type === "text" ? message.text.body : undefined, called);
        const sent = await reply(new Text("recebido"), true);
        seen.push("messages" in sent);
        seen.push(await received("text"));
      };
      const [post] = c.program.posts;
      if (!post) throw new Error("nothing came");
      await whatsapp.post(post.body, post.raw, post.headers["x-hub-signature-256"] ?? "");
      await c.until(() => c.texts().includes("recebido"));
      expect(seen).toEqual([phoneID(), c.person, "olá 👋 São Paulo", expect.any(String), true, { success: true }]);
    });

    test("refuses a webhook that another secret signed", async () => {
      await c.says("olá");
      await c.until();
      const [post] = c.program.posts;
      const forged = `sha256=${"0".repeat(64)}`;
      expect(api().post(post?.body, post?.raw ?? "", forged)).rejects.toThrow();
    });

    test("takes the statuses of what it sent", async () => {
      const whatsapp = api();
      const sent = await whatsapp.sendMessage(phoneID(), c.person, new Text("oi"), undefined, "order-7");
      if (!("messages" in sent)) throw new Error(JSON.stringify(sent));
      await c.until(() => c.program.statuses().length > 0);
      const seen: unknown[] = [];
      whatsapp.on.status = ({ phone, status, id, biz_opaque_callback_data: data }) =>
        void seen.push([phone, status, id, data]);
      const [post] = c.program.posts;
      if (!post) throw new Error("nothing came");
      await whatsapp.post(post.body, post.raw, post.headers["x-hub-signature-256"] ?? "");
      expect(seen).toEqual([[c.person, "sent", sent.messages[0]?.id, "order-7"]]);
    });

    test("sends a location, a file by its id, and a reaction", async () => {
      await c.says("oi");
      await c.until();
      const whatsapp = api();
      const form = new FormData();
      form.set("file", new File([FILES.png], "a.png", { type: "image/png" }));
      const uploaded = await whatsapp.uploadMedia(phoneID(), form);
      if (!("id" in uploaded)) throw new Error(JSON.stringify(uploaded));
      for (const message of [
        new Location(-46.63, -23.55, "Sé"),
        new Image(uploaded.id, true, "a foto"),
        new Reaction(c.program.messages()[0].id, "👍"),
      ])
        expect(await whatsapp.sendMessage(phoneID(), c.person, message)).toHaveProperty("messages");
    });

    test("reads the file that a person sent, with its token and a crawler's name", async () => {
      await c.sendsImage("foto");
      await c.until();
      const whatsapp = api();
      const media = await whatsapp.retrieveMedia(c.program.messages()[0].image.id);
      if (!("url" in media)) throw new Error(JSON.stringify(media));
      const bytes = await (await whatsapp.fetchMedia(media.url)).bytes();
      expect(Buffer.from(bytes).equals(Buffer.from(FILES.png))).toBe(true);
      expect(await whatsapp.deleteMedia(media.id)).toEqual({ success: true });
    });

    test("answers the handshake of a new address", async () => {
      c.program.shake((query) => new Response(api().get(Object.fromEntries(query) as never)));
      const { status } = await c.w.gateway(`/v1/phones/${c.customer.phone.id}/cloud-api/webhook`, {
        method: "PUT",
        key: c.customer.key,
        body: { url: `${c.program.url}/again`, verifyToken: c.program.verifyToken },
      });
      expect(status).toBe(200);
    });
  });
