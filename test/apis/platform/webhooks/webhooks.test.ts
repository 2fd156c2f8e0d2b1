import { describe, expect, test } from "bun:test";
import {
  changeWebhook,
  customer,
  made,
  rowsOf,
  simulatedSender,
  webhookAt,
  webhookBody,
  webhookOf,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();

const NAMES = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "conversation.created",
  "conversation.closed",
  "channel.connected",
  "channel.disconnected",
  "contact.created",
  "contact.updated",
  "bulk.completed",
  "bulk.failed",
];
const create = (key: string, fields: object = {}) => w.platform("/v1/webhooks", { key, body: webhookBody(fields) });
const list = (key: string) => w.platform("/v1/webhooks", { key });
const now = () => new Date(w.clock.now()).toISOString();

/** What each field refuses and takes, when created and when changed. */
const FIELDS: Record<string, { refused: unknown[]; taken: unknown[] }> = {
  name: { refused: [null, 7, "ab", "😀😀", "x".repeat(101)], taken: ["abc", "😀😀😀", "x".repeat(100)] },
  url: {
    refused: [
      null,
      7,
      "",
      "example.com",
      "http://example.com/in",
      "ftp://example.com",
      "https://",
      "https://user:pass@example.com/",
      "javascript:alert(1)",
      `https://example.com/${"x".repeat(2048)}`,
    ],
    taken: ["https://example.com/in?a=b", "http://127.0.0.1:9/allowed"],
  },
  events: {
    refused: [null, "message.sent", [], ["foo.bar"], ["message:sent"], ["message.sent", null], { 0: "message.sent" }],
    taken: [NAMES, ["message.read"]],
  },
  secret: { refused: [null, 7, "", "x".repeat(15), "😀".repeat(15)], taken: ["x".repeat(16), "😀".repeat(16)] },
  active: { refused: [null, "true", 1, []], taken: [true, false] },
  retryPolicy: {
    refused: [null, "text", [], 5],
    taken: [{}, { maxRetries: 0 }, { maxRetries: 10 }, { retryDelay: 5000 }, { retryDelay: 300_000 }],
  },
  "retryPolicy.maxRetries": { refused: [null, "5", -1, 11, 1.5], taken: [] },
  "retryPolicy.retryDelay": { refused: [null, "5000", 4999, 300_001, 5000.5], taken: [] },
};
const withField = (path: string, value: unknown): object => {
  const [field = "", inner] = path.split(".");
  return { [field]: inner === undefined ? value : { [inner]: value } };
};

describe("POST /v1/webhooks", () => {
  test("P-240 P-249 P-256 P-257 P-266 answers with the webhook, its secret and retry policy, active", async () => {
    const { key } = await customer(w);
    const { status, body } = await create(key);
    expect([status, body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          name: "A webhook",
          url: "https://hooks.example.com/in",
          secret: WEBHOOK_SECRET,
          events: ["message.sent"],
          active: true,
          retryPolicy: { maxRetries: 5, retryDelay: 30_000 },
          channelIds: [],
          directions: ["inbound", "outbound"],
          headers: {},
          ordering: "none",
          createdAt: now(),
        },
      },
    ]);
  });

  test.each(["name", "url", "events", "secret"])("P-241 P-243 P-245 P-247 %s is required", async (field) => {
    const { key, id } = await customer(w);
    expect(await create(key, { [field]: undefined })).toMatchObject({
      status: 400,
      body: { error: "VALIDATION_ERROR", details: [{ field, message: expect.any(String) }] },
    });
    expect((await rowsOf(w, id))["subscriptions"]).toBe(0);
  });

  test.each(Object.entries(FIELDS))(
    "P-242 P-244 P-246 P-248 P-251 P-253 P-255 P-258 %s: bad values are refused by name, good ones are shown",
    async (path, { refused, taken }) => {
      const { key, id } = await customer(w);
      for (const value of refused) {
        const { status, body } = await create(key, withField(path, value));
        expect([value, status, Object.keys(body).sort()]).toEqual([value, 400, ["details", "error", "message"]]);
        expect(body.details[0].field).toStartWith(path);
      }
      expect((await rowsOf(w, id))["subscriptions"]).toBe(0);
      for (const value of taken)
        expect((await create(key, withField(path, value))).body.data).toMatchObject(withField(path, value));
    },
  );

  test("P-246 a name of an event that is repeated counts once", async () => {
    const { key } = await customer(w);
    expect((await create(key, { events: ["message.sent", "message.read", "message.sent"] })).body.data.events).toEqual([
      "message.sent",
      "message.read",
    ]);
  });

  test("P-252 P-254 of a policy that is half given the other half is the default", async () => {
    const { key } = await customer(w);
    expect((await create(key, { retryPolicy: { maxRetries: 0 } })).body.data.retryPolicy).toEqual({
      maxRetries: 0,
      retryDelay: 30_000,
    });
    expect((await create(key, { retryPolicy: { retryDelay: 5000 } })).body.data.retryPolicy).toEqual({
      maxRetries: 5,
      retryDelay: 5000,
    });
  });

  test("P-250 gets the next event", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    await webhookAt(w, who.key, hook);
    await who.send();
    expect(hook.arrived).toHaveLength(1);
  });

  test("P-250 one that is created inactive gets nothing until it is activated", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    const id = await webhookAt(w, who.key, hook, { active: false });
    await who.send();
    expect(hook.arrived).toEqual([]);
    await changeWebhook(w, who.key, id, { active: true });
    await who.send();
    expect(hook.arrived).toHaveLength(1);
  });
});

describe("GET /v1/webhooks", () => {
  test("P-009 P-260 P-261 P-264 P-265 P-266 shows each without its secret, with its failures, as GET of one does", async () => {
    const { key } = await customer(w);
    const { secret: _, ...created } = made(await create(key), 201).data;
    const shown = { ...created, consecutiveFailures: 0, lastFailedAt: null, updatedAt: created.createdAt };
    const answers = [await list(key), await w.platform(`/v1/webhooks/${created.id}`, { key })];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { data: [shown] }],
      [200, { data: shown }],
    ]);
  });

  test("P-262 P-263 lists all of the institution, of any key, newest first; not others' nor the gateway's", async () => {
    const [who, stranger] = [await customer(w), await customer(w)];
    const other = await w.platformKey(who.token);
    made(await create(stranger.key), 201);
    const gateway = made(
      await w.gateway(`/v1/admin/accounts/${who.id}/api-keys`, { admin: true, body: { name: "key" } }),
      201,
    ).key;
    const shared = made(
      await w.gateway("/v1/webhooks", {
        key: gateway,
        body: { label: "shared", url: "https://example.com/", secret: WEBHOOK_SECRET },
      }),
      201,
    );
    const first = made(await create(who.key), 201).data.id;
    w.clock.advance(1);
    const second = made(await create(other), 201).data.id;
    for (const key of [who.key, other, who.testKey])
      expect((await list(key)).body.data.map((one: { id: string }) => one.id)).toEqual([second, first]);
    expect((await w.platform(`/v1/webhooks/${shared.id}`, { key: who.key })).status).toBe(404);
  });
});

describe.each(["PATCH", "PUT"])("%s /v1/webhooks/{id}", (method) => {
  const change = (key: string, id: string, body: object) => w.platform(`/v1/webhooks/${id}`, { key, method, body });

  test("P-272 changes what is given and leaves the rest; no secret is shown", async () => {
    const { key } = await customer(w);
    const { secret: _, ...before } = made(await create(key), 201).data;
    const { id } = before;
    await w.advance(1000);
    const { status, body } = await change(key, id, { name: "Another", retryPolicy: { maxRetries: 1 } });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          ...before,
          name: "Another",
          retryPolicy: { maxRetries: 1, retryDelay: 30_000 },
          consecutiveFailures: 0,
          lastFailedAt: null,
          updatedAt: now(),
        },
      },
    ]);
    expect(await webhookOf(w, key, id)).toEqual(body.data);
    expect((await change(key, id, {})).status).toBe(200);
  });

  test.each(Object.entries(FIELDS))(
    "P-272 %s: the same rules as at creation, and a refusal changes nothing",
    async (path, { refused, taken }) => {
      const { key } = await customer(w);
      const { id } = made(await create(key), 201).data;
      const before = await webhookOf(w, key, id);
      for (const value of refused) {
        const { status, body } = await change(key, id, { name: "Another", ...withField(path, value) });
        expect([value, status, body.error]).toEqual([value, 400, "VALIDATION_ERROR"]);
        expect(body.details[0].field).toStartWith(path);
      }
      expect(await webhookOf(w, key, id)).toEqual(before);
      for (const value of taken)
        expect((await change(key, id, withField(path, value))).body.data).toMatchObject(
          path === "secret" ? {} : withField(path, value),
        );
    },
  );

  test("P-272 an unknown id and another institution's are WEBHOOK_NOT_FOUND, and theirs stays", async () => {
    const [who, stranger] = [await customer(w), await customer(w)];
    const theirs = made(await create(stranger.key), 201).data.id;
    const before = await webhookOf(w, stranger.key, theirs);
    for (const id of [theirs, "none"])
      expect(await change(who.key, id, { name: "Mine now" })).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "WEBHOOK_NOT_FOUND" },
      });
    expect(await webhookOf(w, stranger.key, theirs)).toEqual(before);
  });
});

describe("changes and what is delivered", () => {
  test("P-272 a new URL, new events and a new secret hold for the next event", async () => {
    const who = await simulatedSender(w);
    const [old, fresh] = [w.receiver(), w.receiver()];
    const id = await webhookAt(w, who.key, old);
    await changeWebhook(w, who.key, id, { url: fresh.url, secret: "another-secret-of-it" });
    await who.send();
    await changeWebhook(w, who.key, id, { events: ["message.read"] });
    await who.send();
    expect([old.arrived.length, fresh.arrived.map(({ body }) => body.type)]).toEqual([0, ["message.sent"]]);
    const { raw = "", headers = {} } = fresh.arrived[0] ?? {};
    expect(headers["x-webhook-signature"]).toBe(
      `sha256=${new Bun.CryptoHasher("sha256", "another-secret-of-it").update(raw).digest("hex")}`,
    );
  });

  test("P-270 P-271 one that its owner disabled gets nothing, and gets events again once it is enabled", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    const id = await webhookAt(w, who.key, hook);
    await changeWebhook(w, who.key, id, { active: false });
    await who.send();
    expect(hook.arrived).toEqual([]);
    await changeWebhook(w, who.key, id, { active: true });
    await who.send();
    expect(hook.arrived).toHaveLength(1);
  });

  test("P-273 a deleted one is unknown, its logs and waiting retries are gone, and it gets nothing more", async () => {
    const who = await simulatedSender(w);
    const hook = w.receiver();
    hook.reply(() => new Response(null, { status: 500 }));
    const id = await webhookAt(w, who.key, hook);
    await who.send();
    expect(hook.arrived).toHaveLength(1);
    const { status, text } = await w.platform(`/v1/webhooks/${id}`, { key: who.key, method: "DELETE" });
    expect([status, text]).toEqual([204, ""]);
    for (const path of [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/logs`])
      expect((await w.platform(path, { key: who.key })).body.code).toBe("WEBHOOK_NOT_FOUND");
    expect((await list(who.key)).body).toEqual({ data: [] });
    await who.send();
    await w.advance(3_600_000);
    expect(hook.arrived).toHaveLength(1);
    expect((await w.platform(`/v1/webhooks/${id}`, { key: who.key, method: "DELETE" })).status).toBe(404);
    const kept = await w.app.env.db.read(async (reader) =>
      reader.rows("SELECT id FROM attempts WHERE subscription_id = ?1", [id]),
    );
    expect(kept).toEqual([]);
  });
});
