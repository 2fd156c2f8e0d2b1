import { beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer } from "../../../support/customers/customer.ts";
import { TROUBLES } from "../../../support/customers/signup.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { everyRow } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
let begun: number;
beforeEach(async () => {
  c = await newCustomer(w);
  begun = w.graph.journal.length;
});

const route = (id = c.phone.id) => `/v1/phones/${id}/name-change`;
const request = (displayName: unknown, id?: string) => w.gateway(route(id), { key: c.key, body: { displayName } });
const read = (id?: string) => w.gateway(route(id), { key: c.key });
const decide = (decision: "APPROVED" | "REJECTED" | "DEFERRED") =>
  w.graph.decideName({ phoneNumberId: c.phone.phoneNumberId, decision });
const asked = () => w.graph.journal.slice(begun).map(({ method }) => method);

test("G-263 EP-G04 a name is asked for, waits for review, and becomes the phone's when it is approved", async () => {
  expect((await read()).body).toEqual({ displayName: "Test Business", requestedName: null, status: "NONE" });
  const answer = await request("Padaria Aurora & Filhos 🥖");
  expect([answer.status, answer.body]).toEqual([202, { status: "pending", displayName: "Padaria Aurora & Filhos 🥖" }]);
  expect((await read()).body).toEqual({
    displayName: "Test Business",
    requestedName: "Padaria Aurora & Filhos 🥖",
    status: "PENDING",
  });
  await decide("DEFERRED");
  expect((await read()).body.status).toBe("PENDING");
  await decide("APPROVED");
  expect((await read()).body).toEqual({
    displayName: "Padaria Aurora & Filhos 🥖",
    requestedName: "Padaria Aurora & Filhos 🥖",
    status: "APPROVED",
  });
});

test("G-263 EP-G04 one that is rejected leaves the phone its name, and another may be asked for", async () => {
  await request("Banco Central");
  await decide("REJECTED");
  expect((await read()).body).toEqual({
    displayName: "Test Business",
    requestedName: "Banco Central",
    status: "REJECTED",
  });
  expect((await request("Padaria")).status).toBe(202);
  expect((await read()).body).toMatchObject({ requestedName: "Padaria", status: "PENDING" });
});

describe("what is refused", () => {
  for (const displayName of [undefined, "", "x".repeat(121), "🥖".repeat(121), 5, null, ["x"]]) {
    test(`EP-G04 a name must have 1 to 120 characters; nobody is asked: ${JSON.stringify(displayName)?.slice(0, 20)}`, async () => {
      expect(fieldsOf(await request(displayName))).toEqual(["displayName"]);
      expect(asked()).toEqual([]);
    });
  }

  test("EP-G04 120 code points are taken", async () => {
    expect((await request("🥖".repeat(120))).status).toBe(202);
  });

  test("EP-G04 phones that are unknown, another account's or no official number: PHONE_NOT_FOUND, and nobody is asked", async () => {
    const other = await newCustomer(w);
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    begun = w.graph.journal.length;
    for (const id of ["00000000-0000-4000-8000-000000000000", other.phone.id, session])
      expect([gatewaySays(await read(id)), gatewaySays(await request("Padaria", id))]).toEqual([
        "404 PHONE_NOT_FOUND",
        "404 PHONE_NOT_FOUND",
      ]);
    expect(asked()).toEqual([]);
  });

  test("EP-G04 what the network refuses is answered in its words, and nothing waits", async () => {
    const blank = await request(" ");
    expect([gatewaySays(blank), blank.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      100,
    ]);
    w.graph.failNext(
      1,
      { kind: "error", code: 368 },
      { operation: "number.update", phoneNumberId: c.phone.phoneNumberId },
    );
    expect((await request("Padaria")).body.error.details.upstreamError.code).toBe(368);
    expect((await read()).body.status).toBe("NONE");
  });

  for (const [why, failure] of Object.entries(TROUBLES)) {
    test(`GAP-G13 ${why}: UPSTREAM_UNAVAILABLE, and the phone stays as it is`, async () => {
      const before = await everyRow(w);
      w.graph.failNext(1, failure, { operation: "number.update", phoneNumberId: c.phone.phoneNumberId });
      expect(gatewaySays(await request("Padaria"))).toBe("502 UPSTREAM_UNAVAILABLE");
      w.graph.failNext(1, failure, { operation: "number.get", phoneNumberId: c.phone.phoneNumberId });
      if (why !== "a success without what was asked for")
        expect(gatewaySays(await read())).toBe("502 UPSTREAM_UNAVAILABLE");
      w.graph.clearFailures();
      expect([(await read()).body.status, await everyRow(w)]).toEqual(["NONE", before]);
    });
  }
});
