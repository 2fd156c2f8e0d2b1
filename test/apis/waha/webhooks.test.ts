import { beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { ASKED_NAMES, EVENT_TYPES } from "../../../src/apis/waha/events/events.ts";
import { wahaNames } from "../../../src/apis/waha/events/render.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { EVENT_TYPES as DOMAIN_TYPES } from "../../../src/core/events/definitions/index.ts";
import { WAHA_ENV, type WahaClient, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { type Customer, rowsOf } from "../../support/customers/customer.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { newSessionCustomer, reported, sessionNetwork, textFrom } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: WAHA_ENV, plugins: [network.plugin] });
const ANA = "5511999990001";
const CHAT = `${ANA}@c.us`;
const KEY = "a-key-of-its-owner";

let c: Customer;
let client: WahaClient;
let hook: Receiver;
beforeEach(async () => {
  c = await newSessionCustomer(w);
  client = wahaClientOf(w, c);
  hook = w.receiver();
});

const put = (config: object) => client.ask("/api/sessions/{session}", { method: "PUT", body: { config } });
const subscribed = async (events: readonly string[], more: object = {}, config: object = {}) =>
  expect(wahaSays(await put({ webhooks: [{ url: hook.url, events, ...more }], ...config }))).toBe("200 ");
const bodies = (): any[] => hook.arrived.map(({ body }) => body);
const rows = () => rowsOf(w, "SELECT id FROM subscriptions WHERE tenant_id = ? AND audience = 'waha'", [c.accountId]);
const received = async (more: object = {}) => {
  await network.notify(c.phone.id, textFrom(ANA, { at: w.clock.now(), ...more }));
  await w.settle();
};
const receipt = async (id: string, kind: "delivered" | "read") => {
  const key = network.sent.find(({ order }) => order.messageId === id)?.order.key as ProviderMessageId;
  await network.notify(c.phone.id, { kind: "receipt", key, status: kind, at: w.clock.now() } as never);
  await w.settle();
};

test("webhooks of a session are set, shown without their secrets, kept by their masks, and replaced", async () => {
  const webhook = {
    url: hook.url,
    events: ["message", "session.status"],
    hmac: { key: KEY },
    retries: { policy: "constant", delaySeconds: 2, attempts: 15 },
    customHeaders: [{ name: "X-My-Custom-Header", value: "Value" }],
  };
  const other = { url: `${hook.url}/2`, events: ["*"] };
  const answer = await put({ webhooks: [webhook, other], metadata: { "user.id": "123" } });
  expect(answer.status).toBe(200);
  const { config } = answer.body;
  expect(config).toMatchObject({
    webhooks: [
      {
        url: hook.url,
        events: webhook.events,
        hmac: { key: "********" },
        customHeaders: [{ name: "X-My-Custom-Header", value: "********" }],
      },
      { url: `${hook.url}/2`, events: ["*"], hmac: null, customHeaders: [] },
    ],
    metadata: { "user.id": "123" },
  });
  expect(JSON.stringify(answer.body)).not.toContain(KEY);
  const before = await rows();
  expect((await put(config)).body.config).toEqual(config);
  expect(await rows()).toEqual(before);
  await received();
  const own = hook.arrived.find(({ headers }) => headers["x-my-custom-header"] === "Value");
  expect(own?.headers["x-webhook-hmac"]).toBe(
    createHmac("sha512", KEY)
      .update(own?.raw ?? "")
      .digest("hex"),
  );
  expect((await put({ webhooks: [other] })).body.config.webhooks).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
  expect((await put({})).body.config.webhooks).toEqual([]);
  expect(await rows()).toHaveLength(0);
});

test("a message that comes in is `message`, in the envelope of WAHA", async () => {
  await subscribed(["message"], { hmac: { key: KEY } }, { metadata: { "user.id": "123" } });
  await received();
  expect(bodies()).toHaveLength(1);
  const [body] = bodies();
  expect(body).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    timestamp: w.clock.now(),
    event: "message",
    session: "A phone",
    metadata: { "user.id": "123" },
    me: { id: "5511988887777@c.us", pushName: null },
    environment: { engine: "NOWEB", tier: "PLUS", version: expect.any(String) },
    engine: "NOWEB",
    payload: {
      id: expect.stringMatching(new RegExp(`^false_${CHAT}_[0-9a-f-]{36}$`)),
      from: CHAT,
      fromMe: false,
      to: "5511988887777@c.us",
      body: expect.any(String),
      hasMedia: false,
      ackName: "DEVICE",
      _data: { pushName: "Ana", key: { fromMe: false } },
    },
  });
  expect(body).not.toHaveProperty("ack");
  const [{ headers, raw } = { headers: {}, raw: "" }] = hook.arrived;
  expect(headers).toMatchObject({
    "x-webhook-hmac-algorithm": "sha512",
    "x-webhook-hmac": createHmac("sha512", KEY).update(raw).digest("hex"),
    "x-webhook-request-id": expect.any(String),
    "x-webhook-timestamp": String(w.clock.now()),
  });
});

test("who asks for `message.any` alone gets what comes in under that name; who asks for both gets it once", async () => {
  const other = w.receiver();
  await put({
    webhooks: [
      { url: hook.url, events: ["message.any"] },
      { url: other.url, events: ["message", "message.any"] },
    ],
  });
  await received();
  expect(bodies().map(({ event }) => event)).toEqual(["message.any"]);
  expect(other.arrived.map(({ body }) => body.event)).toEqual(["message"]);
});

test("a message that is sent is `message.any`, and its receipts are `message.ack`", async () => {
  const acks = w.receiver();
  await put({
    webhooks: [
      { url: hook.url, events: ["message.any", "message.ack"] },
      { url: acks.url, events: ["message.ack"] },
    ],
  });
  const { body: sent } = await client.send("/api/sendText", { chatId: CHAT, text: "oi" });
  await w.settle();
  await receipt(sent.key.id, "delivered");
  await receipt(sent.key.id, "read");
  expect(bodies().map(({ event, payload }) => [event, payload.id, payload.ackName])).toEqual([
    ["message.any", sent.id, "SERVER"],
    ["message.ack", sent.id, "DEVICE"],
    ["message.ack", sent.id, "READ"],
  ]);
  expect(bodies()[0].payload).toMatchObject({ fromMe: true, source: "api", to: CHAT, body: "oi" });
  const shown = acks.arrived.map(({ body }) => body.payload);
  expect(shown.map(({ ack, ackName, fromMe, from, id }) => [ack, ackName, fromMe, from, id])).toEqual([
    [1, "SERVER", true, CHAT, sent.id],
    [2, "DEVICE", true, CHAT, sent.id],
    [3, "READ", true, CHAT, sent.id],
  ]);
});

test("a reaction and a deletion name the message that they are about, and have ids of their own", async () => {
  await subscribed(["message", "message.reaction", "message.revoked"]);
  const message = textFrom(ANA, { at: w.clock.now() });
  await network.notify(c.phone.id, message);
  const { body: sent } = await client.send("/api/sendText", { chatId: CHAT, text: "oi" });
  await w.settle();
  const about = bodies()[0].payload.id as string;
  const ownKey = network.sent.find(({ order }) => order.messageId === sent.key.id)?.order.key;
  const act = async (event: object) => {
    await network.notify(c.phone.id, { at: w.clock.now(), from: { pn: ANA }, ...event } as never);
    await w.settle();
    return bodies().at(-1);
  };
  for (const [key, messageId] of [
    [message.key, about],
    [ownKey, sent.id],
  ]) {
    const { event, payload } = await act({ kind: "reacted", key, nativeId: `r-${key}`, emoji: "👍" });
    expect([event, payload.reaction, payload.from, payload.fromMe]).toEqual([
      "message.reaction",
      { text: "👍", messageId },
      CHAT,
      false,
    ]);
    expect(payload.id).not.toBe(messageId);
  }
  const revoked = await act({ kind: "revoked", key: message.key, nativeId: "d-1" });
  expect(revoked).toMatchObject({
    event: "message.revoked",
    payload: { after: { id: about, fromMe: false, from: CHAT }, before: null, revokedMessageId: about.split("_")[2] },
  });
});

test("a webhook that gives up its key is signed by another one, and a header that comes twice is refused", async () => {
  await subscribed(["message"], { hmac: { key: KEY } });
  await subscribed(["message"], { hmac: null });
  await received();
  const [event] = hook.arrived;
  const former = createHmac("sha512", KEY)
    .update(event?.raw ?? "")
    .digest("hex");
  expect(event?.headers["x-webhook-hmac"]).toBeString();
  expect(event?.headers["x-webhook-hmac"]).not.toBe(former);
  const before = await rows();
  const customHeaders = [
    { name: "X-One", value: "1" },
    { name: "x-one", value: "2" },
  ];
  expect(wahaSays(await put({ webhooks: [{ url: `${hook.url}/2`, events: ["message"], customHeaders }] }))).toBe(
    "400 config.webhooks.0.customHeaders must have each name once",
  );
  expect(await rows()).toEqual(before);
});

test("a vote and an answer to an event name what they are about as its message did", async () => {
  await subscribed(["message", "poll.vote", "event.response"]);
  const act = async (event: object) => {
    await network.notify(c.phone.id, { at: w.clock.now(), from: { pn: ANA }, ...event } as never);
    await w.settle();
    return bodies().at(-1);
  };
  const poll = textFrom(ANA, {
    content: { type: "poll", content: { question: "Q?", options: ["a", "b"], maxSelections: 1 } } as never,
  });
  await network.notify(c.phone.id, poll);
  await w.settle();
  const about = bodies()[0].payload.id as string;
  expect(about).toStartWith(`false_${CHAT}_`);
  const voted = await act({ kind: "voted", key: poll.key, nativeId: "v-1", options: ["a"] });
  expect([voted.event, voted.payload.poll]).toMatchObject(["poll.vote", { id: about, fromMe: false, from: CHAT }]);
  const answered = await act({ kind: "responded", key: poll.key, nativeId: "e-1", response: "going", extraGuests: 0 });
  expect([answered.event, answered.payload.eventCreationKey]).toMatchObject([
    "event.response",
    { id: about, fromMe: false, from: CHAT },
  ]);
  const { body: sent } = await client.send("/api/sendPoll", {
    chatId: CHAT,
    poll: { name: "R?", options: ["a", "b"] },
  });
  await w.settle();
  const key = network.sent.find(({ order }) => order.messageId === sent.key.id)?.order.key;
  const own = await act({ kind: "voted", key, nativeId: "v-2", options: ["a"] });
  expect(own.payload.poll).toMatchObject({ id: sent.id, fromMe: true });
});

test("a call that was answered and ended is not one that was rejected", async () => {
  await subscribed(["call.received", "call.accepted", "call.rejected"]);
  const call = async (nativeId: string, event: object) => {
    await network.notify(c.phone.id, { kind: "call", at: w.clock.now(), nativeId, ...event } as never);
    await w.settle();
  };
  const ended = { what: "ended", isFailure: false, endedAt: null, durationSeconds: null };
  for (const nativeId of ["C1", "C2"])
    await call(nativeId, { what: "connect", direction: "INBOUND", from: { pn: ANA } });
  await call("C1", { ...ended, startedAt: w.clock.now() });
  await call("C2", { ...ended, startedAt: null });
  expect(bodies().map(({ event, payload: { id } }) => [event, id])).toEqual([
    ["call.received", "C1"],
    ["call.received", "C2"],
    ["call.rejected", "C2"],
  ]);
});

test("a session that loses its connection says so", async () => {
  await subscribed(["session.status"]);
  await reported(w, network, c.phone.id, { state: "DISCONNECTED", reason: "LOGGED_OUT" });
  await w.settle();
  expect(bodies()[0]).toMatchObject({ event: "session.status", payload: { name: "A phone", status: "STOPPED" } });
});

test("a webhook gets the events that it names, and nothing of another session; `*` gets all", async () => {
  const [none, all] = [w.receiver(), w.receiver()];
  await put({
    webhooks: [
      { url: hook.url, events: ["session.status"] },
      { url: none.url, events: [] },
      { url: all.url, events: ["*"] },
    ],
  });
  const another = await newSessionCustomer(w);
  await network.notify(another.phone.id, textFrom(ANA, { at: w.clock.now() }));
  await received();
  expect([hook.arrived.length, none.arrived.length, all.arrived.length]).toEqual([0, 0, 1]);
});

test("the webhooks end with their session, and without any nothing is stored for this API", async () => {
  await received();
  expect(await rowsOf(w, "SELECT seq FROM events WHERE tenant_id = ? AND audience = 'waha'", [c.accountId])).toEqual(
    [],
  );
  await subscribed(["message"]);
  expect((await client.ask("/api/sessions/{session}", { method: "DELETE" })).status).toBe(200);
  await w.settle();
  expect(await rows()).toHaveLength(0);
});

test.each<[string, object, string]>([
  ["a private address", { url: "http://10.0.0.1/x", events: ["message"] }, "config.webhooks.0.url"],
  ["an event that is none", { url: "https://example.com", events: ["nothing"] }, "config"],
  [
    "a short key",
    { url: "https://example.com", events: ["message"], hmac: { key: "short" } },
    "config.webhooks.0.hmac.key",
  ],
  [
    "a header of our own",
    { url: "https://example.com", events: ["message"], customHeaders: [{ name: "X-Webhook-Hmac", value: "x" }] },
    "config.webhooks.0.customHeaders",
  ],
])("%s is refused, and no webhook is stored", async (_, webhook, path) => {
  const answer = await put({ webhooks: [webhook] });
  expect([answer.status, wahaSays(answer).includes(path)]).toEqual([400, true]);
  expect(await rows()).toHaveLength(0);
});

test("a mask stands for nothing at another URL: it is refused, and the webhooks stay as they were", async () => {
  const own = { hmac: { key: KEY }, customHeaders: [{ name: "Authorization", value: "Bearer x" }] };
  await subscribed(["message"], own);
  const { config } = (await client.ask("/api/sessions/{session}")).body;
  const before = await rows();
  const [shown] = config.webhooks;
  for (const [more, path] of [
    [{ customHeaders: [] }, "hmac.key"],
    [{ hmac: { key: KEY } }, "customHeaders"],
  ] as const) {
    const answer = await put({ ...config, webhooks: [{ ...shown, ...more, url: `${hook.url}/2` }] });
    expect([answer.status, wahaSays(answer).includes(`config.webhooks.0.${path}`)]).toEqual([400, true]);
  }
  const unknown = [{ name: "X-Unknown", value: "********" }];
  expect((await put({ webhooks: [{ ...shown, customHeaders: unknown }] })).status).toBe(400);
  expect((await put({ webhooks: [{ url: `${hook.url}/2`, events: [], hmac: { key: "********" } }] })).status).toBe(400);
  const body = { name: "copy", start: false, config };
  expect((await client.ask("/api/sessions", { body })).status).toBe(400);
  expect((await client.ask("/api/sessions/copy")).status).toBe(404);
  expect(await rows()).toEqual(before);
  await received();
  expect(hook.arrived[0]?.headers["authorization"]).toBe("Bearer x");
  // with the values themselves it moves
  await subscribed(["message"], { url: `${hook.url}/2`, ...own });
});

test("what a session may ignore beside groups has no effect", async () => {
  expect((await put({ ignore: { status: true, groups: null, channels: true }, debug: false })).status).toBe(200);
});

test("every event that is published has a name that a webhook may ask for, and each name is published", () => {
  const published = new Set(DOMAIN_TYPES.flatMap(wahaNames));
  expect([...published].sort()).toEqual([...EVENT_TYPES].sort());
  expect(new Set(ASKED_NAMES).size).toBe(ASKED_NAMES.length);
});
