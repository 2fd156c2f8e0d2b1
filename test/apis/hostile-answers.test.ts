import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { giveMemoryBack } from "../../src/adapters/machine/memory.ts";
import { newCustomer, rowsOf, TO } from "../support/customers/customer.ts";
import { giveAgent, giveKey, passPauses } from "../support/llm/world.ts";
import { type Endpoint, type Pouring, pouring } from "../support/servers/hostile.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

// Every door through which this server reads the answer of another: a webhook, the address of a document, a provider of
// models, the payment processor and the file of the newest release.

const MIB = 1024 * 1024;
/** Of one connection: the longest answer that is taken, which is a document, and what the system keeps unread. */
const MOST_BYTES = 10 * MIB + 12 * MIB;
const MOST_GROWTH = 50 * MIB;

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const whole = (body: string): Pouring => ({
  first: `${OK}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
});

/** TABLE: what a hostile server answers. Those that begin with a status of success deliver an event. */
const HOSTILE = {
  "a body without an end": { first: `${OK}\r\n`, again: "x".repeat(1000) },
  "a body of which a length is announced that nobody has": {
    first: `${OK}Content-Length: 999999999999\r\n\r\n`,
    again: "[",
  },
  "chunks without an end": { first: CHUNKED, again: `400\r\n${"x".repeat(1024)}\r\n` },
  "chunks of one byte without an end": { first: CHUNKED, again: "1\r\n[\r\n" },
  "chunks with long extensions without an end": { first: CHUNKED, again: `1;${"e".repeat(1000)}\r\n[\r\n` },
  "one chunk's size without an end": { first: CHUNKED, again: "0" },
  "trailers without an end": { first: `${CHUNKED}0\r\n`, again: "X-T: 1\r\n" },
  "headers without an end": { first: OK, again: "X-H: 1\r\n" },
  "one header without an end": { first: `${OK}X-H: `, again: "h" },
  "the same header without an end": { first: OK, again: "Retry-After: 1\r\n" },
  "a header of odd bytes": { first: `${OK}X-\u0000: \u0007\r\nContent-Length: 2\r\n\r\n{}` },
  "JSON as deep as it is long": whole("[".repeat(60_000)),
  "JSON of very many values": whole(`[${"1,".repeat(29_000)}1]`),
  "JSON of very many names": whole(`{${Array.from({ length: 6000 }, (_, n) => `"n${n}":{}`).join(",")}}`),
  "text that is no JSON": whole("\u0000".repeat(60_000)),
} as const satisfies Record<string, Pouring>;

/** TABLE: and those that are no answer. */
const NO_ANSWERS = {
  "nothing of HTTP": { first: "220 mail.example ESMTP\r\n", again: "x" },
  "interim answers without an end": { first: "", again: "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n" },
  "a status line without an end": { first: "HTTP/1.1 ", again: "2" },
  "another protocol": { first: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", again: "x" },
} as const satisfies Record<string, Pouring>;

const ALL = { ...HOSTILE, ...NO_ANSWERS };
const names = Object.keys(ALL) as (keyof typeof ALL)[];

let answer: Pouring = { first: "" };
let server: Endpoint;
let w: World;
beforeAll(async () => {
  server = await pouring(() => answer);
  w = await startWorld({
    env: {
      RECADO_GATEWAY_RATE: "100000",
      RECADO_LLM_URL: server.url,
      RECADO_PROCESSOR_URL: server.url,
      RECADO_PROCESSOR_API_KEY: "key-of-the-processor",
      RECADO_PROCESSOR_WEBHOOK_TOKEN: "t".repeat(32),
      RECADO_UPDATE_URL: server.url,
    },
  });
  passPauses(w);
});
beforeEach(() => {
  answer = { first: "" };
});
afterAll(async () => {
  await w.stop();
  await server[Symbol.asyncDispose]();
});

/** What became of a request at one door, while others were served; the answer was given up within its bounds. */
const met = async <Became>(name: keyof typeof ALL, ask: () => Promise<Became>): Promise<Became> => {
  const before = { sentBytes: server.sentBytes, connections: server.connections };
  answer = ALL[name];
  const [became, health] = await Promise.all([ask(), w.gateway("/health")]);
  expect(health.status).toBe(200);
  await untilTrue(() => Promise.resolve(server.open === 0));
  const connections = server.connections - before.connections;
  expect(connections).toBeGreaterThan(0);
  expect((server.sentBytes - before.sentBytes) / connections).toBeLessThan(MOST_BYTES);
  return became;
};

/** What the process has once it has given back what it may, as a server at rest does. */
const memory = async (): Promise<number> => {
  await giveMemoryBack();
  return process.memoryUsage.rss();
};

describe("GAP-G54 a webhook that answers", () => {
  const deliver = async () => {
    const { phone } = await newCustomer(w, { url: server.url });
    await w.settle();
    await w.graph.inbound.text({ to: phone.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    return rowsOf<{ status: string; attempts: number; bytes: number }>(
      w,
      `SELECT d.status, d.attempts, max(length(coalesce(a.response, ''))) AS bytes FROM deliveries d
        JOIN events e ON e.seq = d.event_seq LEFT JOIN attempts a ON a.delivery_id = d.id
        WHERE e.channel_id = ?1 GROUP BY d.id`,
      [phone.id],
    );
  };
  test.each(names)("%s is judged by its status, once, and 4 KiB of it are kept", async (name) => {
    const rows = await met(name, deliver);
    expect(rows.length).toBeGreaterThan(0);
    for (const { status, attempts, bytes } of rows) {
      expect([status, attempts]).toEqual([name in HOSTILE ? "DELIVERED" : "PENDING", 1]);
      expect(bytes).toBeLessThanOrEqual(4096);
    }
  });
});

describe("X-057 the address of a document that answers", () => {
  const READ: readonly string[] = names.filter(
    (name) => name in HOSTILE && !("again" in ALL[name]) && !name.includes("odd"),
  );
  test.each(names.filter((name) => !READ.includes(name)))(
    "%s makes the document FAILED, and nothing is learnt",
    async (name) => {
      const { key, phone } = await newCustomer(w);
      await giveKey(w, { key });
      await giveAgent(w, { key, phone });
      const learnt = await met(name, async () => {
        const path = `/v1/phones/${phone.id}/ai-agent/knowledge`;
        const { status, body } = await w.gateway(path, { key, body: { source: "URL", url: server.url } });
        expect(status).toBe(202);
        await w.settle();
        return (await w.gateway(`${path}/${body.id}`, { key })).body;
      });
      expect(learnt).toMatchObject({ status: "FAILED", chunkCount: 0, errorReason: expect.any(String) });
    },
  );
});

test.each(names)("a provider of models that answers %s is a failure", async (name) => {
  const provider = { baseUrl: server.url, apiKey: "sk-test" };
  const ask = () => w.app.env.llm.complete({ provider, model: "m", messages: [{ role: "user", content: "oi" }] });
  expect(await met(name, ask)).toMatchObject({ ok: false });
});

test.each(names)("a payment processor that answers %s is unavailable", async (name) => {
  const ask = () => w.app.env.processor?.findCharge({ reference: "r", id: null }) ?? Promise.resolve(undefined);
  expect(await met(name, ask)).toMatchObject({ ok: false, kind: "unavailable" });
});

test.each(names)("a file of the newest release that answers %s is a failure that is shown", async (name) => {
  const updates = await met(name, async () => {
    expect((await w.gateway("/v1/admin/jobs/updates/run", { admin: true, method: "POST" })).status).toBe(202);
    await w.settle();
    return (await w.gateway("/v1/admin/system", { admin: true })).body.updates;
  });
  expect(updates).toMatchObject({ newer: null, failure: expect.any(String) });
});

test("nothing of such answers is kept in memory", async () => {
  const ask = async () => {
    for (const name of names)
      await met(name, async () => w.app.env.processor?.findCharge({ reference: "r", id: null }));
  };
  await ask();
  const before = await memory();
  for (let n = 0; n < 5; n++) await ask();
  expect((await memory()) - before).toBeLessThan(MOST_GROWTH);
}, 60_000);
