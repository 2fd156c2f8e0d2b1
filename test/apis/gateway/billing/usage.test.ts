import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { change, newPlan, use } from "../../../support/billing/invoicing.ts";
import { type Customer, newCustomer, rowsOf, TO, wamidOf } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { newSocialCustomer, type SocialWorld, startSocialWorld } from "../../../support/networks/social.ts";
import { ofNumber, post, postInbound } from "../../../support/networks/waba-posts.ts";
import { fieldsOf } from "../../../support/refusals.ts";
import {
  newSessionCustomer,
  type SessionNetwork,
  sessionNetwork,
  textFrom,
} from "../../../support/session/scripted-sends.ts";
import { simulatedSender } from "../../../support/tenants/platform.ts";
import type { World } from "../../../support/world.ts";

let network: SessionNetwork;
let s: SocialWorld;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  s = await startSocialWorld({
    plugins: [network.plugin],
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" },
  });
  ({ w } = s);
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(() => s.stop());

const NOVEMBER = { from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" };
const usage = async (key = c.key, query = "") => {
  const { status, body, text } = await w.gateway(`/v1/usage${query}`, { key });
  if (status !== 200) throw new Error(text);
  return body;
};
const receipt = (id: string, status: string, more: object = {}) =>
  post(w, [
    ofNumber(c, {
      statuses: [
        {
          id: wamidOf(w, id),
          status,
          timestamp: "1800000000",
          recipient_id: TO,
          biz_opaque_callback_data: id,
          ...more,
        },
      ],
    }),
  ]);
const pricing = (category: string, billable = true) => ({
  pricing: { billable, pricing_model: "PMP", type: billable ? "regular" : "free_customer_service", category },
});

describe("the usage of an account", () => {
  test("X-110 X-112 X-113 X-116 is that of the current month, and has every part where there is nothing to report", async () => {
    const { key } = await w.account();
    expect(await usage(key)).toEqual({
      period: NOVEMBER,
      costCents: 0,
      wabaPassthroughCents: 0,
      messagesSent: 0,
      messagesReceived: 0,
      activePhones: 0,
      breakdown: {
        SESSION: { sent: 0, received: 0 },
        WABA: { sent: 0, received: 0, conversations: {} },
        SOCIAL: { sent: 0, received: 0 },
      },
      networkCharges: [],
    });
  });

  test("X-114 X-115 X-119 counts what was sent and received, and the phones that sent", async () => {
    const second = await w.wabaPhone(c.key);
    for (let n = 0; n < 3; n++) await c.sent();
    await postInbound(w, c);
    await postInbound(w, { phone: second });
    const counted = { messagesSent: 3, messagesReceived: 2, activePhones: 1 };
    expect(await usage()).toMatchObject({ ...counted, breakdown: { WABA: { sent: 3, received: 2 } } });
    const { status, body } = await w.gateway("/v1/billing/current", { key: c.key });
    expect({ status, body }).toEqual({
      status: 200,
      body: { period: NOVEMBER, costCents: 0, wabaPassthroughCents: 0, messagesSent: 3, activePhones: 1 },
    });
    await c.sent({ phoneId: second.id });
    expect(await usage()).toMatchObject({ messagesSent: 4, activePhones: 2 });
  });

  test("X-116 distinguishes the kinds of phones", async () => {
    const ofSession = await newSessionCustomer(w);
    await ofSession.sent();
    await network.notify(ofSession.phone.id, textFrom(TO));
    await w.settle();
    const ofSocial = await newSocialCustomer(s);
    await ofSocial.sent();
    expect((await usage(ofSession.key)).breakdown).toMatchObject({
      SESSION: { sent: 1, received: 1 },
      WABA: { sent: 0 },
      SOCIAL: { sent: 0 },
    });
    expect((await usage(ofSocial.key)).breakdown).toMatchObject({
      SESSION: { sent: 0 },
      WABA: { sent: 0 },
      SOCIAL: { sent: 1 },
    });
  });

  test("X-114 a message counts once it is taken by the network, whatever is reported of it later", async () => {
    w.graph.failNext(1, { kind: "http", status: 400 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    expect((await usage()).messagesSent).toBe(0);
    const id = await c.sent();
    for (const status of ["sent", "delivered", "read", "read"]) await receipt(id, status);
    expect((await usage()).messagesSent).toBe(1);
  });

  test.each(["sent", "delivered", "read"])(
    "X-114 a message whose answer was lost counts when its first report is: %s",
    async (first) => {
      w.graph.failNext(1, { kind: "reset", isAccepted: true }, { phoneNumberId: c.phone.phoneNumberId });
      const id = await c.sent();
      expect((await usage()).messagesSent).toBe(0);
      await receipt(id, first);
      for (const status of ["delivered", "read"]) await receipt(id, status);
      expect((await usage()).messagesSent).toBe(1);
    },
  );

  test("X-114 a session's receipt that reports several steps at once is one message", async () => {
    const { sent, phone, key } = await newSessionCustomer(w);
    const id = await sent();
    const [row] = await rowsOf<{ provider_message_id: string }>(
      w,
      "SELECT provider_message_id FROM messages WHERE id = ?1",
      [id],
    );
    await w.app.env.db.write(async (tx) =>
      tx.rows("UPDATE messages SET status = 'QUEUED', sent_at = NULL WHERE id = ?1", [id]),
    );
    await network.notify(phone.id, {
      kind: "receipt",
      key: row?.provider_message_id as never,
      status: "read",
      at: w.clock.now(),
    });
    await w.settle();
    expect((await usage(key)).messagesSent).toBe(2); // when it was sent, and when it was found out again
  });

  test("X-114 neither a message that comes twice, nor what the owner wrote elsewhere, nor what a test key does is counted", async () => {
    await postInbound(w, c, { pn: TO }, { id: "wamid.TWICE" });
    await postInbound(w, c, { pn: TO }, { id: "wamid.TWICE" });
    await post(w, [
      ofNumber(
        c,
        {
          message_echoes: [
            {
              from: c.phone.number,
              to: TO,
              id: "wamid.ELSE",
              timestamp: "1700000000",
              type: "text",
              text: { body: "oi" },
            },
          ],
        },
        "smb_message_echoes",
      ),
    ]);
    expect(await usage()).toMatchObject({ messagesSent: 0, messagesReceived: 1 });
    const simulated = await simulatedSender(w);
    await simulated.send();
    await w.settle();
    expect(await rowsOf(w, "SELECT * FROM usage_days WHERE tenant_id = ?1", [simulated.id])).toEqual([]);
  });

  test("X-114 a deleted phone's counters stay", async () => {
    await c.sent();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect(await usage()).toMatchObject({ messagesSent: 1, activePhones: 1, breakdown: { WABA: { sent: 1 } } });
  });
});

describe("what the network charges for", () => {
  test("G-383 X-117 X-118 a marketing template is counted by its category, once, and passed through", async () => {
    await change(w, c.accountId, { planCode: await newPlan(w, { kind: "pay_as_you_go" }) });
    await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
    const id = await c.sent({ type: "template", content: { name: "offer", language: "pt_BR" } });
    await receipt(id, "sent", pricing("marketing"));
    await receipt(id, "delivered", pricing("marketing"));
    const counted = await usage();
    expect(counted).toMatchObject({
      costCents: 32,
      wabaPassthroughCents: 32, // R$ 0.3217
      breakdown: { WABA: { conversations: { MARKETING: 1 } } },
      networkCharges: [{ category: "MARKETING", state: "DUE", currency: "BRL", count: 1, amountMicros: 321_700 }],
    });
    await change(w, c.accountId, { wabaMarkupPct: 10 });
    // 35.387
    expect(await usage()).toEqual({ ...counted, costCents: 35, wabaPassthroughCents: 35 });
  });

  test("G-300 M26-2 the network's price takes the place of a presumed one, and a failure takes it back", async () => {
    await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
    const template = { type: "template", content: { name: "offer", language: "pt_BR" } };
    const conversations = async () => (await usage()).breakdown.WABA.conversations;
    const first = await c.sent(template);
    await receipt(first, "sent");
    const second = await c.sent(template);
    await receipt(second, "sent");
    expect(await conversations()).toEqual({ MARKETING: 1 });
    await receipt(first, "delivered", pricing("utility"));
    await receipt(second, "delivered", pricing("marketing"));
    expect(await conversations()).toEqual({ MARKETING: 1, UTILITY: 1 });
    const third = await c.sent({ ...template, to: "5511999990003" });
    await receipt(third, "sent");
    await receipt(third, "failed");
    expect(await conversations()).toEqual({ MARKETING: 1, UTILITY: 1 });
  });

  describe("where the network says no price of a template", () => {
    const START = 1_800_000_000;
    const HOUR = 3600;
    const conversations = async () => (await usage()).breakdown.WABA.conversations;
    /** A template that the network says was sent so many seconds after the start. */
    const sentAt = async (seconds: number, { name = "offer", to = TO }: { name?: string; to?: string } = {}) => {
      const id = await c.sent({ to, type: "template", content: { name, language: "pt_BR" } });
      await receipt(id, "sent", { timestamp: String(START + seconds) });
      return id;
    };
    beforeEach(async () => {
      await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
      await knownTemplate(w, c.phone.id, { name: "invoice", category: "UTILITY" });
    });

    test("G-300 GAP-G68 one is counted for each person, category and 24 hours", async () => {
      for (const seconds of [0, 1, 23 * HOUR]) await sentAt(seconds);
      expect(await conversations()).toEqual({ MARKETING: 1 });
      await sentAt(2, { name: "invoice" });
      await sentAt(3, { to: "5511999990002" });
      expect(await conversations()).toEqual({ MARKETING: 2, UTILITY: 1 });
      for (const seconds of [24 * HOUR, 47 * HOUR, 12 * HOUR]) await sentAt(seconds);
      expect(await conversations()).toEqual({ MARKETING: 3, UTILITY: 1 });
    });

    test("G-300 another phone and another account count their own", async () => {
      const first = c;
      await sentAt(0);
      c = await newCustomer(w);
      await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
      await sentAt(1);
      expect(await conversations()).toEqual({ MARKETING: 1 });
      expect((await usage(first.key)).breakdown.WABA.conversations).toEqual({ MARKETING: 1 });
    });

    test("G-300 repeats, later steps and a price that comes late count nothing more", async () => {
      const id = await sentAt(0);
      await receipt(id, "sent", { timestamp: String(START + 48 * HOUR) });
      for (const status of ["delivered", "read"]) await receipt(id, status, pricing("marketing"));
      expect(await conversations()).toEqual({ MARKETING: 1 });
    });

    test("G-300 a receipt that overtakes the one with the price presumes nothing", async () => {
      const id = await c.sent({ type: "template", content: { name: "offer", language: "pt_BR" } });
      for (const status of ["delivered", "failed"]) await receipt(id, status);
      expect(await conversations()).toEqual({});
      await receipt(id, "sent", pricing("utility"));
      expect(await conversations()).toEqual({ UTILITY: 1 });
    });

    test("G-300 a template in the default language, which nobody named, is presumed to cost what it costs", async () => {
      const id = await c.sent({ type: "template", content: { name: "offer" } });
      await receipt(id, "sent");
      expect(await conversations()).toEqual({ MARKETING: 1 });
    });

    test("G-300 nothing is presumed of what is no template, or of a template that is there no more", async () => {
      await receipt(await c.sent(), "sent");
      const id = await c.sent({ type: "template", content: { name: "offer", language: "pt_BR" } });
      await w.app.env.db.write((tx) => tx.rows("DELETE FROM templates WHERE channel_id = ?1", [c.phone.id]));
      await receipt(id, "sent");
      expect(await conversations()).toEqual({});
    });

    test("G-300 what is over is forgotten", async () => {
      const windows = () => rowsOf(w, "SELECT recipient FROM charge_windows WHERE channel_id = ?1", [c.phone.id]);
      const id = await c.sent({ type: "template", content: { name: "offer", language: "pt_BR" } });
      await receipt(id, "sent", { timestamp: String(Math.floor(w.clock.now() / 1000)) });
      await w.advance(7 * DAY_MS);
      expect((await windows()).length).toBe(1);
      await w.advance(2 * DAY_MS);
      expect(await windows()).toEqual([]);
    });
  });

  test("X-117 what is free of charge is not counted", async () => {
    await receipt(await c.sent(), "delivered", pricing("service", false));
    expect((await usage()).breakdown.WABA).toEqual({ sent: 1, received: 0, conversations: {} });
  });
});

describe("the period", () => {
  const today = Date.parse("2026-11-20");
  const asked = (from: string | undefined, to: string | undefined) =>
    w.gateway(
      `/v1/usage?${new URLSearchParams({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }).toString()}`,
      { key: c.key },
    );
  const period = { from: "2026-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" };

  test.each([
    ["GAP-X09 half open: the day before it and the day of its end are outside", period, 10],
    ["GAP-X09 by days alone", { from: "2026-11-19", to: "2026-11-21" }, 11],
    ["with another offset than UTC", { from: "2026-11-20T09:00:00+09:00", to: "2026-11-21T09:00:00+09:00" }, 10],
    ["GAP-X09 366 days long", { from: "2025-11-20T00:00:00Z", to: "2026-11-21T00:00:00Z" }, 11],
    ["GAP-X09 to come", { from: "2027-01-01", to: "2027-02-01" }, 0],
  ])("%s", async (_, { from, to }, sent) => {
    await use(
      w,
      c.accountId,
      { on: today - DAY_MS, sent: 1 },
      { on: today, sent: 10 },
      { on: today + DAY_MS, sent: 100 },
    );
    const { status, body } = await asked(from, to);
    expect([status, body.messagesSent, body.period.from]).toEqual([
      200,
      sent,
      new Date(Date.parse(from)).toISOString(),
    ]);
  });

  test("GAP-X09 counts the days whole that it touches, and says so", async () => {
    await use(w, c.accountId, { on: today, sent: 10 });
    const { body } = await asked("2026-11-20T13:00:00Z", "2026-11-20T14:00:00Z");
    expect(body).toMatchObject({
      messagesSent: 10,
      period: { from: "2026-11-20T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" },
    });
  });

  test.each([
    ["X-111 from alone", period.from, undefined, ["to"]],
    ["X-111 to alone", undefined, period.to, ["from"]],
    ["no time", "yesterday", period.to, ["from"]],
    ["GAP-X09 an end before its beginning", period.to, period.from, ["to"]],
    ["GAP-X09 nothing", period.from, period.from, ["to"]],
    ["GAP-X09 more than 366 days", "2025-11-20T00:00:00Z", "2026-11-21T00:00:01Z", ["to"]],
  ])("%s is refused", async (_, from, to, fields) => {
    expect(fieldsOf(await asked(from, to))).toEqual(fields);
  });

  test("X-110 the month ends at midnight in UTC", async () => {
    await c.sent();
    await use(
      w,
      c.accountId,
      { on: Date.parse("2026-10-31T23:59:59Z"), sent: 1000 },
      { on: Date.parse("2026-12-01T00:00:00Z"), sent: 1000 },
    );
    expect((await usage()).messagesSent).toBe(1);
  });
});
