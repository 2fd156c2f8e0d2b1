import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:https";
import { createHttp } from "../../src/adapters/http/http.ts";
import { createProxies } from "../../src/adapters/http/proxies.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { selfSigned } from "../support/servers/certificate.ts";
import { connectProxy, socksProxy } from "../support/servers/proxies.ts";

const LOGIN = { user: "ana@example.com", password: "p:ss/word%" };
let server: Server;
let port = 0;
const { cert, key } = selfSigned("localhost", Date.now() + DAY_MS);
const http = createHttp({ allow: ["127.0.0.1"], extraCa: cert });
const proxies = createProxies(http, cert);

beforeAll(async () => {
  server = createServer({ cert, key }, (request, response) => {
    let sizeBytes = 0;
    request.on("data", (chunk: Buffer) => (sizeBytes += chunk.length));
    request.on("end", () => response.end(`${request.method} ${request.url} ${sizeBytes}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterAll(() => {
  server.close();
  http.close();
});

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

describe.each([
  ["CONNECT", connectProxy],
  ["SOCKS5", socksProxy],
])("a proxy by %s", (_name, start) => {
  test.each([
    ["without a login", undefined],
    ["with user and password", LOGIN],
  ])("carries requests and streams, %s, to a host whose name it resolves", async (_how, login) => {
    await using proxy = await start(login);
    const route = proxies.open(proxy.url);
    const answer = await route.stream({ url: `https://localhost:${port}/a?b=1`, method: "GET" });
    if (!answer.ok) throw new Error(answer.message);
    expect([answer.status, await textOf(answer.body)]).toEqual([200, "GET /a?b=1 0"]);
    const body = (async function* () {
      for (let left = 4; left > 0; left--) yield new Uint8Array(256 * 1024);
    })();
    const sent = await route.stream({
      url: `https://localhost:${port}/up`,
      method: "POST",
      body: { stream: body, sizeBytes: 1024 * 1024 },
    });
    if (!sent.ok) throw new Error(sent.message);
    expect(await textOf(sent.body)).toBe("POST /up 1048576");
    expect(proxy.asked).toEqual([`localhost:${port}`, `localhost:${port}`]);
    expect(route.fault).toBeUndefined();
    expect(await proxies.check(proxy.url, `wss://localhost:${port}/ws`)).toMatchObject({ ok: true });
  });

  test("that refuses the login, or the host, is a fault that names no secret", async () => {
    await using proxy = await start(LOGIN);
    const wrong = proxy.url.replace(/\/\/.*@/, "//ana:wrong-password@");
    const refused = await proxies.check(wrong, `https://localhost:${port}/`);
    expect(refused).toMatchObject({ ok: false, isBlocked: false });
    expect(JSON.stringify(refused)).not.toContain("wrong-password");
    expect(proxy.asked).toEqual([]);
    proxy.refuse();
    const route = proxies.open(proxy.url);
    expect(await route.stream({ url: `https://localhost:${port}/`, method: "GET" })).toMatchObject({ ok: false });
    expect(route.fault).toBeString();
    proxy.accept();
    expect(await route.stream({ url: `https://localhost:${port}/`, method: "GET" })).toMatchObject({ status: 200 });
    expect(route.fault).toBeUndefined();
  });

  test("at an address that may not be reached is not asked", async () => {
    await using proxy = await start();
    const closed = createHttp({ allow: [], extraCa: cert });
    const guarded = createProxies(closed, cert);
    expect(await guarded.check(proxy.url, `https://localhost:${port}/`)).toMatchObject({ ok: false, isBlocked: true });
    expect(proxy.asked).toEqual([]);
    closed.close();
  });

  test("whose host shows a certificate that nobody vouches for is refused", async () => {
    await using proxy = await start();
    const strict = createProxies(http, undefined);
    const checked = await strict.check(proxy.url, `https://localhost:${port}/`);
    expect(checked).toMatchObject({ ok: false, isBlocked: false });
  });
});

test.each([
  ["http://proxy.example.com:3128", "http://proxy.example.com:3128"],
  ["socks5://ana:s%40cret@10.0.0.1:1080", "socks5://10.0.0.1:1080"],
  ["SOCKS5://[2001:db8::1]:1080/", "socks5://[2001:db8::1]:1080"],
  ["http://proxy.example.com", undefined],
  ["https://proxy.example.com:3128", undefined],
  ["socks4://proxy.example.com:1080", undefined],
  ["http://proxy.example.com:3128/path", undefined],
  ["http://proxy.example.com:0", undefined],
  ["http://a:%zz@proxy.example.com:80", undefined],
  ["proxy.example.com:3128", undefined],
])("the URL %p is shown as %p", (url, shown) => {
  expect(proxies.shown(url)).toBe(shown as string);
});
