import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { customerOf, rowsOf, TO } from "../../../support/customers/customer.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { afterRealTime } from "../../../support/waiting.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

// Endpoints that answer 2xx and end it badly, and endpoints that close the connections which they kept.

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** What an endpoint does with the nth whole request of a connection, which says its message's text. */
type Act = (socket: Socket, nth: number, text: string) => void;

/** An endpoint that reads whole requests; `texts` are those of the messages that arrived. */
const endpointThat = async (act: Act): Promise<AsyncDisposable & { url: string; texts: string[] }> => {
  const texts: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let came = "";
    let nth = 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      came += chunk.toString();
      const [head = "", body = ""] = came.split("\r\n\r\n");
      if (body.length < Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)) return;
      came = "";
      const { text } = JSON.parse(body).data.content;
      texts.push(text);
      act(socket, ++nth, text);
    });
  });
  const ready = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", ready.resolve);
  await ready.promise;
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`,
    texts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
};

const c = useEach(async () => {
  const { id: accountId, key } = await w.account();
  const phone = await w.wabaPhone(key);
  return customerOf(w, { accountId, key, phone, hook: w.receiver() });
});
const register = async (url: string): Promise<void> => {
  const { status } = await w.gateway("/v1/webhooks", {
    key: c.key,
    body: {
      label: "In order",
      url,
      secret: WEBHOOK_SECRET,
      events: ["message:received"],
      allPhones: true,
      ordering: "chat",
    },
  });
  expect(status).toBe(201);
};
const receive = async (count: number): Promise<string[]> => {
  const words = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  for (const text of words) await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
  await w.settle();
  return words;
};
const deliveries = (url: string) =>
  rowsOf<{ status: string; attempts: number }>(
    w,
    `SELECT d.status, d.attempts FROM deliveries d JOIN subscriptions s ON s.id = d.subscription_id WHERE s.url = ?1
      ORDER BY d.event_seq`,
    [url],
  );

describe("GAP-G54 a 2xx answer is a delivery, whatever comes behind its status", () => {
  test.each<[string, string, "closes" | "resets"]>([
    ["chunks without the last one", "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n", "closes"],
    ["a length that is longer than what comes", "Content-Length: 20\r\n\r\nok", "closes"],
    ["no length, and a reset", "\r\nok", "resets"],
    ["a malformed length", "Content-Length: two\r\n\r\nok", "closes"],
    ["an encoding of its own", "Transfer-Encoding: gzip, chunked\r\n\r\nok", "closes"],
    ["a malformed chunk", "Transfer-Encoding: chunked\r\n\r\nzz\r\nok", "closes"],
    ["a line that is no header", "Warning in hook.php on line 3\r\nContent-Length: 2\r\n\r\nok", "closes"],
    ["headers without an end", "X-A: 1\r\n".repeat(4000), "resets"],
  ])("%s", async (_what, rest, end) => {
    await using endpoint = await endpointThat((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`, () => (end === "closes" ? socket.end() : socket.resetAndDestroy()));
    });
    await register(endpoint.url);
    const sent = await receive(2);
    expect(endpoint.texts).toEqual(sent);
    expect(await deliveries(endpoint.url)).toMatchObject([
      { status: "DELIVERED", attempts: 1 },
      { status: "DELIVERED", attempts: 1 },
    ]);
  });
});

test("GAP-G54 a 410 before a line that is no header ends no series", async () => {
  await using endpoint = await endpointThat((socket) => void socket.end("HTTP/1.1 410 Gone\r\nWarning\r\n\r\n"));
  await register(endpoint.url);
  await receive(1);
  expect(await deliveries(endpoint.url)).toMatchObject([{ status: "PENDING", attempts: 1 }]);
});

describe("a kept connection that the endpoint closes is no failed attempt", () => {
  test.each<[string, Act]>([
    ["after ten requests", (socket, nth) => (nth < 10 ? socket.write(OK) : socket.end(OK))],
    ["20 ms after each answer", (socket) => void socket.write(OK, () => afterRealTime(20, () => socket.end()))],
    ["with a FIN at once", (socket) => socket.end(OK)],
    ["with a reset", (socket) => void socket.write(OK, () => afterRealTime(1, () => socket.resetAndDestroy()))],
  ])("%s", async (_when, act) => {
    await using endpoint = await endpointThat(act);
    await register(endpoint.url);
    const sent = await receive(120);
    // what it read just before it ended comes twice, at once
    expect(endpoint.texts.filter((text, at) => text !== endpoint.texts[at - 1])).toEqual(sent);
    const all = await deliveries(endpoint.url);
    expect(all.filter(({ status, attempts }) => status !== "DELIVERED" || attempts !== 1)).toEqual([]);
  });

  test("also where it read the request before it ended: the endpoint knows it again by its id", async () => {
    await using endpoint = await endpointThat((socket, nth) => (nth === 1 ? socket.write(OK) : socket.destroy()));
    await register(endpoint.url);
    await receive(2);
    expect(endpoint.texts).toEqual(["n1", "n2", "n2"]);
    expect(await deliveries(endpoint.url)).toMatchObject([{ attempts: 1 }, { status: "DELIVERED", attempts: 1 }]);
  });

  test("but a new connection that ends without an answer is one", async () => {
    await using endpoint = await endpointThat((socket) => socket.destroy());
    await register(endpoint.url);
    await receive(1);
    expect(endpoint.texts).toEqual(["n1"]);
    expect(await deliveries(endpoint.url)).toMatchObject([{ status: "PENDING", attempts: 1 }]);
  });
});
