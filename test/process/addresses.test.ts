import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ADMIN_TOKEN } from "../support/admin-token.ts";
import { clientOf } from "../support/client.ts";
import { processes, type Server } from "../support/processes/process.ts";
import { requestRaw } from "../support/wire.ts";

const settings = (dir: string) => ({
  RECADO_DATA_DIR: dir,
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_ADDRESS_RATE: "10000",
});

describe("RECADO_PLATFORM_URL and RECADO_GATEWAY_URL", () => {
  const { dataDir, run, serve } = processes();

  test("P-001 put each API on a host of its own, which is distinguished by the Host header", async () => {
    const dir = dataDir();
    const hosts = {
      RECADO_PUBLIC_URL: "https://recado.example.com",
      RECADO_PLATFORM_URL: "https://api.example.com",
      RECADO_GATEWAY_URL: "https://gateway.example.com/",
    };
    const server = await serve({ ...settings(dir), ...hosts });
    expect(server).toMatchObject({ platformUrl: "https://api.example.com", gatewayUrl: "https://gateway.example.com" });
    const ask = (host: string, path: string) => requestRaw(server.url, { host, path });
    expect(await ask("gateway.example.com", "/health")).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(JSON.parse((await ask("gateway.example.com", "/openapi.json")).body)).toMatchObject({
      servers: [{ url: "https://gateway.example.com" }],
    });
    expect(JSON.parse((await ask("api.example.com", "/openapi.json")).body)).toMatchObject({
      servers: [{ url: "https://api.example.com" }],
    });
    expect(JSON.parse((await ask("api.example.com", "/v1/channels")).body)).toMatchObject({
      code: "AUTHENTICATION_REQUIRED",
    });
    expect(JSON.parse((await ask("gateway.example.com", "/v1/phones")).body)).toMatchObject({
      error: { code: "AUTH_MISSING" },
    });
    for (const [host, path] of [
      ["api.example.com", "/health"],
      ["recado.example.com", "/health"],
      ["recado.example.com", "/gateway/health"],
      ["gateway.example.com.evil.example", "/health"],
    ] as const)
      expect((await ask(host, path)).status).toBe(404);
    // the commands of this machine find it all the same
    const { code, out } = await run(["account", "create", "--name", "By command"], settings(dir));
    expect(code).toBe(0);
    const phones = await requestRaw(server.url, {
      host: "gateway.example.com",
      path: "/v1/phones",
      headers: { "X-API-Key": (JSON.parse(out) as { key: string }).key },
    });
    expect(phones).toMatchObject({ status: 200 });
  });

  test("put them below other paths of the public host", async () => {
    const server = await serve({
      ...settings(dataDir()),
      RECADO_PUBLIC_URL: "http://localhost:9",
      RECADO_PLATFORM_URL: "http://localhost:9/api/platform",
      RECADO_GATEWAY_URL: "http://localhost:9/api",
    });
    const statusOf = async (path: string) => (await fetch(server.url + path)).status;
    expect(await statusOf("/api/health")).toBe(200);
    expect(await statusOf("/api/v1/phones")).toBe(401);
    expect((await fetch(server.url, { redirect: "manual" })).headers.get("location")).toBe("/console");
    expect(await (await fetch(`${server.url}/api/platform/v1/channels`)).json()).toMatchObject({
      code: "AUTHENTICATION_REQUIRED",
    });
    for (const path of ["/gateway/health", "/apihealth", "/nothing", "/api2/health"])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });
});

describe("a Host header that was forged", () => {
  const { dataDir, serve } = processes(afterAll);
  let server: Server;
  beforeAll(async () => void (server = await serve(settings(dataDir()))));

  // Elysia looks for a path from the 11th character of the URL on; behind a short host it would take the second slash
  // for the first
  const SHORT = ["a", "ab", "abc", "x:1"];
  test.each(
    SHORT.flatMap((host) =>
      ["/gateway/gateway", "/platform/platform", "/x/gateway", "/gateway", ""].map((prefix) => [host, prefix] as const),
    ),
  )("G-030 P-130 does not open what needs authentication: %s %s", async (host, prefix) => {
    for (const path of ["/v1/admin/accounts", "/v1/phones", "/v1/channels", "/v1/api-keys"]) {
      const { status, body } = await requestRaw(server.url, { host, path: prefix + path });
      expect([path, status]).toBeOneOf([400, 401, 403, 404].map((refusal) => [path, refusal]));
      expect(body).not.toContain("items");
    }
    const made = await requestRaw(server.url, {
      host,
      path: `${prefix}/v1/admin/accounts`,
      method: "POST",
      headers: { "Content-Type": "application/json", "Content-Length": "12" },
    });
    expect(made.status).toBeOneOf([400, 403, 404]);
    expect(await clientOf(server, ADMIN_TOKEN).admin("/accounts")).toEqual({ items: [], nextCursor: null });
  });

  test.each([
    "localhost/gateway/health?x=",
    "a/gateway/health?",
    "a\\gateway\\health",
    "user@localhost",
    "local host",
    "localhost#",
    "",
    "[::1",
    "localhost:99999",
  ])("G-030 is refused with 400 where it is no host: '%s'", async (host) => {
    const { status, body } = await requestRaw(server.url, { host, path: "/gateway/v1/admin/accounts" });
    expect([status, body]).toEqual([400, '{"error":"the Host header or the path cannot be served"}']);
  });

  test.each([
    "//gateway/v1/admin/accounts",
    "/gateway//v1/admin/accounts",
    "/gateway/./v1/admin/accounts",
    "/gateway/health/../v1/admin/accounts",
    "/gateway/%761/admin/accounts",
    "/gateway\\v1\\admin\\accounts",
    "/gateway/health#/../v1/admin/accounts",
    "http://x/gateway/v1/admin/accounts",
    "/gateway/v1/admin/accounts/",
  ])("G-030 nor does a path in another spelling: %s", async (path) => {
    const { status, body } = await requestRaw(server.url, { host: "localhost", path });
    expect(status).toBeOneOf([400, 403, 404]);
    expect(body).not.toContain("items");
  });

  test("G-020 a short name with a port, and any other host, are served", async () => {
    for (const host of ["gw:1", "abcd", "127.0.0.1", "[::1]:80", "LOCALHOST:80"])
      expect([host, (await requestRaw(server.url, { host, path: "/gateway/health" })).status]).toEqual([host, 200]);
  });
});
