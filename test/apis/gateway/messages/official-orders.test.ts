import { describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { newCustomer, receivedBy, sendsOf, TO } from "../../../support/customers/customer.ts";
import { ofNumber, post, postInbound, resolve } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const ORDER = SAMPLES.order_details;

describe("an order to be paid", () => {
  test("is sent with its Pix code, and amounts in hundredths", async () => {
    const id = await c.sent({ type: "order_details", content: ORDER });
    expect((await c.message(id)).status).toBe("SENT");
    const brl = (value: number) => ({ value, offset: 100 });
    expect(sendsOf(w, c)[0].interactive).toEqual({
      type: "order_details",
      body: { text: ORDER.text },
      action: {
        name: "review_and_pay",
        parameters: {
          reference_id: "pedido-123",
          type: "physical-goods",
          payment_type: "br",
          currency: "BRL",
          total_amount: brl(1450),
          payment_settings: [
            {
              type: "pix_dynamic_code",
              pix_dynamic_code: {
                code: "00020101021226…",
                merchant_name: "Padaria",
                key: "39580525000189",
                key_type: "CNPJ",
              },
            },
          ],
          order: {
            status: "pending",
            items: [{ retailer_id: "roll", name: "Pão francês", quantity: 2, amount: brl(500) }],
            subtotal: brl(1000),
            shipping: brl(450),
          },
        },
      },
    });
  });

  test("may be paid by a link, a boleto or a stored card", async () => {
    const payments = [
      { type: "payment_link", url: "https://pay.example.com/1" },
      { type: "boleto", digitableLine: "03399026944140000002628346101018898510000008848" },
      { type: "offsite_card_pay", lastFourDigits: "4242", credentialId: "card-1" },
    ];
    await c.sent({ type: "order_details", content: { ...ORDER, payments } });
    expect(sendsOf(w, c)[0].interactive.action.parameters.payment_settings).toEqual([
      { type: "payment_link", payment_link: { uri: "https://pay.example.com/1" } },
      { type: "boleto", boleto: { digitable_line: "03399026944140000002628346101018898510000008848" } },
      { type: "offsite_card_pay", offsite_card_pay: { last_four_digits: "4242", credential_id: "card-1" } },
    ]);
  });

  test.each([
    ["content.totalAmount", { totalAmount: { value: 1400 } }],
    ["content.subtotal", { subtotal: { value: 999 }, totalAmount: { value: 1449 } }],
    ["content.subtotal.value", { subtotal: { value: 10.5 } }],
    ["content.payments.0.keyType", { payments: [{ ...ORDER.payments[0], keyType: undefined }] }],
    ["content.payments", { payments: [] }],
    ["content.referenceId", { referenceId: "um pedido" }],
  ])("is refused where %s does not fit, and nothing is sent", async (field, change) => {
    const answer = await c.send({ type: "order_details", content: { ...ORDER, ...change } });
    expect([fieldsOf(answer), answer.text]).toEqual([
      ["content"],
      expect.stringContaining(field.replace("content.", "")),
    ]);
    expect(sendsOf(w, c)).toEqual([]);
  });

  test("is moved on by its reference; a state of an unknown or ended order is refused after one try", async () => {
    await c.sent({ type: "order_details", content: ORDER });
    const move = async (content: object) => {
      const id = await c.sent({
        type: "order_status",
        content: { text: "O seu pedido", referenceId: "pedido-123", ...content },
      });
      return (await c.message(id)).failedReason;
    };
    expect(await move({ status: "processing", payment: { status: "captured", timestamp: 1_790_000_000 } })).toBeNull();
    expect(sendsOf(w, c)[1].interactive.action).toEqual({
      name: "review_order",
      parameters: {
        reference_id: "pedido-123",
        order: { status: "processing" },
        payment: { status: "captured", timestamp: 1_790_000_000 },
      },
    });
    expect(await move({ status: "completed", description: "Entregue" })).toBeNull();
    expect(await move({ status: "shipped" })).toContain("(#2046)");
    expect(await move({ status: "shipped", referenceId: "outro" })).toContain("(#2047)");
    expect(sendsOf(w, c)).toHaveLength(5);
  });

  test("a session has no orders", async () => {
    const session = await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "S" } });
    const answer = await c.send({ phoneId: session.body.id, type: "order_details", content: ORDER });
    expect(gatewaySays(answer)).toBe("400 UNSUPPORTED_TYPE");
  });
});

describe("what people do with orders", () => {
  const received = async (message: object) => {
    await postInbound(w, c, { pn: TO }, { text: undefined, ...message });
    return receivedBy(c.hook, "message:received").at(-1);
  };

  test("a chosen card, a look at the order, and a cart come as typed content", async () => {
    const method = { type: "payment_method", payment_method: { reference_id: "pedido-123", credential_id: "card-1" } };
    expect(await received({ type: "interactive", interactive: method })).toMatchObject({
      type: "payment_method",
      content: { referenceId: "pedido-123", credentialId: "card-1", lastFourDigits: null },
    });
    const button = { text: "Ver pedido", payload: "ORDER_DETAILS_CLICKED" };
    expect(await received({ type: "button", button })).toMatchObject({
      type: "button_reply",
      content: { selectedId: "ORDER_DETAILS_CLICKED" },
    });
    const items = [{ product_retailer_id: "roll", quantity: 2, item_price: 5, currency: "BRL" }];
    expect(await received({ type: "order", order: { catalog_id: "1", product_items: items } })).toMatchObject({
      type: "order",
      content: { items: [{ productId: "roll", quantity: 2 }] },
    });
  });
});

describe("a person without a number", () => {
  const BSUID = "BR.13491208655302741918";

  test("M26-11 is asked for it, and the answer fills it in", async () => {
    const who = { bsuid: BSUID, name: "Ana" };
    await postInbound(w, c, who);
    w.graph.addRecipient({ waId: "5521977770001", userId: BSUID });
    await c.sent({ to: `bsuid:${BSUID}`, type: "phone_number_request", content: { text: "Qual é o seu número?" } });
    expect(sendsOf(w, c)[0]).toMatchObject({
      recipient: BSUID,
      interactive: {
        type: "request_contact_info",
        body: { text: "Qual é o seu número?" },
        action: { name: "request_contact_info" },
      },
    });
    const vcard =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nTEL;type=CELL;waid=5521977770001:+55 21 97777-0001\r\nEND:VCARD";
    await postInbound(w, c, who, {
      type: "contacts",
      text: undefined,
      contacts: [{ origin: "contact_request", vcard }],
    });
    expect(receivedBy(c.hook, "message:received").at(-1)).toMatchObject({
      type: "contact",
      content: { origin: "contact_request" },
    });
    expect((await resolve(w, c, `bsuid:${BSUID}`)).body).toMatchObject({ canonicalKey: "pn:5521977770001" });
  });

  test("M26-11 the number of an asked contact is the beginning of its telephone: an extension may follow", async () => {
    await postInbound(
      w,
      c,
      { bsuid: "BR.3" },
      {
        type: "contacts",
        text: undefined,
        contacts: [{ origin: "contact_request", vcard: "BEGIN:VCARD\nTEL:+55 21 97777-0003 ext 5\nEND:VCARD" }],
      },
    );
    expect((await resolve(w, c, "bsuid:BR.3")).body).toMatchObject({ canonicalKey: "pn:5521977770003" });
  });

  test("M26-11 a contact that nobody asked for says nothing of its sender", async () => {
    await postInbound(
      w,
      c,
      { bsuid: "BR.2" },
      {
        type: "contacts",
        text: undefined,
        contacts: [{ name: { formatted_name: "Bia" }, phones: [{ wa_id: "5521966660001" }] }],
      },
    );
    expect((await resolve(w, c, "bsuid:BR.2")).body).toMatchObject({ canonicalKey: "bsuid:BR.2", pn: null });
  });

  test("M26-11 the user id in the answer to a send is kept: the person is known before they write", async () => {
    w.graph.addRecipient({ waId: "5521955550001", userId: "BR.9900112233" });
    expect((await resolve(w, c, "bsuid:BR.9900112233")).status).toBe(404);
    await c.sent({ to: "bsuid:BR.9900112233" });
    expect((await resolve(w, c, "bsuid:BR.9900112233")).body).toMatchObject({ bsuid: "BR.9900112233" });
  });

  test("M26-11 a user id that changes stays one person", async () => {
    await postInbound(w, c, { pn: "5521944440001", bsuid: "BR.OLD1" });
    const system = { type: "user_changed_user_id", user_id: "BR.NEW1", previous_user_id: "BR.OLD1" };
    await post(w, [ofNumber(c, { messages: [{ id: "wamid.sys1", timestamp: "1800000000", type: "system", system }] })]);
    expect((await resolve(w, c, "bsuid:BR.NEW1")).body).toMatchObject({ canonicalKey: "pn:5521944440001" });
  });

  test("M26-11 what became of the number's username is kept from either name of the webhook", async () => {
    for (const field of ["business_username_updates", "business_username_update"]) {
      const value = { display_phone_number: c.phone.number, username: `padaria.${field.length}`, status: "approved" };
      const { wabaBusinessAccountId: accountId } = (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;
      await post(w, [{ field, value }], { accountId });
      expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.wabaUsername).toBe(value.username);
    }
  });
});
