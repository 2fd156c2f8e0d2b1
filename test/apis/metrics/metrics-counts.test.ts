import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { scrape, valueIn } from "../../support/apis/prometheus.ts";
import { type Customer, holdBack, newCustomer, release, TO, wamidOf } from "../../support/customers/customer.ts";
import { arrives, FILES } from "../../support/customers/media.ts";
import { moveWebhook } from "../../support/servers/moved-webhook.ts";
import { startWorld, untilStatus, type World } from "../../support/world.ts";

let w: World;
let c: Customer;
let before: Awaited<ReturnType<typeof scrape>>;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "30" } });
  c = await newCustomer(w);
  await w.settle();
  before = await scrape(w);
});
afterEach(() => w.stop());

/** The current metrics: the value of a series, and how much has been added to it since the test began. */
const scraped = async () => {
  const families = await scrape(w);
  const now = (name: string, labels?: Record<string, string>) => valueIn(families, name, labels);
  return {
    families,
    now,
    added: (name: string, labels?: Record<string, string>) => now(name, labels) - valueIn(before, name, labels),
  };
};
const REQUESTS = "recado_http_request_duration_seconds";

describe("requests", () => {
  test("count by the pattern of their route, also where they are refused", async () => {
    await c.sent();
    const [event] = await c.events();
    await c.event(event.id);
    await w.gateway(`/v1/events/${event.id}`);
    await w.platform("/v1/channels/");
    const { added } = await scraped();
    const gateway = (route: string, method: string, status: string) =>
      added(REQUESTS, { api: "gateway", route, method, status });
    expect([gateway("/v1/messages", "POST", "2xx"), gateway("/v1/events", "GET", "2xx")]).toEqual([1, 1]);
    expect([gateway("/v1/events/:id", "GET", "2xx"), gateway("/v1/events/:id", "GET", "4xx")]).toEqual([1, 1]);
    expect(added(REQUESTS, { api: "platform", route: "/v1/channels", method: "GET", status: "4xx" })).toBe(1);
  });

  test("to what nobody has foreseen are one series, whatever strangers ask for", async () => {
    for (let n = 0; n < 5; n++) await w.gateway(`/v1/no-such-thing/${n}`, { method: n < 4 ? "GET" : "PURGE" });
    const { families, added } = await scraped();
    expect(added(REQUESTS, { route: "other" })).toBe(5);
    const counts = families
      .get(REQUESTS)
      ?.samples.filter(({ name, labels }) => name.endsWith("_count") && labels["route"] === "other");
    expect(counts?.map(({ labels, value }) => `${labels["method"]} ${labels["status"]} ${value}`).toSorted()).toEqual([
      "GET 4xx 4",
      "other 4xx 1",
    ]);
    expect(await (await fetch(`${w.app.url}/metrics`)).text()).not.toContain("no-such-thing");
  });

  test("that come too fast count as such, by API", async () => {
    const { key } = await w.account();
    for (let n = 0; n < 32; n++) await w.gateway("/v1/phones", { key });
    const { added } = await scraped();
    expect([
      added("recado_rate_limited_total", { api: "gateway" }),
      added("recado_rate_limited_total", { api: "platform" }),
    ]).toEqual([2, 0]);
  });
});

describe("messages", () => {
  test("out count when they are accepted and when the network takes them, and the time between is measured", async () => {
    await c.sent();
    await holdBack(w, `channel:${c.phone.id}`);
    await c.send({ type: "location", content: { latitude: 1, longitude: 2 } });
    await w.advance(20 * SECOND_MS);
    await release(w, `channel:${c.phone.id}`);
    const { families, added } = await scraped();
    const accepted = (type: string) => added("recado_messages_accepted_total", { kind: "WABA", type });
    expect([
      accepted("text"),
      accepted("location"),
      added("recado_send_attempts_total", { kind: "WABA", outcome: "sent" }),
    ]).toEqual([1, 1, 2]);
    const sum = families
      .get("recado_message_sending_seconds")
      ?.samples.find(({ name }) => name.endsWith("_sum"))?.value;
    expect([added("recado_message_sending_seconds", { kind: "WABA" }), sum]).toEqual([2, 20]);
  });

  test("that are refused, or repeated under their idempotency key, are not accepted", async () => {
    expect((await c.send({ content: {} })).status).toBe(400);
    for (let n = 0; n < 2; n++) await c.send({ idempotencyKey: "the-key-of-a-test" });
    expect((await scraped()).added("recado_messages_accepted_total")).toBe(1);
  });

  test("that the network refuses, or will take later, count by that", async () => {
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    w.graph.failNext(1, { kind: "http", status: 503 }, { phoneNumberId: c.phone.phoneNumberId });
    await c.sent();
    const { added } = await scraped();
    expect([
      added("recado_send_attempts_total", { outcome: "refused" }),
      added("recado_send_attempts_total", { outcome: "retry" }),
    ]).toEqual([1, 1]);
    expect([
      added("recado_outbound_request_duration_seconds", { peer: "waba", outcome: "5xx" }),
      added("recado_log_lines_total", { level: "warn" }),
    ]).toEqual([1, 2]);
  });

  test("in, receipts and files count by what the network reported", async () => {
    const messageId = await c.sent();
    await w.graph.deliverStatuses(wamidOf(w, messageId), ["delivered"]);
    await arrives(w, c, {});
    await w.settle();
    const { added } = await scraped();
    expect([
      added("recado_upstream_events_total", { kind: "WABA", event: "received" }),
      added("recado_upstream_events_total", { event: "receipt" }),
    ]).toEqual([1, 1]);
    expect([
      added("recado_media_downloads_total", { kind: "WABA", outcome: "fetched" }),
      added("recado_media_stored_bytes_total"),
    ]).toEqual([1, FILES.png.length]);
    expect(added("recado_outbound_request_duration_seconds", { peer: "waba", outcome: "2xx" })).toBeGreaterThan(1);
  });

  test("that a test key has sent count as none: nothing of them is real", async () => {
    const { token } = await w.institution();
    const key = await w.platformKey(token, { environment: "test" });
    const { id } = (await w.platform("/v1/channels", { key, body: { name: "Shop", type: "CHAT_SESSION" } })).body;
    expect((await w.platform(`/v1/channels/${id}/messages/text`, { key, body: { to: TO, text: "olá" } })).status).toBe(
      202,
    );
    await w.settle();
    const { added } = await scraped();
    expect(
      ["recado_messages_accepted_total", "recado_send_attempts_total", "recado_upstream_events_total"].map((name) =>
        added(name),
      ),
    ).toEqual([0, 0, 0]);
  });
});

describe("deliveries", () => {
  test("count by what became of each try, and how late the first one was is measured", async () => {
    await c.sent();
    c.hook.reply(() => new Response("", { status: 500 }));
    await c.sent();
    await w.advance(5 * SECOND_MS);
    const { added } = await scraped();
    const outcomes = (outcome: string) => added("recado_delivery_duration_seconds", { api: "gateway", outcome });
    expect([
      outcomes("delivered"),
      outcomes("http_5xx"),
      added("recado_delivery_lag_seconds", { api: "gateway" }),
    ]).toEqual([1, 2, 2]);
  });

  test("to where nothing may be sent count as blocked", async () => {
    await moveWebhook(w, c.phone.id, "https://10.0.0.1/hook");
    await c.sent();
    expect((await scraped()).added("recado_delivery_duration_seconds", { outcome: "blocked" })).toBeGreaterThan(0);
  });

  test("that end in the dead-letter store lie there, and an endpoint that fails on and on is held back", async () => {
    c.hook.reply(() => new Response("", { status: 410 }));
    await c.sent();
    expect([(await scraped()).now("recado_dead_letters"), (await scraped()).now("recado_deliveries_pending")]).toEqual([
      1, 0,
    ]);
    c.hook.reply(() => new Response("", { status: 500 }));
    for (let n = 0; n < 12; n++) await c.send();
    await w.settle();
    const { now } = await scraped();
    expect([now("recado_queues_paused", { queue: "endpoint" }), now("recado_deliveries_pending")]).toEqual([1, 12]);
  });
});

test("connections that end count by what that asks for, and the longest silence is shown", async () => {
  const { id } = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body;
  await w.gateway(`/v1/phones/${id}/qrcode`, { key: c.key });
  const device = w.sessions.of(id);
  device.open();
  await untilStatus(w, id, "CONNECTED");
  device.postInbound();
  w.clock.advance(MINUTE_MS);
  expect((await scraped()).now("recado_session_silence_seconds")).toBe(65);
  device.drop();
  device.end("BANNED");
  await untilStatus(w, id, "DISCONNECTED");
  const { now, added } = await scraped();
  expect([
    added("recado_link_endings_total", { kind: "SESSION", reason: "retry" }),
    added("recado_link_endings_total", { reason: "park" }),
  ]).toEqual([1, 1]);
  expect([
    now("recado_session_silence_seconds"),
    now("recado_channels_lost", { kind: "SESSION" }),
    now("recado_channels", { state: "DISCONNECTED" }),
  ]).toEqual([0, 1, 1]);
});

test("jobs and writes count, and nothing waits when nothing is to be done", async () => {
  await c.sent();
  const { now, added } = await scraped();
  expect([
    added("recado_job_runs_total", { name: "message.deliver", outcome: "done" }),
    added("recado_job_runs_total", { name: "event.dispatch", outcome: "done" }),
  ]).toEqual([1, 1]);
  for (const name of ["recado_write_group_size", "recado_write_commit_seconds", "recado_disk_sync_seconds"])
    expect([name, added(name) > 0]).toEqual([name, true]);
  for (const name of ["recado_jobs_running", "recado_write_queue_length", "recado_discarded_jobs"])
    expect([name, now(name)]).toEqual([name, 0]);
});
