import { afterEach, describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { createRoundTrips, type RoundTrips, type WholeRequest } from "../../src/adapters/http/round-trips.ts";
import { trustedContext } from "../../src/adapters/http/trust.ts";
import { goodTls, saying, strangerTls, testCa } from "../support/servers/hostile.ts";
import { untilTrue } from "../support/waiting.ts";

// The client of whole requests against servers that break the protocol, by accident or on purpose.

const opened: (RoundTrips | Server)[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
const open = async (): Promise<RoundTrips> => {
  const ca = await testCa();
  const trips = createRoundTrips(() => trustedContext(ca));
  opened.push(trips);
  return trips;
};

const LIMITS = { connectMs: 5000, totalMs: 20_000, responseBytes: 64 * 1024 };
const to = (text: string, address = "127.0.0.1") => {
  const url = new URL(text);
  return { url, hostname: url.hostname, addresses: [address] };
};
const post = (url: string, more: Partial<WholeRequest> = {}): WholeRequest => ({
  url,
  method: "POST",
  body: "{}",
  ...more,
});

/** A server whose every connection is handed over as it is. */
const serve = async (greet: (socket: Socket, nth: number) => void): Promise<{ url: string; connections(): number }> => {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    greet(socket, ++connections);
  });
  opened.push(server);
  const ready = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", ready.resolve);
  await ready.promise;
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/hook`,
    connections: () => connections,
  };
};

/** More than the buffers of the system take from a client whose server does not read. */
const LARGE_BYTES = 64 * 1024 * 1024;
/** Made by each test: a constant stays as long as the process. */
const large = () => new Uint8Array(LARGE_BYTES);

/** A server that does not read on. `rest` reads what is left until the connection ends, and counts all that came. */
const unreading = async (greet: (socket: Socket) => void): Promise<{ url: string; rest(): Promise<number> }> => {
  const greeted = Promise.withResolvers<Socket>();
  let bytes = 0;
  const { url } = await serve((socket) => {
    socket.on("data", (chunk) => (bytes += chunk.length));
    greet(socket);
    greeted.resolve(socket);
  });
  const rest = async () => {
    const socket = await greeted.promise;
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    socket.resume();
    await closed;
    return bytes;
  };
  return { url, rest };
};

const ok = (rest: string): string => `HTTP/1.1 200 OK\r\n${rest}`;
const WHOLE = ok("Content-Length: 2\r\n\r\nok");
const BROKEN = { ok: false, failure: "aborted", mayHaveArrived: true } as const;

const ask = async (answer: string, limits = LIMITS) => {
  await using endpoint = await saying(answer);
  return await (await open()).exchange(to(endpoint.url), post(endpoint.url), limits);
};

describe("an answer that breaks the protocol is none", () => {
  test.each([
    ["a chunk of a negative size", "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n"],
    ["a chunk whose size is beyond 32 bits", "Transfer-Encoding: chunked\r\n\r\nfffffffff\r\nx"],
    ["a chunk with 0x before its size", "Transfer-Encoding: chunked\r\n\r\n0x2\r\nok\r\n0\r\n\r\n"],
    ["a chunk without a size", "Transfer-Encoding: chunked\r\n\r\n\r\nok\r\n0\r\n\r\n"],
    ["a chunk that is longer than it says", "Transfer-Encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n"],
    ["a size that ends with a line feed alone", "Transfer-Encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n"],
    ["a chunk with an endless extension", `Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(5000)}`],
    ["endless trailers", `Transfer-Encoding: chunked\r\n\r\n0\r\n${"A: 1\r\n".repeat(10_000)}`],
    ["an encoding of its own", "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
    ["chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a length with a plus", "Content-Length: +2\r\n\r\nok"],
    ["a negative length", "Content-Length: -2\r\n\r\nok"],
    ["a length with a blank within", "Content-Length: 2 2\r\n\r\nok"],
    ["a hexadecimal length", "Content-Length: 0x2\r\n\r\nok"],
    ["an empty length", "Content-Length:\r\n\r\nok"],
    ["a length beyond all numbers", `Content-Length: ${"9".repeat(40)}\r\n\r\nok`],
    ["the same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\nok"],
    ["a header without a colon", "Broken\r\nContent-Length: 2\r\n\r\nok"],
    ["a blank before the colon", "Content-Length : 2\r\n\r\nok"],
    ["a header of two lines", "X-A: 1\r\n 2\r\nContent-Length: 2\r\n\r\nok"],
    ["a carriage return in a header", "X-A: 1\rX-B: 2\r\nContent-Length: 2\r\n\r\nok"],
    ["a line feed in a header", "X-A: 1\nX-B: 2\r\nContent-Length: 2\r\n\r\nok"],
    ["a zero byte in a header", "X-A: \0\r\nContent-Length: 2\r\n\r\nok"],
    ["endless headers", "X-A: 1\r\n".repeat(100_000)],
  ])("%s", async (_what, rest) => {
    expect(await ask(ok(rest))).toMatchObject(BROKEN);
  });

  test.each([
    ["ends early", ok("Content-Length: 10\r\n\r\nabc"), true, 200],
    ["is late", ok("Content-Length: 10\r\n\r\nabc"), false, 200],
    ["has no end", ok("\r\nabc"), false, 200],
    ["has a malformed chunk", ok("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"), false, 200],
    ["belongs to a refusal", "HTTP/1.1 410 Gone\r\nContent-Length: 10\r\n\r\nabc", true, 410],
  ])(
    "but its status counts where the request says so, also when its body %s",
    async (_how, answer, thenHangUp, status) => {
      await using endpoint = await saying(answer, { thenHangUp });
      const asked = post(endpoint.url, { statusDecides: true });
      const result = await (await open()).exchange(to(endpoint.url), asked, { ...LIMITS, totalMs: 300 });
      expect(result).toMatchObject({ ok: true, status, isCut: false });
      expect(result.ok && Buffer.from(result.body).toString()).toBe("abc");
    },
  );

  test.each([
    ["a malformed header", "X-A\r\nContent-Length: 2\r\n\r\nok"],
    ["a header of two lines", "X-A: 1\r\n 2\r\n\r\n"],
    ["endless headers", "X-A: 1\r\n".repeat(100_000)],
    ["a header without an end", "x".repeat(100_000)],
  ])("but a success is one also before %s; no header counts, and the connection is closed", async (_what, rest) => {
    await using endpoint = await saying(ok(rest));
    const trips = await open();
    const asked = post(endpoint.url, { statusDecides: true });
    for (let i = 0; i < 2; i++)
      expect(await trips.exchange(to(endpoint.url), asked, LIMITS)).toEqual({
        ok: true,
        status: 200,
        headers: {},
        body: Buffer.alloc(0),
        isCut: false,
      });
    expect(endpoint.connections).toBe(2);
  });

  test.each(["103 Early Hints", "302 Found", "410 Gone", "500 Oops", "200garbage", "2000 OK"])(
    "and no other status is: %s before a malformed header",
    async (status) => {
      await using endpoint = await saying(`HTTP/1.1 ${status}\r\nX-A\r\n\r\n${WHOLE}`);
      const asked = post(endpoint.url, { statusDecides: true });
      expect(await (await open()).exchange(to(endpoint.url), asked, LIMITS)).toMatchObject(BROKEN);
    },
  );

  test("and no head is none, also where its status would decide", async () => {
    await using endpoint = await saying("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n");
    const asked = post(endpoint.url, { statusDecides: true });
    const result = await (await open()).exchange(to(endpoint.url), asked, { ...LIMITS, totalMs: 100 });
    expect(result).toMatchObject({ ok: false, failure: "timeout", mayHaveArrived: true });
  });

  test("endless interim answers are not read for longer than one head", async () => {
    const socketOf = Promise.withResolvers<Socket>();
    const { url } = await serve((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(100)));
      };
      socket.once("data", pour).on("drain", pour);
      socketOf.resolve(socket);
    });
    expect(await (await open()).exchange(to(url), post(url), LIMITS)).toMatchObject(BROKEN);
    const socket = await socketOf.promise;
    await untilTrue(() => Promise.resolve(socket.destroyed));
  });

  test.each([
    ["in its head", "HTTP/1.1 200 OK\r\nContent-"],
    ["in its body", ok("Content-Length: 5\r\n\r\nok")],
    ["within a chunk", ok("Transfer-Encoding: chunked\r\n\r\n5\r\nok")],
    ["between two chunks", ok("Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")],
    ["before its trailers end", ok("Transfer-Encoding: chunked\r\n\r\n0\r\n")],
    ["before its first byte", ""],
  ])("a connection that is closed %s", async (_where, answer) => {
    await using endpoint = await saying(answer, { thenHangUp: true });
    expect(await (await open()).exchange(to(endpoint.url), post(endpoint.url), LIMITS)).toMatchObject(BROKEN);
  });

  test("an answer that comes before the request is none: nothing was sent", async () => {
    const { url } = await serve((socket) => socket.write(WHOLE));
    const early = await (await open()).exchange(to(url.replace("http:", "https:")), post(url), LIMITS);
    expect(early).toMatchObject({ ok: false, failure: "tls", mayHaveArrived: false });
  });
});

describe("an answer that is allowed, though rare", () => {
  test.each([
    [
      "after interim answers",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n${WHOLE}`,
      "ok",
    ],
    ["with trailers", ok("Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nContent-Length: 9\r\n\r\n"), "ok"],
    ["with blanks around its length", ok("Content-Length:  \t2 \t\r\n\r\nok"), "ok"],
    ["204, whatever length it says", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", ""],
    ["304, whatever length it says", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ""],
    ["without a body", ok("Content-Length: 0\r\n\r\n"), ""],
  ])("%s", async (_what, answer, body) => {
    await using endpoint = await saying(answer);
    const trips = await open();
    for (let i = 0; i < 2; i++) {
      const result = await trips.exchange(to(endpoint.url), post(endpoint.url), LIMITS);
      expect(result).toMatchObject({ ok: true, isCut: false });
      expect(result.ok && Buffer.from(result.body).toString()).toBe(body);
    }
    expect([endpoint.requests.length, endpoint.connections]).toEqual([2, 1]);
  });

  test("trailers are no headers, and no header can reach the prototype", async () => {
    const answer = ok("Transfer-Encoding: chunked\r\n__proto__: x\r\nconstructor: y\r\n\r\n0\r\nX-Late: 1\r\n\r\n");
    const result = await ask(answer);
    expect(result.ok && result.headers["x-late"]).toBeUndefined();
    expect(result.ok && Object.getPrototypeOf(result.headers)).toBe(Object.prototype);
    expect(result.ok && result.headers["constructor"]).toBe("y");
  });
});

describe("a connection is not kept", () => {
  test.each([
    [
      "after chunks that also had a length",
      ok("Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
    ],
    ["after an answer with more behind it", `${WHOLE}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged`],
    ["after a 204 with a body", "HTTP/1.1 204 No Content\r\n\r\nforged"],
    ["that the server closes", ok("Connection: close\r\nContent-Length: 2\r\n\r\nok")],
    ["that is kept for a second only", ok("Keep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok")],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"],
  ])("%s", async (_what, answer) => {
    await using endpoint = await saying(answer);
    const trips = await open();
    for (let i = 0; i < 2; i++) {
      const result = await trips.exchange(to(endpoint.url), post(endpoint.url), LIMITS);
      expect(result.ok && Buffer.from(result.body).toString()).not.toContain("forged");
    }
    expect([endpoint.requests.length, endpoint.connections]).toEqual([2, 2]);
  });

  test("on which bytes came that nobody asked for", async () => {
    const first = Promise.withResolvers<Socket>();
    const server = await serve((socket) => {
      socket.on("data", () => socket.write(WHOLE));
      first.resolve(socket);
    });
    const trips = await open();
    await trips.exchange(to(server.url), post(server.url), LIMITS);
    const socket = await first.promise;
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    socket.write(ok("Content-Length: 6\r\n\r\nforged"));
    await closed;
    const next = await trips.exchange(to(server.url), post(server.url), LIMITS);
    expect(next.ok && Buffer.from(next.body).toString()).toBe("ok");
    expect(server.connections()).toBe(2);
  });

  test("after an answer that came before the request was sent, and the rest is not sent", async () => {
    const { url, rest } = await unreading((socket) => socket.once("data", () => socket.pause().write(WHOLE)));
    expect(await (await open()).exchange(to(url), post(url, { body: large() }), LIMITS)).toMatchObject({ ok: true });
    expect(await rest()).toBeLessThan(LARGE_BYTES);
  });

  test("beyond 64 of one endpoint, and 1024 in all", async () => {
    let live = 0;
    const burst = async (trips: RoundTrips, requests: number) => {
      const waiting: Socket[] = [];
      const { url } = await serve((socket) => {
        live++;
        socket.on("close", () => live--);
        socket.on("data", () => {
          waiting.push(socket);
          if (waiting.length === requests) for (const one of waiting) one.write(WHOLE);
        });
      });
      await Promise.all(Array.from({ length: requests }, () => trips.exchange(to(url), post(url), LIMITS)));
    };
    const trips = await open();
    await burst(trips, 100);
    await untilTrue(() => Promise.resolve(live === 64));
    await Promise.all(Array.from({ length: 16 }, () => burst(trips, 64)));
    await untilTrue(() => Promise.resolve(live === 1024));
  });
});

describe("a request is sent once", () => {
  test("also where the server closes the kept connection at that moment: it may have arrived", async () => {
    const server = await serve((socket) => {
      let requests = 0;
      socket.on("data", () => (++requests === 1 ? socket.write(WHOLE) : socket.destroy()));
    });
    const trips = await open();
    expect(await trips.exchange(to(server.url), post(server.url), LIMITS)).toMatchObject({ ok: true });
    expect(await trips.exchange(to(server.url), post(server.url), LIMITS)).toMatchObject(BROKEN);
    expect(server.connections()).toBe(1);
    expect(await trips.exchange(to(server.url), post(server.url), LIMITS)).toMatchObject({ ok: true });
  });

  test("and once more on a new connection where the receiver knows a repeat, within the same time", async () => {
    const server = await serve((socket, nth) => {
      let requests = 0;
      socket.on("data", () => (nth === 1 && ++requests > 1 ? socket.destroy() : socket.write(WHOLE)));
    });
    const trips = await open();
    const request = post(server.url, { isRepeatable: true });
    for (let i = 0; i < 3; i++)
      expect(await trips.exchange(to(server.url), request, LIMITS)).toMatchObject({ ok: true });
    expect(server.connections()).toBe(2);
  });

  test("but not a second time where the first byte of an answer came, or the new connection ends too", async () => {
    for (const [first, connections] of [
      ["H", 1],
      ["", 2],
    ] as const) {
      const server = await serve((socket, nth) => {
        let requests = 0;
        socket.on("data", () => (nth === 1 && ++requests === 1 ? socket.write(WHOLE) : socket.end(first)));
      });
      const trips = await open();
      const request = post(server.url, { isRepeatable: true });
      expect(await trips.exchange(to(server.url), request, LIMITS)).toMatchObject({ ok: true });
      expect(await trips.exchange(to(server.url), request, LIMITS)).toMatchObject(BROKEN);
      expect(server.connections()).toBe(connections);
    }
  });

  test("and a kept connection that the server has closed before is not used", async () => {
    const closing = Promise.withResolvers<void>();
    const server = await serve((socket, nth) => {
      socket.on("data", () => (nth === 1 ? socket.end(WHOLE) : socket.write(WHOLE)));
      socket.on("close", () => closing.resolve());
    });
    const trips = await open();
    expect(await trips.exchange(to(server.url), post(server.url), LIMITS)).toMatchObject({ ok: true });
    await closing.promise;
    expect(await trips.exchange(to(server.url), post(server.url), LIMITS)).toMatchObject({ ok: true });
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["a line end in a header", { headers: { "x-a": "1\r\nx-b: 2" } }],
    ["a line feed in a header", { headers: { "x-a": "1\nx-b: 2" } }],
    ["a zero byte in a header", { headers: { "x-a": "\0" } }],
    ["a letter beyond one byte in a header", { headers: { "x-a": "\u010a" } }],
    ["a line end in a header's name", { headers: { "x-a: 1\r\nx-b": "2" } }],
    ["an empty name of a header", { headers: { "": "2" } }],
    ["a line end in the method", { method: "POST / HTTP/1.1\r\nx-a: 1\r\n\r\nGET" as "POST" }],
  ])("never with %s", async (_what, more) => {
    const server = await serve((socket) => socket.on("data", () => socket.write(WHOLE)));
    const result = await (await open()).exchange(to(server.url), post(server.url, more), LIMITS);
    expect(result).toMatchObject({ ok: false, failure: "aborted", mayHaveArrived: false });
    expect(server.connections()).toBe(0);
  });

  test("a line end in a URL stays in its path, and lengths of the caller's do not count", async () => {
    await using endpoint = await saying(WHOLE);
    const url = `${endpoint.url}?a=%0d%0aX-Injected:%201`;
    const headers = { "Content-Length": "99", "transfer-encoding": "chunked", Connection: "close", HOST: "other.test" };
    expect(await (await open()).exchange(to(url), post(url, { headers }), LIMITS)).toMatchObject({ ok: true });
    const [request = ""] = endpoint.requests;
    expect(request.split("\r\n")).toEqual([
      "POST /hook?a=%0d%0aX-Injected:%201 HTTP/1.1",
      `Host: 127.0.0.1:${endpoint.port}`,
      "Connection: keep-alive",
      "Content-Length: 2",
      "",
      "{}",
    ]);
  });
});

describe("time and memory", () => {
  test.each([
    ["head", "HTTP/1.1 200 OK\r\nX-A: "],
    ["interim answers", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: "],
    ["body", ok("Content-Length: 50000\r\n\r\n")],
    ["chunk's size", ok("Transfer-Encoding: chunked\r\n\r\n0")],
    ["trailers", ok("Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: ")],
  ])("a dripping %s does not prolong the time limit", async (_what, beginning) => {
    const server = await serve((socket) => {
      socket.once("data", () => socket.write(beginning));
      const drip = setInterval(() => socket.write("0"), 5);
      socket.on("close", () => clearInterval(drip));
    });
    const result = await (await open()).exchange(to(server.url), post(server.url), { ...LIMITS, totalMs: 150 });
    expect(result).toMatchObject({ ok: false, failure: "timeout", mayHaveArrived: true });
  });

  test("a server that never reads is a timeout, after which nothing is sent", async () => {
    const { url, rest } = await unreading((socket) => socket.pause());
    const result = await (await open()).exchange(to(url), post(url, { body: large() }), { ...LIMITS, totalMs: 150 });
    expect(result).toMatchObject({ ok: false, failure: "timeout", mayHaveArrived: true });
    expect(await rest()).toBeLessThan(LARGE_BYTES);
  });
});

describe("TLS to the checked address", () => {
  test("a certificate for another name is refused, also where the URL names the address", async () => {
    await using stranger = await strangerTls();
    const trips = await open();
    for (const host of ["127.0.0.1", "hooks.test"]) {
      const result = await trips.exchange(to(`https://${host}:${stranger.port}/`), post(stranger.url), LIMITS);
      expect(result).toMatchObject({ ok: false, failure: "tls", mayHaveArrived: false });
    }
    expect(stranger.receivedBytes).toBe(0);
  });

  test("a connection to one name is not used for another at the same address", async () => {
    await using endpoint = await goodTls();
    const trips = await open();
    for (const host of ["hooks.test", "elsewhere.test", "hooks.test"]) {
      const result = await trips.exchange(to(`https://${host}:${endpoint.port}/`), post(endpoint.url), LIMITS);
      expect(result).toMatchObject({ ok: host === "hooks.test" });
    }
    expect(endpoint.requests).toHaveLength(2);
  });
});
