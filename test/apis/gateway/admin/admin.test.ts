import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const go = (path: string, body?: object, method?: string): Promise<Answer> =>
  w.gateway(`/v1/admin${path}`, { admin: true, ...(body ? { body } : {}), ...(method ? { method } : {}) });
const create = (fields: object = {}) => go("/accounts", { name: "An account", ...fields });
const iso = (ms = w.clock.now()) => new Date(ms).toISOString();

describe("accounts", () => {
  test("EP-G01 G-086 G-090 G-091 one is made active, without dunning, on the free tier unless the request says otherwise", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const created = {
      id: expect.any(String),
      name: "An account",
      status: "ACTIVE",
      dunningStage: "NONE",
      planCode: "free_tier",
      billingEmail: null,
      wabaMarkupPct: null,
      createdAt: iso(),
      updatedAt: iso(),
    };
    expect(body).toEqual(created);
    expect((await go(`/accounts/${body.id}`)).body).toEqual(body);
    const full = { name: "São João", planCode: "pay_as_you_go", billingEmail: "conta@example.com", wabaMarkupPct: 10 };
    expect((await create(full)).body).toEqual({ ...created, ...full });
  });

  const cases: Record<string, [fields: object, outcome: string[] | string]> = {
    "an empty name": [{ name: "" }, ["name"]],
    "a name of 120 characters": [{ name: "x".repeat(120) }, "taken"],
    "a name of 121 characters": [{ name: "x".repeat(121) }, ["name"]],
    "a name that is a number": [{ name: 5 }, ["name"]],
    "a plan that does not exist": [{ planCode: "gold" }, "404 PLAN_NOT_FOUND"],
    "a markup of 0": [{ wabaMarkupPct: 0 }, "taken"],
    "a markup of 1000": [{ wabaMarkupPct: 1000 }, "taken"],
    "a markup of 12.5": [{ wabaMarkupPct: 12.5 }, "taken"],
    "a markup of -1": [{ wabaMarkupPct: -1 }, ["wabaMarkupPct"]],
    "a markup of 1001": [{ wabaMarkupPct: 1001 }, ["wabaMarkupPct"]],
    "a markup in words": [{ wabaMarkupPct: "10" }, ["wabaMarkupPct"]],
    "no markup": [{ wabaMarkupPct: null }, "taken"],
    "an e-mail that is none": [{ billingEmail: "abc" }, ["billingEmail"]],
    "an e-mail of 255 characters": [{ billingEmail: `${"x".repeat(243)}@example.com` }, ["billingEmail"]],
    "an e-mail of 254 characters": [{ billingEmail: `${"x".repeat(242)}@example.com` }, "taken"],
    "an e-mail that is a list": [{ billingEmail: ["a@example.com"] }, ["billingEmail"]],
  };
  for (const [title, [fields, outcome]] of Object.entries(cases)) {
    test(`EP-G01 ${title} is ${outcome === "taken" ? outcome : "refused at creation and change, and nothing is made or changed"}`, async () => {
      const existing = (await create()).body;
      const count = async () => (await go("/accounts?limit=200")).body.items.length;
      const before = await count();
      const [made, changed] = [await create(fields), await go(`/accounts/${existing.id}`, fields, "PATCH")];
      if (outcome === "taken") {
        expect([made.status, changed.status]).toEqual([201, 200]);
        expect(made.body).toMatchObject(fields);
        expect((await go(`/accounts/${existing.id}`)).body).toMatchObject(fields);
        return;
      }
      if (typeof outcome === "string") expect([gatewaySays(made), gatewaySays(changed)]).toEqual([outcome, outcome]);
      else expect([fieldsOf(made), fieldsOf(changed)]).toEqual([outcome, outcome]);
      expect(await count()).toBe(before);
      expect((await go(`/accounts/${existing.id}`)).body).toEqual(existing);
    });
  }

  test("EP-G01 a name is required", async () => expect(fieldsOf(await go("/accounts", {}))).toEqual(["name"]));

  test("EP-G01 a change takes what is given, and any status but the ones of the document is refused", async () => {
    const before = (await create()).body;
    await w.advance(5);
    expect(
      (await go(`/accounts/${before.id}`, { status: "INACTIVE", billingEmail: "a@example.com" }, "PATCH")).body,
    ).toEqual({
      ...before,
      status: "INACTIVE",
      billingEmail: "a@example.com",
      updatedAt: iso(),
    });
    expect((await go(`/accounts/${before.id}`, { billingEmail: null, name: "Other" }, "PATCH")).body).toMatchObject({
      status: "INACTIVE",
      billingEmail: null,
      name: "Other",
    });
    for (const status of ["SUSPENDED", "active", "", null])
      expect(fieldsOf(await go(`/accounts/${before.id}`, { status }, "PATCH"))).toEqual(["status"]);
    expect((await go(`/accounts/${before.id}`)).body.status).toBe("INACTIVE");
    await go(`/accounts/${before.id}`, { dunningStage: "SUSPENDED", id: UNKNOWN, createdAt: 0 }, "PATCH");
    expect((await go(`/accounts/${before.id}`)).body).toMatchObject({
      id: before.id,
      dunningStage: "NONE",
      createdAt: before.createdAt,
    });
  });

  test("EP-G01 they are listed by status", async () => {
    const { id } = (await create({ name: "Cancelled" })).body;
    await go(`/accounts/${id}`, { status: "CANCELLED" }, "PATCH");
    expect((await go("/accounts?status=CANCELLED")).body).toEqual({
      items: [expect.objectContaining({ id, status: "CANCELLED" })],
      nextCursor: null,
    });
    expect((await go("/accounts?limit=200")).body.items.map((item: { id: string }) => item.id)).toContain(id);
    for (const status of ["FOO", "cancelled", ""])
      expect(fieldsOf(await go(`/accounts?status=${status}`))).toEqual(["status"]);
    expect((await go("/accounts?status=SUSPENDED")).status).toBe(200);
  });

  test("EP-G01 an unknown one is not found", async () => {
    for (const id of [UNKNOWN, "nonsense"]) {
      const answers = [
        await go(`/accounts/${id}`),
        await go(`/accounts/${id}`, { name: "Other" }, "PATCH"),
        await go(`/accounts/${id}/api-keys`),
        await go(`/accounts/${id}/api-keys`, { name: "key" }),
        await go(`/dead-letters?accountId=${id}`),
        await go("/dead-letters/replay", { accountId: id }),
      ];
      expect(answers.map(gatewaySays)).toEqual(Array.from({ length: 6 }, () => "404 ACCOUNT_NOT_FOUND"));
    }
  });
});

describe("keys of an account", () => {
  test("EP-G01 G-071 G-087 one is shown whole when it is issued and never again", async () => {
    const { id } = (await create()).body;
    const expiresAt = iso(w.clock.now() + HOUR_MS);
    const { status, body } = await go(`/accounts/${id}/api-keys`, { name: "key", scopes: ["x"], expiresAt });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.any(String),
      accountId: id,
      name: "key",
      scopes: ["x"],
      expiresAt,
      createdAt: iso(),
    });
    expect(body.key.startsWith(body.prefix)).toBe(true);
    const listed = await go(`/accounts/${id}/api-keys`);
    const { key: _, warnings, ...shown } = body;
    expect(warnings).toHaveLength(2);
    expect(listed.body).toEqual([{ ...shown, lastUsedAt: null, revokedAt: null }]);
    expect(listed.text.includes(body.key)).toBe(false);
    const rows = JSON.stringify(await w.app.env.db.read(async (reader) => reader.rows("SELECT * FROM api_keys")));
    expect([rows.includes(body.prefix), rows.includes(body.key)]).toEqual([true, false]);
  });

  test("EP-G01 the list shows use and revocation, newest first, and of no other account's keys", async () => {
    const { id, key } = await w.account();
    await w.account();
    await w.advance(5);
    const second = (await go(`/accounts/${id}/api-keys`, { name: "second" })).body;
    await w.gateway("/v1/phones", { key });
    const usedAt = iso();
    await go(`/api-keys/${second.id}/revoke`, undefined, "POST");
    const { body } = await go(`/accounts/${id}/api-keys`);
    expect(body.map((one: Record<string, unknown>) => [one["name"], one["lastUsedAt"], one["revokedAt"]])).toEqual([
      ["second", null, usedAt],
      ["key", usedAt, null],
    ]);
  });

  const bodies: Record<string, [body: () => object, refused: string[] | undefined]> = {
    "no name": [() => ({}), ["name"]],
    "an empty name": [() => ({ name: "" }), ["name"]],
    "a name of 100 characters": [() => ({ name: "x".repeat(100) }), undefined],
    "a name of 101 characters": [() => ({ name: "x".repeat(101) }), ["name"]],
    "scopes that are no list": [() => ({ name: "key", scopes: "all" }), ["scopes"]],
    "an expiry that is no time": [() => ({ name: "key", expiresAt: "tomorrow" }), ["expiresAt"]],
    "an expiry that has come": [() => ({ name: "key", expiresAt: iso() }), ["expiresAt"]],
    "an expiry that is to come": [() => ({ name: "key", expiresAt: iso(w.clock.now() + 1) }), undefined],
  };
  for (const [title, [body, refused]] of Object.entries(bodies)) {
    test(`EP-G01 ${title} is ${refused ? "refused, and no key is issued" : "taken"}`, async () => {
      const { id } = (await create()).body;
      const answer = await go(`/accounts/${id}/api-keys`, body());
      if (refused) expect(fieldsOf(answer)).toEqual(refused);
      else expect(answer.status).toBe(201);
      expect((await go(`/accounts/${id}/api-keys`)).body.length).toBe(refused ? 0 : 1);
    });
  }

  test("EP-G01 G-088 revoking is idempotent; an unknown key and one of the platform are not found", async () => {
    const { id } = (await create()).body;
    const issued = (await go(`/accounts/${id}/api-keys`, { name: "key" })).body;
    const revoke = (keyId: string) => go(`/api-keys/${keyId}/revoke`, undefined, "POST");
    const first = await revoke(issued.id);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 200,
      body: { id: issued.id, revokedAt: iso() },
    });
    await w.advance(1000);
    expect((await revoke(issued.id)).body).toEqual(first.body);
    const { token } = await w.institution();
    const ofPlatform = await w.platformKey(token);
    const [{ id: platformKeyId }] = (await w.platform("/v1/api-keys", { token })).body.data;
    for (const keyId of [UNKNOWN, "nonsense", platformKeyId])
      expect(gatewaySays(await revoke(keyId))).toBe("404 API_KEY_NOT_FOUND");
    expect((await w.platform("/v1/channels", { key: ofPlatform })).status).toBe(200);
  });
});

describe("the plan of an institution", () => {
  test("EP-G01 is changed at once, in the four words of the document", async () => {
    const { id, token } = await w.institution("FREE");
    const limit = async () => (await w.platform("/v1/channels", { token })).headers.get("x-ratelimit-limit");
    expect(await limit()).toBe("20");
    const { status, body } = await go(`/institutions/${id}`, { plan: "PROFESSIONAL" }, "PATCH");
    expect({ status, body }).toEqual({ status: 200, body: { id, name: "A Company", plan: "PROFESSIONAL" } });
    expect(await limit()).toBe("200");
    for (const plan of ["GOLD", "free", null, 1])
      expect(fieldsOf(await go(`/institutions/${id}`, { plan }, "PATCH"))).toEqual(["plan"]);
    expect(fieldsOf(await go(`/institutions/${id}`, {}, "PATCH"))).toEqual(["plan"]);
    expect(await limit()).toBe("200");
  });

  test("EP-G01 an unknown institution, and an account that is none, are not found", async () => {
    const account = (await create()).body;
    for (const id of [UNKNOWN, account.id])
      expect((await go(`/institutions/${id}`, { plan: "PROFESSIONAL" }, "PATCH")).status).toBe(404);
    expect((await go(`/accounts/${account.id}`)).body).toEqual(account);
  });

  test("G-089 an institution is an account too: the administrator may issue a gateway key for it", async () => {
    const { id, token } = await w.institution();
    const { key } = (await go(`/accounts/${id}/api-keys`, { name: "key" })).body;
    const phone = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "Seen from both sides" } }))
      .body;
    expect((await w.platform("/v1/channels", { token })).body.data).toEqual([
      expect.objectContaining({ id: phone.id, name: "Seen from both sides" }),
    ]);
  });
});

describe("dead letters", () => {
  const ofDeadPhone = async () => {
    const { id, key } = await w.account();
    const hook = w.receiver();
    hook.reply(() => new Response("gone", { status: 410 }));
    await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    await w.settle();
    return { id, hook };
  };
  const lettersOf = async (accountId: string) => (await go(`/dead-letters?accountId=${accountId}`)).body;

  test("EP-G01 are listed with what was tried and why it failed, of one account or of all", async () => {
    const [first, second] = [await ofDeadPhone(), await ofDeadPhone()];
    const letters = await lettersOf(first.id);
    expect(letters).toEqual({
      items: [
        {
          id: expect.any(String),
          eventId: first.hook.arrived[0]?.body.id,
          accountId: first.id,
          type: "channel:connected",
          url: first.hook.url,
          attempts: 1,
          lastStatusCode: 410,
          lastError: expect.any(String),
          createdAt: expect.any(String),
        },
      ],
      nextCursor: null,
    });
    const all = (await go("/dead-letters?limit=200")).body.items.map((item: { accountId: string }) => item.accountId);
    expect(all).toEqual(expect.arrayContaining([first.id, second.id]));
  });

  test("EP-G01 are sent out again for one account alone, or for all when none is named", async () => {
    const [first, second] = [await ofDeadPhone(), await ofDeadPhone()];
    for (const { hook } of [first, second]) hook.reply(() => new Response("ok"));
    const replayed = await go("/dead-letters/replay", { accountId: first.id });
    expect({ status: replayed.status, body: replayed.body }).toEqual({
      status: 202,
      body: { status: "enqueued", count: 1 },
    });
    await w.settle();
    expect([first.hook.arrived.length, second.hook.arrived.length]).toEqual([2, 1]);
    expect((await lettersOf(first.id)).items).toEqual([]);
    expect((await go("/dead-letters/replay", undefined, "POST")).body.count).toBeGreaterThanOrEqual(1);
    await w.settle();
    expect(second.hook.arrived.length).toBe(2);
    expect((await lettersOf(second.id)).items).toEqual([]);
  });

  test("EP-G01 a replay of the account that the query names leaves everybody else's alone", async () => {
    const [first, second] = [await ofDeadPhone(), await ofDeadPhone()];
    for (const { hook } of [first, second]) hook.reply(() => new Response("ok"));
    for (const [query, body, said] of [
      [UNKNOWN, undefined, "404 ACCOUNT_NOT_FOUND"],
      ["", undefined, "404 ACCOUNT_NOT_FOUND"],
      [first.id, { accountId: second.id }, "400 VALIDATION_ERROR"],
    ] as const)
      expect(gatewaySays(await go(`/dead-letters/replay?accountId=${query}`, body, "POST"))).toBe(said);
    await w.settle();
    expect([first.hook.arrived.length, second.hook.arrived.length]).toEqual([1, 1]);
    expect((await go(`/dead-letters/replay?accountId=${first.id}`, undefined, "POST")).body).toEqual({
      status: "enqueued",
      count: 1,
    });
    await w.settle();
    expect([first.hook.arrived.length, second.hook.arrived.length]).toEqual([2, 1]);
    expect((await go(`/dead-letters/replay?accountId=${second.id}`, { accountId: second.id })).body.count).toBe(1);
  });

  test("EP-G01 a replay whose body cannot be read sends nothing out, least of all everybody's", async () => {
    const { id, hook } = await ofDeadPhone();
    const raw = JSON.stringify({ accountId: UNKNOWN });
    for (const call of [
      { raw, headers: { "content-type": "text/xml" } },
      { raw: "{broken" },
      { raw: '"all"' },
      { raw: "[]" },
      { raw: '{"accountId":null}' },
    ]) {
      expect(gatewaySays(await w.gateway("/v1/admin/dead-letters/replay", { admin: true, ...call }))).toBe(
        "400 VALIDATION_ERROR",
      );
    }
    await w.settle();
    expect(hook.arrived.length).toBe(1);
    expect((await lettersOf(id)).items.length).toBe(1);
  });
});
