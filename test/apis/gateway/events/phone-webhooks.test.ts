import { beforeEach, describe, expect, test } from "bun:test";
import { EVENT_TYPES } from "../../../../src/apis/gateway/events/event-types.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const OTHER_SECRET = "the-secret-of-another-webhook";
const URL_A = "https://hooks.example.com/a";

let key: string;
let phoneId: string;
beforeEach(async () => {
  ({ key } = await w.account());
  phoneId = (
    await w.gateway("/v1/phones", {
      key,
      body: {
        type: "SESSION",
        label: "A phone",
        webhook: { url: URL_A, secret: WEBHOOK_SECRET, events: ["message:received"] },
      },
    })
  ).body.id;
});

const patch = (body: object, id = phoneId) => w.gateway(`/v1/phones/${id}`, { key, method: "PATCH", body });
const read = async (id = phoneId) => (await w.gateway(`/v1/phones/${id}`, { key })).body;
const shared = async (fields: object = {}, by = key) =>
  (
    await w.gateway("/v1/webhooks", {
      key: by,
      body: { label: "Shared", url: URL_A, secret: WEBHOOK_SECRET, ...fields },
    })
  ).body.id;

describe("the webhook block of PATCH is all or nothing", () => {
  test("G-157 G-162 the events are those of the block, and none of an earlier one", async () => {
    const { status, body } = await patch({
      webhook: {
        url: "https://hooks.example.com/b",
        secret: WEBHOOK_SECRET,
        events: ["channel:connected", "message:status", "channel:connected"],
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: phoneId,
      webhookUrl: "https://hooks.example.com/b",
      webhookEvents: ["channel:connected", "message:status"],
    });
    expect(await read()).toEqual(body);
    expect((await patch({ webhook: { url: URL_A, secret: WEBHOOK_SECRET } })).body.webhookEvents).toEqual([]);
    expect((await read()).webhookEvents).toEqual([]);
  });

  test("G-158 without a URL the webhook goes, with its events", async () => {
    const { status, body } = await patch({ webhook: {} });
    expect({ status, url: body.webhookUrl, events: body.webhookEvents }).toEqual({
      status: 200,
      url: null,
      events: [],
    });
    expect((await patch({ webhook: { events: ["message:received"] } })).body).toMatchObject({
      webhookUrl: null,
      webhookEvents: [],
    });
  });

  test("G-158 what waits for a webhook that is removed is not posted any more: it ends in the dead-letter store, and can be replayed", async () => {
    const c = await newCustomer(w);
    c.hook.reply(() => new Response("", { status: 500 }));
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    c.hook.reply(() => new Response("ok"));
    c.hook.arrived.length = 0;
    expect(
      (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "PATCH", body: { webhook: {} } })).status,
    ).toBe(200);
    await c.sent();
    await w.advance(DAY_MS);
    expect(c.hook.arrived).toEqual([]);
    const [{ id }] = await c.events("?type=message:received");
    expect((await c.event(id)).deliveries).toEqual([
      expect.objectContaining({ status: "DEAD", attempts: 1, nextRetryAt: null, lastError: "the webhook was removed" }),
    ]);
    expect((await w.gateway(`/v1/events/${id}/replay`, { key: c.key, method: "POST" })).status).toBe(202);
    await w.settle();
    expect(c.hook.arrived).toEqual([]);
    expect((await c.event(id)).status).toBe("DEAD");
  });

  test("G-156 without the block the webhook stays as it is", async () => {
    const before = await read();
    await w.advance(5);
    expect((await patch({})).body).toEqual({ ...before, updatedAt: new Date(w.clock.now()).toISOString() });
  });
});

describe("what PATCH refuses leaves the phone as it was", () => {
  const cases: Record<string, [body: object, outcome: string[] | string]> = {
    "G-143 G-156 type": [{ type: "WABA" }, ["type"]],
    "G-143 G-156 the type it has": [{ type: "SESSION" }, ["type"]],
    "G-156 label": [{ label: "Another" }, ["label"]],
    "G-156 both, with a good block": [{ type: "WABA", label: "Another", webhook: {} }, ["label", "type"]],
    "G-159 url null": [{ webhook: { url: null } }, ["webhook"]],
    "G-159 url null with a secret": [{ webhook: { url: null, secret: WEBHOOK_SECRET } }, ["webhook"]],
    "G-159 webhook null": [{ webhook: null }, ["webhook"]],
    "G-114 url that is not HTTPS": [
      { webhook: { url: "http://hooks.example.com/a", secret: WEBHOOK_SECRET } },
      ["webhook"],
    ],
    "G-160 url without secret": [{ webhook: { url: URL_A } }, ["webhook"]],
    "G-161 secret of 15 characters": [{ webhook: { url: URL_A, secret: "x".repeat(15) } }, ["webhook"]],
    "G-162 events of an unknown name": [
      { webhook: { url: URL_A, secret: WEBHOOK_SECRET, events: ["message:received", "message:*"] } },
      ["webhook"],
    ],
    "G-163 sharedWebhookId that is no UUID": [{ sharedWebhookId: "nonsense" }, ["sharedWebhookId"]],
    "G-060 G-163 sharedWebhookId that nobody has": [{ sharedWebhookId: UNKNOWN, webhook: {} }, "409 FK_VIOLATION"],
  };
  for (const [title, [body, outcome]] of Object.entries(cases)) {
    test(title, async () => {
      const before = await read();
      const answer = await patch(body);
      if (typeof outcome === "string") expect(gatewaySays(answer)).toBe(outcome);
      else expect(fieldsOf(answer)).toEqual(outcome);
      expect(await read()).toEqual(before);
    });
  }

  test("G-060 G-163 another account's shared webhook is as unknown as one that does not exist", async () => {
    const theirs = await shared({}, (await w.account()).key);
    expect(gatewaySays(await patch({ sharedWebhookId: theirs }))).toBe("409 FK_VIOLATION");
    expect((await read()).sharedWebhookId).toBeNull();
  });

  test("G-133 an unknown phone is not found, and an invalid body comes first", async () => {
    expect(gatewaySays(await patch({ webhook: {} }, UNKNOWN))).toBe("404 PHONE_NOT_FOUND");
    expect(gatewaySays(await patch({ label: "Another" }, UNKNOWN))).toBe("400 VALIDATION_ERROR");
  });

  test("G-161 a secret of 16 characters is taken", async () =>
    expect((await patch({ webhook: { url: URL_A, secret: "x".repeat(16) } })).status).toBe(200));
});

describe("a shared webhook", () => {
  test("G-163 is linked by its id, shown on the phone and names the phone itself", async () => {
    const id = await shared();
    expect((await patch({ sharedWebhookId: id })).body.sharedWebhookId).toBe(id);
    expect((await w.gateway(`/v1/webhooks/${id}`, { key })).body.phoneIds).toEqual([phoneId]);
    expect((await read()).webhookUrl).toBe(URL_A);
  });

  for (const [what, body] of Object.entries({
    omitted: { webhook: { url: URL_A, secret: WEBHOOK_SECRET } },
    null: { sharedWebhookId: null },
  })) {
    test(`G-164 is unlinked when sharedWebhookId is ${what}`, async () => {
      const id = await shared();
      await patch({ sharedWebhookId: id });
      expect((await patch(body)).body.sharedWebhookId).toBeNull();
      expect((await w.gateway(`/v1/webhooks/${id}`, { key })).body.phoneIds).toEqual([]);
    });
  }

  test("G-163 G-164 gets the phone's events beside its own webhook while it is linked, each with its own secret and list", async () => {
    const [own, other] = [w.receiver(), w.receiver()];
    const { id } = await w.wabaPhone(key, { webhook: { url: own.url, secret: WEBHOOK_SECRET } });
    const sharedId = await shared({ url: other.url, secret: OTHER_SECRET, events: ["message:status"] });
    await patch({ sharedWebhookId: sharedId }, id);
    const sendRefused = async () => {
      w.graph.failNext(1, { kind: "error", code: 131026 });
      await w.gateway("/v1/messages", {
        key,
        body: { phoneId: id, to: "5511999990001", type: "text", content: { text: "olá" } },
      });
      await w.settle();
    };
    const arrived = () => [own, other].map((one) => one.arrived.map(({ body }) => body.type));
    await sendRefused();
    expect(arrived()).toEqual([["channel:connected", "message:status"], ["message:status"]]);
    for (const [hook, secret] of [
      [own, WEBHOOK_SECRET],
      [other, OTHER_SECRET],
    ] as const) {
      const last = hook.arrived.at(-1);
      expect(last?.headers["x-gateway-signature"]).toBe(`sha256=${hmacSha256(secret, last?.raw ?? "", "hex")}`);
    }
    await patch({}, id);
    await sendRefused();
    expect(arrived()).toEqual([["channel:connected", "message:status", "message:status"], ["message:status"]]);
  });
});

describe("which events a webhook may ask for", () => {
  const NAMES = [
    "agent:handoff",
    "group:lifecycle",
    "group:participants",
    "group:settings",
    "group:status",
    "billing:invoice.paid",
    "billing:invoice.failed",
    "webhook:failed",
    "call:*",
  ];

  for (const name of NAMES) {
    test(`G-629 ${name}`, async () => {
      const made = await w.gateway("/v1/phones", {
        key,
        body: { type: "SESSION", label: "A phone", webhook: { url: URL_A, secret: WEBHOOK_SECRET, events: [name] } },
      });
      expect(made.status).toBe(201);
      expect((await read(made.body.id)).webhookEvents).toEqual([name]);
      expect(
        (
          await w.gateway("/v1/webhooks", {
            key,
            body: { label: "Shared", url: URL_A, secret: WEBHOOK_SECRET, events: [name] },
          })
        ).body.events,
      ).toEqual([name]);
    });
  }

  test("G-117 G-629 all of them at once, and a repeated one counts once", async () => {
    const { body } = await patch({
      webhook: { url: URL_A, secret: WEBHOOK_SECRET, events: [...EVENT_TYPES, ...EVENT_TYPES] },
    });
    expect(body.webhookEvents).toEqual([...EVENT_TYPES]);
    expect(EVENT_TYPES as readonly string[]).toEqual(expect.arrayContaining(NAMES));
  });

  test("G-117 G-138 an empty list asks for all of them", async () => {
    const hook = w.receiver();
    const { id } = await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET, events: [] } });
    expect((await read(id)).webhookEvents).toEqual([]);
    await w.gateway(`/v1/phones/${id}`, { key, method: "DELETE" });
    await w.settle();
    expect(hook.arrived.map(({ body }) => body.type)).toEqual(["channel:connected", "channel:disconnected"]);
  });
});
