import { afterEach, describe, expect, test } from "bun:test";
import { createHttp, type HttpOptions, type OutboundHttp } from "../../src/adapters/http/http.ts";
import type { HttpRequest } from "../../src/contract/ports/http.ts";
import {
  badCertificate,
  dropping,
  endless,
  goodTls,
  hanging,
  healthy,
  saying,
  slow,
  strangerTls,
  testCa,
  tiring,
  truncating,
} from "../support/servers/hostile.ts";
import { untilTrue } from "../support/waiting.ts";

const opened: OutboundHttp[] = [];
const open = (options: Partial<HttpOptions> = {}): OutboundHttp => {
  const http = createHttp({
    allow: ["127.0.0.0/8", "::1"],
    extraCa: undefined,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    ...options,
  });
  opened.push(http);
  return http;
};
afterEach(() => {
  for (const http of opened.splice(0)) http.close();
});

const post = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: "POST",
  body: "{}",
  timeoutMs: 10_000,
  ...more,
});

describe("what is sent and what comes back", () => {
  test("the request arrives as given, under its own host name, with its length and without asking for compression", async () => {
    await using endpoint = await healthy();
    const request = {
      url: `http://hooks.test:${endpoint.port}/a%20b?c=d&e`,
      method: "PUT",
      headers: { "X-One": "1" },
      body: "olá",
    } as const;
    const result = await open().guarded(request);
    expect(result).toMatchObject({ ok: true, status: 200, isCut: false, headers: { "content-length": "2" } });
    expect(result.ok && Buffer.from(result.body).toString()).toBe("ok");
    const [head, body] = endpoint.requests[0]?.split("\r\n\r\n") ?? [];
    expect(head?.toLowerCase().split("\r\n").sort()).toEqual(
      [
        "put /a%20b?c=d&e http/1.1",
        "connection: keep-alive",
        "content-length: 4",
        `host: hooks.test:${endpoint.port}`,
        "x-one: 1",
      ].sort(),
    );
    expect(Buffer.from(body ?? "", "latin1").toString()).toBe("olá");
  });

  test("a body goes out with every method, as bytes or text, and a Host header of the caller's does not count", async () => {
    await using endpoint = await healthy();
    for (const method of ["POST", "PATCH", "DELETE"] as const) {
      expect(
        await open().guarded(post(endpoint.url, { method, body: Buffer.from("abc"), headers: { Host: "other.test" } })),
      ).toMatchObject({ ok: true });
    }
    expect(endpoint.requests.map((request) => request.split("\r\n\r\n")[1])).toEqual(["abc", "abc", "abc"]);
    expect(endpoint.requests.filter((request) => request.includes("other.test"))).toEqual([]);
  });

  test("a header that cannot be sent is refused before anything is, never thrown", async () => {
    await using endpoint = await healthy();
    for (const headers of [{ "x-a": "1\r\nx-b: 2" }, { "x a": "1" }]) {
      expect(await open().guarded(post(endpoint.url, { headers }))).toMatchObject({
        ok: false,
        failure: "aborted",
        mayHaveArrived: false,
      });
    }
    expect(endpoint.connections).toBe(0);
  });

  test("an answer of exactly the limit is whole; one byte more cuts it and drops the connection", async () => {
    await using endpoint = await saying("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n0123456789");
    const http = open();
    const whole = await http.guarded(post(endpoint.url, { maxResponseBytes: 10 }));
    expect(whole).toMatchObject({ ok: true, status: 201, isCut: false });
    const cut = await http.guarded(post(endpoint.url, { maxResponseBytes: 9 }));
    expect(cut).toMatchObject({ ok: true, status: 201, isCut: true });
    expect([whole, cut].map((result) => result.ok && Buffer.from(result.body).toString())).toEqual([
      "0123456789",
      "012345678",
    ]);
    expect(await http.guarded(post(endpoint.url))).toMatchObject({ ok: true });
    expect(endpoint.connections).toBe(2);
  });

  test("an endless answer is cut at 64 KiB", async () => {
    await using endpoint = await endless();
    const result = await open().guarded(post(endpoint.url));
    expect(result).toMatchObject({ ok: true, status: 200, isCut: true });
    expect(result.ok && result.body.length).toBe(64 * 1024);
  });
});

describe("how a request fails", () => {
  test("a refused connection is `connect`, and certainly nothing arrived", async () => {
    const gone = await healthy();
    await gone[Symbol.asyncDispose]();
    expect(await open().guarded(post(gone.url))).toMatchObject({
      ok: false,
      failure: "connect",
      mayHaveArrived: false,
    });
  });

  test("an address that refuses is passed over for the next checked one", async () => {
    await using endpoint = await healthy({ hostname: "127.0.0.2" });
    const http = open({ resolve: () => Promise.resolve(["127.0.0.1", "127.0.0.2"]) });
    expect(await http.guarded(post(`http://hooks.test:${endpoint.port}/`))).toMatchObject({ ok: true, status: 200 });
  });

  test("an endpoint that never answers is `timeout`, and the request may have arrived", async () => {
    await using endpoint = await hanging();
    expect(await open().guarded(post(endpoint.url, { timeoutMs: 100 }))).toMatchObject({
      ok: false,
      failure: "timeout",
      mayHaveArrived: true,
    });
  });

  test("on a kept connection there is no moment at which nothing can have arrived", async () => {
    await using endpoint = await tiring();
    const http = open({ connectTimeoutMs: 50 });
    expect(await http.guarded(post(endpoint.url))).toMatchObject({ ok: true });
    expect(await http.guarded(post(endpoint.url, { timeoutMs: 150 }))).toMatchObject({
      ok: false,
      failure: "timeout",
      mayHaveArrived: true,
    });
    expect(endpoint.connections).toBe(1);
  });

  test("the time limit covers the body: one byte now and then does not prolong it", async () => {
    await using endpoint = await slow(10);
    expect(await open().guarded(post(endpoint.url, { timeoutMs: 150 }))).toMatchObject({
      ok: false,
      failure: "timeout",
      mayHaveArrived: true,
    });
  });

  test("a TLS handshake that never ends is `tls` after the connect limit, and nothing of the request left", async () => {
    await using endpoint = await hanging();
    const result = await open({ connectTimeoutMs: 100 }).guarded(post(endpoint.url.replace("http:", "https:")));
    expect(result).toMatchObject({ ok: false, failure: "tls", mayHaveArrived: false });
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("ENOTFOUND"))],
    ["knows no address", () => Promise.resolve([])],
    ["never answers", () => new Promise<string[]>(() => undefined)],
  ])("a resolver that %s is `dns`, and certainly nothing arrived", async (_how, resolve) => {
    const result = await open({ resolve, connectTimeoutMs: 100 }).guarded(post("https://hooks.test/"));
    expect(result).toMatchObject({ ok: false, failure: "dns", mayHaveArrived: false });
  });

  test("a connection dropped after the request is `aborted`, and the request may have arrived", async () => {
    await using endpoint = await dropping();
    expect(await open().guarded(post(endpoint.url))).toMatchObject({
      ok: false,
      failure: "aborted",
      mayHaveArrived: true,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("an answer that breaks off before its announced end is `aborted`, never a short success", async () => {
    await using endpoint = await truncating();
    expect(await open().guarded(post(endpoint.url))).toMatchObject({
      ok: false,
      failure: "aborted",
      mayHaveArrived: true,
    });
  });

  test.each([
    ["what is not HTTP", "220 mail.example.com ESMTP\r\n"],
    ["a head without end", `HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(100_000)}\r\n\r\n`],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"],
    ["a broken chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"],
  ])("an endpoint that answers %s is `aborted`", async (_what, answer) => {
    await using endpoint = await saying(answer);
    expect(await open().guarded(post(endpoint.url))).toMatchObject({
      ok: false,
      failure: "aborted",
      mayHaveArrived: true,
    });
  });
});

describe("TLS", () => {
  test("GAP-C09 RECADO_EXTRA_CA adds a trust anchor, for names and addresses, and connections are kept", async () => {
    await using endpoint = await goodTls();
    const http = open({ extraCa: await testCa() });
    for (const hostname of ["hooks.test", "a.hooks.test", "127.0.0.1", "hooks.test"]) {
      expect(await http.guarded(post(`https://${hostname}:${endpoint.port}/`))).toMatchObject({
        ok: true,
        status: 200,
      });
    }
    expect([endpoint.requests.length, endpoint.connections]).toEqual([4, 3]);
  });

  test("GAP-C09 without it the same certificate is refused", async () => {
    await using endpoint = await goodTls();
    expect(await open().guarded(post(`https://hooks.test:${endpoint.port}/`))).toMatchObject({
      ok: false,
      failure: "tls",
      mayHaveArrived: false,
    });
    expect(endpoint.receivedBytes).toBe(0);
  });

  test.each([
    ["a certificate that nobody signed", badCertificate],
    ["a certificate for another name", strangerTls],
  ])("%s is `tls`, and not a byte of the request is shown to its owner", async (_what, serve) => {
    await using endpoint = await serve();
    const result = await open({ extraCa: await testCa() }).guarded(post(`https://hooks.test:${endpoint.port}/`));
    expect(result).toMatchObject({ ok: false, failure: "tls", mayHaveArrived: false });
    expect([endpoint.requests.length, endpoint.receivedBytes]).toEqual([0, 0]);
  });

  test("an endpoint that does not speak TLS is `tls`", async () => {
    await using endpoint = await saying("HTTP/1.1 400 Bad Request\r\n\r\n");
    await using greeting = await dropping();
    for (const { port } of [endpoint, greeting]) {
      expect(await open({ connectTimeoutMs: 200 }).guarded(post(`https://127.0.0.1:${port}/`))).toMatchObject({
        ok: false,
        failure: "tls",
        mayHaveArrived: false,
      });
    }
  });
});

describe("many at once", () => {
  test("600 hanging requests do not hold up a healthy one, and closing ends them all", async () => {
    await using stuck = await hanging();
    await using endpoint = await healthy();
    const http = open();
    const hung = Array.from({ length: 600 }, () => http.guarded(post(stuck.url, { timeoutMs: 60_000 })));
    await untilTrue(async () => {
      expect(await http.guarded(post(endpoint.url))).toMatchObject({ ok: true });
      return stuck.requests.length >= 600;
    });
    expect(await http.guarded(post(endpoint.url))).toMatchObject({ ok: true, status: 200 });
    expect(stuck.open).toBe(600);
    http.close();
    const results = await Promise.all(hung);
    expect(
      results.filter((result) => !result.ok && result.failure === "aborted" && result.mayHaveArrived),
    ).toHaveLength(600);
  });

  test("64 senders to one endpoint share at most 64 connections, and each gets its own answer", async () => {
    await using endpoint = await healthy();
    const http = open();
    const sender = async () => {
      for (let i = 0; i < 20; i++) expect(await http.guarded(post(endpoint.url))).toMatchObject({ ok: true });
    };
    await Promise.all(Array.from({ length: 64 }, sender));
    expect(endpoint.requests).toHaveLength(64 * 20);
    expect(endpoint.connections).toBeLessThanOrEqual(64);
  });
});

describe("a request that is called off", () => {
  test("ends as aborted while it waits, and its connection is dropped; it may have arrived", async () => {
    const arrived = Promise.withResolvers<AbortSignal>();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ signal }) => {
        arrived.resolve(signal);
        return new Promise<Response>((resolve) => signal.addEventListener("abort", () => resolve(new Response())));
      },
    });
    const controller = new AbortController();
    const asked = open().trusted(post(server.url.href, { signal: controller.signal }));
    const dropped = await arrived.promise;
    controller.abort();
    expect(await asked).toMatchObject({
      ok: false,
      failure: "aborted",
      message: "the request was called off",
      mayHaveArrived: true,
    });
    await new Promise<void>((resolve) =>
      dropped.aborted ? resolve() : dropped.addEventListener("abort", () => resolve()),
    );
    await server.stop(true);
  });

  test("before it begins is not sent", async () => {
    await using endpoint = await healthy();
    expect(await open().trusted(post(endpoint.url, { signal: AbortSignal.abort() }))).toMatchObject({
      ok: false,
      failure: "aborted",
      mayHaveArrived: false,
    });
    expect(endpoint.requests).toEqual([]);
  });

  test("after its answer changes nothing", async () => {
    await using endpoint = await healthy();
    const controller = new AbortController();
    expect(await open().trusted(post(endpoint.url, { signal: controller.signal }))).toMatchObject({
      ok: true,
      status: 200,
    });
    controller.abort();
    expect(await open().trusted(post(endpoint.url))).toMatchObject({ ok: true, status: 200 });
  });
});
