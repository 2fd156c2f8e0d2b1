import { afterEach, beforeEach, expect, test } from "bun:test";
import { createBrokerTarget } from "../../../src/adapters/brokers/broker-target.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import type { DeliveryTarget } from "../../../src/contract/ports/delivery-target.ts";
import { type RedisServer, startRedisServer } from "../../support/servers/redis-server.ts";

let broker: RedisServer;
let targets: DeliveryTarget[];
beforeEach(() => {
  broker = startRedisServer("secret");
  targets = [];
});
afterEach(() => {
  for (const target of targets) target.close();
  broker.stop();
});

const targetTo = (addresses: string[], allow: string[]): DeliveryTarget => {
  const http = createHttp({ allow, extraCa: undefined, resolve: async () => addresses });
  const target = createBrokerTarget({ http, extraCa: undefined, timeoutMs: 1000 });
  targets.push(target);
  return target;
};

const deliveryTo = (url: string) => ({
  url,
  eventId: "an-event",
  eventType: "message:received",
  orderingKey: "a-chat",
  headers: {},
  body: "{}",
});
const urlOf = (host: string, scheme = "redis") => `${scheme}://:secret@${host}:${broker.port}/0?stream=s`;

test("it connects to the checked address of the name, and to no other", async () => {
  const target = targetTo(["127.0.0.1"], ["127.0.0.1"]);
  expect(await target.send(deliveryTo(urlOf("broker.example")))).toMatchObject({
    failure: null,
    response: "entry 1-0",
  });
});

test("one forbidden address of a name is enough to refuse it, with TLS too", async () => {
  for (const scheme of ["redis", "rediss"]) {
    const outcome = await targetTo(["127.0.0.1", "10.0.0.1"], ["127.0.0.1"]).send(
      deliveryTo(urlOf("broker.example", scheme)),
    );
    expect([outcome.failure, broker.connections]).toEqual(["blocked", 0]);
  }
});

test("without TLS it connects to hosts that are allowed, and to no public one", async () => {
  const target = targetTo(["93.184.216.34"], ["127.0.0.1"]);
  const outcome = await target.send(deliveryTo("amqp://broker.example/?routingKey=q"));
  expect(outcome).toMatchObject({ failure: "blocked", statusCode: 0, response: null });
  expect(outcome.error).toContain("without TLS");
});

test("a name that cannot be resolved is a failure", async () => {
  expect(await targetTo([], ["127.0.0.1"]).send(deliveryTo(urlOf("broker.example")))).toMatchObject({ failure: "dns" });
});

test("a URL that names no broker is a failure", async () => {
  const outcome = await targetTo([], []).send(deliveryTo("kafka://example.com/topic"));
  expect(outcome).toMatchObject({ failure: "blocked", error: "blocked: the URL names no broker that is known" });
});

test("the password is in no error, whatever a client says", async () => {
  const outcome = await targetTo(["127.0.0.1"], ["127.0.0.1"]).send(
    deliveryTo(`redis://:127.0.0.1@127.0.0.1:${broker.port}/0?stream=s`),
  );
  expect(outcome.failure).toBe("connect");
  expect(outcome.error).not.toContain("127.0.0.1");
});

test("what a broker does not confirm in time is a failure, and its connection is closed", async () => {
  const target = targetTo(["127.0.0.1"], ["127.0.0.1"]);
  expect((await target.send(deliveryTo(urlOf("127.0.0.1")))).failure).toBeNull();
  broker.isSilent = true;
  const outcome = await target.send(deliveryTo(urlOf("127.0.0.1")));
  expect(outcome.failure).toBe("timeout");
  broker.isSilent = false;
  expect((await target.send(deliveryTo(urlOf("127.0.0.1")))).failure).toBeNull();
});

test("after close nothing is sent", async () => {
  const target = targetTo(["127.0.0.1"], ["127.0.0.1"]);
  await target.send(deliveryTo(urlOf("127.0.0.1")));
  target.close();
  expect((await target.send(deliveryTo(urlOf("127.0.0.1")))).failure).toBe("aborted");
  expect(broker.entries.length).toBe(1);
});
