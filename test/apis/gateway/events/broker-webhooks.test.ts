import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { rowsOf, TO } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { type RedisServer, startRedisServer } from "../../../support/servers/redis-server.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, logLevel: "debug" });
const PASSWORD = "the-password";

let key: string;
let phone: { id: string; phoneNumberId: string };
let broker: RedisServer;
beforeEach(async () => {
  ({ key } = await w.account());
  phone = await w.wabaPhone(key);
  broker = startRedisServer(PASSWORD);
});
afterEach(() => broker.stop());

const urlOf = (password = PASSWORD, port = broker.port) =>
  `redis://app:${password}@127.0.0.1:${port}/0?stream=recado.{type}&maxLength=1000`;
const create = (fields: object = {}): Promise<Answer> =>
  w.gateway("/v1/webhooks", {
    key,
    body: {
      label: "A broker",
      url: urlOf(),
      secret: WEBHOOK_SECRET,
      events: ["message:received"],
      allPhones: true,
      ...fields,
    },
  });
const change = (id: string, body: object): Promise<Answer> =>
  w.gateway(`/v1/webhooks/${id}`, { key, method: "PATCH", body });
const receive = async (text: string) => {
  await w.graph.inbound.text({ to: phone.phoneNumberId, from: TO, text });
  await w.settle();
};
const texts = () => broker.entries.map(({ fields }) => JSON.parse(fields["body"] ?? "").data.content.text);
const columns = (id: string) =>
  rowsOf<{ url: string; sealedUrl: string | null }>(
    w,
    "SELECT url, sealed_url AS sealedUrl FROM subscriptions WHERE id = ?1",
    [id],
  );

describe("a webhook of a broker", () => {
  test("gets the event with its id, signatures and own headers", async () => {
    const { body } = await create({ headers: { "X-Own": "a value" } });
    await receive("Olá");
    const [{ stream, fields } = { stream: "", fields: {} as Record<string, string> }, ...others] = broker.entries;
    expect([others, stream, broker.lastOptions]).toEqual([[], "recado.message.received", ["MAXLEN", "~", "1000"]]);
    const raw = fields["body"] ?? "";
    const hmac = createHmac("sha256", WEBHOOK_SECRET).update(raw).digest("hex");
    expect(fields).toMatchObject({
      "webhook-id": JSON.parse(raw).id,
      "X-Gateway-Signature": `sha256=${hmac}`,
      "X-Gateway-Attempt": "1",
      "X-Own": "a value",
    });
    expect((await w.gateway(`/v1/webhooks/${body.id}/attempts`, { key })).body.items).toMatchObject([
      { status: "DELIVERED", statusCode: null, responseBody: "entry 1-0", error: null },
    ]);
  });

  test("is tested as one of HTTP is", async () => {
    const { body } = await create();
    const tested = await w.gateway(`/v1/webhooks/${body.id}/test`, { key, body: {} });
    expect(tested).toMatchObject({
      status: 200,
      body: { delivered: true, statusCode: null, responseBody: "entry 1-0" },
    });
    expect(broker.entries[0]?.fields["X-Gateway-Test"]).toBe("true");
  });

  test("whose broker is away gets its events later, over the same schedule, in order", async () => {
    const { port } = broker;
    await create({ ordering: "chat" });
    broker.stop();
    for (const text of ["one", "two"]) await receive(text);
    expect(await w.gateway("/v1/admin/dead-letters", { admin: true })).toMatchObject({ status: 200 });
    broker = startRedisServer(PASSWORD, port);
    await w.advance(HOUR_MS);
    expect(texts()).toEqual(["one", "two"]);
  });

  test("keeps its connection for the next event", async () => {
    await create();
    await receive("one");
    expect(broker.connections).toBe(1);
    await receive("two");
    expect([broker.connections, texts()]).toEqual([1, ["one", "two"]]);
  });
});

describe("the password of a broker", () => {
  test("is stored sealed, and shown in no answer, log line, audit entry, figure or dead letter", async () => {
    const { body: made, text: answered } = await create({ url: urlOf("wrong-password") });
    expect(made.url).toBe(urlOf("********"));
    await receive("one");
    for (let attempt = 0; attempt < 10; attempt++) await w.advance(13 * HOUR_MS);
    const [stored] = await columns(made.id);
    expect(stored?.url).toBe(urlOf("********"));
    expect(stored?.sealedUrl).not.toContain("wrong-password");
    const deadLetters = await w.gateway("/v1/admin/dead-letters", { admin: true });
    expect(deadLetters.body.items).toMatchObject([{ url: urlOf("********") }]);
    const shown = [
      answered,
      deadLetters.text,
      (await w.gateway(`/v1/webhooks/${made.id}`, { key })).text,
      (await w.gateway("/v1/webhooks", { key })).text,
      (await w.gateway(`/v1/webhooks/${made.id}/attempts`, { key })).text,
      (await w.gateway("/v1/admin/audit", { admin: true })).text,
      await (await fetch(`${w.app.url}/metrics`)).text(),
      ...w.logs,
    ];
    expect(shown.filter((text) => text.includes("wrong-password"))).toEqual([]);
    expect(broker.entries).toEqual([]);
  });

  test("stays when its mask is given back, and is asked for at another place", async () => {
    const { body } = await create();
    const kept = await change(body.id, { url: urlOf("********").replace("1000", "5") });
    expect([kept.status, kept.body.url]).toEqual([200, urlOf("********").replace("1000", "5")]);
    await receive("one");
    expect([texts(), broker.lastOptions]).toEqual([["one"], ["MAXLEN", "~", "5"]]);

    for (const url of [urlOf("********", 1), urlOf("********").replace("app", "other")]) {
      const refused = await change(body.id, { url });
      expect([gatewaySays(refused), fieldsOf(refused)]).toEqual(["400 VALIDATION_ERROR", ["url"]]);
    }
    expect((await w.gateway(`/v1/webhooks/${body.id}`, { key })).body.url).toBe(kept.body.url);
  });

  test("when changed alone, has what waits sent at once", async () => {
    const { body } = await create({ url: urlOf("wrong-password") });
    await receive("one");
    expect(broker.entries).toEqual([]);
    expect((await change(body.id, { url: urlOf() })).status).toBe(200);
    await w.settle();
    expect(texts()).toEqual(["one"]);
  });

  test("is gone with a URL without one", async () => {
    const { body } = await create();
    await change(body.id, { url: `redis://127.0.0.1:${broker.port}/0?stream=s` });
    expect(await columns(body.id)).toEqual([{ url: `redis://127.0.0.1:${broker.port}/0?stream=s`, sealedUrl: null }]);
  });
});

test("the webhook of a phone may be a broker too", async () => {
  const webhook = { url: urlOf(), secret: WEBHOOK_SECRET, events: ["message:received"] };
  const changed = await w.gateway(`/v1/phones/${phone.id}`, { key, method: "PATCH", body: { webhook } });
  expect([changed.status, changed.body.webhookUrl]).toEqual([200, urlOf("********")]);
  await receive("one");
  expect(texts()).toEqual(["one"]);
});

describe("is refused, and nothing is made:", () => {
  test.each([
    ["a broker without TLS that is not allowed", "redis://93.184.216.34/0?stream=s"],
    ["a private address", "rediss://10.0.0.1/0?stream=s"],
    ["a private address in another notation", "amqps://0x0a.1/?routingKey=q"],
    ["the address of the host in IPv6", "nats+tls://[::ffff:10.0.0.1]/S?subject=s"],
    ["a Redis without a stream", "rediss://example.com/0"],
    ["a database that is no number", "rediss://example.com/x?stream=s"],
    ["an unknown parameter", "rediss://example.com/0?stream=s&tls=no"],
    ["a parameter given twice", "rediss://example.com/0?stream=s&stream=t"],
    ["a RabbitMQ without exchange and key", "amqps://example.com/"],
    ["a NATS without a stream", "nats+tls://example.com/?subject=s"],
    ["a subject with a wildcard", "nats+tls://example.com/S?subject=s.*"],
    ["a fragment", "amqps://example.com/?routingKey=q#f"],
    ["a scheme that nothing takes", "kafka://example.com/topic"],
    ["text without a host", "amqps:routingKey"],
    ["a masked password", "rediss://app:********@example.com/0?stream=s"],
    ["a password in a URL of HTTP", "https://user:password@example.com/"],
  ])("%s", async (_name, url) => {
    const refused = await create({ url });
    expect([gatewaySays(refused), fieldsOf(refused)]).toEqual(["400 VALIDATION_ERROR", ["url"]]);
    expect((await w.gateway("/v1/webhooks", { key })).body.items ?? []).toEqual([]);
  });

  test("a broker's URL where a web address is meant", async () => {
    const body = { mediaUrl: urlOf(), mimeType: "image/png" };
    expect(gatewaySays(await w.gateway("/v1/media/upload", { key, body, headers: { "x-phone-id": phone.id } }))).toBe(
      "400 VALIDATION_ERROR",
    );
  });
});
