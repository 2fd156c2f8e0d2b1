import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import {
  type Customer,
  holdBack,
  newCustomer,
  receivedBy,
  release,
  sendsOf,
  TO,
  tracesOf,
  wamidOf,
} from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld, type World } from "../../../support/world.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
  c = await newCustomer(w);
});
afterAll(() => w.stop());

test("G-283 an accepted message is answered 202 with its gateway id and QUEUED, and nothing else", async () => {
  const { status, body } = await c.send();
  expect(status).toBe(202);
  expect(body).toEqual({ messageId: expect.stringMatching(UUID_V4), status: "QUEUED" });
  await w.settle();
});

test("G-283 nothing has touched the network when 202 is answered, and the message is on disk", async () => {
  const customer = await newCustomer(w);
  const queue = `channel:${customer.phone.id}`;
  await customer.sent(); // there is a queue from the first message on
  await holdBack(w, queue);
  const { body } = await customer.send();
  await w.settle();
  expect(sendsOf(w, customer)).toHaveLength(1);
  expect((await customer.message(body.messageId)).status).toBe("QUEUED");
  await w.restart();
  await release(w, queue);
  expect((await customer.message(body.messageId)).status).toBe("SENT");
});

test("G-289 without an idempotency key equal requests are different messages", async () => {
  const [first, second] = [await c.sent(), await c.sent()];
  expect(first).not.toBe(second);
  expect(wamidOf(w, first)).not.toBe(wamidOf(w, second));
});

describe("POST /v1/messages refuses what is not an envelope, by field, and nothing happens", () => {
  const WITHOUT = undefined;
  const cases: [rule: string, change: Record<string, unknown>, field: string][] = [
    ["G-270 no phoneId", { phoneId: WITHOUT }, "phoneId"],
    ["G-270 a phoneId that is no UUID", { phoneId: "abc" }, "phoneId"],
    ["G-270 a phoneId that is no text", { phoneId: 7 }, "phoneId"],
    ["G-271 no to", { to: WITHOUT }, "to"],
    ["G-271 an empty to", { to: "" }, "to"],
    ["G-271 a to that is no text", { to: 5511999990001 }, "to"],
    ["G-272 no type", { type: WITHOUT }, "type"],
    ["G-272 an unknown type", { type: "telepathy" }, "type"],
    ["G-272 a type in other letters", { type: "TEXT" }, "type"],
    ["G-273 no content", { content: WITHOUT }, "content"],
    ["G-273 content that is no object", { content: "olá" }, "content"],
    ["G-273 content that is null", { content: null }, "content"],
    ["G-273 content that is an array", { content: [] }, "content"],
    ["G-273 content of another type", { content: { caption: "olá" } }, "content"],
    ["G-274 a quotedMessageId that is no text", { quotedMessageId: 1 }, "quotedMessageId"],
    ["G-275 an idempotencyKey of 7 characters", { idempotencyKey: "k".repeat(7) }, "idempotencyKey"],
    ["G-275 an idempotencyKey of 121 characters", { idempotencyKey: "k".repeat(121) }, "idempotencyKey"],
  ];
  test.each(cases)("%s", async (_, change, field) => {
    const before = await tracesOf(w, c);
    expect(fieldsOf(await c.send(change))).toEqual([field]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("G-273 a body that is no JSON object", async () => {
    const before = await tracesOf(w, c);
    for (const raw of ["", "{", "[]", "null", '"text"'])
      expect([raw, gatewaySays(await w.gateway("/v1/messages", { key: c.key, raw }))]).toEqual([
        raw,
        "400 VALIDATION_ERROR",
      ]);
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

test("G-275 idempotency keys of 8 and of 120 characters are taken", async () => {
  for (const length of [8, 120]) expect((await c.send({ idempotencyKey: "k".repeat(length) })).status).toBe(202);
  await w.settle();
});

describe("the recipient", () => {
  test.each([
    "5511999990001",
    "pn:5511999990001",
    "bsuid:BR.13491208655302741918",
    "bsuid:BR.ENT.13491208655302741918",
  ])("G-277 %s reaches the network in its own form", async (to) => {
    const id = await c.sent({ to });
    const value = to.split(":").at(-1);
    const body = sendsOf(w, c).find((one) => one.biz_opaque_callback_data === id);
    expect(to.startsWith("bsuid:") ? body.recipient : body.to).toBe(value);
  });

  test.each([
    "+5511999990001",
    "55.11.99999.0001",
    "abc",
    "0511999990001",
    "12345",
    "5511999990001@s.whatsapp.net",
    "bsuid:",
    "bsuid:br.1",
    "igsid:123",
    "lid:1",
    "\t5511999990001",
  ])("G-292 GAP-G30 %p is refused as INVALID_TO and nothing happens", async (to) => {
    const before = await tracesOf(w, c);
    expect(gatewaySays(await c.send({ to }))).toBe("400 INVALID_TO");
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

test("GAP-G30 a number with a plus and digits alone is refused with words that say how it is written", async () => {
  const { status, text } = await c.send({ to: "+5511999990001" });
  expect([status, text]).toEqual([
    400,
    expect.stringContaining("The recipient's number is written without the plus: 5511999990001."),
  ]);
});

describe("the phone", () => {
  test("G-280 an unknown one is not found, and neither is another account's", async () => {
    const stranger = await newCustomer(w);
    const before = await tracesOf(w, c);
    for (const phoneId of ["0198a000-1111-4222-8333-444455556666", stranger.phone.id])
      expect(gatewaySays(await c.send({ phoneId }))).toBe("404 PHONE_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
    expect(sendsOf(w, stranger)).toEqual([]);
  });

  test("G-281 one that is not CONNECTED is refused, saying what it is", async () => {
    const phone = await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } });
    const before = await tracesOf(w, c);
    const refused = await c.send({ phoneId: phone.body.id });
    expect(gatewaySays(refused)).toBe("409 PHONE_NOT_CONNECTED");
    expect(refused.body.error.details).toEqual({ status: "PENDING_QR" });
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("G-282 it is looked for after the body was found valid, and its state before the idempotency key", async () => {
    const other = await newCustomer(w);
    const first = await other.send({ idempotencyKey: "a-used-key" });
    await w.settle();
    w.graph.failNext(1, { kind: "error", code: 190 }, { phoneNumberId: other.phone.phoneNumberId });
    await other.sent();
    expect(first.status).toBe(202);
    expect(gatewaySays(await other.send({ idempotencyKey: "a-used-key" }))).toBe("409 PHONE_NOT_CONNECTED");
    expect(gatewaySays(await other.send({ phoneId: "0198a000-1111-4222-8333-444455556666", type: "poll" }))).toBe(
      "400 VALIDATION_ERROR",
    );
  });
});

describe("a reply", () => {
  test("G-274 quotes a message that was received, and one that was sent", async () => {
    const { wamid } = await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const received = receivedBy(c.hook, "message:received").at(-1).messageId;
    const sent = await c.sent();
    for (const [quotedMessageId, key] of [
      [received, wamid],
      [sent, wamidOf(w, sent)],
    ]) {
      const id = await c.sent({ quotedMessageId });
      expect(sendsOf(w, c).find((one) => one.biz_opaque_callback_data === id).context).toEqual({ message_id: key });
    }
  });

  test("G-274 GAP-G37 to a message that this phone has never known is refused, and nothing happens", async () => {
    const stranger = await newCustomer(w);
    const theirs = await stranger.sent();
    const before = await tracesOf(w, c);
    for (const quotedMessageId of ["0198a000-1111-4222-8333-444455556666", "nonsense", theirs])
      expect(gatewaySays(await c.send({ quotedMessageId }))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

describe("the 24 hours after the customer's last message", () => {
  test("G-299 outside of them a free text ends FAILED with the network's code, a template is SENT", async () => {
    const other = await newCustomer(w);
    await knownTemplate(w, other.phone.id);
    w.graph.configure({ window: "sync" });
    try {
      const [text, template] = [await other.sent(), await other.sent({ type: "template", content: { name: "hello" } })];
      expect(await other.message(text)).toMatchObject({
        status: "FAILED",
        failedReason: expect.stringContaining("(#131047)"),
      });
      expect(await other.message(template)).toMatchObject({ status: "SENT", failedReason: null });
    } finally {
      w.graph.configure({ window: "off" });
    }
  });
});

test("G-290 G-291 a message is quoted after 8 days; after 91 days that is refused, and the same text without the quote is sent", async () => {
  const old = await startWorld();
  try {
    const customer = await newCustomer(old);
    await old.graph.inbound.text({ to: customer.phone.phoneNumberId, from: TO, text: "oi" });
    await old.settle();
    const quotedMessageId = receivedBy(customer.hook, "message:received").at(-1).messageId;
    await old.advance(8 * DAY_MS);
    expect(await customer.message(await customer.sent({ quotedMessageId }))).toMatchObject({ status: "SENT" });
    await old.advance(83 * DAY_MS);
    expect(gatewaySays(await customer.send({ quotedMessageId }))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect(await customer.message(await customer.sent())).toMatchObject({ status: "SENT" });
  } finally {
    await old.stop();
  }
});
