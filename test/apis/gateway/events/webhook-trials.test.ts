import { describe, expect, test } from "bun:test";
import { EVENT_TYPES } from "../../../../src/apis/gateway/events/event-types.ts";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { newCustomer, rowsOf, TO, tracesOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const shared = async (fields: object = {}): Promise<string> =>
  (
    await w.gateway("/v1/webhooks", {
      key: c.key,
      body: { label: "Hooks", url: c.hook.url, secret: WEBHOOK_SECRET, ...fields },
    })
  ).body.id;
const tried = (id: string, body: object = {}) => w.gateway(`/v1/webhooks/${id}/test`, { key: c.key, body });
const triedPhone = (body: object = {}) => w.gateway(`/v1/phones/${c.phone.id}/webhook/test`, { key: c.key, body });

describe("a test", () => {
  test("sends one signed sample at once, marked, and answers what the endpoint answered", async () => {
    const id = await shared({ headers: { "X-Team": "sales" }, events: ["call:*"] });
    const before = await tracesOf(w, c);
    c.hook.reply(() => new Response("thank you", { status: 202 }));
    const { status, body } = await tried(id);
    expect([status, body]).toEqual([
      200,
      {
        eventId: expect.any(String),
        delivered: true,
        statusCode: 202,
        durationMs: expect.any(Number),
        responseBody: "thank you",
        error: null,
      },
    ]);
    const [arrived] = c.hook.arrived;
    expect(arrived?.body).toMatchObject({ id: body.eventId, type: "message:received", accountId: c.accountId });
    expect(arrived?.headers).toMatchObject({
      "x-gateway-test": "true",
      "x-gateway-attempt": "1",
      "x-team": "sales",
      "webhook-id": body.eventId,
      "x-gateway-signature": `sha256=${hmacSha256(WEBHOOK_SECRET, arrived?.raw ?? "", "hex")}`,
    });
    expect(await tracesOf(w, c)).toEqual({ ...before, arrived: 1 });
  });

  test("of a phone's own webhook names that phone; other deliveries are not marked", async () => {
    const { status, body } = await triedPhone({ type: "message:status" });
    expect([status, body.delivered]).toEqual([200, true]);
    expect(c.hook.arrived[0]?.body).toMatchObject({ type: "message:status", phoneId: c.phone.id });
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "real" });
    await w.settle();
    expect(c.hook.arrived[1]?.headers["x-gateway-test"]).toBeUndefined();
  });

  test("shows a refusal with its text, of which it keeps 4096 characters, and is not repeated", async () => {
    const id = await shared();
    c.hook.reply(() => new Response("x".repeat(5000), { status: 500 }));
    expect((await tried(id)).body).toMatchObject({
      delivered: false,
      statusCode: 500,
      responseBody: "x".repeat(4096),
      error: "HTTP 500",
    });
    await w.advance(3_600_000);
    expect(c.hook.arrived).toHaveLength(1);
    expect(
      await rowsOf(w, "SELECT breaker_failures AS failures, last_failed_at AS at FROM subscriptions WHERE id = ?1", [
        id,
      ]),
    ).toEqual([{ failures: 0, at: null }]);
  });

  test("shows that nobody answers, and why", async () => {
    const id = await shared({ url: "http://127.0.0.1:1/closed" });
    expect((await tried(id)).body).toMatchObject({
      delivered: false,
      statusCode: null,
      responseBody: null,
      error: expect.stringMatching(/^connect: /),
    });
  });

  test("reaches a paused webhook", async () => {
    const id = await shared({ active: false });
    expect((await tried(id)).body.delivered).toBe(true);
  });

  test("can be of every type of event", async () => {
    const id = await shared();
    const types = EVENT_TYPES.filter((type) => type !== "call:*");
    for (const [index, type] of types.entries()) {
      if (index % 10 === 0) await w.advance(60_000);
      expect((await tried(id, { type })).body).toMatchObject({ delivered: true });
    }
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual(types);
  });

  test.each([["call:*"], ["message.received"], [5]])("of the type %j is refused, and nothing is sent", async (type) => {
    expect(gatewaySays(await tried(await shared(), { type }))).toEqual("400 VALIDATION_ERROR");
    expect(c.hook.arrived).toEqual([]);
  });

  test("is refused after ten in a minute, over all webhooks of the account", async () => {
    const id = await shared();
    for (let n = 0; n < 5; n++) expect([(await tried(id)).status, (await triedPhone()).status]).toEqual([200, 200]);
    const refused = await tried(id);
    expect(gatewaySays(refused)).toEqual("429 RATE_LIMITED");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(c.hook.arrived).toHaveLength(10);
    await w.advance(60_000);
    expect((await tried(id)).status).toBe(200);
  });

  test("of no webhook, or of a phone without one, is 404", async () => {
    const { id } = await w.wabaPhone(c.key);
    expect([
      gatewaySays(await tried("00000000-0000-4000-8000-000000000000")),
      gatewaySays(await w.gateway(`/v1/phones/${id}/webhook/test`, { key: c.key, body: {} })),
    ]).toEqual(["404 WEBHOOK_NOT_FOUND", "404 WEBHOOK_NOT_FOUND"]);
  });
});

describe("the attempts of a webhook", () => {
  test("are listed newest first, by status and in pages", async () => {
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM attempts")); // of connecting
    c.hook.reply((_, index) => new Response(`answer ${index}`, { status: index === 0 ? 503 : 200 }));
    for (const text of ["one", "two"]) await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
    await w.settle();
    await w.advance(5000);
    const list = async (query = "") =>
      (await w.gateway(`/v1/phones/${c.phone.id}/webhook/attempts${query}`, { key: c.key })).body;
    const all = await list();
    expect(all).toMatchObject({
      items: [
        { attempt: 2, status: "DELIVERED", statusCode: 200, responseBody: "answer 2", error: null },
        { attempt: 1, status: "DELIVERED", statusCode: 200, responseBody: "answer 1" },
        { attempt: 1, status: "FAILED", statusCode: 503, responseBody: "answer 0", error: "HTTP 503" },
      ],
      nextCursor: null,
    });
    expect(all.items[0]).toMatchObject({ eventType: "message:received", deliveryId: all.items[2].deliveryId });
    const first = await list("?limit=2");
    expect(first.nextCursor).toBe(all.items[1].id); // no number, from which others' deliveries could be counted
    expect([first.items, (await list(`?limit=2&cursor=${first.nextCursor}`)).items]).toEqual([
      all.items.slice(0, 2),
      all.items.slice(2),
    ]);
    expect((await list("?status=FAILED")).items).toEqual(all.items.slice(2));
  });

  test("of a shared webhook; a cursor of another form is refused", async () => {
    const id = await shared({ allPhones: true, events: ["message:received"] });
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "one" });
    await w.settle();
    const list = (query = "") => w.gateway(`/v1/webhooks/${id}/attempts${query}`, { key: c.key });
    expect((await list()).body.items).toHaveLength(1);
    const ofPhone = await w.gateway(`/v1/phones/${c.phone.id}/webhook/attempts`, { key: c.key });
    const foreign = `?cursor=${ofPhone.body.items[0].id}`;
    for (const query of [foreign, `?cursor=${id}`, "?cursor=x", "?cursor=1", "?limit=0", "?status=LOST"])
      expect(gatewaySays(await list(query))).toEqual("400 VALIDATION_ERROR");
  });
});
