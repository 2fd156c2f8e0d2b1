import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createBrokerTarget } from "../../../src/adapters/brokers/broker-target.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { createProxies } from "../../../src/adapters/http/proxies.ts";
import type { DeliveryTarget } from "../../../src/contract/ports/delivery-target.ts";
import { untilTrue } from "../../support/waiting.ts";

const KIB = 1024;
/** Of greetings, of what follows a message, and of what the kernel holds of a connection on its way. */
const MOST_GREETING = 64 * KIB;
const MOST_ANSWER = 1024 * KIB;
const MOST_IN_KERNEL = 8 * 1024 * KIB;
const PIECE = Buffer.alloc(64 * KIB, "a");

let servers: Server[] = [];
let targets: DeliveryTarget[] = [];
afterEach(() => {
  for (const target of targets) target.close();
  for (const server of servers) server.close();
  [servers, targets] = [[], []];
});

/** Writes without an end, and counts what left. */
const flood = (socket: Socket, piece: Uint8Array, sent: { bytes: number }): void => {
  const write = () => {
    let goesOn = true;
    while (goesOn && !socket.destroyed) {
      goesOn = socket.write(piece, () => (sent.bytes += piece.length));
    }
  };
  socket.on("drain", write);
  write();
};

/** A server that does as it likes with each connection. `sent`: of its floods; `open`: how many connections it has. */
const hostile = async (serve: (socket: Socket, sent: { bytes: number }) => void) => {
  const sockets = new Set<Socket>();
  const sent = { bytes: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    serve(socket, sent);
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, sent, open: () => sockets.size };
};

const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });

/** Sends a delivery to a hostile broker: it fails with a reason, its connection ends, and little of the flood was taken. */
const expectRefused = async (
  broker: Awaited<ReturnType<typeof hostile>>,
  url: string,
  { most, failure }: { most: number; failure: string | RegExp },
): Promise<void> => {
  const target = createBrokerTarget({ http, extraCa: undefined });
  targets.push(target);
  const outcome = await target.send({
    url: url.replace("HOST", `127.0.0.1:${broker.port}`),
    eventId: "an-event",
    eventType: "message:received",
    orderingKey: "a-chat",
    headers: {},
    body: "{}",
  });
  expect(outcome.failure).not.toBeNull();
  expect(outcome.error).toMatch(failure);
  await untilTrue(() => broker.open() === 0);
  expect(broker.sent.bytes).toBeLessThan(most + MOST_IN_KERNEL);
};

const TOO_MUCH = /the broker sent more than \d+ bytes or \d+ pieces/;
const NATS = "nats://HOST/stream?subject=a";
const REDIS = "redis://HOST/0?stream=s";
const AMQP = "amqp://HOST/?routingKey=q";

const INFO = `INFO {"server_id":"a","version":"2.10.0","proto":1,"max_payload":1048576,"headers":true}\r\n`;

/** An AMQP frame on channel 0. */
const frame = (payload: Buffer): Buffer => {
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(payload.length, 3);
  return Buffer.concat([head, payload, Buffer.from([0xce])]);
};

/** A table of AMQP that holds a table, and so on. */
const nested = (depth: number): Buffer => {
  let table = Buffer.alloc(4);
  for (let n = 0; n < depth; n++) {
    const inner = Buffer.concat([Buffer.from("\u0001aF", "latin1"), table]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(inner.length);
    table = Buffer.concat([size, inner]);
  }
  return table;
};

describe("a hostile broker takes little, loses its connection and fails the delivery with a reason", () => {
  test.each([
    ["NATS", NATS, `INFO {"a":"`],
    ["Redis", REDIS, "$2147483647\r\n"],
    ["Redis, by a list of two thousand million", REDIS, "*2147483647\r\n"],
    ["AMQP", AMQP, "\u0001\u0000\u0000\u007f\u00ff\u00ff\u00ff"],
  ])("with a greeting that never ends: %s", async (_name, url, beginning) => {
    const broker = await hostile((socket, sent) => {
      socket.write(Buffer.from(beginning, "latin1"));
      flood(socket, PIECE, sent);
    });
    await expectRefused(broker, url, { most: MOST_GREETING, failure: TOO_MUCH });
  });

  test("with a flood of what nobody asked for: Redis", async () => {
    const broker = await hostile((socket, sent) => flood(socket, Buffer.from(">2\r\n+a\r\n+b\r\n".repeat(4096)), sent));
    await expectRefused(broker, REDIS, { most: MOST_GREETING, failure: /./ });
  });

  test("with tables in tables: AMQP", async () => {
    const start = Buffer.concat([Buffer.from([0, 10, 0, 10, 0, 9]), nested(5000)]);
    const broker = await hostile((socket, sent) => {
      socket.write(frame(start));
      flood(socket, frame(start), sent);
    });
    await expectRefused(broker, AMQP, { most: MOST_GREETING, failure: /./ });
  });

  test("with a greeting in pieces of one byte: NATS", async () => {
    const broker = await hostile((socket, sent) => {
      socket.setNoDelay(true);
      socket.write(`INFO {"a":"`);
      const next = () => {
        if (!socket.destroyed) socket.write("a", () => void ((sent.bytes += 1), setImmediate(next)));
      };
      next();
    });
    await expectRefused(broker, NATS, { most: MOST_GREETING, failure: /more than|no answer in time/ });
  });

  test("with a message of 4 GiB once we are in: NATS", async () => {
    const broker = await hostile((socket, sent) => {
      socket.write(INFO);
      socket.on("data", (bytes) => {
        if (bytes.includes("PING")) socket.write("PONG\r\n");
        if (!bytes.includes("PUB")) return;
        socket.write("MSG a 1 4294967295\r\n");
        flood(socket, PIECE, sent);
      });
    });
    await expectRefused(broker, NATS, { most: MOST_ANSWER, failure: TOO_MUCH });
  });

  test("with an answer that never ends: Redis", async () => {
    const broker = await hostile((socket, sent) => {
      socket.once("data", () => {
        socket.write("%1\r\n$5\r\nproto\r\n:3\r\n");
        socket.once("data", () => {
          socket.write("*2147483647\r\n");
          flood(socket, Buffer.from(":1\r\n".repeat(16 * KIB)), sent);
        });
      });
    });
    await expectRefused(broker, REDIS, { most: MOST_ANSWER, failure: TOO_MUCH });
  });

  test.each([
    ["NATS", NATS],
    ["Redis", REDIS],
    ["AMQP", AMQP],
  ])(
    "that says nothing at all: %s",
    async (_name, url) => {
      const broker = await hostile((socket) => void socket.resume());
      await expectRefused(broker, url, { most: 0, failure: /timeout|aborted|connect/ });
    },
    30_000,
  );
});

describe("a hostile proxy takes little and loses its connection", () => {
  test.each([
    ["SOCKS5, greeting", "socks5", ""],
    ["CONNECT, headers", "http", "HTTP/1.1 200 OK\r\nA: "],
    ["CONNECT, no line", "http", ""],
  ])("that never ends: %s", async (_name, scheme, beginning) => {
    const proxy = await hostile((socket, sent) => {
      socket.once("data", () => {
        socket.write(Buffer.from(beginning, "latin1"));
        flood(socket, PIECE, sent);
      });
    });
    const proxies = createProxies(http, undefined);
    const outcome = await proxies.check(`${scheme}://127.0.0.1:${proxy.port}`, "https://example.com/");
    expect(outcome).toMatchObject({ ok: false, isBlocked: false });
    await untilTrue(() => proxy.open() === 0);
    expect(proxy.sent.bytes).toBeLessThan(8 * KIB + MOST_IN_KERNEL);
  });
});
