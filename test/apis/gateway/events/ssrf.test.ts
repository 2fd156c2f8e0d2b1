import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newCustomer, rowsOf, TO } from "../../../support/customers/customer.ts";
import {
  badCertificate,
  dropping,
  type Endpoint,
  endless,
  goodTls,
  hanging,
  redirecting,
  slow,
  strangerTls,
  tripwire,
  truncating,
} from "../../../support/servers/hostile.ts";
import { moveWebhook } from "../../../support/servers/moved-webhook.ts";
import { startWorld, type World } from "../../../support/world.ts";

/**
 * The endpoints of this file listen on 127.0.0.1 and are reached as `localhost`, which is allowed by name: the address
 * itself is not.
 */
let w: World;
beforeAll(async () => {
  w = await startWorld({
    env: {
      RECADO_OUTBOUND_ALLOW: "localhost",
      RECADO_EXTRA_CA: join(import.meta.dir, "../../../support/fixtures/tls-ca.pem"),
    },
  });
});
afterAll(() => w.stop());

const named = ({ url }: Endpoint, host = "localhost") => url.replace(/\/\/[^:]+:/, `//${host}:`);

/**
 * Has a message come in for a new customer whose webhook has this URL, which led elsewhere when it was registered; what
 * the event and the log of its attempts say.
 */
const deliverTo = async (url: string, world = w) => {
  const customer = await newCustomer(world, { url: "https://hooks.example.com/in", events: ["message:received"] });
  await moveWebhook(world, customer.phone.id, url);
  await world.graph.inbound.text({ to: customer.phone.phoneNumberId, from: TO, text: "a secret" });
  await world.settle();
  const [{ status, attempts, lastStatusCode, lastError, nextRetryAt, id }] =
    await customer.events("?type=message:received");
  const log = await rowsOf(
    world,
    "SELECT a.attempt, a.failure, a.status_code AS statusCode, length(a.response) AS kept FROM attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.seq = d.event_seq WHERE e.id = ?1",
    [id],
  );
  return { customer, seen: { status, attempts, lastStatusCode, lastError, isRetried: nextRetryAt !== null, log } };
};

/** A failed attempt of this class, which is tried again. */
const failedAs = (failure: string, lastError: RegExp, statusCode = 0) => ({
  status: "PENDING",
  attempts: 1,
  lastStatusCode: statusCode,
  lastError: expect.stringMatching(lastError),
  isRetried: true,
  log: [expect.objectContaining({ attempt: 1, failure, statusCode })],
});

/**
 * Makes the requests of webhooks give up after so long instead of 15 s, which are real seconds; says what they would
 * have waited.
 */
const withPatience = async <T>(
  timeoutMs: number,
  work: () => Promise<T>,
): Promise<{ result: T; patience: (number | undefined)[] }> => {
  const { http } = w.app.env;
  const { guarded } = http;
  const patience: (number | undefined)[] = [];
  http.guarded = (request) => {
    patience.push(request.timeoutMs);
    return guarded({ ...request, timeoutMs });
  };
  try {
    return { result: await work(), patience };
  } finally {
    http.guarded = guarded;
  }
};

describe("a webhook that leads to where no request may go is a failed delivery, and no byte gets there", () => {
  test("G-580 GAP-C09 GAP-G54 a redirect to a private address is not followed", async () => {
    await using secret = await tripwire({ hostname: "127.0.0.2" });
    await using endpoint = await redirecting(`http://127.0.0.2:${secret.port}/steal`);
    expect((await deliverTo(named(endpoint))).seen).toEqual(failedAs("http_3xx", /^HTTP 302$/, 302));
    expect([endpoint.requests.length, secret.connections, secret.receivedBytes]).toEqual([1, 0, 0]);
  });

  test.each(["127.0.0.2", "127.0.0.1", "2130706434", "0x7f.2", "[::ffff:127.0.0.2]"])(
    "GAP-C09 the private address %s",
    async (host) => {
      await using secret = await tripwire({ hostname: host === "127.0.0.1" ? host : "127.0.0.2" });
      expect((await deliverTo(`https://${host}:${secret.port}/hook`)).seen).toEqual(failedAs("blocked", /^blocked: /));
      expect([secret.connections, secret.receivedBytes]).toEqual([0, 0]);
    },
  );

  test.each([
    "10.0.0.1",
    "192.168.0.1",
    "172.16.0.1",
    "169.254.169.254",
    "[fd00:ec2::254]",
    "[::1]",
    "0.0.0.0",
    "100.64.0.1",
    "printer.local",
    "hooks.localhost",
  ])("GAP-C09 the private host %s", async (host) => {
    expect((await deliverTo(`https://${host}/hook`)).seen).toEqual(failedAs("blocked", /^blocked: /));
  });

  test("GAP-C09 a name that resolves to a private address", async () => {
    const other = await startWorld({ env: { RECADO_OUTBOUND_ALLOW: "127.0.0.2" } });
    await using secret = await tripwire();
    await using allowed = await tripwire({ hostname: "127.0.0.2" });
    expect((await deliverTo(allowed.url, other)).seen.status).toBe("DELIVERED");
    expect((await deliverTo(`https://localhost:${secret.port}/hook`, other)).seen).toEqual(
      failedAs("blocked", /^blocked: /),
    );
    expect([secret.connections, secret.receivedBytes, allowed.requests.length]).toEqual([0, 0, 1]);
    await other.stop();
  });

  test("GAP-C09 it is decided anew at every attempt, by where it leads then", async () => {
    await using secret = await tripwire({ hostname: "127.0.0.2" });
    const { customer } = await deliverTo(`https://127.0.0.2:${secret.port}/hook`);
    await w.advance(5000);
    const [{ attempts, lastError }] = await customer.events("?type=message:received");
    expect([attempts, lastError, secret.connections]).toEqual([2, expect.stringMatching(/^blocked: /), 0]);
  });
});

describe("an endpoint that does not answer as it should is a failed delivery of its class", () => {
  test.each([
    ["a certificate that nobody signed", badCertificate],
    ["a certificate for another name", strangerTls],
  ])("GAP-C09 %s: tls, and no byte of the event", async (_, start) => {
    await using endpoint = await start();
    expect((await deliverTo(named(endpoint))).seen).toEqual(failedAs("tls", /^tls: /));
    expect(endpoint.requests).toEqual([]);
  });

  test("one that drops the connection: aborted", async () => {
    await using endpoint = await dropping();
    expect((await deliverTo(named(endpoint))).seen).toEqual(failedAs("aborted", /^aborted: /));
  });

  test("nobody who listens: connect", async () => {
    expect((await deliverTo("https://localhost:9/hook")).seen).toEqual(failedAs("connect", /^connect: /));
  });

  test("GAP-G54 one that never answers: timeout, after 15 s", async () => {
    await using endpoint = await hanging();
    const { result, patience } = await withPatience(300, () => deliverTo(named(endpoint)));
    expect(result.seen).toEqual(failedAs("timeout", /^timeout: /));
    expect(patience).toEqual([15_000]);
  });

  test.each([
    ["hangs up in the midst of its answer", truncating, []],
    ["answers byte by byte and never ends: its body is read for 15 s", () => slow(20), [15_000]],
  ])("GAP-G54 one that %s, is judged by its status", async (_, start, waits) => {
    await using endpoint = await start();
    const { result, patience } = await withPatience(300, () => deliverTo(named(endpoint)));
    expect(result.seen).toMatchObject({ status: "DELIVERED", attempts: 1, lastStatusCode: 200, isRetried: false });
    expect(patience).toEqual(expect.arrayContaining(waits));
  });

  test("GAP-G54 GAP-P34 one whose answer never ends is cut at 64 KiB and judged by its status, and no more of it is kept than 4 KiB", async () => {
    await using endpoint = await endless();
    expect((await deliverTo(named(endpoint))).seen).toEqual({
      status: "DELIVERED",
      attempts: 1,
      lastStatusCode: 200,
      lastError: null,
      isRetried: false,
      log: [{ attempt: 1, failure: null, statusCode: 200, kept: 4096 }],
    });
  });

  test("GAP-G54 GAP-P34 a long answer that ends, of unannounced length, is judged by its status", async () => {
    const receiver = w.receiver();
    const pieces = async function* () {
      for (let piece = 0; piece < 5; piece++) yield "x".repeat(32 * 1024);
    };
    receiver.reply(() => new Response(pieces as never));
    const named = receiver.url.replace("127.0.0.1", "localhost");
    expect((await deliverTo(named)).seen).toMatchObject({
      status: "DELIVERED",
      isRetried: false,
      log: [{ attempt: 1, failure: null, statusCode: 200, kept: 4096 }],
    });
    receiver.reply(() => new Response(pieces as never, { status: 500 }));
    expect((await deliverTo(named)).seen).toMatchObject({ status: "PENDING", lastError: "HTTP 500", isRetried: true });
  });

  test("GAP-G54 a long answer of announced length is judged by its status, and kept in part", async () => {
    const receiver = w.receiver();
    receiver.reply(() => new Response("x".repeat(200_000)));
    expect((await deliverTo(receiver.url.replace("127.0.0.1", "localhost"))).seen).toMatchObject({
      status: "DELIVERED",
      log: [{ attempt: 1, failure: null, statusCode: 200, kept: 4096 }],
    });
  });
});

test("GAP-C09 a certificate of an extra trust anchor is good: the event arrives over TLS", async () => {
  await using endpoint = await goodTls();
  expect((await deliverTo(named(endpoint))).seen).toMatchObject({ status: "DELIVERED", lastStatusCode: 200 });
  expect(endpoint.requests).toHaveLength(1);
});
