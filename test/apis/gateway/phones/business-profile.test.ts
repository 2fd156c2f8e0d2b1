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

const route = (id = c.phone.id) => `/v1/phones/${id}/business-profile`;
const read = (id?: string) => w.gateway(route(id), { key: c.key });
const change = (body: unknown, id?: string) => w.gateway(route(id), { key: c.key, method: "PATCH", body });
const asked = () => w.graph.journal.slice(begun).map(({ method }) => method);
const EMPTY = {
  about: null,
  address: null,
  description: null,
  email: null,
  vertical: null,
  websites: [],
  profilePictureUrl: null,
};
const FULL = {
  about: "Pães desde 1972",
  address: "Rua Augusta, 1",
  description: "Padaria",
  email: "oi@padaria.example.com",
  vertical: "RESTAURANT",
  websites: ["https://padaria.example.com/", "https://padaria.example.com/loja"],
};
const NOBODY = "00000000-0000-4000-8000-000000000000";

describe("what customers see of a business", () => {
  test("G-263 EP-G04 is empty at first, is changed in part, and answered as it is then", async () => {
    expect([(await read()).status, (await read()).body]).toEqual([200, EMPTY]);
    const changed = await change(FULL);
    expect([changed.status, changed.body]).toEqual([200, { ...EMPTY, ...FULL }]);
    expect((await change({ about: "Novo", websites: ["https://padaria.example.com/"] })).body).toEqual({
      ...EMPTY,
      ...FULL,
      about: "Novo",
      websites: ["https://padaria.example.com/"],
    });
    expect((await change({ address: "", websites: [] })).body).toMatchObject({
      address: null,
      websites: [],
      email: FULL.email,
    });
    expect((await read()).body).toMatchObject({ about: "Novo", address: null });
  });

  test("G-263 EP-G04 a picture is named by the handle of an upload, and shown by its address", async () => {
    expect((await change({ profilePictureHandle: "4::aW1hZ2U=" })).body.profilePictureUrl).toStartWith("https://");
  });

  test("EP-G04 both shapes that the documents have are read", async () => {
    await change(FULL);
    w.graph.configure({ profileShape: "nested" });
    expect((await read()).body).toEqual({ ...EMPTY, ...FULL });
    w.graph.configure({ profileShape: "flat" });
  });

  test("EP-G04 nothing to change is nothing written; what is unknown in a body is ignored", async () => {
    expect((await change({})).body).toEqual(EMPTY);
    expect((await change({ messaging_product: "x", phoneNumberId: "1" })).body).toEqual(EMPTY);
    expect(asked()).toEqual(["GET", "GET"]);
  });

  test("EP-G04 another phone's stays as it is", async () => {
    const other = await newCustomer(w);
    await change(FULL);
    expect((await w.gateway(route(other.phone.id), { key: other.key })).body).toEqual(EMPTY);
  });
});

describe("a profile that is not as it must be", () => {
  const long = (length: number) => "🥖".repeat(length);
  for (const [field, value] of [
    ["about", ""],
    ["about", long(140)],
    ["address", long(257)],
    ["description", long(513)],
    ["email", "x".repeat(129)],
    ["vertical", 5],
    ["websites", ["https://a.example.com", "https://b.example.com", "https://c.example.com"]],
    ["websites", ["not a URL"]],
    ["websites", "https://a.example.com"],
    ["profilePictureHandle", ""],
  ] as const) {
    test(`EP-G04 is refused before anybody is asked: ${field} ${JSON.stringify(value).slice(0, 40)}`, async () => {
      const before = await everyRow(w);
      expect(fieldsOf(await change({ [field]: value }))).toEqual([field]);
      expect([asked(), await everyRow(w)]).toEqual([[], before]);
    });
  }

  test("EP-G04 the limits count code points", async () => {
    const widest = { about: long(139), address: long(256), description: long(512) };
    expect((await change(widest)).body).toMatchObject(widest);
  });

  test("EP-G04 what the network refuses is answered in its words, and the profile stays", async () => {
    await change(FULL);
    for (const body of [{ vertical: "BAKERY" }, { email: "nobody" }, { profilePictureHandle: "mine" }]) {
      const answer = await change({ about: "Novo", ...body });
      expect([gatewaySays(answer), answer.body.error.details.upstreamError]).toEqual([
        "400 UPSTREAM_BAD_REQUEST",
        expect.objectContaining({ code: expect.any(Number) }),
      ]);
    }
    expect((await read()).body).toEqual({ ...EMPTY, ...FULL });
  });
});

describe("whose profile there is none of", () => {
  test("EP-G04 phones that are unknown, another account's or no official number: PHONE_NOT_FOUND, and nobody is asked", async () => {
    const other = await newCustomer(w);
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    begun = w.graph.journal.length;
    for (const id of [NOBODY, other.phone.id, session, "nonsense"])
      expect([gatewaySays(await read(id)), gatewaySays(await change(FULL, id))]).toEqual([
        "404 PHONE_NOT_FOUND",
        "404 PHONE_NOT_FOUND",
      ]);
    expect(asked()).toEqual([]);
  });

  test("EP-G04 a phone whose credentials are lost: WABA_CREDS_MISSING, and nobody is asked", async () => {
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM vault WHERE channel_id = ?1", [c.phone.id]));
    expect([gatewaySays(await read()), gatewaySays(await change(FULL))]).toEqual([
      "400 WABA_CREDS_MISSING",
      "400 WABA_CREDS_MISSING",
    ]);
    expect(gatewaySays(await w.gateway(`/v1/phones/${c.phone.id}/name-change`, { key: c.key }))).toBe(
      "500 WABA_CREDS_MISSING",
    );
    expect(asked()).toEqual([]);
  });
});

describe("an upstream in trouble", () => {
  for (const [why, failure] of Object.entries(TROUBLES)) {
    test(`GAP-G13 ${why}: UPSTREAM_UNAVAILABLE, and the phone stays as it is`, async () => {
      const before = await everyRow(w);
      for (const operation of ["profile.get", "profile.update"]) {
        // an empty profile looks like that
        if (why === "a success without what was asked for" && operation === "profile.get") continue;
        w.graph.failNext(1, failure, { operation, phoneNumberId: c.phone.phoneNumberId });
        expect(gatewaySays(operation === "profile.get" ? await read() : await change(FULL))).toBe(
          "502 UPSTREAM_UNAVAILABLE",
        );
      }
      expect(await everyRow(w)).toEqual(before);
      expect((await read()).body).toEqual(EMPTY);
    });
  }

  test("GAP-G13 a change that was made although its answer was lost may be made again", async () => {
    w.graph.failNext(
      1,
      { kind: "reset", isAccepted: true },
      { operation: "profile.update", phoneNumberId: c.phone.phoneNumberId },
    );
    expect(gatewaySays(await change(FULL))).toBe("502 UPSTREAM_UNAVAILABLE");
    expect((await change(FULL)).body).toEqual({ ...EMPTY, ...FULL });
  });
});
