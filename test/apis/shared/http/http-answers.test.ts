import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { newCustomer } from "../../../support/customers/customer.ts";
import { mediaCalls, storedFile } from "../../../support/customers/media.ts";
import { useWorld } from "../../../support/use-world.ts";
import { startWorld } from "../../../support/world.ts";

const w = useWorld();
const PAGE = "https://app.example.com";
const ASKING = { origin: PAGE, "access-control-request-method": "POST", "access-control-request-headers": "x-api-key" };

describe("what every answer of an API has", () => {
  test("a refusal without credentials names the scheme that opens the API", async () => {
    const [gateway, platform] = [await w.gateway("/v1/phones"), await w.platform("/v1/channels", { token: "wrong" })];
    expect([gateway.status, gateway.headers.get("www-authenticate")]).toEqual([
      401,
      'ApiKey realm="recado", header="X-API-Key"',
    ]);
    expect([platform.status, platform.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="recado"']);
  });

  test("a wrong method names those that the path takes", async () => {
    const { key } = await w.account();
    const answer = await w.gateway("/v1/phones", { method: "PUT", key, body: {} });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, GET, HEAD"]);
  });

  test("nothing is stored by anybody on the way, and the description may be", async () => {
    const { key } = await w.account();
    for (const answer of [
      await w.gateway("/v1/phones", { key }),
      await w.gateway("/v1/phones"),
      await w.gateway("/v1/admin/accounts", { admin: true, body: { name: "Another" } }),
    ])
      expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("the window of requests is in the headers of the draft, and that of sends where it is tighter", async () => {
    const { key } = await w.account();
    const { id } = await w.wabaPhone(key);
    const read = await w.gateway("/v1/phones", { key });
    expect(read.headers.get("ratelimit-policy")).toBe('"minute";q=600;w=60');
    expect(read.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+$/);
    const body = { phoneId: id, to: "5511988887777", type: "text", content: { text: "Oi" } };
    const sent = await w.gateway("/v1/messages", { key, body });
    expect([sent.status, sent.headers.get("ratelimit-policy")]).toEqual([202, '"minute";q=300;w=60']);
    const { token } = await w.institution();
    const { headers } = await w.platform("/v1/channels", { token });
    expect(headers.get("ratelimit")).toStartWith(`"minute";r=${headers.get("x-ratelimit-remaining")};t=`);
  });

  test("what was made is where Location says, and nothing else has one", async () => {
    const { key } = await w.account();
    const { id } = await w.wabaPhone(key);
    const body = { phoneId: id, to: "5511988887777", type: "text", content: { text: "Oi" } };
    const made = [
      await w.gateway("/v1/messages", { key, body }),
      await w.gateway("/v1/webhooks", {
        key,
        body: { label: "All", url: w.receiver().url, secret: "a-secret-of-sixteen" },
      }),
    ];
    for (const { headers } of made) {
      const location = headers.get("location") ?? "";
      const found = await fetch(new URL(location, w.app.url), { headers: { "x-api-key": key } });
      expect([location, found.status]).toEqual([expect.stringMatching(/^\/gateway\/v1\//), 200]);
    }
    const { headers } = await w.gateway(`/v1/phones/${id}/reconnect`, { key, method: "POST" });
    expect(headers.get("location")).toBeNull();
  });
});

describe("compression", () => {
  const read = (headers: Record<string, string>, path = "/docs/viewer.css") =>
    fetch(`${w.app.gatewayUrl}${path}`, { headers, decompress: false });

  test.each([
    ["gzip", "gzip"],
    ["br, gzip;q=0.5", "gzip"],
    ["gzip;q=0", null],
    ["gzip; q=0.0, br", null],
    ["xgzip", null],
    ["identity", null],
  ])("a client that accepts %s gets %p", async (accepted, encoding) => {
    const answer = await read({ "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = new TextDecoder().decode(encoding ? gunzipSync(bytes) : bytes);
    expect(text).toBe(await Bun.file(require.resolve("swagger-ui-dist/swagger-ui.css")).text());
  });

  test("a customer's file is streamed as it is, whatever its size", async () => {
    const c = await newCustomer(w);
    const bytes = new TextEncoder().encode("a;b;c\n".repeat(1000));
    const { id } = await storedFile(w, c, { kind: "document", bytes, mimeType: "text/csv", filename: "list.csv" });
    const answer = await fetch(await mediaCalls(w, c).link(id), {
      headers: { "accept-encoding": "gzip" },
      decompress: false,
    });
    expect(answer.headers.get("content-type")).toStartWith("text/");
    expect([answer.headers.get("content-encoding"), answer.headers.get("content-length")]).toEqual([
      null,
      String(bytes.length),
    ]);
    expect(await answer.bytes()).toEqual(bytes);
  });

  test("the description says once that it depends on the codings, in a 304 too", async () => {
    const plain = await read({ "accept-encoding": "identity" }, "/openapi.json");
    const known = await read(
      { "accept-encoding": "identity", "if-none-match": plain.headers.get("etag") ?? "" },
      "/openapi.json",
    );
    expect([plain, known].map(({ status, headers }) => [status, headers.get("vary")])).toEqual([
      [200, "Accept-Encoding"],
      [304, "Accept-Encoding"],
    ]);
  });

  test("a short answer stays as it is", async () => {
    expect((await read({ "accept-encoding": "gzip" }, "/versao")).headers.get("content-encoding")).toBeNull();
  });
});

describe("pages of other origins", () => {
  const preflight = (url: string, headers: Record<string, string> = ASKING) =>
    fetch(url, { method: "OPTIONS", headers });

  test("none may call the APIs where the operator allows none", async () => {
    const answer = await preflight(`${w.app.gatewayUrl}/v1/messages`);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, null]);
    const read = await fetch(`${w.app.gatewayUrl}/versao`, { headers: { origin: PAGE } });
    expect([...read.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("those that the setting names may, with keys in headers and never with cookies", async () => {
    const open = await startWorld({ env: { RECADO_CORS_ORIGINS: "https://APP.example.com, https://b.example.com" } });
    try {
      const { key } = await open.account();
      const url = `${open.app.gatewayUrl}/v1/messages`;
      const asked = await preflight(url);
      expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, PAGE]);
      expect(asked.headers.get("access-control-allow-methods")).toContain("POST");
      expect(asked.headers.get("access-control-allow-headers")).toBe("x-api-key");
      expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
      const read = await open.gateway("/v1/phones", { key, headers: { origin: PAGE } });
      expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, PAGE]);
      expect(read.headers.get("access-control-expose-headers")).toContain("Retry-After");
      expect(read.headers.get("vary")).toContain("Origin");
      const refused = await open.gateway("/v1/phones", { headers: { origin: PAGE } });
      expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, PAGE]);
      for (const origin of ["https://app.example.com.evil.example", "http://app.example.com", "null"]) {
        const other = await preflight(url, { ...ASKING, origin });
        expect([origin, other.status, other.headers.get("access-control-allow-origin")]).toEqual([origin, 401, null]);
      }
      const nowhere = await preflight(`${open.app.gatewayUrl}/nothing`);
      expect(nowhere.status).toBe(404);
    } finally {
      await open.stop();
    }
  });
});
