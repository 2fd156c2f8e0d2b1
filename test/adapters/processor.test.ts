import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createProcessor } from "../../src/adapters/billing/processor.ts";
import { createHttp } from "../../src/adapters/http/http.ts";
import type { BillingType, Processor, ProcessorResult } from "../../src/contract/ports/processor.ts";
import { CNPJ, CPF } from "../support/billing/billing.ts";
import { API_KEY, type SimulatedProcessor, startProcessor } from "../support/processor/index.ts";

let simulated: SimulatedProcessor;
let processor: Processor;
let customerId: string;
const http = createHttp({ allow: [], extraCa: undefined });
const withKey = (apiKey: string): Processor => {
  const made = createProcessor({ url: `${simulated.url}/`, apiKey, version: "9.8.7" }, http);
  if (!made) throw new Error("there is no processor in spite of a key");
  return made;
};
let counter = 0;
const valueOf = <T>(result: ProcessorResult<T>): T => {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result));
};
const charge = (
  more: {
    reference?: string;
    valueCents?: number;
    billingType?: BillingType;
    dueDate?: string;
    customerId?: string;
  } = {},
) =>
  processor.createCharge({
    customerId,
    billingType: "UNDEFINED",
    valueCents: 12_990,
    dueDate: "2026-11-30",
    reference: `invoice-${++counter}`,
    description: "Uma fatura",
    ...more,
  });
const made = async (more: Parameters<typeof charge>[0] = {}) => valueOf(await charge(more));

beforeAll(async () => {
  simulated = startProcessor();
  processor = withKey(API_KEY);
  customerId = valueOf(
    await processor.saveCustomer({ cpfCnpj: CPF, name: "Ana", reference: "the first", id: null }),
  ).id;
});
afterAll(async () => {
  http.close();
  await simulated.stop();
});
beforeEach(() => simulated.clearFaults());

describe("the processor's requests", () => {
  test("without a key there is no processor", () => {
    expect(createProcessor({ url: simulated.url, apiKey: undefined, version: "1" }, http)).toBeUndefined();
  });

  test("every request carries the key and says who asks, and none that reads has a body", async () => {
    const before = simulated.asked.length; // other tests ask with wrong keys
    const { id, ...charge } = await made();
    await processor.findCharge({ reference: "x", id });
    await processor.paymentLinks({ id, ...charge });
    const asked = simulated.asked.slice(before);
    expect(asked.length).toBeGreaterThan(4);
    for (const { headers, method, body } of asked) {
      expect(headers).toMatchObject({ access_token: API_KEY, "user-agent": "Recado/9.8.7" });
      if (method === "GET") expect(body).toBeUndefined();
    }
  });

  test("amounts go out and come back exact to the cent", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_000_000_000 }), async (valueCents) => {
        const { id, valueCents: charged } = await made({ valueCents });
        const [whole, fraction = ""] = String(simulated.payments.get(id)?.value).split(".");
        expect([charged, `${whole}${fraction.padEnd(2, "0")}`]).toEqual([
          valueCents,
          String(valueCents).padStart(3, "0"),
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test("a charge is made once for a reference, also when the first answer was lost", async () => {
    const first = await made({ reference: "once" });
    expect(await made({ reference: "once", valueCents: 1 })).toEqual(first);
    for (const kind of ["lost", "garbage"] as const) {
      simulated.failNext(1, { kind, isDone: true }, "charge.create");
      expect(await charge({ reference: kind })).toMatchObject({ ok: false, kind: "unavailable" });
      expect((await made({ reference: kind })).id).toBe(simulated.chargeOf(kind).id);
    }
  });

  test("a deleted charge is found by its id alone, and its reference can be charged anew", async () => {
    const { id } = await made({ reference: "deleted" });
    expect(await processor.cancelCharge(id)).toEqual({ ok: true, value: true });
    expect(await processor.cancelCharge(id)).toEqual({ ok: true, value: true });
    expect(await processor.findCharge({ reference: "deleted", id: null })).toEqual({ ok: true, value: undefined });
    expect(valueOf(await processor.findCharge({ reference: "deleted", id }))).toMatchObject({
      id,
      status: "DELETED",
      change: "deleted",
    });
    expect((await made({ reference: "deleted" })).id).not.toBe(id);
    expect(await processor.findCharge({ reference: "nobody's", id: "pay_nobody" })).toEqual({
      ok: true,
      value: undefined,
    });
  });

  test("a customer is made once for a reference, changed where it is known, and made anew when it is gone", async () => {
    const save = async (name: string, id: string | null = null) =>
      valueOf(await processor.saveCustomer({ cpfCnpj: CNPJ, name, addressLine: "Rua A", reference: "tenant", id })).id;
    const id = await save("Uma");
    expect(simulated.customers.get(id)).toMatchObject({
      name: "Uma",
      cpfCnpj: CNPJ,
      address: "Rua A",
      externalReference: "tenant",
    });
    expect([await save("Duas", id), await save("Três")]).toEqual([id, id]);
    expect(simulated.customers.get(id)).toMatchObject({ name: "Três" });
    expect(await save("Quatro", "cus_gone")).not.toBe(id);
  });

  test("each way to pay has its links, and no others", async () => {
    const given = async (billingType: BillingType) => {
      const one = await made({ billingType });
      const links = valueOf(await processor.paymentLinks(one));
      return [links.pixQrCode, links.pixCopyPaste, links.boletoBarcode, one.boletoUrl, one.invoiceUrl].map(
        (link) => link !== null,
      );
    };
    expect(await given("PIX")).toEqual([true, true, false, false, true]);
    expect(await given("BOLETO")).toEqual([false, false, true, true, true]);
    expect(await given("CREDIT_CARD")).toEqual([false, false, false, false, true]);
    expect(await given("UNDEFINED")).toEqual([true, true, true, true, true]);
  });
});

describe("what the processor does not do", () => {
  test("a refusal comes with its own words, and nothing is made", async () => {
    const before = simulated.payments.size;
    expect(await charge({ customerId: "cus_nobody" })).toEqual({
      ok: false,
      kind: "refused",
      status: 400,
      errors: [{ code: "invalid_customer", description: "Customer inválido ou não informado." }],
    });
    expect(await charge({ dueDate: "2026-11-19" })).toMatchObject({
      kind: "refused",
      errors: [{ code: "invalid_dueDate" }],
    });
    expect(simulated.payments.size).toBe(before);
  });

  test.each([429, 500, 503, 401, 302])("an answer %i says nothing of the request", async (status) => {
    simulated.failNext(1, { kind: "status", status }, "charge.create");
    expect(await charge()).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("a key that is not taken is no refusal of the request", async () => {
    expect(await withKey("$aact_wrong").findCharge({ reference: "x", id: null })).toEqual({
      ok: false,
      kind: "unavailable",
      reason: "HTTP 401",
    });
  });

  test("a processor that is down is unavailable", async () => {
    const down = createProcessor({ url: "http://127.0.0.1:1/v3", apiKey: "key", version: "1" }, http);
    expect(await down?.cancelCharge("pay_1")).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("links that are out of reach are not taken for links that do not apply", async () => {
    const one = await made();
    simulated.failNext(1, { kind: "status", status: 500 }, "read");
    expect(await processor.paymentLinks(one)).toMatchObject({ ok: false, kind: "unavailable" });
    simulated.failNext(1, { kind: "status", status: 404 }, "read");
    expect(await processor.paymentLinks(one)).toMatchObject({ ok: true, value: { pixQrCode: null } });
  });
});

describe("the processor's events", () => {
  const eventOf = (event: string, more: object = {}) =>
    processor.readEvent(
      { id: "evt_1&7", event, dateCreated: "2026-11-20 09:00:00", payment: { id: "pay_1", ...more } },
      0,
    );

  test("what an event means, by its name", () => {
    const known = {
      paid: ["CONFIRMED", "RECEIVED", "RECEIVED_IN_CASH", "DUNNING_RECEIVED"],
      overdue: ["OVERDUE"],
      refused: ["CREDIT_CARD_CAPTURE_REFUSED", "REPROVED_BY_RISK_ANALYSIS"],
      "charged-back": ["CHARGEBACK_REQUESTED"],
      refunded: ["REFUNDED"],
      deleted: ["DELETED"],
      restored: ["RESTORED"],
      undone: ["RECEIVED_IN_CASH_UNDONE"],
    };
    for (const [change, names] of Object.entries(known))
      for (const name of names) expect(eventOf(`PAYMENT_${name}`)).toMatchObject({ name, change });
    for (const name of [
      "PAYMENT_CREATED",
      "PAYMENT_UPDATED",
      "PAYMENT_PARTIALLY_REFUNDED",
      "PAYMENT_OF_TOMORROW",
      "toString",
      "",
    ])
      expect(eventOf(name).change).toBeNull();
  });

  test("its amount is what was charged, before interest", () => {
    expect(eventOf("PAYMENT_RECEIVED", { value: 129.9 }).valueCents).toBe(12_990);
    expect(eventOf("PAYMENT_RECEIVED", { value: 140.1, originalValue: 129.9 }).valueCents).toBe(12_990);
    for (const value of [129.999, -1, "much", null, 1e21])
      expect(eventOf("PAYMENT_RECEIVED", { value }).valueCents).toBeNull();
  });

  test("its place sorts it by its time, then by the number of its id, and before what is learnt later", () => {
    const at = (dateCreated: string, id: string) => processor.readEvent({ id, dateCreated }, 0).place;
    const places = [
      at("2026-11-20 09:00:00", "evt_z&9"),
      at("2026-11-20 09:00:00", "evt_a&10"),
      processor.placeOf(Date.parse("2026-11-20T12:00:00Z")),
      at("2026-11-20 09:00:01", "evt_a&1"),
    ];
    expect(places.toSorted()).toEqual(places);
    expect(
      processor.readEvent({}, Date.parse("2026-11-20T12:00:00Z")).place <
        processor.placeOf(Date.parse("2026-11-20T12:00:00Z")),
    ).toBe(true);
  });

  test("whatever is posted can be read", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            id: fc.jsonValue(),
            event: fc.jsonValue(),
            dateCreated: fc.jsonValue(),
            payment: fc.jsonValue(),
          }),
        ),
        (body) => {
          const { change, place } = processor.readEvent(body, 0);
          expect([change, typeof place]).toEqual([null, "string"]);
        },
      ),
    );
  });
});
