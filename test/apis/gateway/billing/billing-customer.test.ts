import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  type BilledWorld,
  CNPJ,
  CPF,
  newPayer,
  ordersTo,
  type Payer,
  startBilledWorld,
} from "../../../support/billing/billing.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld } from "../../../support/world.ts";

let w: BilledWorld;
let p: Payer;
beforeAll(async () => {
  w = await startBilledWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  w.processor.clearFaults();
  p = await newPayer(w, { isKnown: false });
});

const save = (body?: object) =>
  w.gateway("/v1/billing/customer", { key: p.key, method: "POST", ...(body ? { body } : {}) });
const knownCustomer = (): Promise<unknown[]> =>
  rowsOf(w, "SELECT * FROM billing_customers WHERE tenant_id = ?1", [p.accountId]);

describe("who pays", () => {
  test("X-132 X-131 a customer is registered under the account's name unless another is given, with what is known of it", async () => {
    const made = await save({ cpfCnpj: CPF });
    expect([made.status, Object.keys(made.body)]).toEqual([201, ["processorCustomerId"]]);
    const { processorCustomerId: id } = made.body;
    expect(w.processor.customers.get(id)).toMatchObject({
      name: "Padaria São João",
      cpfCnpj: CPF,
      email: null,
      externalReference: p.accountId,
    });
    await w.gateway(`/v1/admin/accounts/${p.accountId}`, {
      admin: true,
      method: "PATCH",
      body: { billingEmail: "contas@example.com" },
    });
    const rest = {
      name: "João",
      phone: "11999990001",
      addressNumber: "10",
      province: "Centro",
      postalCode: "01001000",
    };
    expect((await save({ cpfCnpj: CNPJ, addressLine: "Rua A", ...rest })).body).toEqual({ processorCustomerId: id });
    expect(w.processor.customers.get(id)).toMatchObject({
      ...rest,
      cpfCnpj: CNPJ,
      address: "Rua A",
      email: "contas@example.com",
    });
  });

  test("X-129 GAP-X04 without cpfCnpj nothing is asked", async () => {
    const before = ordersTo(w).length;
    for (const body of [undefined, {}, { name: "João" }, { cpfCnpj: null }])
      expect(gatewaySays(await save(body))).toBe("400 CPF_CNPJ_REQUIRED");
    expect([ordersTo(w).length, await knownCustomer()]).toEqual([before, []]);
  });

  test("GAP-C12 what this API does not know of a customer is ignored, and not passed to the processor", async () => {
    expect(gatewaySays(await save({ name: "João", unknown: 1 }))).toBe("400 CPF_CNPJ_REQUIRED");
    expect((await save({ cpfCnpj: CPF, email: "de@outro.example", notificationDisabled: true })).status).toBe(201);
    const [received] = ordersTo(w)
      .flatMap(({ method, body }) => (method === "POST" ? [body] : []))
      .slice(-1);
    expect(received).toEqual({ name: "Padaria São João", cpfCnpj: CPF, externalReference: p.accountId });
  });

  test("X-130 GAP-X04 only 11 or 14 digits are taken, as text and without punctuation", async () => {
    const before = ordersTo(w).length;
    for (const cpfCnpj of ["", "1234567890", "123456789012", "123456789012345", "249.715.637-92", 24971563792])
      expect(fieldsOf(await save({ cpfCnpj }))).toEqual(["cpfCnpj"]);
    for (const field of ["name", "phone", "addressLine", "addressNumber", "province", "postalCode"])
      expect(fieldsOf(await save({ cpfCnpj: CPF, [field]: 1 }))).toEqual([field]);
    expect([ordersTo(w).length, await knownCustomer()]).toEqual([before, []]);
  });

  test("GAP-X04 check digits are the processor's to refuse; its words are passed on, and nobody is registered", async () => {
    const answer = await save({ cpfCnpj: "24971563791" });
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError).toEqual({
      status: 400,
      errors: [{ code: "invalid_object", description: "O CPF/CNPJ informado é inválido." }],
    });
    expect(await knownCustomer()).toEqual([]);
  });

  test("a CNPJ with letters, as they are since July 2026, is checked here: nothing is asked about a wrong one", async () => {
    const before = ordersTo(w).length;
    for (const cpfCnpj of ["12ABC34501DE36", "12abc34501de35", "12.ABC.345/01DE-35", "12ABC34501DEA5", "ABCDEFGHIJK"])
      expect(fieldsOf(await save({ cpfCnpj }))).toEqual(["cpfCnpj"]);
    expect([ordersTo(w).length, await knownCustomer()]).toEqual([before, []]);
  });

  test.each([
    [CPF, "***.715.637-**"],
    [CNPJ, "**.222.333/****-**"],
    ["12ABC34501DE35", "**.ABC.345/****-**"],
  ])("%s goes to the processor, is sealed at rest and shown as %s", async (value, masked) => {
    const nobody = { processorCustomerId: null, cpfCnpj: null, updatedAt: null };
    expect((await w.gateway("/v1/billing/customer", { key: p.key })).body).toEqual(nobody);
    const { processorCustomerId } = (await save({ cpfCnpj: value })).body;
    expect(w.processor.customers.get(processorCustomerId)?.["cpfCnpj"]).toBe(value);
    const [row] = (await knownCustomer()) as { cpf_cnpj: string }[];
    expect(row?.cpf_cnpj).toStartWith("1.");
    expect(JSON.stringify(row)).not.toContain(value);
    const seen = (await w.gateway("/v1/billing/customer", { key: p.key })).body;
    expect(seen).toEqual({ processorCustomerId, cpfCnpj: masked, updatedAt: expect.any(String) });
    const stranger = await newPayer(w, { isKnown: false });
    expect((await w.gateway("/v1/billing/customer", { key: stranger.key })).body).toEqual(nobody);
  });

  test("X-141 an answer that is lost is a 503; the next call finds the customer that was made", async () => {
    w.processor.failNext(1, { kind: "lost", isDone: true }, "customer.save");
    expect(gatewaySays(await save({ cpfCnpj: CPF }))).toBe("503 PROCESSOR_CONNECTION_ERROR");
    const { processorCustomerId } = (await save({ cpfCnpj: CPF })).body;
    const made = [...w.processor.customers.values()].filter(
      ({ externalReference }) => externalReference === p.accountId,
    );
    expect(made.map(({ id }) => id)).toEqual([processorCustomerId]);
  });

  test("GAP-X04 two calls at once make one customer", async () => {
    const answers = await Promise.all([save({ cpfCnpj: CPF }), save({ cpfCnpj: CPF }), save({ cpfCnpj: CPF })]);
    expect(new Set(answers.map(({ body }) => body.processorCustomerId)).size).toBe(1);
    expect(
      [...w.processor.customers.values()].filter(({ externalReference }) => externalReference === p.accountId),
    ).toHaveLength(1);
  });
});

test("X-133 without a processor's key: 503, after the body is checked; its webhook too, and an issue", async () => {
  const bare = await startWorld({ env: { RECADO_PROCESSOR_WEBHOOK_TOKEN: "a-token" } });
  const { id, key } = await bare.account();
  expect(gatewaySays(await bare.gateway("/v1/billing/customer", { key, body: { cpfCnpj: CPF } }))).toBe(
    "503 PROCESSOR_NOT_CONFIGURED",
  );
  expect(gatewaySays(await bare.gateway("/v1/billing/customer", { key, body: { cpfCnpj: "1" } }))).toBe(
    "400 VALIDATION_ERROR",
  );
  expect(
    gatewaySays(
      await bare.gateway("/v1/payment-webhook", { body: {}, headers: { "x-processor-access-token": "a-token" } }),
    ),
  ).toBe("503 PROCESSOR_NOT_CONFIGURED");
  const invoice = (await bare.gateway(`/v1/admin/accounts/${id}/invoices`, { admin: true, body: { totalCents: 100 } }))
    .body;
  expect(gatewaySays(await bare.gateway(`/v1/billing/invoices/${invoice.id}/issue`, { key, method: "POST" }))).toBe(
    "503 PROCESSOR_NOT_CONFIGURED",
  );
  await bare.stop();
});
