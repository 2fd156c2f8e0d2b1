import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_ADMIN_TOKEN: "", RECADO_ADDRESS_RATE: "3" }, logLevel: "debug" });
});
afterEach(() => w.stop());

const link = (): string => {
  const { setupUrl, publicUrl } = w.app;
  expect(setupUrl).toStartWith(`${publicUrl}/console/setup?token=`);
  return setupUrl as string;
};
const JSON_ANSWER = { accept: "application/json" };
const form = (name: string) => new URLSearchParams({ name }).toString();
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const send = (url: string, name = "ACME", headers: Record<string, string> = JSON_ANSWER) =>
  fetch(url, { method: "POST", headers: { ...FORM, ...headers }, body: form(name) });
const look = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers });
type Made = { adminToken: string; account: { id: string; name: string }; apiKey: string; next: string };
const made = async (answer: Response): Promise<Made> => {
  expect(answer.status).toBe(201);
  return (await answer.json()) as Made;
};
/** What there is of everything that setting up makes. */
const counts = async () => {
  const sql =
    "SELECT (SELECT count(*) FROM tenants) AS accounts, (SELECT count(*) FROM api_keys) AS keys, (SELECT count(*) FROM meta WHERE name = 'admin-token') AS tokens";
  return (await w.app.env.db.read(async (reader) => reader.rows<object>(sql)))[0];
};
const NOTHING = { accounts: 0, keys: 0, tokens: 0 };
const ALL = { accounts: 1, keys: 1, tokens: 1 };
const accounts = (token: string) => w.gateway("/v1/admin/accounts", { headers: { "x-admin-token": token } });

describe("the set-up link", () => {
  test("makes an admin token, the first account and its key, which open what they say, and then says how to go on", async () => {
    expect((await w.gateway("/v1/admin/accounts")).body).toMatchObject({ error: { code: "ADMIN_DISABLED" } });
    const { adminToken, account, apiKey, next } = await made(await send(link(), "  Café & Filhos "));
    expect(account.name).toBe("Café & Filhos");
    expect((await accounts(adminToken)).body).toMatchObject({
      items: [{ id: account.id, name: "Café & Filhos", status: "ACTIVE" }],
    });
    expect(await w.gateway("/v1/phones", { key: apiKey })).toMatchObject({ status: 200 });
    expect(next).toStartWith(`curl -s ${w.app.gatewayUrl}/v1/phones -H 'X-API-Key: ${apiKey}'`);
    expect((await accounts(`${adminToken}x`)).body).toMatchObject({ error: { code: "ADMIN_FORBIDDEN" } });
  });

  test("takes JSON too", async () => {
    const answer = await fetch(link(), {
      method: "POST",
      headers: { ...JSON_ANSWER, "content-type": "application/json" },
      body: JSON.stringify({ name: "ACME" }),
    });
    expect((await made(answer)).account.name).toBe("ACME");
  });

  test("is spent by its form alone: a GET, as previews of links make, changes nothing", async () => {
    for (const method of ["GET", "HEAD", "GET"]) expect((await fetch(link(), { method })).status).toBe(200);
    for (const method of ["PUT", "DELETE", "OPTIONS"])
      expect((await fetch(link(), { method, headers: JSON_ANSWER })).status).toBe(405);
    expect(await counts()).toEqual(NOTHING);
    expect((await send(link())).status).toBe(201);
  });

  test("is good once", async () => {
    const { adminToken } = await made(await send(link()));
    for (const again of [await send(link()), await look(link(), JSON_ANSWER)]) {
      expect(again.status).toBe(410);
      expect(await again.json()).toMatchObject({
        error: { code: "SETUP_LINK_SPENT", message: expect.stringContaining("recado admin token") },
      });
    }
    expect(await counts()).toEqual(ALL);
    expect((await accounts(adminToken)).status).toBe(200);
  });

  test("is good for one of several who use it at the same time", async () => {
    const statuses = (await Promise.all(["One", "Two", "Three"].map((name) => send(link(), name)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 410, 410]);
    expect(await counts()).toEqual(ALL);
  });

  test("is good for 30 minutes by the clock", async () => {
    await w.advance(30 * MINUTE_MS - 1);
    expect((await look(link())).status).toBe(200);
    await w.advance(1);
    const late = await send(link());
    expect([late.status, await late.json()]).toMatchObject([410, { error: { code: "SETUP_LINK_EXPIRED" } }]);
    expect(await counts()).toEqual(NOTHING);
  });

  test("is replaced by a restart, and the old one opens nothing", async () => {
    const pathOf = (url: string) => url.slice(w.app.publicUrl.length);
    const old = pathOf(link());
    await w.restart();
    expect(pathOf(link())).not.toBe(old);
    expect((await send(w.app.url + old)).status).toBe(404);
    expect(await counts()).toEqual(NOTHING);
    expect((await send(link())).status).toBe(201);
  });

  test("is not made again once it has done its work", async () => {
    await made(await send(link()));
    await w.restart();
    expect(w.app.setupUrl).toBeUndefined();
  });

  test("is not made where there is a tenant, and what there was is void", async () => {
    const path = link().slice(w.app.publicUrl.length);
    await w.institution();
    await w.restart();
    expect(w.app.setupUrl).toBeUndefined();
    expect((await send(w.app.url + path)).status).toBe(404);
    expect(await counts()).toMatchObject({ keys: 0, tokens: 0 });
  });

  test("opens nothing once an admin token was made in another way", async () => {
    const { token } = (
      await w.gateway("/v1/admin/token", { method: "POST", headers: { "x-admin-token": w.app.env.localToken } })
    ).body as { token: string };
    expect((await send(link())).status).toBe(410);
    expect(await counts()).toEqual({ ...NOTHING, tokens: 1 });
    expect((await accounts(token)).status).toBe(200);
  });
});

describe("what is refused", () => {
  test.each([
    ["", "must have at least 1 character"],
    ["   ", "must have at least 1 character"],
    ["x".repeat(121), "must have at most 120 characters"],
    ["a\0b", "must not contain a NUL character"],
  ])("the name %j, with the form again and the link as good as before", async (name, reason) => {
    const answer = await send(link(), name, {});
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(`name ${reason}`);
    expect(page).toContain('<form method="post">');
    expect(await counts()).toEqual(NOTHING);
    expect((await send(link())).status).toBe(201);
  });

  test("a body without a name, one that is no JSON, and one of 20 kB", async () => {
    const json = { ...JSON_ANSWER, "content-type": "application/json" };
    for (const [body, status] of [
      ["", 400],
      ["null", 400],
      ["{", 400],
      ['{"name":7}', 400],
      [`{"name":"${"x".repeat(20_000)}"}`, 413],
    ] as const)
      expect([body.slice(0, 12), (await fetch(link(), { method: "POST", headers: json, body })).status]).toEqual([
        body.slice(0, 12),
        status,
      ]);
    const dripped = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(8192)) });
    expect((await fetch(link(), { method: "POST", headers: json, body: dripped })).status).toBe(413);
    expect(await counts()).toEqual(NOTHING);
  });

  test("tokens that nobody gave out, by where they come from; the right one opens all the same", async () => {
    const guess = (text: string) => send(`${w.app.url}/console/setup?token=${text}`);
    const statuses: number[] = [];
    for (const text of ["", "x", "y", "z"]) statuses.push((await guess(text)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    const limited = await guess("x");
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await counts()).toEqual(NOTHING);
    expect((await send(link())).status).toBe(201);
  });

  test("other pages of the console, which there are not", async () => {
    for (const path of ["/console/setup/", "/console/setupx", "/consolex"])
      expect([path, (await look(w.app.url + path)).status]).toEqual([path, 404]);
  });
});

describe("the page", () => {
  test("runs and loads nothing, is kept by nobody and names its link to nobody", async () => {
    for (const answer of [
      await look(link()),
      await send(link(), "ACME", {}),
      await look(link()),
      await look(`${w.app.url}/console/x`),
    ]) {
      const html = await answer.text();
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(html).not.toMatch(/<script|<img|<link|@import|url\(|\son\w+=/i);
      const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
      expect(answer.headers.get("content-security-policy")).toContain(
        new Bun.CryptoHasher("sha256").update(style).digest("base64"),
      );
    }
  });

  test("that is reloaded shows token and key again, to the browser that sent the form alone, until it says that they are kept", async () => {
    const answer = await send(link(), "ACME", {});
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^recado-setup=[\w-]{43}; Path=\/console\/setup; Max-Age=1800; HttpOnly; SameSite=Strict$/);
    const mine = { cookie: cookie.split(";", 1)[0] ?? "" };
    const secrets = (html: string) => [/adm_[\w-]{43}/.exec(html)?.[0], /ak_live_[\w-]{43}/.exec(html)?.[0]];
    const first = secrets(await answer.text());
    expect(first.every(Boolean)).toBe(true);
    expect(secrets(await (await send(link(), "ACME", mine)).text())).toEqual(first);
    expect(secrets(await (await look(link(), mine)).text())).toEqual(first);
    for (const other of [{}, { cookie: "recado-setup=x" }, { cookie: `${mine.cookie}x` }])
      expect((await look(link(), other)).status).toBe(410);
    const kept = await fetch(link(), { method: "POST", headers: { ...FORM, ...mine }, body: "kept=yes" });
    expect([kept.status, secrets(await kept.text())]).toEqual([200, [undefined, undefined]]);
    expect((await look(link(), mine)).status).toBe(410);
    expect(await counts()).toEqual(ALL);
  });

  test("that is reloaded after half an hour, or after a restart, shows nothing", async () => {
    const mine = { cookie: (await send(link(), "ACME", {})).headers.get("set-cookie")?.split(";", 1)[0] ?? "" };
    const path = link().slice(w.app.publicUrl.length);
    await w.advance(30 * MINUTE_MS);
    expect((await look(link(), mine)).status).toBe(410);
    await w.restart();
    expect(
      await w.app.env.db.read(async (reader) => reader.rows("SELECT 1 FROM meta WHERE name = 'setup-result'")),
    ).toEqual([]);
    expect((await look(w.app.url + path, mine)).status).toBe(404);
  });

  test("shows token, key and next step once, and a name as text", async () => {
    const html = await (await send(link(), "<script>alert(1)</script>", {})).text();
    expect(html).toMatch(/adm_[\w-]{43}</);
    expect(html).toMatch(/ak_live_[\w-]{43}/);
    expect(html).toContain(`curl -s ${w.app.gatewayUrl}/v1/phones`);
    expect(html).toContain(`GET ${w.app.gatewayUrl}/v1/phones/&lt;id&gt;/qrcode`);
    expect(html).not.toContain("<script");
  });
});

test("no token, key or link is kept in clear, or logged", async () => {
  const url = link();
  const { adminToken, apiKey } = await made(await send(url));
  await accounts(adminToken);
  await w.app.stop();
  const secrets = [new URL(url).searchParams.get("token") ?? "", adminToken, apiKey];
  const files = readdirSync(w.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(1);
  const kept =
    files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n") + w.logs.join("");
  expect(secrets.map((secret) => kept.includes(secret))).toEqual([false, false, false]);
});
