import { describe, expect, test } from "bun:test";
import { WAHA_ENV, wahaClient, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { rowsOf } from "../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { made } from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: WAHA_ENV, plugins: [network.plugin] });

describe("off by default", () => {
  const plain = useWorld();
  test("there is no such address", async () => {
    expect(plain.app.wahaUrl).toBeUndefined();
    expect((await fetch(`${plain.app.url}/waha/ping`)).status).toBe(404);
    expect((await fetch(`${plain.app.url}/waha/api/sessions`)).status).toBe(404);
  });
});

describe("with a host of its own", () => {
  const own = useWorld({ env: { RECADO_WAHA_URL: "http://waha.example.com" }, plugins: [network.plugin] });
  test("the API is at the root, for clients that drop the path of their address", async () => {
    const c = await newSessionCustomer(own);
    const { origin } = new URL(own.app.gatewayUrl);
    const ask = (host: string) =>
      fetch(`${origin}/api/sessions/${c.phone.id}`, { headers: { host, "x-api-key": c.key } });
    expect(await (await ask("waha.example.com")).json()).toMatchObject({ status: "WORKING" });
    expect((await ask("other.example.com")).status).toBe(404);
  });
});

test("the root and the ping say what it speaks, to anybody", async () => {
  const root = await fetch(`${w.app.wahaUrl}/`);
  expect([root.status, await root.json()]).toMatchObject([200, { version: expect.any(String), engine: "NOWEB" }]);
  expect(await (await fetch(`${w.app.wahaUrl}/ping`)).json()).toEqual({ message: "pong" });
});

test("a request needs a key that is known, whatever it asks for", async () => {
  const client = wahaClientOf(w, await newSessionCustomer(w));
  for (const key of [null, "nothing", "ak_live_0000000000000000000000000000000000000000"])
    for (const path of ["/api/sessions", "/api/version", "/no/such/path"]) {
      const answer = await client.ask(path, { key });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain("X-API-Key");
      expect(answer.body).toEqual({ statusCode: 401, message: "Unauthorized", error: "Unauthorized" });
    }
  expect(wahaSays(await client.ask("/no/such/path"))).toBe("404 Cannot GET /waha/no/such/path");
  expect((await client.ask("/api/server/version")).body).toMatchObject({ engine: "NOWEB", tier: "PLUS" });
  expect((await client.ask("/api/server/status")).body).toMatchObject({ uptime: expect.any(Number) });
});

test("a session of another account is one that does not exist, and nothing is changed", async () => {
  const [mine, theirs] = [await newSessionCustomer(w), await newSessionCustomer(w)];
  const client = wahaClient(w, mine.key, theirs.phone.id);
  const routes: [string, string][] = [
    ["GET", "/api/sessions/{session}"],
    ["GET", "/api/sessions/{session}/me"],
    ["POST", "/api/sessions/{session}/start"],
    ["POST", "/api/sessions/{session}/restart"],
    ["POST", "/api/sessions/{session}/logout"],
    ["GET", "/api/{session}/auth/qr"],
  ];
  for (const [method, path] of routes)
    expect([path, wahaSays(await client.ask(path, { method }))]).toEqual([
      path,
      `404 There is no session with the name "${theirs.phone.id}".`,
    ]);
  expect((await client.ask("/api/sessions/{session}", { method: "DELETE" })).status).toBe(200);
  await w.settle();
  expect(await rowsOf(w, "SELECT state FROM channels WHERE id = ?", [theirs.phone.id])).toEqual([
    { state: "CONNECTED" },
  ]);
});

test("`default` is the only phone of the account, unless a phone has this name", async () => {
  const c = await newSessionCustomer(w);
  const client = wahaClient(w, c.key, "default");
  expect((await client.ask("/api/sessions/{session}")).body).toMatchObject({ id: c.phone.id });
  const another = made(await client.ask("/api/sessions", { body: { name: "loja 2", start: false } }), 201);
  expect((await client.ask("/api/sessions/{session}")).status).toBe(404);
  expect((await client.ask("/api/sessions/loja%202")).body).toMatchObject({ id: another.id, status: "STOPPED" });
  const named = made(await client.ask("/api/sessions", { body: { name: "default", start: false } }), 201);
  expect((await client.ask("/api/sessions/{session}")).body).toMatchObject({ id: named.id });
});

test("a removal names its session: `default`, and no name, remove no phone", async () => {
  const c = await newSessionCustomer(w);
  const client = wahaClient(w, c.key, "default");
  const phones = async () => (await rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?", [c.accountId])).length;
  const gone = (answer: { status: number }) => answer.status;
  for (const path of ["/api/sessions/logout", "/api/sessions/stop"]) {
    const answer = await client.ask(path, { body: { logout: true } });
    expect([path, answer.status, wahaSays(answer).includes("name")]).toEqual([path, 400, true]);
    expect(wahaSays(await client.ask(path, { body: { name: "default", logout: true } }))).toContain(
      '404 "default" is not the name of a session',
    );
  }
  expect(gone(await client.ask("/api/sessions/{session}", { method: "DELETE" }))).toBe(404);
  await w.settle();
  expect(await phones()).toBe(1);
  // a session with this name is removed by it
  made(await client.ask("/api/sessions", { body: { name: "default", start: false } }), 201);
  expect(gone(await client.ask("/api/sessions/logout", { body: { name: "default" } }))).toBe(201);
  expect(await phones()).toBe(1);
  expect(gone(await client.ask("/api/sessions/logout", { body: { name: c.phone.id } }))).toBe(201);
  expect(await phones()).toBe(0);
});

test("what is removed already is removed again without an error", async () => {
  const client = wahaClientOf(w, await newSessionCustomer(w));
  made(await client.ask("/api/sessions", { body: { name: "loja", start: false } }), 201);
  for (const _ of [1, 2]) expect((await client.ask("/api/sessions/loja", { method: "DELETE" })).status).toBe(200);
  for (const path of ["/api/sessions/logout", "/api/sessions/stop"])
    expect((await client.ask(path, { body: { name: "loja", logout: true } })).status).toBe(201);
  expect((await client.ask("/api/sessions/{session}")).status).toBe(200);
});

test("a key is limited to its scopes", async () => {
  const c = await newSessionCustomer(w);
  const { key } = made(
    await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, {
      admin: true,
      body: { name: "k", scopes: ["phones.read"] },
    }),
    201,
  );
  const reading = wahaClientOf(w, { ...c, key });
  expect((await reading.ask("/api/sessions")).status).toBe(200);
  expect(wahaSays(await reading.ask("/api/sessions", { body: { name: "x" } }))).toBe(
    "403 The key lacks the scope phones.write.",
  );
  expect(wahaSays(await reading.ask("/api/sessions/{session}", { method: "DELETE" }))).toBe(
    "403 The key lacks the scope phones.write.",
  );
  expect(await rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?", [c.accountId])).toHaveLength(1);
});

test("a body that is no JSON, or too large, is refused in WAHA's shape", async () => {
  const c = await newSessionCustomer(w);
  const post = (body: string, type = "application/json") =>
    fetch(`${w.app.wahaUrl}/api/sessions`, {
      method: "POST",
      headers: { "x-api-key": c.key, "content-type": type },
      body,
    });
  for (const [answer, status] of [
    [await post("{"), 400],
    [await post("a=b", "application/x-www-form-urlencoded"), 400],
    [await post(JSON.stringify({ name: "x".repeat(1_100_000) })), 413],
  ] as const)
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { statusCode: status, message: expect.any(String) },
    ]);
});

test("what is not there answers 501 with a sentence, to callers with a key alone", async () => {
  const client = wahaClientOf(w, await newSessionCustomer(w));
  expect(wahaSays(await client.ask("/api/screenshot"))).toBe(
    "501 Recado does not have /api/screenshot: there is no browser.",
  );
  expect((await client.ask("/api/screenshot", { key: null })).status).toBe(401);
});
