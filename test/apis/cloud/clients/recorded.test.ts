// The calls of programs that are not on npm, in the shapes of their public sources (November 2026): Chatwoot, Typebot,
// Evolution's business channel, pywa. Their fixed host is the only thing that is another.
import { describe, expect, test } from "bun:test";
import { NETWORK_NAMES, useCloudPhone } from "../../../support/apis/cloud-phones.ts";
import { chatwootFaults, typebotFaults } from "../../../support/apis/cloud-schemas.ts";
import { FILES } from "../../../support/customers/media.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";

const JSON_TYPE = { "content-type": "application/json" };
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

for (const name of NETWORK_NAMES)
  describe(`on the ${name} network`, () => {
    const c = useCloudPhone(name);
    const at = (version: string, path: string) => `${c.w.app.cloudUrl}/${version}/${path}`;
    const bearer = () => ({ authorization: `Bearer ${c.client.token}` });
    const call = async (url: string, init: RequestInit = {}): Promise<{ status: number; body: any }> => {
      const answer = await fetch(url, init);
      return { status: answer.status, body: await answer.json() };
    };
    const ids = () => ({ n: c.client.number.numberId, w: c.client.number.accountId, app: c.client.number.appId });
    const send = (version: string, body: object) =>
      call(at(version, `${ids().n}/messages`), {
        method: "POST",
        headers: { ...bearer(), ...JSON_TYPE },
        body: JSON.stringify({ messaging_product: "whatsapp", to: c.person, ...body }),
      });
    const bytesAt = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(url, { headers });
      return { answer, isSame: Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(FILES.png)) };
    };

    describe("Chatwoot", () => {
      test("saves an inbox: templates by the token in the query, then by the bearer", async () => {
        const old = await call(at("v14.0", `${ids().w}/message_templates?access_token=${c.client.token}`));
        const young = await call(at("v22.0", `${ids().w}/message_templates`), { headers: bearer() });
        for (const { status, body } of [old, young]) expect([status, Array.isArray(body.data)]).toEqual([200, true]);
      });

      test("follows the addresses of further pages as they are, without a header", async () => {
        for (const template of ["one", "two", "three"])
          await knownTemplate(c.w, c.customer.phone.id, { name: template });
        const names: string[] = [];
        let next = at("v14.0", `${ids().w}/message_templates?access_token=${c.client.token}&limit=2`);
        for (let page = 0; page < 3 && next; page++) {
          const { body } = await call(next);
          names.push(...body.data.map((template: any) => template.name));
          next = body.paging?.next;
        }
        expect(names.toSorted()).toEqual(["one", "three", "two"]);
      });

      test("sends a text, and a template with its policy", async () => {
        const sent = await send("v13.0", { context: null, type: "text", text: { body: "do agente" } });
        expect([sent.status, sent.body.error]).toEqual([200, undefined]);
        expect(sent.body.messages[0].id).toMatch(/^wamid\./);
        await c.until(() => c.texts().includes("do agente"));
        await knownTemplate(c.w, c.customer.phone.id);
        const template = {
          recipient_type: "individual",
          type: "template",
          template: { name: "hello", language: { policy: "deterministic", code: "pt_BR" }, components: [] },
        };
        const { status, body } = await send("v22.0", template);
        if (name === "official") expect([status, body.messages.length]).toEqual([200, 1]);
        else expect([status, body.error.message]).toEqual([404, expect.stringContaining("132001")]);
      });

      test("sends an interactive message whose action is JSON in a text", async () => {
        const action = { buttons: [{ type: "reply", reply: { id: "1", title: "Sim" } }] };
        const interactive = { type: "button", body: { text: "Confirma?" }, action };
        const asText = { ...interactive, action: JSON.stringify(action) };
        for (const one of [interactive, asText])
          expect((await send("v13.0", { type: "interactive", interactive: one })).status).toBe(200);
        const rows = await c.w.app.env.db.read(async (reader) =>
          reader.rows<{ content: string }>("SELECT content FROM messages WHERE tenant_id = ?1 AND type = 'button'", [
            c.customer.accountId,
          ]),
        );
        expect(rows).toHaveLength(2);
        expect(rows[0]).toEqual(rows[1] as never);
      });

      test("finds its inbox by the number that was typed into it, with or without the ninth digit", async () => {
        const typed = `55${c.customer.phone.number.slice(2)}9`;
        await c.w.app.env.db.write(async (tx) =>
          tx.run("UPDATE cloud_numbers SET display_number = ?2 WHERE channel_id = ?1", [c.customer.phone.id, typed]),
        );
        await c.says("oi");
        await c.until();
        const { body } = c.program.posts[0] ?? {};
        expect(chatwootFaults({ number: typed, phoneNumberId: ids().n })(body)).toEqual([]);
      });

      test("takes a person's file: its address, then the bytes, both with its headers", async () => {
        await c.sendsImage("foto");
        await c.until();
        const headers = { ...bearer(), ...JSON_TYPE };
        const { body } = await call(at("v13.0", c.program.messages()[0].image.id), { headers });
        const { answer, isSame } = await bytesAt(body.url, headers);
        expect([answer.status, isSame]).toEqual([200, true]);
        expect(answer.headers.get("content-disposition")).toContain("file.png");
      });

      test("shows the agent why a message was refused", async () => {
        const { status, body } = await send("v13.0", { type: "sticker", sticker: { link: "http://10.0.0.1/a.webp" } });
        expect(status).toBe(400);
        expect(body.error).toMatchObject({ message: expect.any(String), code: expect.any(Number) });
      });
    });

    describe("Typebot", () => {
      test("checks its token, and finds its number among those of the account", async () => {
        const debug = at("v17.0", `debug_token?input_token=${c.client.token}&appsecret_proof=abc`);
        const { body: token } = await call(debug, { headers: bearer() });
        expect(token.data).toMatchObject({ app_id: ids().app, expires_at: 0, scopes: expect.any(Array) });
        const { body: number } = await call(at("v17.0", ids().n), { headers: bearer() });
        expect(number.display_phone_number).toEqual(expect.any(String));
        const listed = at(
          "v17.0",
          `${ids().w}/phone_numbers?fields=id,display_phone_number&limit=100&appsecret_proof=abc`,
        );
        const { body: numbers } = await call(listed, { headers: bearer() });
        expect(numbers.data).toEqual([{ id: ids().n, display_phone_number: number.display_phone_number }]);
      });

      test("subscribes its app, without a body", async () => {
        const apps = at("v17.0", `${ids().w}/subscribed_apps`);
        const { body } = await call(apps, { headers: bearer() });
        const own = body.data.map((app: any) => app.id ?? app.whatsapp_business_api_data?.id);
        expect(own).toContain(ids().app);
        expect((await call(apps, { method: "POST", headers: bearer() })).status).toBe(200);
      });

      test("answers what a person writes, and shows that it writes", async () => {
        await c.says("oi");
        await c.until();
        expect(typebotFaults(c.program.posts[0]?.body)).toEqual([]);
        const { id } = c.program.messages()[0];
        const typing = { status: "read", message_id: id, typing_indicator: { type: "text" } };
        expect((await send("v21.0", { to: undefined, ...typing })).status).toBe(200);
        expect((await send("v17.0", { type: "text", text: { body: "Escolha", preview_url: false } })).status).toBe(200);
        const button = {
          type: "button",
          body: { text: "Qual?" },
          action: { buttons: [{ type: "reply", reply: { id: "a", title: "A" } }] },
        };
        expect((await send("v17.0", { type: "interactive", interactive: button })).status).toBe(200);
        await c.until(() => c.texts().includes("Escolha"));
      });

      test("uploads a file without a name, and reads a person's file with a crawler's name", async () => {
        const form = new FormData();
        form.set("file", new Blob([FILES.png], { type: "image/png" }));
        form.set("type", "image/png");
        form.set("messaging_product", "whatsapp");
        const url = at("v21.0", `${ids().n}/media`);
        const { status, body } = await call(url, { method: "POST", headers: bearer(), body: form });
        expect([status, body.id]).toEqual([200, expect.stringMatching(/^\d+$/)]);
        expect((await send("v17.0", { type: "image", image: { id: body.id } })).status).toBe(200);
        await c.sendsImage("foto");
        await c.until(() => c.program.messages().length > 0);
        const { body: media } = await call(at("v17.0", c.program.messages()[0].image.id), { headers: bearer() });
        expect(media.mime_type).toBe("image/png");
        expect((await bytesAt(media.url, { ...bearer(), "user-agent": CRAWLER })).isSame).toBe(true);
      });
    });

    describe("Evolution's business channel", () => {
      test("uploads with `typeFile`, sends by id, and quotes", async () => {
        const form = new FormData();
        form.set("file", new Blob([FILES.png], { type: "image/png" }), "a.png");
        form.set("typeFile", "image/png");
        form.set("messaging_product", "whatsapp");
        const url = at("v18.0", `${ids().n}/media`);
        const { body } = await call(url, { method: "POST", headers: bearer(), body: form });
        const sent = await send("v18.0", { recipient_type: "individual", type: "image", image: { id: body.id } });
        expect(sent.status).toBe(200);
        await c.says("oi");
        await c.until(() => c.program.messages().length > 0);
        const context = { message_id: c.program.messages()[0].id };
        const text = { preview_url: false, body: "resposta" };
        const quoting = await send("v18.0", { recipient_type: "individual", type: "text", text, context });
        expect(quoting.body.messages[0].id).toMatch(/^wamid\./);
      });

      test("gets a status only after the answer that names its message", async () => {
        const { body } = await send("v18.0", { type: "text", text: { body: "oi" } });
        await c.until(() => c.program.statuses().length > 0);
        expect(c.program.statuses()[0].id).toBe(body.messages[0].id);
      });
    });

    describe("pywa", () => {
      test("reads input and wa_id, and an error's code and details", async () => {
        const { body } = await send("v25.0", { recipient_type: "individual", type: "text", text: { body: "oi" } });
        expect(body.contacts).toEqual([{ input: c.person, wa_id: c.person }]);
        const refused = await send("v25.0", { recipient_type: "individual", type: "none", none: {} });
        expect(refused.status).toBe(400);
        expect(refused.body.error).toMatchObject({
          message: expect.any(String),
          code: expect.any(Number),
          error_data: { details: expect.any(String) },
          fbtrace_id: expect.any(String),
        });
      });

      test("uploads with a term, and deletes", async () => {
        const form = new FormData();
        form.set("file", new Blob([FILES.png], { type: "image/png" }), "a.png");
        form.set("messaging_product", "whatsapp");
        form.set("type", "image/png");
        form.set("ttl_minutes", "60");
        const url = at("v25.0", `${ids().n}/media`);
        const { body } = await call(url, { method: "POST", headers: bearer(), body: form });
        const media = at("v25.0", body.id);
        expect((await call(media, { headers: bearer() })).body).toMatchObject({
          id: body.id,
          sha256: expect.any(String),
        });
        expect((await call(media, { method: "DELETE", headers: bearer() })).body).toEqual({ success: true });
        await c.w.settle();
        expect((await call(media, { headers: bearer() })).status).toBe(400);
      });
    });
  });
