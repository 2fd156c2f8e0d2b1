import { afterEach, describe, expect, test } from "bun:test";
import { requireEventApi } from "../../../src/apis/gateway/events/event-apis.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { CLOUD_ENV, type CloudClient, cloudClientOf } from "../../support/apis/cloud.ts";
import { connectProgram } from "../../support/apis/cloud-phones.ts";
import { type CloudProgram, expectMetaShape, startProgram } from "../../support/apis/cloud-program.ts";
import { type Customer, newCustomer, receivedBy, rowsOf, TO } from "../../support/customers/customer.ts";
import { ofNumber, post, postInbound } from "../../support/networks/waba-posts.ts";
import { useEach, useWorld } from "../../support/use-world.ts";
import { untilTrue } from "../../support/waiting.ts";

const w = useWorld({ env: CLOUD_ENV });
const c = useEach(async (): Promise<Customer & { client: CloudClient; program: CloudProgram }> => {
  const customer = await newCustomer(w);
  return { ...customer, client: await cloudClientOf(w, customer), program: startProgram() };
});
afterEach(() => c.program.stop());

const apps = () =>
  rowsOf(w, "SELECT url, profile FROM subscriptions WHERE tenant_id = ?1 AND kind = 'app'", [c.accountId]);
const path = () => `/v1/phones/${c.phone.id}/cloud-api/webhook`;
const put = (more: object = {}) =>
  w.gateway(path(), {
    method: "PUT",
    key: c.key,
    body: { url: c.program.url, verifyToken: c.program.verifyToken, ...more },
  });
const writes = async (more: Record<string, unknown> = {}) => {
  await postInbound(w, c, { pn: TO }, more);
  await w.settle();
};

describe("the gateway's call", () => {
  test("rule 16: asks once with a challenge of digits, then saves and shows the secret once", async () => {
    const { status, body } = await put();
    expect([status, body]).toMatchObject([
      200,
      { url: c.program.url, program: "generic", verifiedAt: expect.any(String) },
    ]);
    expect(body.secret.length).toBeGreaterThanOrEqual(32);
    expect(c.program.handshakes).toHaveLength(1);
    const challenge = c.program.handshakes[0]?.get("hub.challenge") ?? "";
    expect(String(Number(challenge))).toBe(challenge);
    expect((await w.gateway(path(), { key: c.key })).body).toEqual({ ...body, secret: undefined });
    await w.advance(24 * HOUR_MS);
    expect(c.program.handshakes).toHaveLength(1);
  });

  test("a secret of the tenant's own signs", async () => {
    await put({ secret: "a-secret-of-their-own" });
    await writes();
    const [arrived] = c.program.posts;
    if (!arrived) throw new Error("nothing came");
    expectMetaShape(arrived, "a-secret-of-their-own");
  });

  test("a new secret replaces the old one", async () => {
    const { body: first } = await put();
    const renewed = await w.gateway(`${path()}/secret`, { method: "POST", key: c.key });
    expect(renewed.status).toBe(200);
    expect(renewed.body.secret).not.toBe(first.secret);
    await writes();
    const [arrived] = c.program.posts;
    if (!arrived) throw new Error("nothing came");
    expectMetaShape(arrived, renewed.body.secret);
    expect(arrived.headers["x-hub-signature-256-previous"]).toBeUndefined();
  });

  const refusals: [why: string, shake: (query: URLSearchParams) => Response][] = [
    ["another token", () => new Response("no", { status: 403 })],
    ["another challenge", () => new Response("123")],
    ["a page", () => new Response("<html>")],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } })],
    ["a challenge with another status", (query) => new Response(query.get("hub.challenge"), { status: 201 })],
  ];
  for (const [why, shake] of refusals)
    test(`rule 16: ${why} saves nothing`, async () => {
      c.program.shake(shake);
      const { status, body } = await put();
      expect([status, body.error.code]).toEqual([422, "HANDSHAKE_REFUSED"]);
      expect(await apps()).toEqual([]);
      expect((await w.gateway(path(), { key: c.key })).status).toBe(404);
      await writes();
      expect(c.program.posts).toEqual([]);
    });

  test("a refused handshake leaves the former address as it was", async () => {
    await put();
    const other = startProgram();
    other.shake(() => new Response("no", { status: 403 }));
    expect((await put({ url: other.url })).status).toBe(422);
    await writes();
    expect([c.program.posts.length, other.posts.length]).toEqual([1, 0]);
    await other.stop();
  });

  test("an address in a private network is refused before it is asked", async () => {
    const { status, body } = await put({ url: "https://10.0.0.1/webhook" });
    expect([status, Object.keys(body.error.details.fieldErrors)]).toEqual([400, ["url"]]);
    expect(await apps()).toEqual([]);
  });

  test("another account's phone does not exist, and its program is not asked", async () => {
    const other = await newCustomer(w);
    const answer = await w.gateway(path(), {
      method: "PUT",
      key: other.key,
      body: { url: c.program.url, verifyToken: c.program.verifyToken },
    });
    expect(answer.status).toBe(404);
    expect(c.program.handshakes).toEqual([]);
  });

  test("removed, the program gets nothing more; so it is when the phone is deleted", async () => {
    await put();
    expect((await w.gateway(path(), { method: "DELETE", key: c.key })).status).toBe(204);
    await writes();
    expect(c.program.posts).toEqual([]);
    await put();
    await w.gateway(`/v1/phones/${c.phone.id}`, { method: "DELETE", key: c.key });
    await w.settle();
    expect(await apps()).toEqual([]);
  });
});

describe("the calls of the Cloud API", () => {
  const url = () => c.program.url;
  const verifyToken = "the-token-of-the-program";
  const override = () => ({ override_callback_uri: url(), verify_token: verifyToken });

  test("rule 20: subscribed_apps with an address saves it after the handshake", async () => {
    const subscribed = `/${c.client.number.accountId}/subscribed_apps`;
    expect((await c.client.ask(subscribed, { body: override() })).body).toEqual({ success: true });
    expect((await c.client.ask(subscribed)).body.data).toMatchObject([
      { whatsapp_business_api_data: { id: c.client.number.appId }, override_callback_uri: url() },
    ]);
    await writes();
    expect(c.program.messages()).toHaveLength(1);
    expect((await c.client.ask(subscribed, { method: "DELETE" })).body).toEqual({ success: true });
    expect(await apps()).toEqual([]);
  });

  test("rule 12: subscribed_apps without a body changes nothing, and lists the app", async () => {
    const subscribed = `/${c.client.number.accountId}/subscribed_apps`;
    expect((await c.client.ask(subscribed, { method: "POST" })).body).toEqual({ success: true });
    expect((await c.client.ask(subscribed)).body.data).toMatchObject([
      { whatsapp_business_api_data: { id: c.client.number.appId } },
    ]);
    expect(await apps()).toEqual([]);
  });

  test("rule 20: subscriptions of the app, with the fields that they name", async () => {
    const subscriptions = `/${c.client.number.appId}/subscriptions`;
    const form = new URLSearchParams({
      object: "whatsapp_business_account",
      callback_url: url(),
      verify_token: verifyToken,
      fields: JSON.stringify(["account_update", "flows"]),
      include_values: "true",
    });
    expect((await c.client.ask(subscriptions, { raw: form, method: "POST" })).body).toEqual({ success: true });
    expect((await c.client.ask(subscriptions)).body.data).toMatchObject([
      { object: "whatsapp_business_account", callback_url: url(), active: true, fields: [{ name: "account_update" }] },
    ]);
    await writes();
    expect(c.program.posts).toEqual([]);
    expect((await c.client.ask(subscriptions, { method: "DELETE" })).body).toEqual({ success: true });
    expect((await c.client.ask(subscriptions)).body.data).toEqual([]);
  });

  test("rule 20: webhook_configuration of the number, and its field", async () => {
    const number = `/${c.client.number.numberId}`;
    const configuration = { webhook_configuration: override() };
    expect((await c.client.ask(`${number}/`, { body: configuration })).body).toEqual({ success: true });
    expect((await c.client.ask(`${number}?fields=webhook_configuration`)).body).toEqual({
      id: c.client.number.numberId,
      webhook_configuration: { phone_number: url() },
    });
    await writes();
    expect(c.program.messages()).toHaveLength(1);
    await c.client.ask(number, { body: { webhook_configuration: JSON.stringify({ override_callback_uri: "" }) } });
    expect(await apps()).toEqual([]);
  });

  test("a refused handshake is the network's error 2200, and saves nothing", async () => {
    c.program.shake(() => new Response("no", { status: 401 }));
    const { status, body } = await c.client.ask(`/${c.client.number.accountId}/subscribed_apps`, { body: override() });
    expect([status, body.error.code]).toEqual([400, 2200]);
    expect(await apps()).toEqual([]);
  });

  test("an address without a token is refused, and so are another phone's ids", async () => {
    const { number } = await cloudClientOf(w, await newCustomer(w));
    const lacking = await c.client.ask(`/${c.client.number.accountId}/subscribed_apps`, {
      body: { override_callback_uri: url() },
    });
    expect(lacking.status).toBe(400);
    for (const foreign of [`/${number.accountId}/subscribed_apps`, `/${number.appId}/subscriptions`]) {
      expect((await c.client.ask(foreign)).body.error).toMatchObject({ code: 100, error_subcode: 33 });
      expect((await c.client.ask(foreign, { body: override() })).body.error).toMatchObject({ code: 100 });
      expect((await c.client.ask(foreign, { method: "DELETE" })).body.error).toMatchObject({ code: 100 });
    }
    expect([await apps(), c.program.handshakes]).toEqual([[], []]);
  });

  test("an address or a token that is too long is refused before anybody is asked", async () => {
    const subscribed = `/${c.client.number.accountId}/subscribed_apps`;
    const long = `${url()}/${"a".repeat(2048)}`;
    for (const [body, details] of [
      [{ ...override(), override_callback_uri: long }, "url must have at most 2048 characters"],
      [{ ...override(), verify_token: "x".repeat(257) }, "verifyToken must have at most 256 characters"],
    ] as const)
      expect((await c.client.ask(subscribed, { body })).body.error.error_data).toMatchObject({ details });
    expect([await apps(), c.program.handshakes]).toEqual([[], []]);
  });

  test("a new address keeps the secret", async () => {
    const { body } = await put();
    const other = startProgram("/other");
    await c.client.ask(`/${c.client.number.accountId}/subscribed_apps`, {
      body: { override_callback_uri: other.url, verify_token: other.verifyToken },
    });
    await writes();
    const [arrived] = other.posts;
    if (!arrived) throw new Error("nothing came");
    expectMetaShape(arrived, body.secret);
    expect(c.program.posts).toEqual([]);
    await other.stop();
  });
});

describe("rule 15: what a program does not know", () => {
  const order = {
    type: "order",
    order: {
      catalog_id: "1",
      product_items: [{ product_retailer_id: "p", quantity: 1, item_price: 2, currency: "BRL" }],
    },
  };

  test("an order reaches a generic program as it is", async () => {
    await put();
    await writes({ ...order, text: undefined });
    expect(c.program.messages()).toMatchObject([{ type: "order", order: order.order }]);
  });

  for (const program of ["typebot", "chatwoot"])
    test(`an order is unsupported for ${program}`, async () => {
      await put({ program });
      await writes({ ...order, text: undefined });
      const [message] = c.program.messages();
      expect(message).toMatchObject({ type: "unsupported", from: TO, errors: [{ code: 131051 }] });
      expect(message.order).toBeUndefined();
    });

  test("a form is unsupported for typebot alone", async () => {
    await put({ program: "typebot" });
    const interactive = { type: "nfm_reply", nfm_reply: { name: "flow", body: "Sent", response_json: '{"a":1}' } };
    await writes({ type: "interactive", interactive, text: undefined });
    expect(c.program.messages()).toMatchObject([{ type: "unsupported" }]);
    await put({ program: "chatwoot" });
    await writes({ type: "interactive", interactive, text: undefined });
    expect(c.program.messages()[1]).toMatchObject({
      type: "interactive",
      interactive: { nfm_reply: { name: "flow" } },
    });
  });

  test("the program is guessed by its path", async () => {
    const chatwoot = startProgram("/webhooks/whatsapp/+5511900000001");
    const typebot = startProgram("/api/v1/workspaces/abc/whatsapp/def/webhook");
    for (const [program, { url, verifyToken }] of [["chatwoot", chatwoot] as const, ["typebot", typebot] as const])
      expect(await connectProgram(w, c, { url, verifyToken })).toMatchObject({ program });
    await Promise.all([chatwoot.stop(), typebot.stop()]);
  });
});

describe("the outbox", () => {
  test("rule 15: a body that is refused is given up after three attempts", async () => {
    await put();
    c.program.answer(() => new Response("bad", { status: 400 }));
    await writes();
    for (let hour = 0; hour < 48; hour++) await w.advance(HOUR_MS);
    expect(c.program.posts).toHaveLength(3);
    expect(new Set(c.program.posts.map(({ raw }) => raw)).size).toBe(1);
    const lost = receivedBy(c.hook, "webhook:failed");
    expect(lost).toMatchObject([{ eventType: "messages", url: c.program.url, attempts: 3, lastStatusCode: 400 }]);
    const dead = (await w.gateway("/v1/deliveries?state=DEAD", { key: c.key })).body.items;
    expect(dead).toMatchObject([{ api: "cloud", type: "messages", state: "DEAD" }]);
    c.program.answer(() => new Response("ok"));
    await w.gateway(`/v1/deliveries/${dead[0].id}/retry`, { method: "POST", key: c.key });
    await w.settle();
    expect(c.program.posts).toHaveLength(4);
    expect(c.program.posts[3]?.raw).toBe(c.program.posts[0]?.raw);
  });

  test("a program that is down gets all of a chat in order when it is back", async () => {
    await put();
    c.program.answer(() => new Response("down", { status: 503 }));
    for (const text of ["1", "2", "3"]) await writes({ text: { body: text } });
    await w.advance(5 * SECOND_MS);
    c.program.posts.length = 0;
    c.program.answer(() => new Response("ok"));
    for (let minute = 0; minute < 15; minute++) await w.advance(MINUTE_MS);
    expect(c.program.messages().map(({ text }) => text.body)).toEqual(["1", "2", "3"]);
  });

  test("nothing is stored of an event that no program gets", async () => {
    await writes();
    const rows = await rowsOf(w, "SELECT seq FROM events WHERE tenant_id = ?1 AND audience = 'cloud'", [c.accountId]);
    expect(rows).toEqual([]);
  });

  test("the gateway's webhook of the phone stays another one", async () => {
    await put();
    await writes();
    expect(receivedBy(c.hook, "message:received")).toHaveLength(1);
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.webhookUrl).toBe(c.hook.url);
    const { items } = (await w.gateway("/v1/webhooks/health", { key: c.key })).body;
    expect(items.map(({ api, kind }: any) => [api, kind]).sort()).toEqual([
      ["cloud", "app"],
      ["gateway", "phone"],
    ]);
  });
});

test("the events of every API can be shown", () => {
  for (const { name } of w.app.env.audiences.all) expect<string>(requireEventApi(name)).toBe(name);
});

describe("what is no message of a person's", () => {
  test("a group's messages and an old history do not appear", async () => {
    await put();
    await writes({ group_id: "120363000000000001" });
    const thread = {
      id: TO,
      messages: [{ from: TO, id: "wamid.OLD", timestamp: "1690000000", type: "text", text: { body: "x" } }],
    };
    await post(w, [ofNumber(c, { history: [{ threads: [thread] }] }, "history")]);
    expect(c.program.posts).toEqual([]);
  });

  test("rule 17: a failure has its code, title and details", async () => {
    await put();
    w.graph.failNext(1, { kind: "failed-status", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    const failed = () => c.program.statuses().filter(({ status }) => status === "failed");
    await untilTrue(async () => {
      await w.settle();
      return failed().length > 0;
    });
    expect(failed()).toMatchObject([
      {
        recipient_id: TO,
        errors: [{ code: 131026, title: expect.any(String), error_data: { details: expect.any(String) } }],
      },
    ]);
  });
});
