import { beforeEach, describe, expect, test } from "bun:test";
import { type Customer, newCustomer, receivedBy, rowsOf, tracesOf } from "../../../../support/customers/customer.ts";
import { BODY, businessAccountOf, TEMPLATE, templatesOf } from "../../../../support/customers/templates.ts";
import { fieldsOf, gatewaySays } from "../../../../support/refusals.ts";
import { customer, gatewayKeyOf, wabaChannel } from "../../../../support/tenants/platform.ts";
import { useWorld } from "../../../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
let c: Customer;
let templates: ReturnType<typeof templatesOf>;
beforeEach(async () => {
  c = await newCustomer(w);
  templates = templatesOf(w, c);
});

const NOBODY = "0198a000-1111-4222-8333-444455556666";
/** What the upstream was asked to make. */
const submitted = () =>
  w.graph.journal
    .filter(({ method, path }) => method === "POST" && path.endsWith("/message_templates"))
    .map(({ body }) => body as Record<string, unknown>);
/** Everything that a template call would have left behind. */
const traces = async () => ({
  ...(await tracesOf(w, c)),
  templates: await rowsOf(w, "SELECT * FROM templates WHERE tenant_id = ?1", [c.accountId]),
});
/** A body that the network refuses: its variable is at its end. */
const REFUSED = {
  components: [{ type: "BODY", text: "O seu pedido chegou, {{1}}", example: { body_text: [["Ana"]] } }],
};

describe("POST /v1/templates", () => {
  test("G-470 G-476 G-489 G-490 submits the template to the network and answers with what it said", async () => {
    const { status, body } = await templates.create();
    const [upstream] = w.graph.templates.values();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      accountId: c.accountId,
      phoneId: c.phone.id,
      ...TEMPLATE,
      status: "PENDING",
      maxPricePer1000: null,
      upstreamTemplateId: [...w.graph.templates.values()].at(-1)?.id,
      createdAt: new Date(w.clock.now()).toISOString(),
      updatedAt: new Date(w.clock.now()).toISOString(),
    });
    expect(upstream).toBeDefined();
    expect(submitted().at(-1)).toEqual({ ...TEMPLATE, allow_category_change: true });
    expect(receivedBy(c.hook)).toEqual([]);
  });

  test.each<[rule: string, more: object]>([
    ["G-471 a name of 1 character", { name: "a" }],
    ["G-471 G-472 a name of 120 letters, digits and underscores", { name: `a_1${"x".repeat(117)}` }],
    ["G-473 another language", { language: "en_US" }],
    ["G-474 the category MARKETING", { category: "MARKETING" }],
    ["G-474 the category UTILITY", { category: "UTILITY" }],
    ["G-476 a category that may not change", { allowCategoryChange: false }],
    ["G-477 a time to live of 30 s", { messageSendTtlSeconds: 30 }],
    ["G-477 a time to live of 43200 s", { messageSendTtlSeconds: 43_200 }],
    ["fields that do not exist are ignored", { nonsense: 1 }],
  ])("takes %s", async (_, more) => {
    const {
      nonsense: _nonsense,
      allowCategoryChange = true,
      messageSendTtlSeconds,
      ...shown
    } = more as Record<string, unknown>;
    const { status, body } = await templates.create(more);
    expect([status, body]).toEqual([201, expect.objectContaining({ ...TEMPLATE, ...shown })]);
    const ttl = messageSendTtlSeconds === undefined ? {} : { message_send_ttl_seconds: messageSendTtlSeconds };
    expect(submitted().at(-1)).toEqual({ ...TEMPLATE, ...shown, allow_category_change: allowCategoryChange, ...ttl });
  });

  test("G-474 takes the category AUTHENTICATION, whose texts are the network's own", async () => {
    const components = [
      { type: "BODY", add_security_recommendation: true },
      { type: "FOOTER", code_expiration_minutes: 10 },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copiar" }] },
    ];
    const { status, body } = await templates.create({ category: "AUTHENTICATION", components });
    expect([status, body.category, body.components]).toEqual([201, "AUTHENTICATION", components]);
  });

  test.each<[rule: string, more: object, field: string]>([
    ["G-470 no phone", { phoneId: undefined }, "phoneId"],
    ["G-470 a phone that is no UUID", { phoneId: "5" }, "phoneId"],
    ["G-471 no name", { name: undefined }, "name"],
    ["G-471 an empty name", { name: "" }, "name"],
    ["G-471 a name of 121 characters", { name: "x".repeat(121) }, "name"],
    ["G-472 a capital", { name: "Promo" }, "name"],
    ["G-472 a hyphen", { name: "a-b" }, "name"],
    ["G-472 a space", { name: "a b" }, "name"],
    ["G-472 a line break at the end", { name: "a\n" }, "name"],
    ["G-473 no language", { language: undefined }, "language"],
    ["G-473 a language that is no text", { language: 5 }, "language"],
    ["G-474 no category", { category: undefined }, "category"],
    ["G-474 another category", { category: "SERVICE" }, "category"],
    ["G-475 no components", { components: undefined }, "components"],
    ["G-475 an empty list of components", { components: [] }, "components"],
    ["G-476 a category change that is no boolean", { allowCategoryChange: "yes" }, "allowCategoryChange"],
    ["G-477 a time to live of 29 s", { messageSendTtlSeconds: 29 }, "messageSendTtlSeconds"],
    ["G-477 a time to live of 43201 s", { messageSendTtlSeconds: 43_201 }, "messageSendTtlSeconds"],
    ["G-477 a time to live of half a second", { messageSendTtlSeconds: 30.5 }, "messageSendTtlSeconds"],
  ])("refuses %s, and nothing happens", async (_, more, field) => {
    const before = await traces();
    expect(fieldsOf(await templates.create(more))).toEqual([field]);
    expect(await traces()).toEqual(before);
  });

  test("G-492 G-518 knows no phone that is another account's, is none, or has no templates; a bad body is refused first", async () => {
    const stranger = await newCustomer(w);
    const session = await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A session" } });
    const before = await traces();
    for (const phoneId of [stranger.phone.id, NOBODY, session.body.id]) {
      expect(gatewaySays(await templates.create({ phoneId }))).toBe("404 PHONE_NOT_FOUND");
      expect(gatewaySays(await templates.sync(phoneId))).toBe("404 PHONE_NOT_FOUND");
      expect(fieldsOf(await templates.create({ phoneId, name: "A B", components: [] }))).toEqual([
        "components",
        "name",
      ]);
    }
    expect(await traces()).toEqual(before);
  });

  test("G-491 GAP-G09 a phone with a part of its credentials, or none, cannot submit, and nothing happens", async () => {
    const who = await customer(w);
    const channel = await wabaChannel(w, who.key);
    const other = templatesOf(w, { key: await gatewayKeyOf(w, who), phone: { ...c.phone, id: channel.id } });
    const calls = w.graph.journal.length;
    const without = (field: string) =>
      w.app.env.db.write(async (tx) =>
        tx.rows("DELETE FROM vault WHERE channel_id = ?1 AND field LIKE ?2", [channel.id, field]),
      );
    for (const [field, said, missing] of [
      ["businessAccountId", "400 WABA_CREDS_INCOMPLETE", ["businessAccountId"]],
      ["accessToken", "400 WABA_CREDS_INCOMPLETE", ["businessAccountId", "accessToken"]],
      ["%", "400 WABA_CREDS_MISSING", ["phoneNumberId", "businessAccountId", "accessToken"]],
    ] as const) {
      await without(field);
      for (const refused of [await other.create(), await other.sync()]) {
        expect(gatewaySays(refused)).toBe(said);
        expect(refused.body.error.details).toEqual({ missing: [...missing] });
      }
    }
    expect(w.graph.journal).toHaveLength(calls);
    expect(await other.list()).toEqual([]);
  });

  test("needs no connection: a phone that is disconnected submits too, and stays disconnected when its token is refused", async () => {
    const who = await customer(w);
    const [channel, key] = [await wabaChannel(w, who.key), await gatewayKeyOf(w, who)];
    const other = templatesOf(w, { key, phone: { ...c.phone, id: channel.id } });
    expect((await other.create()).status).toBe(201);
    w.graph.invalidateToken(channel.accessToken);
    expect(gatewaySays(await other.create({ name: "another" }))).toBe("500 WABA_TOKEN_INVALID");
    await w.settle();
    expect((await w.gateway(`/v1/phones/${channel.id}`, { key })).body.status).toBe("DISCONNECTED");
  });

  test("G-493 GAP-G41 what is known with the network's id is refused without asking the network", async () => {
    await templates.create();
    const calls = w.graph.journal.length;
    const again = await templates.create({ category: "MARKETING" });
    expect(gatewaySays(again)).toBe("409 ALREADY_EXISTS");
    expect(again.body.error.details).toEqual({ fields: ["phoneId", "name", "language"] });
    expect(w.graph.journal).toHaveLength(calls);
    expect(await templates.list()).toHaveLength(1);
  });

  test("G-493 the same name in another language, and on another phone, is another template", async () => {
    await templates.create();
    const other = await w.wabaPhone(c.key);
    expect([
      (await templates.create({ language: "en_US" })).status,
      (await templates.create({ phoneId: other.id })).status,
    ]).toEqual([201, 201]);
  });
});

describe("a submission that the network refuses", () => {
  test.each<[rule: string, more: object, subcode: number]>([
    ["G-497 a variable at the edge", REFUSED, 2388299],
    [
      "G-497 too many variables",
      { components: [{ type: "BODY", text: "Oi {{1}} e {{2}} sim", example: { body_text: [["a", "b"]] } }] },
      2388293,
    ],
  ])(
    "G-496 G-498 %s: the template is REJECTED without the network's id, and the answer says what the network said",
    async (_, more, subcode) => {
      const refused = await templates.create(more);
      expect(gatewaySays(refused)).toBe("400 UPSTREAM_BAD_REQUEST");
      const { upstreamError } = refused.body.error.details;
      expect(upstreamError).toEqual({
        code: 100,
        error_subcode: subcode,
        message: "Invalid parameter",
        error_user_title: expect.any(String),
        error_user_msg: expect.any(String),
      });
      const [template] = await templates.list();
      expect(template).toMatchObject({
        status: "REJECTED",
        maxPricePer1000: null,
        upstreamTemplateId: null,
        rejectionReason: upstreamError.error_user_msg,
      });
      expect((await templates.get(template.id)).body).toEqual(template);
      expect(receivedBy(c.hook)).toEqual([]);
    },
  );

  test("G-497 GAP-G41 a name that only the network knows: 2388024, until a sync brings it", async () => {
    w.graph.addTemplate({
      businessAccountId: await businessAccountOf(w, c.phone.id),
      name: TEMPLATE.name,
      language: "pt_BR",
      components: [BODY],
    });
    const refused = await templates.create();
    expect([gatewaySays(refused), refused.body.error.details.upstreamError.error_subcode]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      2388024,
    ]);
    const [rejected] = await templates.list();
    expect(rejected.status).toBe("REJECTED");
    expect((await templates.sync()).body).toEqual({ created: 0, updated: 1, total: 1 });
    expect(await templates.list()).toEqual([
      { ...rejected, status: "APPROVED", upstreamTemplateId: expect.any(String), rejectionReason: undefined },
    ]);
  });

  test("G-499 is submitted again under the same id, with what is given then", async () => {
    await templates.create(REFUSED);
    const [{ id }] = await templates.list();
    const again = await templates.create({ category: "MARKETING" });
    expect([again.status, again.body]).toEqual([
      201,
      expect.objectContaining({ ...TEMPLATE, id, category: "MARKETING", status: "PENDING" }),
    ]);
    expect("rejectionReason" in again.body).toBe(false);
    expect(await templates.list()).toHaveLength(1);
  });

  test("G-496 G-499 and refused again keeps its id, and what was refused last", async () => {
    await templates.create(REFUSED);
    const [{ id }] = await templates.list();
    const components = [{ ...BODY, text: "{{1}}, o seu pedido chegou hoje." }];
    expect(gatewaySays(await templates.create({ components }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(await templates.list()).toMatchObject([{ id, status: "REJECTED", components }]);
  });
});

describe("GET /v1/templates", () => {
  test("G-501 GAP-G44 is a plain array, newest first, by phone, status and name", async () => {
    const other = await w.wabaPhone(c.key);
    const first = (await templates.create()).body;
    await w.advance(1);
    const second = (await templates.create({ ...REFUSED, name: "refused" })).body;
    expect(second.error.code).toBe("UPSTREAM_BAD_REQUEST");
    await w.advance(1);
    const third = (await templates.create({ phoneId: other.id })).body;
    const names = async (query: string) =>
      (await templates.list(query)).map(({ id, name }) => (name === "refused" ? name : id));
    expect(await names("")).toEqual([third.id, "refused", first.id]);
    expect(await names(`?phoneId=${c.phone.id}`)).toEqual(["refused", first.id]);
    expect(await names("?status=REJECTED")).toEqual(["refused"]);
    expect(await names(`?name=${TEMPLATE.name}`)).toEqual([third.id, first.id]);
    expect(await names(`?phoneId=${other.id}&status=PENDING&name=${TEMPLATE.name}`)).toEqual([third.id]);
    expect(await names("?name=order")).toEqual([]);
  });

  test("G-501 lists the templates of one language alone, among those of the other filters", async () => {
    const portuguese = (await templates.create()).body;
    await w.advance(1);
    const english = (await templates.create({ language: "en_US" })).body;
    const ids = async (query: string) => (await templates.list(query)).map(({ id }) => id);
    expect(await ids("?language=en_US")).toEqual([english.id]);
    expect(await ids(`?name=${TEMPLATE.name}&language=pt_BR`)).toEqual([portuguese.id]);
    expect(await ids("?name=another&language=pt_BR")).toEqual([]);
    expect(await ids("?language=pt")).toEqual([]);
  });

  test.each([
    ["phoneId", "5"],
    ["status", "SENT"],
    ["status", "approved"],
  ])("refuses a %s that is none: %s", async (field, value) => {
    expect(fieldsOf(await w.gateway(`/v1/templates?${field}=${value}`, { key: c.key }))).toEqual([field]);
  });

  test("G-502 G-503 GET by id shows one's own alone", async () => {
    const { body } = await templates.create();
    expect(await templates.get(body.id)).toMatchObject({ status: 200, body });
    const stranger = templatesOf(w, await newCustomer(w));
    for (const said of [await stranger.get(body.id), await templates.get(NOBODY), await templates.get("nonsense")])
      expect(gatewaySays(said)).toBe("404 TEMPLATE_NOT_FOUND");
    expect(await stranger.list(`?phoneId=${c.phone.id}`)).toEqual([]);
  });
});
