import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createHttp, type HttpOptions, type OutboundHttp } from "../../src/adapters/http/http.ts";
import type { Following, HttpOpened, HttpRequest, HttpResult } from "../../src/contract/ports/http.ts";
import { type Endpoint, hanging, healthy, redirecting, tripwire } from "../support/servers/hostile.ts";

const opened: OutboundHttp[] = [];
const open = (options: Partial<HttpOptions> = {}): OutboundHttp => {
  const http = createHttp({ allow: [], extraCa: undefined, ...options });
  opened.push(http);
  return http;
};
afterEach(() => {
  for (const http of opened.splice(0)) http.close();
});

const post = (url: string): HttpRequest => ({ url, method: "POST", body: "{}", timeoutMs: 5000 });
const at = (hostname: string, { port }: Endpoint, scheme = "http") => `${scheme}://${hostname}:${port}/hook`;

const expectBlocked = (result: HttpResult | HttpOpened) =>
  expect(result).toMatchObject({ ok: false, failure: "blocked", mayHaveArrived: false });

/** A resolver that gives its answers one after the other, the last for ever, and counts the questions. */
const answering = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve = (name: string) => Promise.resolve(answers[Math.min(asked.push(name), answers.length) - 1] ?? []);
  return { asked, resolve };
};

describe("isUrlAllowed", () => {
  const http = createHttp({ allow: ["hooks.internal", "10.0.0.0/8", "127.0.0.1"], extraCa: undefined });

  test.each([
    "https://hooks.example.com/a?b=c",
    "https://hooks.example.com:8443",
    "https://10.0.0.1/", // where it leads is decided when it is used
    "http://hooks.internal/a",
    "http://HOOKS.internal.:8080/a",
    "http://10.255.0.1:8080/",
    "http://127.1/",
    "http://[::ffff:10.0.0.1]/",
  ])("P-244 G-114 G-312 G-541 X-051 GAP-C09 accepts %s", (url) => {
    expect(http.isUrlAllowed(url)).toBe(true);
  });

  test.each([
    "http://hooks.example.com/",
    "http://a.hooks.internal/",
    "http://192.168.0.1/",
    "ftp://hooks.internal/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://user@hooks.example.com/",
    "https://user:pass@hooks.example.com/",
    "http://:pass@hooks.internal/",
    "https://",
    "https://a b/",
    "hooks.example.com",
    "",
  ])("P-244 G-114 G-312 G-541 X-051 GAP-C09 refuses %p", (url) => {
    expect(http.isUrlAllowed(url)).toBe(false);
  });
});

describe("guarded: where a request may go", () => {
  // biome-ignore format: one spelling a line shows nothing more
  test.each([
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "%31%32%37.0.0.1", "①②⑦.⓪.⓪.①",
    "0.0.0.0", "0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::127.0.0.1]", "localhost", "LOCALHOST.", "a.localhost", "printer.local",
  ])("GAP-C09 https://%s is blocked without a byte sent", async (hostname) => {
    await using wire = await tripwire();
    await using wire6 = await tripwire({ hostname: "::1", port: wire.port });
    const http = open();
    for (const send of [http.guarded, http.guardedStream]) expectBlocked(await send(post(at(hostname, wire, "https"))));
    expect([wire.connections, wire6.connections]).toEqual([0, 0]);
  });

  test("GAP-C09 no loopback address in any IPv4 spelling is reached", async () => {
    await using wire = await tripwire();
    const http = open({ resolve: () => Promise.reject(new Error("an address was taken for a name")) });
    const part = fc.nat({ max: 255 });
    const radix = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0${n.toString(8)}`,
      (n: number) => `0x${n.toString(16)}`,
    );
    const address = fc
      .tuple(part, part, part, fc.tuple(radix, radix, radix, radix))
      .map(([b, c, d, [r0, r1, r2, r3]]) => [r0(127), r1(b), r2(c), r3(d)].join("."));
    await fc.assert(
      fc.asyncProperty(address, async (hostname) =>
        expectBlocked(await http.guarded(post(at(hostname, wire, "https")))),
      ),
      { numRuns: 200 },
    );
    expect(wire.connections).toBe(0);
  });

  test.each([
    ["a loopback address", ["127.0.0.1"]],
    ["a public and a loopback address", ["93.184.216.34", "127.0.0.1"]],
    ["a loopback and a public address", ["127.0.0.1", "93.184.216.34"]],
    ["a mapped loopback address", ["::ffff:127.0.0.1"]],
    ["what is no address", ["hooks.example.com"]],
  ])("GAP-C09 a name that resolves to %s is blocked", async (_what, addresses) => {
    await using wire = await tripwire();
    const http = open({ resolve: answering(addresses).resolve });
    for (const send of [http.guarded, http.guardedStream])
      expectBlocked(await send(post(at("hooks.test", wire, "https"))));
    expect(wire.connections).toBe(0);
  });

  test.each(["http://user@127.0.0.1", "http://user:pass@127.0.0.1", "ftp://127.0.0.1", "not a url"])(
    "GAP-C09 %s is blocked, for the operator's own upstreams too",
    async (origin) => {
      await using wire = await tripwire();
      const http = open({ allow: ["127.0.0.1"] });
      for (const send of [http.guarded, http.trusted, http.guardedStream, http.trustedStream])
        expectBlocked(await send(post(`${origin}:${wire.port}/`)));
      expect(wire.connections).toBe(0);
    },
  );

  test("GAP-C09 plain http is blocked even to a public address, as no entry of the allow list names it", async () => {
    const result = await open({ allow: ["127.0.0.1"] }).guarded(post("http://8.8.8.8/"));
    expectBlocked(result);
    expect(result).toMatchObject({ message: "a connection without TLS is not allowed to this host" });
  });

  test.each([
    ["by host name", ["hooks.test"], "hooks.test"],
    ["by CIDR of what the name resolves to", ["127.0.0.0/8"], "hooks.test"],
    ["by CIDR of a literal address", ["127.0.0.0/8"], "127.0.0.1"],
    ["by address, for a mapped one", ["127.0.0.1"], "[::ffff:7f00:1]"],
    ["by name, for a link-local name", ["printer.local"], "printer.local"],
  ])("GAP-C09 http to a private host is let through when it is allowed %s", async (_how, allow, hostname) => {
    await using endpoint = await healthy();
    const result = await open({ allow, resolve: answering(["127.0.0.1"]).resolve }).guarded(
      post(at(hostname, endpoint)),
    );
    expect(result).toMatchObject({ ok: true, status: 200 });
    expect(endpoint.requests).toHaveLength(1);
  });

  test("GAP-C09 an entry of the allow list lets nothing else through", async () => {
    await using wire = await tripwire();
    const allow = ["hooks.test", "127.0.0.2"];
    expectBlocked(
      await open({ allow, resolve: answering(["127.0.0.1"]).resolve }).guarded(post(at("other.test", wire))),
    );
    expectBlocked(
      await open({ allow, resolve: answering(["127.0.0.2", "127.0.0.1"]).resolve }).guarded(
        post(at("other.test", wire)),
      ),
    );
    // nor does one allowed address open plain http to a public one of the same name
    expectBlocked(
      await open({ allow: ["127.0.0.1"], resolve: answering(["127.0.0.1", "93.184.216.34"]).resolve }).guarded(
        post(at("other.test", wire)),
      ),
    );
    expect(wire.connections).toBe(0);
  });
});

describe("guarded: names that change, connections that stay", () => {
  test("GAP-C09 a name that turns to a forbidden address after the check is still answered from the checked one, and refused next time", async () => {
    await using endpoint = await healthy();
    await using wire = await tripwire({ hostname: "127.0.0.2", port: endpoint.port });
    const names = answering(["127.0.0.1"], ["127.0.0.2"]);
    const http = open({ allow: ["127.0.0.1"], resolve: names.resolve });
    expect(await http.guarded(post(at("rebind.test", endpoint)))).toMatchObject({ ok: true });
    expect(names.asked).toEqual(["rebind.test"]);
    expectBlocked(await http.guarded(post(at("rebind.test", endpoint))));
    expectBlocked(await http.guardedStream(post(at("rebind.test", endpoint))));
    expect([endpoint.requests.length, wire.connections]).toEqual([1, 0]);
  });

  test("GAP-C09 every request resolves its name anew, though the connection is kept", async () => {
    await using endpoint = await healthy();
    const names = answering(["127.0.0.1"]);
    const http = open({ allow: ["127.0.0.1"], resolve: names.resolve });
    for (let i = 0; i < 3; i++)
      expect(await http.guarded(post(at("hooks.test", endpoint)))).toMatchObject({ ok: true });
    expect([names.asked.length, endpoint.requests.length, endpoint.connections]).toEqual([3, 3, 1]);
  });

  test("GAP-C09 a kept connection is never used for an address that this request did not check", async () => {
    await using first = await healthy();
    await using second = await healthy({ hostname: "127.0.0.2", port: first.port });
    const names = answering(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]);
    const http = open({ allow: ["127.0.0.0/8"], resolve: names.resolve });
    for (let i = 0; i < 3; i++) expect(await http.guarded(post(at("hooks.test", first)))).toMatchObject({ ok: true });
    expect([first.requests.length, second.requests.length]).toEqual([2, 1]);
  });

  test("GAP-C09 a connection that the operator's own traffic left open is no way round the guard", async () => {
    await using wire = await tripwire();
    const http = open({ resolve: answering(["127.0.0.1"]).resolve });
    expect(await http.trusted(post(at("hooks.test", wire)))).toMatchObject({ ok: true });
    for (const send of [http.guarded, http.guardedStream]) {
      expectBlocked(await send(post(at("hooks.test", wire))));
      expectBlocked(await send(post(at("hooks.test", wire, "https"))));
      expectBlocked(await send(post(at("127.0.0.1", wire, "https"))));
    }
    expect([wire.requests.length, wire.connections]).toEqual([1, 1]);
  });

  test("GAP-C09 a redirect is an answer like any other: its target is never contacted", async () => {
    await using wire = await tripwire();
    await using endpoint = await redirecting(wire.url);
    const http = open({ allow: ["127.0.0.1"] });
    for (const send of [http.guarded, http.trusted, http.guardedStream, http.trustedStream]) {
      const result = await send(post(endpoint.url));
      expect(result).toMatchObject({ ok: true, status: 302, headers: { location: wire.url } });
    }
    expect(wire.connections).toBe(0);
  });
});

describe("guarded: redirects that a request follows", () => {
  const get = (url: string, more: Partial<HttpRequest & Following> = {}): HttpRequest & Following => ({
    url,
    method: "GET",
    timeoutMs: 5000,
    maxRedirects: 3,
    ...more,
  });
  const locally = () => open({ allow: ["127.0.0.1"] });
  const forms = (http: OutboundHttp) => [http.guarded, http.guardedStream];

  test("GAP-C09 the last address answers, and the answer names it; without a redirect it names none", async () => {
    await using endpoint = await healthy();
    await using first = await redirecting(`${endpoint.url}/file`);
    for (const send of forms(locally())) {
      expect(await send(get(first.url))).toMatchObject({ ok: true, status: 200, finalUrl: `${endpoint.url}/file` });
      expect(Object.keys(await send(get(endpoint.url)))).not.toContain("finalUrl");
    }
    expect([first.requests.length, endpoint.requests.length]).toEqual([2, 4]);
  });

  test("GAP-C09 a redirect to a forbidden address is blocked without a byte sent there", async () => {
    await using wire = await tripwire({ hostname: "127.0.0.2" });
    for (const target of [wire.url, at("127.0.0.2", wire, "https"), "ftp://127.0.0.1/", "//u:p@127.0.0.1/"]) {
      await using first = await redirecting(target);
      for (const send of forms(locally()))
        expect(await send(get(first.url))).toMatchObject({ ok: false, failure: "blocked", mayHaveArrived: true });
      expect(first.requests.length).toBe(2);
    }
    expect(wire.connections).toBe(0);
  });

  test("GAP-C09 every name on the way is resolved and checked anew", async () => {
    await using wire = await tripwire({ hostname: "127.0.0.2" });
    await using first = await redirecting(at("hooks.test", wire));
    const names = answering(["127.0.0.1"], ["127.0.0.2"]);
    const http = open({ allow: ["127.0.0.1"], resolve: names.resolve });
    expect(await http.guarded(get(at("hooks.test", first)))).toMatchObject({ ok: false, failure: "blocked" });
    expect([names.asked, first.requests.length, wire.connections]).toEqual([["hooks.test", "hooks.test"], 1, 0]);
  });

  test("a redirect beyond their number is an answer, and so is a redirect that names no address", async () => {
    await using circle = await redirecting("/again");
    await using nowhere = await redirecting("http://");
    for (const send of forms(locally())) {
      const answer = await send(get(circle.url));
      expect(answer).toMatchObject({
        ok: true,
        status: 302,
        finalUrl: at("127.0.0.1", circle).replace("hook", "again"),
      });
      expect(await send(get(nowhere.url))).toMatchObject({ ok: true, status: 302 });
    }
    expect([circle.requests.length, nowhere.requests.length]).toEqual([2 * 4, 2]);
  });

  test("a request with a body, and a request that follows none, get the redirect as their answer", async () => {
    await using wire = await tripwire();
    await using first = await redirecting(wire.url);
    const http = locally();
    for (const send of forms(http)) {
      expect(await send({ ...post(first.url), maxRedirects: 3 })).toMatchObject({ ok: true, status: 302 });
      expect(await send(get(first.url, { maxRedirects: 0 }))).toMatchObject({ ok: true, status: 302 });
    }
    expect([first.requests.length, wire.connections]).toEqual([4, 0]);
  });

  test("another host gets no header but accept and user-agent, and so does every host behind it", async () => {
    await using last = await healthy();
    await using second = await redirecting(`${last.url}/file`);
    await using first = await redirecting(second.url);
    const headers = { Accept: "image/*", "user-agent": "Recado", authorization: "Bearer secret", cookie: "a=b" };
    await locally().guarded(get(first.url, { headers }));
    expect(first.requests[0]).toContain("secret");
    for (const { requests } of [second, last]) {
      expect(requests).toHaveLength(1);
      expect(requests[0]).toMatch(/image\/\*/);
      expect(requests[0]).toMatch(/Recado/);
      expect(requests[0]).not.toMatch(/secret|cookie/i);
    }
  });

  test("a request may refuse an address, which is then not asked", async () => {
    await using wire = await tripwire();
    await using first = await redirecting(`${wire.url}/file`);
    const refusalOf = (url: string) => (url === `${wire.url}/file` ? "it is not ours" : undefined);
    for (const send of forms(locally()))
      expect(await send(get(first.url, { refusalOf }))).toMatchObject({
        ok: false,
        failure: "blocked",
        message: "it is not ours",
        mayHaveArrived: true,
      });
    expect(wire.connections).toBe(0);
  });

  test("an address that is silent takes what is left of the request's time, and the request may have arrived", async () => {
    await using silent = await hanging();
    await using first = await redirecting(silent.url);
    for (const send of forms(locally()))
      expect(await send(get(first.url, { timeoutMs: 500 }))).toMatchObject({
        ok: false,
        failure: "timeout",
        mayHaveArrived: true,
      });
    expect(silent.requests.length).toBe(2);
  });
});
