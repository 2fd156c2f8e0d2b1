import { beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, receivedBy, rowsOf, tracesOf } from "../../../../support/customers/customer.ts";
import {
  BODY,
  businessAccountOf,
  knownTemplate,
  TEMPLATE,
  templatesOf,
} from "../../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { useWorld } from "../../../../support/use-world.ts";
import type { World } from "../../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
let templates: ReturnType<typeof templatesOf>;
beforeEach(async () => {
  c = await newCustomer(w);
  templates = templatesOf(w, c);
});

const NOBODY = "0198a000-1111-4222-8333-444455556666";
const OTHER = [{ ...BODY, text: "Olá {{1}}, o seu pedido chegou hoje." }];
/** A body that the network refuses: its variable is at its end. */
const REFUSED = [{ type: "BODY", text: "O seu pedido chegou, {{1}}", example: { body_text: [["Ana"]] } }];

/** A template that the network has approved, known here. */
const approved = async (more: object = {}) => {
  const { body } = await templates.create(more);
  await w.graph.reviewTemplate(body.upstreamTemplateId, "APPROVED");
  await w.settle();
  c.hook.arrived.length = 0;
  return { ...body, status: "APPROVED" };
};
/** One that the network refused at once. */
const refusedOne = async () => {
  await templates.create({ components: REFUSED });
  return (await templates.list("?status=REJECTED"))[0];
};
const lastCall = () => {
  const { method = "", path = "", query: asked = {}, body } = w.graph.journal.at(-1) ?? {};
  const { appsecret_proof: _, ...query } = asked;
  return { method, path: path.replace(/^\/v[\d.]+/, ""), query, body };
};
const traces = async () => ({
  ...(await tracesOf(w, c)),
  templates: await rowsOf(w, "SELECT * FROM templates WHERE tenant_id = ?1", [c.accountId]),
});

describe("PATCH /v1/templates/{id}", () => {
  test.each<[rule: string, change: object, upstream: object]>([
    ["components", { components: OTHER }, { components: OTHER }],
    ["a time to live", { messageSendTtlSeconds: 600 }, { message_send_ttl_seconds: 600 }],
    ["the category it has", { category: "UTILITY" }, { category: "UTILITY" }],
    [
      "all of them",
      { components: OTHER, category: "UTILITY", messageSendTtlSeconds: 30 },
      { components: OTHER, category: "UTILITY", message_send_ttl_seconds: 30 },
    ],
  ])("G-504 G-506 changes %s at the network, and the template is PENDING again", async (_, change, upstream) => {
    const template = await approved();
    const { messageSendTtlSeconds: _ttl, ...shown } = change as Record<string, unknown>;
    const edited = await templates.edit(template.id, change);
    expect([edited.status, edited.body]).toEqual([200, { ...template, ...shown, status: "PENDING" }]);
    expect(lastCall()).toEqual({ method: "POST", path: `/${template.upstreamTemplateId}`, query: {}, body: upstream });
    expect((await templates.get(template.id)).body).toEqual(edited.body);
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test("G-504 GAP-G42 changes the category of one that a review has rejected, and its reason is gone", async () => {
    const { body } = await templates.create();
    await w.graph.reviewTemplate(body.upstreamTemplateId, "REJECTED", { reason: "INCORRECT_CATEGORY" });
    await w.settle();
    expect((await templates.get(body.id)).body).toMatchObject({
      status: "REJECTED",
      rejectionReason: "INCORRECT_CATEGORY",
    });
    const edited = await templates.edit(body.id, { category: "MARKETING" });
    expect(edited.body).toEqual({ ...body, category: "MARKETING", status: "PENDING" });
  });

  test("G-505 keeps name and language, and with nothing to change it changes nothing", async () => {
    const template = await approved();
    const calls = w.graph.journal.length;
    for (const body of [{}, { name: "other", language: "en_US", status: "PAUSED", phoneId: NOBODY }])
      expect(await templates.edit(template.id, body)).toMatchObject({ status: 200, body: template });
    expect(w.graph.journal).toHaveLength(calls);
  });

  test.each<[rule: string, change: object, field: string]>([
    ["no list of components", { components: "x" }, "components"],
    ["an empty list", { components: [] }, "components"],
    ["components without a body", { components: [{ type: "FOOTER", text: "x" }] }, "components"],
    ["another category", { category: "SERVICE" }, "category"],
    ["no category", { category: null }, "category"],
    ["a time to live of 29 s", { messageSendTtlSeconds: 29 }, "messageSendTtlSeconds"],
    ["a time to live of 43201 s", { messageSendTtlSeconds: 43_201 }, "messageSendTtlSeconds"],
  ])("G-510 refuses %s, for a template that does not exist too, and nothing happens", async (_, change, field) => {
    const { id } = await approved();
    const before = await traces();
    for (const one of [id, NOBODY]) expect(fieldsOf(await templates.edit(one, change))).toEqual([field]);
    expect(await traces()).toEqual(before);
  });

  test("G-503 knows no template that is another account's or none", async () => {
    const { id } = await approved();
    const stranger = templatesOf(w, await newCustomer(w));
    const before = await traces();
    for (const said of [
      await stranger.edit(id, { components: OTHER }),
      await templates.edit(NOBODY, { components: OTHER }),
      await stranger.remove(id),
      await templates.remove(NOBODY),
    ])
      expect(gatewaySays(said)).toBe("404 TEMPLATE_NOT_FOUND");
    expect(await traces()).toEqual(before);
  });

  test.each<[what: string, change: object, subcode: number]>([
    ["a variable at the edge", { components: REFUSED }, 2388299],
    ["the category of an approved template", { category: "MARKETING" }, 2388039],
  ])(
    "G-511 what the network refuses is refused with its words, and the template stays as it was: %s",
    async (_, change, subcode) => {
      const template = await approved();
      const refused = await templates.edit(template.id, change);
      expect([gatewaySays(refused), refused.body.error.details.upstreamError.error_subcode]).toEqual([
        "400 UPSTREAM_BAD_REQUEST",
        subcode,
      ]);
      expect((await templates.get(template.id)).body).toEqual(template);
    },
  );

  test("G-513 GAP-G08 a phone that has lost its credentials cannot change a template, nor submit one again, and nothing happens", async () => {
    const template = await approved();
    const rejected = await templates.create({ name: "refused", components: REFUSED });
    expect(rejected.status).toBe(400);
    const [{ id }] = await templates.list("?status=REJECTED");
    await w.app.env.db.write(async (tx) => tx.rows("DELETE FROM vault WHERE channel_id = ?1", [c.phone.id]));
    const before = { ...(await traces()), templates: await templates.list() };
    for (const one of [template.id, id])
      expect(gatewaySays(await templates.edit(one, { components: OTHER }))).toBe("500 WABA_CREDS_MISSING");
    expect({ ...(await traces()), templates: await templates.list() }).toEqual(before);
  });
});

describe("PATCH of a template that the network refused and never had", () => {
  test("G-507 G-508 submits it again under its id: what is absent keeps its value", async () => {
    const rejected = await refusedOne();
    const again = await templates.edit(rejected.id, { components: [BODY] });
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({
        id: rejected.id,
        ...TEMPLATE,
        status: "PENDING",
        upstreamTemplateId: expect.any(String),
      }),
    ]);
    expect("rejectionReason" in again.body).toBe(false);
    expect(lastCall()).toEqual({
      method: "POST",
      path: `/${await businessAccountOf(w, c.phone.id)}/message_templates`,
      query: {},
      body: { ...TEMPLATE, allow_category_change: true },
    });
  });

  test("G-508 PATCH {} submits what is stored", async () => {
    const id = await knownTemplate(w, c.phone.id, {
      ...TEMPLATE,
      status: "REJECTED",
      nativeId: null,
      rejectionReason: "Too much",
    } as never);
    const again = await templates.edit(id, {});
    expect([again.status, again.body.status]).toEqual([200, "PENDING"]);
    expect(lastCall().body).toEqual({ ...TEMPLATE, allow_category_change: true });
  });

  test("G-509 refuses a time to live, and nothing happens", async () => {
    const { id } = await refusedOne();
    const before = await traces();
    expect(fieldsOf(await templates.edit(id, { components: [BODY], messageSendTtlSeconds: 600 }))).toEqual([
      "messageSendTtlSeconds",
    ]);
    expect(await traces()).toEqual(before);
  });

  test("G-510 refuses stored components that are not valid any more, and nothing happens", async () => {
    const components = [{ type: "BODY", text: "Olá {{1}}!" }];
    const id = await knownTemplate(w, c.phone.id, {
      status: "REJECTED",
      nativeId: null,
      rejectionReason: "Too much",
      components,
    });
    const before = await traces();
    const refused = await templates.edit(id, { category: "MARKETING" });
    expect([fieldsOf(refused), refused.body.error.details.fieldErrors.components]).toEqual([
      ["components"],
      ["0.example is required"],
    ]);
    expect(await traces()).toEqual(before);
  });

  test("G-511 refused again it keeps its id, and says why", async () => {
    const rejected = await refusedOne();
    const components = [{ ...BODY, text: "{{1}}, o seu pedido chegou hoje." }];
    expect(gatewaySays(await templates.edit(rejected.id, { components }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await templates.get(rejected.id)).body).toEqual({ ...rejected, components });
  });
});

describe("DELETE /v1/templates/{id}", () => {
  test("G-514 deletes it at the network, in its language alone, and here", async () => {
    const [template, english] = [await approved(), await approved({ language: "en_US" })];
    const gone = await templates.remove(template.id);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect(lastCall()).toEqual({
      method: "DELETE",
      path: `/${await businessAccountOf(w, c.phone.id)}/message_templates`,
      query: { hsm_id: template.upstreamTemplateId, name: TEMPLATE.name },
      body: undefined,
    });
    expect(w.graph.templates.get(template.upstreamTemplateId)?.status).toBe("DELETED");
    expect(w.graph.templates.get(english.upstreamTemplateId)?.status).toBe("APPROVED");
    expect(gatewaySays(await templates.get(template.id))).toBe("404 TEMPLATE_NOT_FOUND");
    expect(gatewaySays(await templates.remove(template.id))).toBe("404 TEMPLATE_NOT_FOUND");
    expect(await templates.list()).toEqual([english]);
  });

  test.each<[what: string, failure: Parameters<World["graph"]["failNext"]>[1]]>([
    ["a 500", { kind: "error", code: 131000 }],
    ["a refusal", { kind: "error", code: 100 }],
    ["a page of some proxy", { kind: "http", status: 502 }],
    ["no answer", { kind: "reset" }],
    ["half an answer", { kind: "half" }],
    ["an answer that is none", { kind: "garbage" }],
  ])("G-515 removes it here whatever the network says: %s", async (_, failure) => {
    const { id } = await approved();
    w.graph.failNext(1, failure, { operation: "template.delete" });
    expect((await templates.remove(id)).status).toBe(204);
    expect(gatewaySays(await templates.get(id))).toBe("404 TEMPLATE_NOT_FOUND");
  });

  test("G-515 removes it of a phone without credentials, and one that the network never had, without asking", async () => {
    const [template, rejected] = [await approved({ name: "another" }), await refusedOne()];
    await w.app.env.db.write(async (tx) => tx.rows("DELETE FROM vault WHERE channel_id = ?1", [c.phone.id]));
    const calls = w.graph.journal.length;
    expect([(await templates.remove(template.id)).status, (await templates.remove(rejected.id)).status]).toEqual([
      204, 204,
    ]);
    expect(w.graph.journal).toHaveLength(calls);
    expect(await templates.list()).toEqual([]);
  });

  test("G-514 a phone that is deleted has no templates any more; the network keeps them", async () => {
    const template = await approved();
    const other = await w.wabaPhone(c.key);
    await templates.create({ phoneId: other.id });
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
    expect((await templates.list()).map(({ phoneId }) => phoneId)).toEqual([other.id]);
    expect(w.graph.templates.get(template.upstreamTemplateId)?.status).toBe("APPROVED");
  });
});
