import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, sendsOf, TO, tracesOf } from "../../../support/customers/customer.ts";
import { accountOf, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const NOTHING_SET = {
  transcribeVoice: null,
  optOutWords: null,
  ownOptOutWords: null,
  messagingAccountId: null,
  marketingMessages: null,
  marketingPriceFactor: null,
  directSendName: null,
};
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
      ...NOTHING_SET,
      marketingMessages: "fallback",
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

describe("the maximum price of marketing", () => {
  const make = (more: object) =>
    w.gateway("/v1/templates", {
      key: c.key,
      body: {
        phoneId: c.phone.id,
        name: "oferta",
        language: "pt_BR",
        category: "MARKETING",
        components: [BODY],
        ...more,
      },
    });
  /** The spec of the last call that made or changed a template. */
  const specSent = () =>
    w.graph.journal
      .filter(({ method, path }) => method === "POST" && /message_templates$|\/\d+$/.test(path))
      .map(({ body }) => (body as { optimization_spec?: object }).optimization_spec)
      .at(-1);

  test("M26-13 goes along with the template, when it is made and when it is changed", async () => {
    const { body } = await make({ maxPricePer1000: 25_000 });
    expect(specSent()).toEqual({ bid_strategy: "LOWEST_COST_WITH_BID_CAP", bid_amount: 25_000 });
    await w.graph.reviewTemplate(body.upstreamTemplateId, "APPROVED");
    await w.settle();
    const change = { key: c.key, method: "PATCH", body: { maxPricePer1000: 20_000 } };
    expect((await w.gateway(`/v1/templates/${body.id}`, change)).status).toBe(200);
    const { body: shown } = await w.gateway(`/v1/templates/${body.id}`, { key: c.key });
    expect([body.maxPricePer1000, shown.maxPricePer1000]).toEqual([25_000, 20_000]);
    expect([specSent(), w.graph.templates.get(body.upstreamTemplateId)?.bidAmount]).toEqual([
      { bid_strategy: "LOWEST_COST_WITH_BID_CAP", bid_amount: 20_000 },
      20_000,
    ]);
  });

  test("M26-13 ends with the category, and goes along with a template that is submitted again", async () => {
    w.graph.failNext(1, { kind: "error", code: 100 }, { operation: "template.create" });
    const refused = await make({ maxPricePer1000: 25_000 });
    expect(refused.status).toBe(400);
    const [{ id, maxPricePer1000 }] = (await w.gateway("/v1/templates?name=oferta", { key: c.key })).body;
    const patch = (body: object) => w.gateway(`/v1/templates/${id}`, { key: c.key, method: "PATCH", body });
    const { body: again } = await patch({});
    expect([maxPricePer1000, again.maxPricePer1000]).toEqual([25_000, 25_000]);
    expect(specSent()).toEqual({ bid_strategy: "LOWEST_COST_WITH_BID_CAP", bid_amount: 25_000 });
    await w.graph.reviewTemplate(again.upstreamTemplateId, "REJECTED");
    await w.settle();
    expect((await patch({ category: "UTILITY" })).body).toMatchObject({ category: "UTILITY", maxPricePer1000: null });
  });

  test("M26-13 of a template that is not for marketing is refused by its field, and the network is not asked", async () => {
    const before = w.graph.journal.length;
    expect(fieldsOf(await make({ category: "UTILITY", maxPricePer1000: 25_000 }))).toEqual(["maxPricePer1000"]);
    expect(w.graph.journal.length).toBe(before);
  });

  test("M26-13 is kept by the marketing endpoint alone, with the phone's factor if it has one", async () => {
    const { body } = await make({ maxPricePer1000: 25_000 });
    await w.graph.reviewTemplate(body.upstreamTemplateId, "APPROVED");
    await w.settle();
    expect((await c.message(await send("oferta"))).failedReason).toContain("131061");
    await set({ marketingMessages: "strict" });
    expect((await c.message(await send("oferta"))).status).toBe("SENT");
    expect(marketed()[0]).not.toHaveProperty("bid_spec");
    await set({ marketingPriceFactor: "0.8" });
    expect((await c.message(await send("oferta"))).status).toBe("SENT");
    expect(marketed()[1]).toMatchObject({ bid_spec: { per_message_bid_multiplier: 0.8 } });
    for (const wrong of ["0", "0.0", "-1", "abc", "100"])
      expect(fieldsOf(await set({ marketingPriceFactor: wrong }))).toEqual(["marketingPriceFactor"]);
    await set({ marketingMessages: null });
    await c.sent();
    expect(sendsOf(w, c).at(-1)).not.toHaveProperty("bid_spec");
  });
});

describe("a utility message without a template", () => {
  const LATE = { text: "Seu pedido saiu.", tag: "UTILITY" };
  const sendLate = (content: object = LATE) => c.send({ type: "text", content });
  const grant = (hasDirectSend: boolean) => w.graph.configure({ hasDirectSend, window: "sync" });

  test("is refused by its tag until the phone's setting is set, and nothing is sent", async () => {
    const before = await tracesOf(w, c);
    expect(fieldsOf(await sendLate())).toEqual(["content"]);
    expect([await tracesOf(w, c), sendsOf(w, c)]).toEqual([before, []]);
  });

  test("goes out after the window under the setting's name, and one without the tag does not", async () => {
    grant(true);
    try {
      await set({ directSendName: "avisos" });
      const id = await c.sent({ type: "text", content: LATE });
      expect((await c.message(id)).status).toBe("SENT");
      expect(sendsOf(w, c)).toEqual([
        {
          messaging_product: "whatsapp",
          recipient_type: "individual",
          to: TO,
          type: "text",
          text: { body: "Seu pedido saiu.", preview_url: false },
          category: "utility",
          direct_send_config: { template_name: "avisos" },
          biz_opaque_callback_data: id,
        },
      ]);
      const plain = await c.sent({ type: "text", content: { text: "olá" } });
      expect((await c.message(plain)).failedReason).toContain("131047");
    } finally {
      w.graph.configure({ hasDirectSend: false, window: "off" });
    }
  });

  test("that the network does not grant fails with its words, and never leaves", async () => {
    await set({ directSendName: "avisos" });
    const id = await c.sent({ type: "text", content: LATE });
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("Direct Send is not available"),
    });
    expect([...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === id)).toEqual([]);
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
    expect(JSON.parse(text)).toEqual(NOTHING_SET);
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
