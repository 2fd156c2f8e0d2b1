import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { updateTenant } from "../../../../src/store/tables/tenancy/tenants.ts";
import { documentedRoutes, nameOf } from "../../../support/apis/open-api.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { ADMIN_TOKEN, startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

const PUBLIC = [
  "GET /v1/upstream-webhook",
  "POST /v1/upstream-webhook",
  "GET /v1/upstream-webhook/{channelId}",
  "POST /v1/upstream-webhook/{channelId}",
  "POST /v1/payment-webhook",
  "POST /v1/chatwoot/{webhookId}",
  "POST /v1/flows/data-exchange/{flowId}",
];

test("G-001 G-030 G-073 G-083 X-250 X-252 every route of /v1 first asks for an API key, or the admin token", async () => {
  const routes = (await documentedRoutes(w, "gateway")).filter(({ path }) => path.startsWith("/v1/"));
  const said = await Promise.all(
    routes.map(async ({ method, path }) => [
      nameOf({ method, path }),
      gatewaySays(await w.gateway(path, { method, ...(method === "GET" ? {} : { raw: "{broken" }) })),
    ]),
  );
  const owed = routes
    .filter((route) => !PUBLIC.includes(nameOf(route)))
    .map((route) => [nameOf(route), route.path.startsWith("/v1/admin/") ? "403 ADMIN_FORBIDDEN" : "401 AUTH_MISSING"]);
  expect(said.filter(([name]) => !PUBLIC.includes(name ?? ""))).toEqual(owed);
  expect(owed.length).toBeGreaterThan(15);
});

test("G-030 G-040 what does not exist below /v1 asks for a key too, and only then is not found", async () => {
  const { key } = await w.account();
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/phones/a/b/c"]) {
    expect([path, gatewaySays(await w.gateway(path))]).toEqual([path, "401 AUTH_MISSING"]);
    expect([path, gatewaySays(await w.gateway(path, { key }))]).toEqual([path, "404 NOT_FOUND"]);
  }
  expect(gatewaySays(await w.gateway("/nothing"))).toBe("404 NOT_FOUND");
});

test("G-030 beside the address of a flow's data exchange, which is public, nothing is", async () => {
  const { key } = await w.account();
  for (const method of ["GET", "PATCH", "DELETE", "POST"])
    for (const path of [
      "/v1/flows/data-exchange",
      "/v1/flows/data-exchange/",
      "/v1/flows/data-exchange//",
      "/v1/flows/data-exchange/a/b",
    ]) {
      const body = method === "GET" ? {} : { body: {} };
      expect([method, path, gatewaySays(await w.gateway(path, { method, ...body }))]).toEqual([
        method,
        path,
        "401 AUTH_MISSING",
      ]);
      expect([404, 405]).toContain((await w.gateway(path, { method, key, ...body })).status);
    }
});

test("G-070 G-071 G-086 G-087 an account that the administrator makes is usable with the key it issues", async () => {
  const { id, key } = await w.account();
  expect(key).toMatch(/^ak_live_[A-Za-z0-9_-]{43,}$/);
  const phone = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } });
  expect(phone.status).toBe(201);
  expect((await w.gateway(`/v1/phones/${phone.body.id}`, { key })).body.accountId).toBe(id);
});

test("G-072 the key alone says whose request it is", async () => {
  const [a, b] = [await w.account(), await w.account()];
  const made = (await w.gateway("/v1/phones", { key: a.key, body: { type: "SESSION", label: "A phone" } })).body;
  const ids = async (key: string) =>
    (await w.gateway("/v1/phones", { key, headers: { "x-account-id": a.id } })).body.map(
      (phone: { id: string }) => phone.id,
    );
  expect(await ids(a.key)).toEqual([made.id]);
  expect(await ids(b.key)).toEqual([]);
});

describe("a request whose key is not good is refused and changes nothing", () => {
  const refusals: Record<string, [headers: (key: string) => Record<string, string>, said: string]> = {
    "G-073 no header": [() => ({}), "401 AUTH_MISSING"],
    "G-073 an empty header": [() => ({ "x-api-key": "" }), "401 AUTH_MISSING"],
    "G-074 an unknown key": [() => ({ "x-api-key": "ak_live_unknown" }), "401 AUTH_INVALID"],
    "G-074 a key of another form": [() => ({ "x-api-key": "nonsense'; --" }), "401 AUTH_INVALID"],
    "G-074 the key in other letters": [(key) => ({ "x-api-key": key.toUpperCase() }), "401 AUTH_INVALID"],
    "G-074 the start of a key": [(key) => ({ "x-api-key": key.slice(0, -1) }), "401 AUTH_INVALID"],
    "G-080 a bearer token": [(key) => ({ authorization: `Bearer ${key}` }), "401 AUTH_MISSING"],
    "G-030 the admin token alone": [() => ({ "x-admin-token": ADMIN_TOKEN }), "401 AUTH_MISSING"],
  };
  for (const [title, [headers, said]] of Object.entries(refusals)) {
    test(title, async () => {
      const { key } = await w.account();
      const answer = await w.gateway("/v1/phones", {
        headers: headers(key),
        body: { type: "SESSION", label: "A phone" },
      });
      expect(gatewaySays(answer)).toBe(said);
      expect((await w.gateway("/v1/phones", { key })).body).toEqual([]);
    });
  }

  test("G-074 a key of the platform does not open the gateway", async () => {
    const { token } = await w.institution();
    expect(gatewaySays(await w.gateway("/v1/phones", { key: await w.platformKey(token) }))).toBe("401 AUTH_INVALID");
  });
});

test("G-045 G-075 G-088 a revoked key is refused from the next call on; the account's others are not", async () => {
  const { id, key } = await w.account();
  const issued = (await issue(id, { name: "second" })).body;
  expect(gatewaySays(await w.gateway("/v1/phones", { key: issued.key }))).toBe("200");
  expect(gatewaySays(await w.gateway(`/v1/admin/api-keys/${issued.id}/revoke`, { admin: true, method: "POST" }))).toBe(
    "200",
  );
  expect(gatewaySays(await w.gateway("/v1/phones", { key: issued.key }))).toBe("401 AUTH_REVOKED");
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("200");
});

test("G-045 G-076 a key works until the moment it expires at; revoked and expired, it is revoked", async () => {
  const { id } = await w.account();
  const expiresAt = new Date(w.clock.now() + HOUR_MS).toISOString();
  const [first, second] = [
    (await issue(id, { name: "first", expiresAt })).body,
    (await issue(id, { name: "second", expiresAt })).body,
  ];
  expect(first.expiresAt).toBe(expiresAt);
  await w.gateway(`/v1/admin/api-keys/${second.id}/revoke`, { admin: true, method: "POST" });
  await w.advance(HOUR_MS - 1);
  expect(gatewaySays(await w.gateway("/v1/phones", { key: first.key }))).toBe("200");
  await w.advance(1);
  expect(gatewaySays(await w.gateway("/v1/phones", { key: first.key }))).toBe("401 AUTH_EXPIRED");
  expect(gatewaySays(await w.gateway("/v1/phones", { key: second.key }))).toBe("401 AUTH_REVOKED");
});

describe("the state of the account decides on every call", () => {
  const states: Record<
    string,
    [changes: { status?: string; dunningStage?: "NONE" | "WARNING" | "CRITICAL" | "SUSPENDED" }, said: string]
  > = {
    "G-090 dunning NONE": [{ dunningStage: "NONE" }, "200"],
    "G-090 dunning WARNING": [{ dunningStage: "WARNING" }, "200"],
    "G-090 dunning CRITICAL": [{ dunningStage: "CRITICAL" }, "200"],
    "G-046 G-077 G-090 dunning SUSPENDED": [{ dunningStage: "SUSPENDED" }, "402 ACCOUNT_SUSPENDED"],
    "G-079 status SUSPENDED": [{ status: "SUSPENDED" }, "402 ACCOUNT_SUSPENDED"],
    "G-047 G-078 status CANCELLED": [{ status: "CANCELLED" }, "403 ACCOUNT_INACTIVE"],
    "G-078 status CANCELLED that owes": [{ status: "CANCELLED", dunningStage: "SUSPENDED" }, "403 ACCOUNT_INACTIVE"],
    "G-079 status INACTIVE": [{ status: "INACTIVE" }, "403 ACCOUNT_INACTIVE"],
    "G-079 a status of later versions": [{ status: "BLOCKED" }, "403 ACCOUNT_INACTIVE"],
  };
  for (const [title, [changes, said]] of Object.entries(states)) {
    test(title, async () => {
      const { id, key } = await w.account();
      await w.app.env.db.write((tx) => updateTenant(tx, id as TenantId, changes));
      expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe(said);
      const shown = (await w.gateway(`/v1/admin/accounts/${id}`, { admin: true })).body;
      expect({ status: shown.status, dunningStage: shown.dunningStage }).toEqual({
        status: "ACTIVE",
        dunningStage: "NONE",
        ...changes,
      });
    });
  }

  test("G-077 G-129 a suspended account is refused on every documented route of its own, and creates nothing", async () => {
    const { id, key } = await w.account();
    await w.app.env.db.write((tx) => updateTenant(tx, id as TenantId, { dunningStage: "SUSPENDED" }));
    const routes = (await documentedRoutes(w, "gateway")).filter(
      (route) =>
        route.path.startsWith("/v1/") && !route.path.startsWith("/v1/admin/") && !PUBLIC.includes(nameOf(route)),
    );
    for (const { method, path } of routes) {
      const answer = await w.gateway(path, {
        key,
        method,
        ...(method === "GET" ? {} : { body: { type: "SESSION", label: "A phone" } }),
      });
      expect([nameOf({ method, path }), gatewaySays(answer)]).toEqual([
        nameOf({ method, path }),
        "402 ACCOUNT_SUSPENDED",
      ]);
    }
    await w.app.env.db.write((tx) => updateTenant(tx, id as TenantId, { dunningStage: "NONE" }));
    expect((await w.gateway("/v1/phones", { key })).body).toEqual([]);
  });

  test("G-078 G-091 an account that the administrator cancels is inactive, and active again when it is reinstated", async () => {
    const { id, key } = await w.account();
    const set = (status: string) =>
      w.gateway(`/v1/admin/accounts/${id}`, { admin: true, method: "PATCH", body: { status } });
    expect((await set("CANCELLED")).body.status).toBe("CANCELLED");
    expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("403 ACCOUNT_INACTIVE");
    expect((await set("ACTIVE")).body.status).toBe("ACTIVE");
    expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("200");
  });
});

test("G-081 scopes are kept with a key and restrict nothing", async () => {
  const { id } = await w.account();
  const issued = (await issue(id, { name: "scoped", scopes: ["x", "nothing:at-all"] })).body;
  expect(issued.scopes).toEqual(["x", "nothing:at-all"]);
  expect((await w.gateway("/v1/phones", { key: issued.key, body: { type: "SESSION", label: "A phone" } })).status).toBe(
    201,
  );
});

describe("the admin API opens to the admin token alone", () => {
  test("G-082 the admin token opens it", async () =>
    expect(gatewaySays(await w.gateway("/v1/admin/accounts", { admin: true }))).toBe("200"));

  const wrong: Record<string, Record<string, string>> = {
    "G-083 a missing token": {},
    "G-083 an empty token": { "x-admin-token": "" },
    "G-083 a wrong token": { "x-admin-token": "the-admin-token-of-the-testz" },
    "G-083 the start of the token": { "x-admin-token": "the-admin-token" },
    "G-083 the token as a bearer": { authorization: `Bearer ${ADMIN_TOKEN}` },
  };
  for (const [title, headers] of Object.entries(wrong)) {
    test(title, async () => {
      const accounts = async () => (await w.gateway("/v1/admin/accounts?limit=200", { admin: true })).body.items.length;
      const before = await accounts();
      expect(gatewaySays(await w.gateway("/v1/admin/accounts", { headers, body: { name: "Mine" } }))).toBe(
        "403 ADMIN_FORBIDDEN",
      );
      expect(await accounts()).toBe(before);
    });
  }

  test("G-085 an API key does not open it", async () => {
    const { key } = await w.account();
    expect(gatewaySays(await w.gateway("/v1/admin/accounts", { key }))).toBe("403 ADMIN_FORBIDDEN");
    expect(gatewaySays(await w.gateway("/v1/admin/nothing", { key }))).toBe("403 ADMIN_FORBIDDEN");
  });

  test("G-055 G-084 a server without an admin token has no admin API, whatever is presented", async () => {
    const closed = await startWorld({ env: { RECADO_ADMIN_TOKEN: "" } });
    try {
      const routes = (await documentedRoutes(closed, "gateway")).filter(({ path }) => path.startsWith("/v1/admin/"));
      expect(routes.length).toBeGreaterThan(8);
      for (const { method, path } of routes) {
        for (const admin of [false, true])
          expect([nameOf({ method, path }), gatewaySays(await closed.gateway(path, { method, admin }))]).toEqual([
            nameOf({ method, path }),
            "503 ADMIN_DISABLED",
          ]);
      }
    } finally {
      await closed.stop();
    }
  });
});

test("X-255 every route of an account lies below /v1", async () => {
  const outside = (await documentedRoutes(w, "gateway"))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith("/v1/"));
  expect([...new Set(outside)].toSorted()).toEqual([
    "/files/{accountId}/recordings/{callId}/{fileId}",
    "/files/{accountId}/{mediaId}",
    "/health",
    "/health/ready",
    "/origin",
    "/sent-files/{messageId}",
    "/versao",
  ]);
});

test("G-089 no route outside the admin API creates an account", async () => {
  const routes = (await documentedRoutes(w, "gateway")).filter(({ path }) => !path.startsWith("/v1/admin/"));
  expect(
    routes
      .filter(({ path, method }) => method !== "GET" && /account|register|signup|tenant|institution/.test(path))
      .map(nameOf),
  ).toEqual([
    "POST /v1/account/join-codes", // makes a code for the owner of an institution
    "POST /v1/phones/waba/embedded-signup/events",
    "POST /v1/phones/waba/embedded-signup", // makes a phone
    "PATCH /v1/account/integrations/llm", // changes one's own
  ]);
  const { key } = await w.account();
  const made = async (path: string) => gatewaySays(await w.gateway(path, { key, body: { name: "Mine" } }));
  for (const path of ["/v1/accounts", "/v1/register"]) expect(await made(path)).toBe("404 NOT_FOUND");
  expect(await made("/v1/account")).toBe("405 METHOD_NOT_ALLOWED"); // it shows the key's own
});

const issue = (accountId: string, body: object) =>
  w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true, body });
