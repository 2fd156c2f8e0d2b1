import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { change, newPlan } from "../../../support/billing/invoicing.ts";
import { type Customer, newCustomer, TO, wamidOf } from "../../../support/customers/customer.ts";
import { knownTemplate } from "../../../support/customers/templates.ts";
import { accountOf, ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { tempFolders } from "../../../support/temp-folders.ts";
import { startWorld, type World } from "../../../support/world.ts";

const { newFolder, removeFolders } = tempFolders();
let w: World;
let c: Customer;
beforeAll(async () => {
  w = await startWorld({
    env: {
      RECADO_GATEWAY_RATE: "100000",
      RECADO_GATEWAY_SEND_RATE: "100000",
      RECADO_BILLING_TZ: "America/Sao_Paulo",
      RECADO_META_COMPARE: "on",
    },
  });
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(async () => {
  await w.stop();
  removeFolders();
});

const secondsOf = (text: string): string => String(Date.parse(text) / 1000);
const receipt = (id: string, status: string, more: object = {}, of: { w: World; c: Customer } = { w, c }) =>
  post(of.w, [
    ofNumber(of.c, {
      statuses: [
        { id: wamidOf(of.w, id), status, timestamp: secondsOf("2026-11-20T15:00:00Z"), recipient_id: TO, ...more },
      ],
    }),
  ]);
const priced = (category: string, type = "regular", more: object = {}) => ({
  pricing: { billable: type === "regular", pricing_model: "PMP", type, category, ...more },
});
const ledger = async (query = "", customer = c) => {
  const { status, body, text } = await w.gateway(`/v1/billing/ledger${query}`, { key: customer.key });
  if (status !== 200) throw new Error(text);
  return body;
};
/** The ledger in short. */
const lines = async (customer = c): Promise<unknown[]> =>
  (await ledger("", customer)).lines.map((line: Record<string, unknown>) => [
    line["category"],
    line["state"],
    line["count"],
    line["amountMicros"],
  ]);

describe("the ledger of what the network charges", () => {
  test("M26-2 a price in sent and its repetition in delivered are one message; before the delivery nothing is due", async () => {
    const id = await c.sent();
    await receipt(id, "sent", priced("service"));
    expect(await lines()).toEqual([]);
    await receipt(id, "delivered", priced("service"));
    await receipt(id, "read", priced("service"));
    await receipt(id, "delivered", priced("service"));
    expect(await lines()).toEqual([["SERVICE", "DUE", 1, 35_000]]);
  });

  test("M26-2 a message without a price is UNPRICED until one comes, in whatever order the receipts come", async () => {
    const id = await c.sent();
    await receipt(id, "sent");
    await receipt(id, "delivered");
    expect(await lines()).toEqual([[null, "UNPRICED", 1, 0]]);
    await receipt(id, "read", priced("utility"));
    expect(await lines()).toEqual([["UTILITY", "DUE", 1, 35_000]]);
    const late = await c.sent();
    await receipt(late, "read");
    await receipt(late, "sent", priced("utility"));
    expect(await lines()).toEqual([["UTILITY", "DUE", 2, 70_000]]);
  });

  test.each([
    ["the free tier", priced("service", "free_customer_service"), ["SERVICE", "FREE", 1, 0]],
    ["an entry point", priced("referral_conversion", "free_entry_point"), ["REFERRAL_CONVERSION", "FREE", 1, 0]],
    ["an exempt business", priced("service", "regular", { subtype: "paid_exempt" }), ["SERVICE", "FREE", 1, 0]],
    ["a category without a price", priced("group_utility"), ["GROUP_UTILITY", "UNRATED", 1, 0]],
    [
      "a type that is not known, without the field that is announced to go",
      priced("service", "unheard_of", { billable: undefined }),
      ["SERVICE", "UNRATED", 1, 0],
    ],
    ["a category named like what every object has", priced("constructor"), ["CONSTRUCTOR", "UNRATED", 1, 0]],
    ["a hyphen", priced("authentication-international"), ["AUTHENTICATION_INTERNATIONAL", "UNRATED", 1, 0]],
    [
      "a price that the network names",
      priced("marketing_lite", "regular", { cost: { amount: "0.29", currency: "BRL" } }),
      ["MARKETING_LITE", "DUE", 1, 290_000],
    ],
    ["conversation pricing of old", priced("utility"), ["UTILITY", "DUE", 1, 35_000]],
  ])("M26-2 %s", async (_, pricing, line) => {
    await receipt(await c.sent(), "delivered", pricing);
    expect(await lines()).toEqual([line]);
  });

  test("M26-2 a failed message costs nothing; two templates within 24 hours cost two", async () => {
    await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
    const template = { type: "template", content: { name: "offer", language: "pt_BR" } };
    const failed = await c.sent(template);
    await receipt(failed, "sent", priced("marketing"));
    await receipt(failed, "failed", { errors: [{ code: 131_049, title: "not delivered" }] });
    expect(await lines()).toEqual([]);
    for (let n = 0; n < 2; n++) await receipt(await c.sent(template), "delivered", priced("marketing"));
    expect(await lines()).toEqual([["MARKETING", "DUE", 2, 643_400]]);
  });

  test("M26-3 a thousand service messages for R$ 0.0350 cost R$ 35.00 exactly", async () => {
    await change(w, c.accountId, { planCode: await newPlan(w, { kind: "pay_as_you_go" }) });
    const id = await c.sent();
    await receipt(id, "delivered", priced("service"));
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE charge_days SET count = count * 1000, micros = micros * 1000 WHERE tenant_id = ?1", [c.accountId]),
    );
    const { body } = await w.gateway("/v1/usage", { key: c.key });
    expect(body).toMatchObject({
      wabaPassthroughCents: 3500,
      networkCharges: [{ category: "SERVICE", state: "DUE", currency: "BRL", count: 1000, amountMicros: 35_000_000 }],
    });
  });

  test("M26-3 the day of the delivery in the billing time zone decides the price, to the minute", async () => {
    const before = await c.sent();
    await receipt(before, "delivered", { timestamp: secondsOf("2026-10-01T02:59:00Z"), ...priced("service") });
    expect(await lines()).toEqual([["SERVICE", "UNRATED", 1, 0]]);
    const after = await c.sent();
    await receipt(after, "delivered", { timestamp: secondsOf("2026-10-01T03:01:00Z"), ...priced("service") });
    expect((await ledger()).lines).toMatchObject([
      { day: "2026-09-30", state: "UNRATED" },
      { day: "2026-10-01", state: "DUE", amountMicros: 35_000, country: "BR", phoneId: c.phone.id },
    ]);
  });

  test("M26-3 an account in US dollars is rated by its own card, by the recipient's market, and never mixed into BRL", async () => {
    const own = await newCustomer(w);
    w.graph.setMoney(await accountOf(w, own), { currency: "USD" });
    await w.gateway("/v1/admin/jobs/charges/run", { admin: true, body: {} });
    await w.settle();
    const to = "56912345678";
    for (const recipient of [TO, to, "4915112345678"]) {
      const id = await own.sent({ to: recipient });
      await receipt(id, "delivered", { recipient_id: recipient, ...priced("marketing") }, { w, c: own });
    }
    expect(
      (await ledger("", own)).lines.map((line: any) => [line.country, line.currency, line.state, line.amountMicros]),
    ).toEqual([
      [null, "USD", "UNRATED", 0],
      ["BR", "USD", "DUE", 62_500],
      ["CL", "USD", "DUE", 88_900],
    ]);
    expect((await w.gateway("/v1/usage", { key: own.key })).body.wabaPassthroughCents).toBe(0);
  });

  test("the ledger of another account is not seen, and half a period is refused", async () => {
    await receipt(await c.sent(), "delivered", priced("service"));
    const other = await newCustomer(w);
    expect(await lines(other)).toEqual([]);
    const { status, body } = await w.gateway("/v1/billing/ledger?from=2026-11-01T00:00:00Z", { key: c.key });
    expect([status, body.error?.code ?? body.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("an estimate before the send", () => {
  const estimate = (body: object, customer = c) =>
    w.gateway("/v1/billing/estimate", { key: customer.key, body: { phoneId: customer.phone.id, ...body } });

  test("M26-3 names the sum by country, and counts apart who has no price; nothing is sent", async () => {
    await knownTemplate(w, c.phone.id, { name: "offer", category: "MARKETING" });
    const { status, body } = await estimate({
      to: [TO, "5511999990002", "4915112345678"],
      template: { name: "offer" },
    });
    expect([status, body]).toEqual([
      200,
      {
        isCharged: true,
        category: "MARKETING",
        currency: "BRL",
        amountMicros: 643_400,
        rated: 2,
        unrated: 1,
        byCountry: [{ country: "BR", count: 2, amountMicros: 643_400 }],
      },
    ]);
    expect(w.graph.sentSummary().messages.filter(({ to }: any) => to === "5511999990002")).toEqual([]);
  });

  test("an unknown template, an impossible recipient and a foreign phone are refused", async () => {
    expect((await estimate({ to: [TO], template: { name: "nothing" } })).status).toBe(400);
    expect((await estimate({ to: ["abc"] })).status).toBe(400);
    expect((await estimate({ to: [TO], phoneId: (await newCustomer(w)).phone.id })).status).toBe(404);
  });
});

describe("the network's own count", () => {
  const compare = async () => {
    await w.gateway("/v1/admin/jobs/charges/run", { admin: true, body: {} });
    await w.settle();
  };
  const point = (startMs: number, more: object) => ({
    start: startMs / 1000,
    end: startMs / 1000 + 86_400,
    phone_number: c.phone.number,
    country: "BR",
    pricing_category: "SERVICE",
    pricing_type: "REGULAR",
    tier: "0:MAX",
    volume: 1,
    cost: 0.04,
    ...more,
  });

  test("M26-9 is shown beside the ledger with the differences and its tier; the ledger stays as it is", async () => {
    const today = Math.floor(w.clock.now() / DAY_MS) * DAY_MS;
    const yesterday = new Date(today - DAY_MS / 2).toISOString();
    for (let n = 0; n < 2; n++)
      await receipt(await c.sent(), "delivered", { timestamp: secondsOf(yesterday), ...priced("service") });
    const before = (await ledger()).lines;
    w.graph.setMoney(await accountOf(w, c), {
      points: [
        // in two parts, as a longer answer may come
        point(today - DAY_MS, { volume: 2, cost: 0.07 }),
        point(today - DAY_MS, { volume: 1, cost: 0.035 }),
        point(today - DAY_MS, { phone_number: "551100000000", volume: 9 }),
        point(today - DAY_MS, { pricing_type: "FREE_CUSTOMER_SERVICE", volume: 5, tier: undefined, cost: undefined }),
      ],
    });
    await compare();
    await compare();
    const { lines: after, reported, differences } = await ledger();
    expect(after).toEqual(before);
    expect(reported).toMatchObject([
      { type: "free_customer_service", count: 5, tier: null, amountMicros: null },
      { type: "regular", count: 3, tier: "0:MAX", amountMicros: 105_000, currency: "BRL" },
    ]);
    expect(differences).toMatchObject([
      { type: "regular", counted: 2, reported: 3, category: "SERVICE", country: "BR" },
      { type: "free_customer_service", counted: 0, reported: 5 },
    ]);
  });

  test("M26-9 a network that does not answer changes nothing", async () => {
    await receipt(await c.sent(), "delivered", priced("service"));
    const before = await ledger();
    w.graph.expireToken(c.phone.accessToken);
    await compare();
    expect(await ledger()).toEqual(before);
  });
});

describe("the operator's own prices", () => {
  const own = (value: unknown): string => {
    const path = join(newFolder(), "rates.json");
    writeFileSync(path, JSON.stringify(value));
    return path;
  };

  test("M26-3 replace those of their currency, and may add markets", async () => {
    const rates = own({
      markets: { Germany: { countries: ["DE"], prefixes: ["49"] } },
      cards: [
        { effectiveFrom: "2026-07-01", currency: "BRL", rates: { Germany: { marketing: "0.7" } } },
        { effectiveFrom: "2026-11-01", currency: "BRL", rates: { Germany: { marketing: "0.8125" } } },
      ],
    });
    const other = await startWorld({ env: { RECADO_META_RATES: rates } });
    try {
      const customer = await newCustomer(other);
      const { body } = await other.gateway("/v1/billing/estimate", {
        key: customer.key,
        body: { phoneId: customer.phone.id, to: ["4915112345678", TO] },
      });
      expect(body).toMatchObject({ category: "SERVICE", rated: 0, unrated: 2 });
      await knownTemplate(other, customer.phone.id, { name: "offer", category: "MARKETING" });
      const { body: priced } = await other.gateway("/v1/billing/estimate", {
        key: customer.key,
        body: { phoneId: customer.phone.id, to: ["4915112345678", TO], template: { name: "offer" } },
      });
      expect(priced).toMatchObject({ amountMicros: 812_500, unrated: 1, byCountry: [{ country: "DE", count: 1 }] });
    } finally {
      await other.stop();
    }
  });

  test.each([
    [
      "an amount that is no decimal",
      { cards: [{ effectiveFrom: "2026-07-01", currency: "BRL", rates: { Brazil: { utility: "3,5" } } }] },
      "cards.0.rates.Brazil.utility",
    ],
    [
      "a market that nobody has defined",
      { cards: [{ effectiveFrom: "2026-07-01", currency: "BRL", rates: { Brasil: {} } }] },
      "the market Brasil is not known",
    ],
    ["a day that is none", { cards: [{ effectiveFrom: "July", currency: "BRL", rates: {} }] }, "effectiveFrom"],
  ])("M26-3 %s stops the start, and says where it is", async (_, value, says) => {
    expect(startWorld({ env: { RECADO_META_RATES: own(value) } })).rejects.toThrow(says);
  });
});
