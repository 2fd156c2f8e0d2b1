import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import { TO, tracesOf } from "../../../../support/customers/customer.ts";
import { newTwoPhones, useTwoPhones } from "../../../../support/customers/failover.ts";
import { knownTemplate } from "../../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { reported } from "../../../../support/session/scripted-sends.ts";

const { w, network, c } = useTwoPhones();

const TEMPLATE = { name: "hello" };
const call = (more: object = {}, query = "") =>
  w.gateway(`/v1/messages/cheapest${query}`, {
    key: c.key,
    body: { to: TO, type: "text", content: { text: "olá" }, template: TEMPLATE, ...more },
  });
const chosen = async (more: object = {}) => {
  const { status, body, text } = await call(more, "?dryRun=true");
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
};
const session = () => c.phone.id;
const official = () => c.official.id;
const restrict = (allows: "replies" | "none") =>
  reported(w, network, session(), {
    state: "RESTRICTED",
    reason: "X",
    restriction: { reason: "X", until: null, allows },
  });
const writesTo = async (phoneNumberId: string) => {
  await w.graph.inbound.text({ to: phoneNumberId, from: TO, text: "oi", at: w.clock.now() });
  await w.settle();
};

describe("the cheapest phone", () => {
  test("is the session, which costs nothing; the answer says what the other one would cost", async () => {
    const sent = await call();
    expect([sent.status, sent.body]).toMatchObject([
      202,
      {
        status: "QUEUED",
        chosen: { phoneId: session(), by: "content", cost: null, isOpenChat: false },
        fallbackPhoneId: null,
        others: [
          {
            phoneId: official(),
            by: "template",
            cost: { category: "UTILITY", currency: "BRL", amountMicros: 35_000 },
          },
        ],
        unable: [],
      },
    ]);
    await w.settle();
    expect(network.sent.map(({ order }) => order.messageId)).toEqual([sent.body.messageId]);
    expect(c.templates()).toEqual([]);
  });

  test("is the official one, with the template, where the session is away, restricted or cannot reach the person", async () => {
    await restrict("replies");
    expect(await chosen()).toMatchObject({
      chosen: { phoneId: official(), by: "template" },
      unable: [{ phoneId: session(), reason: "RESTRICTED" }],
    });
    await c.lost();
    expect(await chosen()).toMatchObject({
      chosen: { phoneId: official() },
      unable: [{ phoneId: session(), reason: "NOT_CONNECTED" }],
    });
    const sent = await call();
    await w.settle();
    expect(c.templates()).toMatchObject([{ type: "template", biz_opaque_callback_data: sent.body.messageId }]);
  });

  test("sends the text itself within the network's window, and the template after it", async () => {
    const phoneIds = [official()];
    expect((await chosen({ phoneIds })).chosen.by).toBe("template");
    await writesTo(c.official.phoneNumberId);
    expect((await chosen({ phoneIds })).chosen).toMatchObject({ by: "content", cost: { category: "SERVICE" } });
    await w.advance(DAY_MS);
    expect((await chosen({ phoneIds })).chosen.by).toBe("template");
  });

  test("is the one that an open chat is on, while something was written there lately", async () => {
    await writesTo(c.official.phoneNumberId);
    expect(await chosen()).toMatchObject({
      chosen: { phoneId: official(), by: "content", isOpenChat: true },
      others: [{ phoneId: session() }],
    });
    await w.advance(DAY_MS);
    expect((await chosen()).chosen).toMatchObject({ phoneId: session(), isOpenChat: false });
  });

  test("an open chat on a phone that is away does not keep the message back", async () => {
    await c.sent();
    await c.lost();
    expect((await chosen()).chosen.phoneId).toBe(official());
  });

  test("a price that is not known is never the cheapest, and a tie goes to the phone that is named first", async () => {
    const second = await w.wabaPhone(c.key);
    await knownTemplate(w, second.id);
    const order = async (phoneIds: string[], to = TO) => (await chosen({ phoneIds, to })).chosen.phoneId;
    expect(await order([second.id, official()])).toBe(second.id);
    expect(await order([official(), second.id])).toBe(official());
    expect(await order([official(), session()], "14155550100")).toBe(session());
    const unknown = await chosen({ phoneIds: [official()], to: "14155550100" });
    expect(unknown.chosen.cost.amountMicros).toBeNull();
  });

  test("that does not get through is followed by the next one's template", async () => {
    network.pace = () => HOUR_MS;
    const { body } = await call({ fallbackAfterMinutes: 5 });
    expect(body).toMatchObject({ chosen: { phoneId: session() }, fallbackPhoneId: official() });
    await w.settle();
    await w.advance(5 * MINUTE_MS);
    expect((await c.message(body.messageId)).fallback).toMatchObject({ status: "TAKEN", phoneId: official() });
    await w.advance(DAY_MS);
    expect([network.sent, c.templates().length]).toMatchObject([[], 1]);
  });

  test("a dry run leaves nothing, and a repeat of the request sends nothing", async () => {
    const before = await tracesOf(w, c);
    await chosen();
    expect(await tracesOf(w, c)).toEqual(before);
    const repeat = () =>
      w.gateway("/v1/messages/cheapest", {
        key: c.key,
        headers: { "idempotency-key": "pedido-1042-pronto" },
        body: { to: TO, type: "text", content: { text: "olá" } },
      });
    const [first, again] = [await repeat(), await repeat()];
    await w.settle();
    expect([again.body, network.sent.length]).toEqual([first.body, 1]);
  });
});

describe("where none can send it", () => {
  test("the refusal says why of each, and nothing happens", async () => {
    await restrict("none");
    const before = await tracesOf(w, c);
    const refused = await call({ template: { name: "other" } });
    expect(gatewaySays(refused)).toBe("409 NO_PHONE_CAN_SEND");
    expect(refused.body.error.details.phones).toEqual([
      { phoneId: official(), reason: "TEMPLATE_NOT_APPROVED" },
      { phoneId: session(), reason: "RESTRICTED" },
    ]);
    expect(gatewaySays(await call({ template: undefined }))).toBe("409 NO_PHONE_CAN_SEND");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("content that no phone takes is refused by its field, and a phone of another account does not exist", async () => {
    const stranger = await newTwoPhones(w, network);
    const before = await tracesOf(w, c);
    const bad = await call({ content: { text: "" } });
    expect([gatewaySays(bad), fieldsOf(bad)]).toEqual(["400 VALIDATION_ERROR", ["content"]]);
    expect(gatewaySays(await call({ phoneIds: [stranger.phone.id] }))).toBe("404 PHONE_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });
});
