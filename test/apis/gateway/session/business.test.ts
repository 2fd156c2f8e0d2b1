import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { newCustomer } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import type { Business } from "../../../support/whatsapp/answers/business-iqs.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterEach(() => {
  expect(s.net.stat.unhandled).toEqual([]);
  s.net.faults.clear();
});
afterAll(() => s.stop());

const bakery = (): Business => ({
  address: "Rua das Flores, 100",
  description: "Pães e bolos",
  email: "maria@example.com",
  category: "Bakery",
  websites: ["https://padaria.example"],
  products: [
    { id: "1", name: "Bolo", price: 12_500, currency: "BRL", retailerId: "B-1", image: "https://pps.example/1.jpg" },
    { id: "2", name: "Pão", description: "De queijo", isHidden: true },
    { id: "3", name: "Torta", price: 30_000, currency: "BRL" },
  ],
  collections: [{ id: "c1", name: "Bolos", products: ["1", "3"] }],
  orders: new Map([
    [
      "77",
      {
        token: "segredo==",
        total: 25_000,
        currency: "BRL",
        items: [{ id: "1", name: "Bolo", price: 12_500, currency: "BRL", quantity: 2 }],
      },
    ],
  ]),
});

const setup = async ({ isBusiness = true } = {}) => {
  const { customer, hook, owner } = await pairedPhone(s);
  if (isBusiness) owner.account.business = bakery();
  const ask = (path: string, options: { method?: string; body?: unknown } = {}) =>
    s.w.gateway(`/v1/phones/${customer.phone.id}/${path}`, { key: customer.key, ...options });
  return { customer, hook, owner, ask, ana: s.contact() };
};

const PROFILE = {
  about: null,
  address: "Rua das Flores, 100",
  description: "Pães e bolos",
  email: "maria@example.com",
  vertical: "Bakery",
  websites: ["https://padaria.example"],
  profilePictureUrl: null,
};
const BOLO = {
  id: "1",
  retailerId: "B-1",
  name: "Bolo",
  description: null,
  price: { amount: 12.5, currency: "BRL" },
  url: null,
  imageUrl: "https://pps.example/1.jpg",
  availability: null,
  reviewStatus: "APPROVED",
  isHidden: false,
};

describe("the business profile of a session", () => {
  test("is read and changed; a missing field stays, an empty one is removed", async () => {
    const { ask, owner } = await setup();
    expect((await ask("business-profile")).body).toEqual(PROFILE);
    const changes = { about: "Aberto", description: "", websites: ["https://a.example", "https://b.example"] };
    const changed = await ask("business-profile", { method: "PATCH", body: changes });
    expect(changed.body).toEqual({ ...PROFILE, ...changes, description: null });
    expect((await ask("business-profile", { method: "PATCH", body: { websites: [] } })).body.websites).toEqual([]);
    expect(owner.account).toMatchObject({ about: "Aberto", business: { email: "maria@example.com" } });
  });

  test.each([
    ["the line of business", { vertical: "RETAIL" }],
    ["a picture by its handle", { profilePictureHandle: "4::x" }],
  ])("%s is changed on the phone alone: it is refused with all beside it", async (_, wrong) => {
    const { ask, owner } = await setup();
    const refused = await ask("business-profile", {
      method: "PATCH",
      body: { ...wrong, address: "Outra", about: "X" },
    });
    expect(gatewaySays(refused)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect([owner.account.business, owner.account.about]).toEqual([bakery(), undefined]);
  });

  test("of an account that is no business is refused, reading and writing", async () => {
    const { ask, owner } = await setup({ isBusiness: false });
    expect(gatewaySays(await ask("business-profile"))).toBe("400 UPSTREAM_BAD_REQUEST");
    const change = await ask("business-profile", { method: "PATCH", body: { address: "Outra" } });
    expect(gatewaySays(change)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(owner.account.business).toBeUndefined();
  });

  test("of others, and their about texts", async () => {
    const { ask, ana } = await setup({ isBusiness: false });
    const bia = s.contact();
    ana.account.business = bakery();
    ana.account.about = "Só por mensagem";
    expect((await ask(`contacts/${ana.pn}/business-profile`)).body).toEqual({ isBusiness: true, profile: PROFILE });
    expect((await ask(`contacts/${bia.pn}/business-profile`)).body).toEqual({ isBusiness: false, profile: null });
    expect((await ask(`contacts/${ana.pn}/about`)).body).toEqual({ about: "Só por mensagem" });
    expect((await ask(`contacts/${bia.pn}/about`)).body).toEqual({ about: null });
    expect(gatewaySays(await ask("contacts/5511900000000/business-profile"))).toBe("400 UPSTREAM_BAD_REQUEST");
  });
});

describe("catalogues", () => {
  test("products come in pages, with prices in units of their currency", async () => {
    const { ask } = await setup();
    const first = (await ask("catalog/products?limit=2")).body;
    expect(first.items).toEqual([
      BOLO,
      expect.objectContaining({ id: "2", description: "De queijo", price: null, imageUrl: null, isHidden: true }),
    ]);
    const second = (await ask(`catalog/products?limit=2&cursor=${first.nextCursor}`)).body;
    expect([second.items.map(({ id }: any) => id), second.nextCursor]).toEqual([["3"], null]);
    expect(gatewaySays(await ask("catalog/products?cursor=unknown"))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(gatewaySays(await ask("catalog/products?limit=101"))).toBe("400 VALIDATION_ERROR");
  });

  test("collections have their products; of another business too", async () => {
    const { ask, ana } = await setup({ isBusiness: false });
    expect(gatewaySays(await ask("catalog/collections"))).toBe("400 UPSTREAM_BAD_REQUEST");
    ana.account.business = bakery();
    expect((await ask(`catalog/collections?of=${ana.pn}&limit=1`)).body).toEqual({
      items: [{ id: "c1", name: "Bolos", status: "APPROVED", products: [BOLO] }],
    });
  });

  test("an order is read with the token of its message, and with no other", async () => {
    const { ask, owner, hook, ana } = await setup();
    await ana.sendProto({ orderMessage: { orderId: "77", token: "segredo==", orderTitle: "Bolo" } }, { to: owner });
    const [{ content }] = await untilEvents(s.w, hook, "message:received");
    expect(content).toMatchObject({ orderId: "77", orderToken: "segredo==" });
    const token = encodeURIComponent(content.orderToken);
    expect((await ask(`orders/${content.orderId}?token=${token}`)).body).toEqual({
      total: { amount: 25, currency: "BRL" },
      items: [{ productId: "1", name: "Bolo", quantity: 2, price: { amount: 12.5, currency: "BRL" }, imageUrl: null }],
    });
    expect(gatewaySays(await ask("orders/77?token=other"))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(gatewaySays(await ask("orders/77"))).toBe("400 VALIDATION_ERROR");
  });

  test("official numbers have none of it, and a session that is not linked answers that it is not connected", async () => {
    const official = await newCustomer(s.w);
    const { id } = (await s.w.gateway("/v1/phones", { key: official.key, body: { type: "SESSION", label: "A" } })).body;
    for (const path of [
      "catalog/products",
      "catalog/collections",
      "orders/1?token=x",
      "contacts/5511988887777/about",
    ]) {
      const refused = await s.w.gateway(`/v1/phones/${official.phone.id}/${path}`, official);
      expect([gatewaySays(refused), refused.body.error.details.reason]).toEqual([
        "400 UPSTREAM_BAD_REQUEST",
        "NOT_OFFERED_BY_UPSTREAM",
      ]);
      expect(gatewaySays(await s.w.gateway(`/v1/phones/${id}/${path}`, official))).toBe("409 PHONE_NOT_CONNECTED");
    }
    expect(gatewaySays(await s.w.gateway(`/v1/phones/${id}/business-profile`, official))).toBe(
      "409 PHONE_NOT_CONNECTED",
    );
  });
});
