import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTENT_TYPES } from "../../../src/contract/content/content.ts";
import { documentedRoutes, resolvedIn } from "../../support/apis/open-api.ts";
import { gatewaySays } from "../../support/refusals.ts";
import { tripwire } from "../../support/servers/hostile.ts";
import { startWorld, VERIFY_TOKEN, type World } from "../../support/world.ts";

/** A route of each area that the first release had. */
const AREAS = [
  "POST /v1/phones",
  "POST /v1/messages",
  "POST /v1/messages/{id}/react",
  "POST /v1/messages/{id}/edit",
  "POST /v1/media/upload",
  "POST /v1/webhooks",
  "GET /v1/events/stream",
  "POST /v1/templates",
  "POST /v1/calls",
  "POST /v1/groups",
  "POST /v1/flows",
  "POST /v1/lookup",
  "GET /v1/billing/current",
  "GET /v1/admin/system",
];

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

test("G-020 the process says that it is alive, without a key", async () => {
  const { status, body } = await w.gateway("/health");
  expect({ status, body }).toEqual({ status: 200, body: { status: "ok" } });
});

describe("G-021 readiness is asked without a key and covers database, cache and storage", () => {
  const ok = { database: "ok", cache: "ok", storage: "ok" };

  test("G-021 all of them work", async () => {
    const { status, body } = await w.gateway("/health/ready");
    expect({ status, body }).toEqual({ status: 200, body: { status: "ready", checks: ok } });
  });

  test("G-021 storage that is gone makes the server not ready, until it is back", async () => {
    const parent = mkdtempSync(join(tmpdir(), "recado-ready-"));
    const dataDir = join(parent, "data");
    const other = await startWorld({ env: { RECADO_DATA_DIR: dataDir } });
    try {
      renameSync(dataDir, `${dataDir}-away`);
      const { status, body } = await other.gateway("/health/ready");
      expect({ status, body }).toEqual({
        status: 503,
        body: { status: "not_ready", checks: { ...ok, storage: "error" } },
      });
      expect((await other.gateway("/health")).status).toBe(200);
      renameSync(`${dataDir}-away`, dataDir);
      expect((await other.gateway("/health/ready")).status).toBe(200);
    } finally {
      await other.stop();
      rmSync(parent, { recursive: true });
    }
  });

  test("G-021 a bucket that cannot be reached makes the server not ready, and keeps it from nothing else", async () => {
    const gone = await tripwire();
    await gone[Symbol.asyncDispose]();
    const media = {
      RECADO_MEDIA: `s3://media?endpoint=http://127.0.0.1:${gone.port}`,
      RECADO_S3_ACCESS_KEY_ID: "key",
      RECADO_S3_SECRET_ACCESS_KEY: "secret",
    };
    const other = await startWorld({ env: media });
    try {
      const { status, body } = await other.gateway("/health/ready");
      expect({ status, body }).toEqual({
        status: 503,
        body: { status: "not_ready", checks: { ...ok, storage: "error" } },
      });
      expect((await other.gateway("/health")).status).toBe(200);
    } finally {
      await other.stop();
    }
  });

  test("G-021 a runner that has stopped makes the server not ready", async () => {
    const other = await startWorld();
    try {
      await other.app.runner.stop(1000);
      const { status, body } = await other.gateway("/health/ready");
      expect({ status, body }).toEqual({
        status: 503,
        body: { status: "not_ready", checks: { ...ok, cache: "error" } },
      });
    } finally {
      await other.stop();
    }
  });
});

test("G-022 G-023 G-024 G-651 the version names the commit and when the instance started, without a key", async () => {
  const startedAt = new Date(w.clock.now()).toISOString();
  const first = await w.gateway("/versao");
  expect({ status: first.status, body: first.body }).toEqual({
    status: 200,
    body: { servico: "recado", commit: expect.any(String), subidoEm: startedAt },
  });
  const head = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: import.meta.dir, stderr: "ignore" });
  expect(first.body.commit).toBe(head.exitCode === 0 ? head.stdout.toString().trim() : "unknown");
  await w.advance(5000);
  expect((await w.gateway("/versao")).body).toEqual(first.body);
  await w.restart();
  expect((await w.gateway("/versao")).body.subidoEm).toBe(new Date(w.clock.now()).toISOString());
});

test("G-025 the description requires no body that may be missing", async () => {
  const bodies = (await documentedRoutes(w, "gateway")).filter(({ operation }) => operation.requestBody !== undefined);
  const optional = bodies.flatMap(({ operation }) =>
    operation.requestBody.required === true ? [] : [String(operation.operationId)],
  );
  expect(new Set(optional)).toEqual(
    new Set([
      "createPairingLink",
      "resyncChats",
      "clearChat",
      "readChat",
      "closeChat",
      "reopenChat",
      "noteAnswering",
      "testWebhook",
      "testPhoneWebhook",
      "handOffAiConversation",
      "hangUpCall",
      "issueInvoice",
      "rejectCall",
      "replayDeadLetters",
      "saveBillingCustomer",
      "syncContacts",
      "verifyNumber",
    ]),
  );
});

test("G-025 G-650 the description is OpenAPI 3, is served without a key, and lists the routes below the base URL, all of version 1", async () => {
  const { status, body } = await w.gateway("/openapi.json");
  expect(status).toBe(200);
  expect(body.openapi).toMatch(/^3\.\d+\.\d+$/);
  expect(body.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect(body.servers).toEqual([{ url: w.app.gatewayUrl }]);
  const routes = await documentedRoutes(w, "gateway");
  for (const path of [
    "/v1/phones",
    "/v1/phones/{id}",
    "/v1/messages",
    "/v1/messages/{id}",
    "/v1/webhooks",
    "/v1/events",
    "/v1/events/{id}/replay",
    "/v1/admin/accounts",
  ]) {
    expect(routes.map((route) => route.path)).toContain(path);
  }
  expect(routes.filter(({ path }) => /^\/v\d/.test(path) && !path.startsWith("/v1/"))).toEqual([]);
  const ids = routes.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(routes.length);
  for (const { path, operation } of routes) {
    expect(Object.keys(operation.responses as object).length).toBeGreaterThan(0);
    const named = (operation.parameters ?? [])
      .filter((one: { in: string }) => one.in === "path")
      .map((one: { name: string }) => one.name);
    expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
  }
});

test("G-652 the description has the three kinds of phone, the 15 types of messages, and routes of every area", async () => {
  const { components } = (await w.gateway("/openapi.json")).body;
  const { PhoneType, SendMessage } = components.schemas;
  expect(PhoneType["x-extensible-enum"]).toEqual(["SESSION", "WABA", "SOCIAL"]);
  expect(CONTENT_TYPES).toHaveLength(15);
  const sendable = JSON.stringify(resolvedIn({ components }, SendMessage));
  expect(CONTENT_TYPES.filter((type) => !sendable.includes(`"${type}"`))).toEqual([]);
  const listed = new Set((await documentedRoutes(w, "gateway")).map(({ method, path }) => `${method} ${path}`));
  expect(AREAS.filter((route) => !listed.has(route))).toEqual([]);
});

test("G-025 a route that needs no key says so in the description", async () => {
  const open = (await documentedRoutes(w, "gateway"))
    .filter(({ operation }) => operation.security?.length === 0)
    .map(({ method, path }) => `${method} ${path}`);
  expect(open).toEqual([
    "GET /health",
    "GET /health/ready",
    "GET /versao",
    "GET /origin",
    "GET /v1/upstream-webhook",
    "POST /v1/upstream-webhook",
    "GET /v1/upstream-webhook/{channelId}",
    "POST /v1/upstream-webhook/{channelId}",
    "POST /v1/payment-webhook",
    "POST /v1/chatwoot/{webhookId}",
    "POST /v1/flows/data-exchange/{flowId}",
    "GET /files/{accountId}/{mediaId}",
    "GET /sent-files/{messageId}",
    "GET /files/{accountId}/recordings/{callId}/{fileId}",
  ]);
});

describe("the upstream's handshake needs no key", () => {
  const ask = (query: Record<string, string>) =>
    w.gateway(`/v1/upstream-webhook?${new URLSearchParams(query).toString()}`);
  const good = { "hub.mode": "subscribe", "hub.verify_token": VERIFY_TOKEN, "hub.challenge": "1158201444" };

  test("G-026 the server's token is answered with the challenge as plain text", async () => {
    const answer = await ask(good);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "1158201444" });
    expect(answer.headers.get("content-type")).toStartWith("text/plain");
  });

  for (const [what, query] of Object.entries({
    "another token": { ...good, "hub.verify_token": "wrong" },
    "no token": { "hub.mode": "subscribe" },
    "another mode": { ...good, "hub.mode": "unsubscribe" },
    "no query": {},
  })) {
    test(`G-026 ${what} is refused`, async () => expect(gatewaySays(await ask(query))).toBe("403 FORBIDDEN"));
  }
});

describe("the upstream's events need no key but a signature", () => {
  const entry = { object: "whatsapp_business_account", entry: [] };

  test("G-027 a signed envelope is accepted", async () => {
    const { answers } = await w.graph.webhooks.send(entry);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[200, '{"received":true}']]);
  });

  test("G-027 one without a signature, with a wrong one or altered on its way is refused", async () => {
    for (const raw of [JSON.stringify(entry), "no json", ""]) {
      const answers = [
        await w.gateway("/v1/upstream-webhook", { method: "POST", raw }),
        await w.gateway("/v1/upstream-webhook", {
          method: "POST",
          raw,
          headers: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` },
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    }
  });

  test("G-055 without an app secret nothing can be verified, and nothing is accepted", async () => {
    const other = await startWorld({ env: { RECADO_META_APP_SECRET: "" } });
    try {
      expect(gatewaySays(await other.gateway("/v1/upstream-webhook", { body: entry }))).toBe(
        "503 UPSTREAM_APP_NOT_CONFIGURED",
      );
    } finally {
      await other.stop();
    }
  });
});
