import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, sendsOf, TO } from "../../../support/customers/customer.ts";
import { accountOf, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const BODY = { type: "BODY", text: "Olá" };

const at = () => `/v1/phones/${c.phone.id}/settings`;
const set = (body: object, key = c.key) => w.gateway(at(), { key, body, method: "PATCH" });
/** The bodies that arrived at the marketing endpoint of the phone. */
const marketed = (): any[] =>
  w.graph.journal
    .filter(({ path }) => path.endsWith(`/${c.phone.phoneNumberId}/marketing_messages`))
    .map(({ body }) => body);

const approved = async (name: string, category: "MARKETING" | "UTILITY") => {
  const businessAccountId = await accountOf(w, c);
  const id = w.graph.addTemplate({ businessAccountId, name, language: "pt_BR", category, components: [BODY] });
  await w.gateway("/v1/templates/sync", { key: c.key, body: { phoneId: c.phone.id } });
  return { id, businessAccountId };
};
const send = (name: string) => c.sent({ type: "template", content: { name } });

describe("marketing messages", () => {
  test("M26-13 go by their own endpoint where the phone's setting says so, others as before", async () => {
    await approved("oferta", "MARKETING");
    await approved("pedido", "UTILITY");
    const first = await send("oferta");
    expect([(await c.message(first)).status, marketed(), sendsOf(w, c).length]).toEqual(["SENT", [], 1]);
    expect((await set({ marketingMessages: "fallback" })).body).toEqual({
      marketingMessages: "fallback",
      messagingAccountId: null,
      transcribeVoice: null,
    });
    const second = await send("oferta");
    expect((await c.message(second)).status).toBe("SENT");
    expect(marketed()).toEqual([
      {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to: TO,
        type: "template",
        template: { name: "oferta", language: { code: "pt_BR", policy: "deterministic" } },
        product_policy: "CLOUD_API_FALLBACK",
        biz_opaque_callback_data: second,
      },
    ]);
    await send("pedido");
    await c.sent();
    expect([marketed().length, sendsOf(w, c).length]).toEqual([1, 3]);
    await set({ marketingMessages: "strict" });
    await send("oferta");
    expect(marketed().at(-1)).toMatchObject({ product_policy: "STRICT" });
    expect((await set({ marketingMessages: null })).body.marketingMessages).toBeNull();
    await send("oferta");
    expect(marketed().length).toBe(2);
  });

  test("M26-13 the latest category decides, as the network reports it", async () => {
    const { id, businessAccountId: accountId } = await approved("aviso", "UTILITY");
    await set({ marketingMessages: "fallback" });
    const value = {
      message_template_id: id,
      message_template_name: "aviso",
      message_template_language: "pt_BR",
      previous_category: "UTILITY",
      new_category: "MARKETING",
    };
    await post(w, [{ field: "template_category_update", value }], { accountId, at: w.clock.now() });
    w.graph.addTemplate({
      businessAccountId: accountId,
      name: "aviso",
      language: "pt_BR",
      category: "MARKETING",
      components: [BODY],
    });
    await send("aviso");
    expect([marketed().length, sendsOf(w, c).length]).toEqual([1, 0]);
  });

  test("M26-13 the refusal of marketing at the ordinary endpoint says what to set", async () => {
    await approved("oferta", "MARKETING");
    w.graph.failNext(1, { kind: "error", code: 131063 });
    const { failedReason } = await c.message(await send("oferta"));
    expect(failedReason).toContain("(#131063)");
    expect(failedReason).toContain("marketingMessages");
  });

  test("M26-13 what a person does with one is read, and no error", async () => {
    const action = { action_type: "marketing_messages_link_click", timestamp: "1800000000" };
    expect(await post(w, [ofNumber(c, { user_actions: [action] })])).toEqual([200]);
    expect(receivedBy(c.hook)).toEqual([]);
  });
});

describe("the settings of a phone", () => {
  test("M26-10 the account that pays is named in every send once it is set, by its new name alone", async () => {
    await c.sent();
    expect(sendsOf(w, c)[0]).not.toHaveProperty("messaging_account_id");
    await set({ messagingAccountId: "102290129340398" });
    const id = await c.sent();
    expect((await c.message(id)).status).toBe("SENT");
    expect(sendsOf(w, c)[1]).toMatchObject({ messaging_account_id: "102290129340398" });
    expect(sendsOf(w, c)[1]).not.toHaveProperty("paid_messaging_account_id");
  });

  test("M26-10 what is no setting changes nothing; a credential is none, and is never shown", async () => {
    expect(fieldsOf(await set({ messagingAccountId: "abc" }))).toEqual(["messagingAccountId"]);
    expect(fieldsOf(await set({ marketingMessages: "always" }))).toEqual(["marketingMessages"]);
    await set({ accessToken: "EAAstolen", phoneNumberId: "1" });
    const { text } = await w.gateway(at(), { key: c.key });
    expect(JSON.parse(text)).toEqual({ transcribeVoice: null, messagingAccountId: null, marketingMessages: null });
    expect((await c.message(await c.sent())).status).toBe("SENT");
    const stranger = (await w.account()).key;
    for (const answer of [await set({ marketingMessages: "off" }, stranger), await w.gateway(at(), { key: stranger })])
      expect(gatewaySays(answer)).toBe("404 PHONE_NOT_FOUND");
  });
});

describe("what calls and groups say", () => {
  test("M26-15 a recording and a transcript of a call are kept as their envelopes, and no error", async () => {
    for (const event of ["call_recording_available", "call_transcription_available"]) {
      const calls = [{ id: "wacid.1", event, timestamp: "1800000000" }];
      expect(await post(w, [ofNumber(c, { calls }, "calls")])).toEqual([200]);
    }
    const rows = await w.app.env.db.read((reader) =>
      reader.rows<{ n: number }>("SELECT count(*) AS n FROM upstream_envelopes WHERE body LIKE '%call_recording%'"),
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("M26-15 messages of a group are marked as read one by one", async () => {
    const ids = ["wamid.g1", "wamid.g2"];
    const messages = ids.map((id) => ({
      id,
      from: TO,
      group_id: "Y2FwaV9ncm91cDox",
      timestamp: "1800000000",
      type: "text",
      text: { body: "oi" },
    }));
    await post(w, [ofNumber(c, { contacts: [{ wa_id: TO }], messages })]);
    const received = receivedBy(c.hook, "message:received");
    expect(received).toHaveLength(2);
    const before = w.graph.journal.length;
    for (const { messageId } of received) {
      const body = { phoneId: c.phone.id, messageId };
      expect((await w.gateway(`/v1/messages/${messageId}/read`, { key: c.key, body })).status).toBe(202);
    }
    await w.settle();
    const reads = w.graph.journal.slice(before).map(({ body }) => (body as { message_id?: string }).message_id);
    expect(reads).toEqual(ids);
  });
});
