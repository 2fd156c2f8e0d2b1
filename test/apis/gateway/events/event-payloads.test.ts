import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, TO, wamidOf } from "../../../support/customers/customer.ts";
import type { InboundSeed } from "../../../support/graph/index.ts";
import { ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PERSON = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

/** Has a message arrive; the data of its event. */
const received = async (seed: Record<string, unknown> & { kind: InboundSeed["kind"] }) => {
  await w.graph.inbound.batch([{ to: c.phone.phoneNumberId, from: TO, ...seed } as InboundSeed]);
  await w.settle();
  return receivedBy(c.hook, "message:received").at(-1);
};

describe("message:received", () => {
  const COMMON = ["chat", "content", "direction", "from", "messageId", "pushName", "timestamp", "type"];
  const cases: [kind: InboundSeed["kind"], seed: object, type: string, content: object][] = [
    ["text", { text: "olá" }, "text", { text: "olá" }],
    ["image", { caption: "a" }, "image", { caption: "a", mimeType: "image/jpeg" }],
    ["video", {}, "video", { mimeType: "video/mp4" }],
    ["audio", { voice: true }, "audio", { mimeType: "audio/ogg; codecs=opus", voice: true }],
    ["document", { filename: "a.pdf" }, "document", { filename: "a.pdf", mimeType: "application/pdf" }],
    ["sticker", {}, "sticker", { mimeType: "image/webp" }],
    [
      "location",
      { latitude: -22.9, longitude: -43.2, locationName: "Rio" },
      "location",
      { latitude: -22.9, longitude: -43.2, name: "Rio" },
    ],
    [
      "contacts",
      { contacts: [{ name: { formatted_name: "Ana" } }] },
      "contact",
      { contacts: [{ name: { formatted_name: "Ana" } }] },
    ],
    ["buttonReply", { id: "b1", title: "Sim" }, "button_reply", { selectedId: "b1", text: "Sim" }],
    ["listReply", { id: "r1", title: "Um" }, "button_reply", { selectedId: "r1", text: "Um" }],
    ["templateButton", { payload: "p1", text: "Sim" }, "button_reply", { selectedId: "p1", text: "Sim" }],
  ];
  test.each(cases)(
    "G-610 G-611 G-612 G-615 G-616 a message of kind %s has the one shape, with its content",
    async (kind, seed, type, content) => {
      const data = await received({ kind, ...seed });
      expect(data).toMatchObject({ type, direction: "inbound" });
      expect(data.content).toEqual(content);
      const isMedia = ["image", "video", "audio", "document", "sticker"].includes(type);
      expect(Object.keys(data).sort()).toEqual([...COMMON, ...(isMedia ? ["media"] : [])].sort());
      if (isMedia)
        expect(Object.keys(data.media).sort()).toEqual([
          "contentType",
          "downloadUrl",
          "expiresAt",
          "filename",
          "mediaId",
          "sizeBytes",
        ]);
    },
  );

  test.each([
    ["buttonReply", { id: "opt-2", title: "Dois" }],
    ["listReply", { id: "opt-2", title: "Dois" }],
  ] as const)(
    "G-336 G-615 the id that was given to a button or a row comes back when it is tapped (%s)",
    async (kind, tapped) => {
      expect(await received({ kind, ...tapped })).toMatchObject({
        type: "button_reply",
        content: { selectedId: "opt-2" },
      });
    },
  );

  test("G-384 G-615 a tap on a template's quick reply brings its payload, and the message that it answers", async () => {
    const id = await c.sent();
    const tapped = await received({ kind: "templateButton", payload: "PAY-1", text: "Pagar", quoted: wamidOf(w, id) });
    expect(tapped).toMatchObject({
      type: "button_reply",
      content: { selectedId: "PAY-1", text: "Pagar" },
      quotedMessageId: id,
    });
  });

  test("G-614 GAP-G25 a message of a group is its participant's, in the chat of the group", async () => {
    const message = {
      group_id: "Y2FwaV9ncm91cDo",
      from: TO,
      id: "wamid.G1",
      timestamp: "1700000000",
      type: "text",
      text: { body: "all" },
    };
    await post(w, [ofNumber(c, { contacts: [{ profile: { name: "Ana" }, wa_id: TO }], messages: [message] })]);
    expect(receivedBy(c.hook)).toMatchObject([
      {
        from: PERSON,
        chat: { canonicalKey: "group:Y2FwaV9ncm91cDo", type: "group", pn: null, lid: null },
        pushName: "Ana",
      },
    ]);
  });

  test("what a form was answered with, an order and a forward come in the one shape", async () => {
    const flow = {
      type: "interactive",
      interactive: {
        type: "nfm_reply",
        nfm_reply: { name: "flow", body: "Sent", response_json: '{"flow_token":"t","city":"Rio"}' },
      },
    };
    const order = {
      type: "order",
      order: {
        catalog_id: "7",
        product_items: [{ product_retailer_id: "sku", quantity: 1, item_price: 9.9, currency: "BRL" }],
      },
    };
    for (const [index, more] of [flow, order, { context: { forwarded: true } }].entries())
      await post(w, [
        ofNumber(c, {
          messages: [
            { from: TO, id: `wamid.F${index}`, timestamp: "1700000000", type: "text", text: { body: "oi" }, ...more },
          ],
        }),
      ]);
    expect(receivedBy(c.hook).map((data) => Object.keys(data).sort())).toEqual([COMMON, COMMON, COMMON]);
    expect(receivedBy(c.hook)).toMatchObject([
      { type: "flow_reply", content: { name: "flow", response: { flow_token: "t", city: "Rio" } } },
      { type: "order", content: { catalogId: "7", items: [{ productId: "sku", price: 9.9 }] } },
      { type: "text", content: { text: "oi", forwarded: true } },
    ]);
  });

  test("G-613 G-614 the id is ours, sender and chat are known by number, the time and the name are the network's", async () => {
    const data = await received({
      kind: "text",
      text: "oi",
      name: "Ana",
      at: Date.parse("2026-11-20T11:59:30Z"),
      wamid: "wamid.SECRET",
    });
    expect(data).toMatchObject({
      messageId: expect.stringMatching(UUID_V4),
      from: PERSON,
      chat: PERSON,
      pushName: "Ana",
      timestamp: "2026-11-20T11:59:30.000Z",
    });
    expect(c.hook.arrived.at(-1)?.raw).not.toContain("wamid");
  });

  test("G-614 GAP-G25 a sender who shows no number is known by the business-scoped id", async () => {
    const data = await received({ kind: "text", text: "oi", from: "BR.998877" });
    expect(data.from).toEqual({
      canonicalKey: "bsuid:BR.998877",
      pn: null,
      lid: null,
      type: "bsuid",
      bsuid: "BR.998877",
    });
    expect(data.chat).toEqual(data.from);
  });

  test("a reply names the message it answers by our id, where it is one of ours", async () => {
    const id = await c.sent();
    expect((await received({ kind: "text", text: "sim", quoted: wamidOf(w, id) })).quotedMessageId).toBe(id);
    expect(await received({ kind: "text", text: "sim", quoted: "wamid.UNKNOWN" })).not.toHaveProperty(
      "quotedMessageId",
    );
  });
});

describe("the envelope", () => {
  test("G-583 G-584 has these six fields, whose ids are those of the account and the phone", async () => {
    await received({ kind: "text", text: "oi" });
    const { body } = c.hook.arrived.at(-1) ?? {};
    expect(Object.keys(body)).toEqual(["id", "type", "accountId", "phoneId", "timestamp", "data"]);
    expect(body).toMatchObject({
      type: "message:received",
      accountId: c.accountId,
      phoneId: c.phone.id,
      timestamp: new Date(w.clock.now()).toISOString(),
    });
    expect(body.id).toMatch(UUID_V4);
  });

  test("G-211 G-624 G-580 channel:connected has the number", async () => {
    const hook = w.receiver();
    const phone = await w.wabaPhone(c.key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    expect(hook.arrived.map(({ body }) => [body.type, body.phoneId, body.data])).toEqual([
      ["channel:connected", phone.id, { phoneNumber: phone.number }],
    ]);
  });

  test("G-625 the deletion of a phone is published to its webhook, with the reason MANUAL_DELETE", async () => {
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    await w.settle();
    expect(c.hook.arrived.map(({ body }) => [body.type, body.phoneId, body.data])).toEqual([
      ["channel:disconnected", c.phone.id, { reason: "MANUAL_DELETE" }],
    ]);
  });

  test("G-625 it arrives even when the webhook answers only at the second try", async () => {
    c.hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    await w.advance(5000);
    expect(receivedBy(c.hook)).toEqual([{ reason: "MANUAL_DELETE" }, { reason: "MANUAL_DELETE" }]);
  });
});

describe("the names that a webhook may ask for", () => {
  const NAMES = `
    message:received message:status channel:connected channel:disconnected channel:qrcode media:available media:expired template:status
    agent:handoff group:lifecycle group:participants group:settings group:status billing:invoice.paid billing:invoice.failed webhook:failed
    call:* call:offer call:ringing call:accepted call:in_progress call:completed call:rejected call:missed call:failed`
    .trim()
    .split(/\s+/);
  test.each(NAMES)("G-629 %s is one, of a phone's webhook and of a shared one", async (name) => {
    const webhook = { url: c.hook.url, secret: WEBHOOK_SECRET, events: [name] };
    const phone = await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone", webhook } });
    const shared = await w.gateway("/v1/webhooks", { key: c.key, body: { label: "Shared", ...webhook } });
    expect([phone.status, shared.status, shared.body.events]).toEqual([201, 201, [name]]);
  });

  test.each(["message:*", "*", "message.received", "MESSAGE:RECEIVED", "nothing", ""])(
    "GAP-G16 %p is none, and nothing is made",
    async (name) => {
      const webhook = { url: c.hook.url, secret: WEBHOOK_SECRET, events: ["message:received", name] };
      expect(
        gatewaySays(
          await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone", webhook } }),
        ),
      ).toBe("400 VALIDATION_ERROR");
      expect(gatewaySays(await w.gateway("/v1/webhooks", { key: c.key, body: { label: "Shared", ...webhook } }))).toBe(
        "400 VALIDATION_ERROR",
      );
      expect((await w.gateway("/v1/phones", { key: c.key })).body).toHaveLength(1);
      expect((await w.gateway("/v1/webhooks", { key: c.key })).body).toEqual([]);
    },
  );
});
