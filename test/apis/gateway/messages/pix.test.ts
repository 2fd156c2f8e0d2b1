import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createChannel } from "../../../../src/core/channels/channel.ts";
import { callerIn, LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { pixCode, pixCodeAmount } from "../../../../src/kernel/numbers/brazil.ts";
import { newCustomer, rowsOf, sendsOf, tracesOf } from "../../../support/customers/customer.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { startWorld, untilConnected, type World } from "../../../support/world.ts";

const TO = "5511999990001";
const CHARGE = {
  amountCents: 129_90,
  key: "+55 11 98765-4321",
  merchantName: "Padaria São João",
  merchantCity: "São Paulo",
  txid: "pedido123",
};
/** A bank's own code, whose key and amount stay at the bank. */
const BANKS =
  "00020101021226480014br.gov.bcb.pix2526pix.example.com/qr/v2/12345204000053039865802BR5913Fulano de Tal6008Brasilia62070503***6304FC66";

const ONE_CENT = pixCode({ key: "a@b.example", name: "A", city: "B" }, { amountCents: 1 });

describe("a charge by Pix", () => {
  const w = useWorld();
  const c = useEach(() => newCustomer(w));
  const onNumber = (phoneNumber: string) =>
    w.app.env.db.write(async (tx) =>
      tx.run("UPDATE channels SET phone_number = ?2 WHERE id = ?1", [c.phone.id, phoneNumber]),
    );

  test("is an order to be paid on an official number in Brazil, with its code", async () => {
    await onNumber("5511999990000");
    const id = await c.sent({ type: "pix", content: { ...CHARGE, text: "Seu pedido" } });
    expect((await c.message(id)).status).toBe("SENT");
    const { type, body, action } = sendsOf(w, c)[0].interactive;
    expect([type, body.text]).toEqual(["order_details", "Seu pedido"]);
    const { reference_id, total_amount, payment_settings } = action.parameters;
    expect([reference_id, total_amount]).toEqual(["pedido123", { value: 129_90, offset: 100 }]);
    const { code, ...rest } = payment_settings[0].pix_dynamic_code;
    expect(rest).toEqual({ merchant_name: "Padaria São João", key: "+5511987654321", key_type: "PHONE" });
    expect(pixCodeAmount(code)).toBe(129_90);
    expect(code).toContain("0114+5511987654321");
    expect(code).toContain("62130509pedido123");
  });

  test("a bank's own code goes as it is", async () => {
    await onNumber("5511999990000");
    const { merchantCity: _, ...rest } = CHARGE;
    await c.sent({ type: "pix", content: { ...rest, code: BANKS } });
    expect(sendsOf(w, c)[0].interactive.action.parameters.payment_settings[0].pix_dynamic_code.code).toBe(BANKS);
  });

  test("is a text on an official number of another country, with the code in a line of its own", async () => {
    await onNumber("351912345678");
    await c.sent({ type: "pix", content: { ...CHARGE, text: "Seu pedido" } });
    const lines = sendsOf(w, c)[0].text.body.split("\n");
    expect(lines.slice(0, -1)).toEqual([
      "Seu pedido",
      "",
      "Pix: R$ 129,90",
      "Para: Padaria São João",
      "",
      "Pix copia e cola:",
    ]);
    expect(pixCodeAmount(lines.at(-1))).toBe(129_90);
  });

  test("a repeat under its idempotency key is sent once, and another amount under it is refused", async () => {
    const idempotencyKey = "the-same-charge";
    const first = await c.send({ type: "pix", content: CHARGE, idempotencyKey });
    const repeat = await c.send({ type: "pix", content: CHARGE, idempotencyKey });
    expect([first.status, repeat.status, repeat.body.messageId]).toEqual([202, 200, first.body.messageId]);
    const other = await c.send({ type: "pix", content: { ...CHARGE, amountCents: 1 }, idempotencyKey });
    expect(other.status).toBe(409);
    await w.settle();
    expect(sendsOf(w, c)).toHaveLength(1);
  });

  test.each([
    ["amountCents", { amountCents: 0 }],
    ["amountCents", { amountCents: -1 }],
    ["amountCents", { amountCents: 1.5 }],
    ["amountCents", { amountCents: 1_000_000_000_00 }],
    ["key", { key: "24971563791" }],
    ["key", { key: "11987654321" }],
    ["key", { key: "+12125550100" }],
    ["merchantName", { merchantName: "A name of more than 25 letters" }],
    ["merchantName", { merchantName: "パン屋" }],
    ["merchantCity", { merchantCity: "Sixteen letters." }],
    ["merchantCity", { merchantCity: undefined }],
    ["txid", { txid: "pedido-123" }],
    ["txid", { txid: "a".repeat(26) }],
    ["txid", { txid: undefined }],
    ["code", { code: `${BANKS.slice(0, -1)}7` }],
    ["amountCents", { code: ONE_CENT }],
  ])("a wrong %s is refused, and nothing happens: %p", async (field, change: object) => {
    const content = { ...CHARGE, ...change };
    const before = await tracesOf(w, c);
    const answer = await c.send({ type: "pix", content });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body.error.details.fieldErrors)).toContain(field);
    expect(fieldsOf(answer)).toEqual(["content"]);
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

describe("on networks without orders", () => {
  let w: World;
  beforeAll(async () => {
    w = await startWorld({ simulated: true });
  });
  afterAll(() => w.stop());

  test.each([
    ["SESSION", TO],
    ["SOCIAL", "17841400000000001"],
  ] as const)("a charge on a %s phone is a text", async (kind, to) => {
    const { id: accountId, key } = await w.account();
    const { channel } = await createChannel(w.app.env, callerIn(accountId, LOCAL), {
      kind,
      label: "A phone",
      state: "PENDING",
    });
    await untilConnected(w, channel.id);
    const { status, body } = await w.gateway("/v1/messages", {
      key,
      body: { phoneId: channel.id, to, type: "pix", content: CHARGE },
    });
    expect(status).toBe(202);
    const [row] = await rowsOf<{ type: string; content: string }>(
      w,
      "SELECT type, content FROM messages WHERE id = ?1",
      [body.messageId],
    );
    expect(row?.type).toBe("text");
    expect(
      pixCodeAmount(
        JSON.parse(row?.content ?? "{}")
          .text.split("\n")
          .at(-1),
      ),
    ).toBe(129_90);
  });
});
