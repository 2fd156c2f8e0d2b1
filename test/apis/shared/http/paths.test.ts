import { beforeAll, describe, expect, test } from "bun:test";
import { idsFor } from "../../../support/apis/body-routes.ts";
import { documentedRoutes, nameOf, type Route } from "../../../support/apis/open-api.ts";
import { ROUTES } from "../../../support/tenants/platform-routes.ts";
import { everyRow, newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import { requestRaw } from "../../../support/wire.ts";
import { ADMIN_TOKEN } from "../../../support/world.ts";

const MINUTE_MS = 60_000;
const PER_MINUTE = 5;

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "1000000" } });
let tenant: Tenant;
let routes: Route[];
beforeAll(async () => {
  tenant = await newTenant(w, "tenant");
  routes = (await Promise.all([documentedRoutes(w, "gateway"), documentedRoutes(w, "platform")])).flat();
});

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
const filled = ({ path }: Route, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "none");
const credentialsFor = ({ api, method, path }: Route): Record<string, string> => {
  if (api === "gateway")
    return path.startsWith("/v1/admin") ? { "x-admin-token": ADMIN_TOKEN } : { "x-api-key": tenant.gatewayKey };
  return { authorization: `Bearer ${ROUTES[nameOf({ method, path })]?.testOnly ? tenant.testKey : tenant.token}` };
};

const ask = (route: Route, path: string, method = route.method) => {
  const headers = { ...credentialsFor(route), "x-phone-id": tenant.ids.phoneId, "content-length": "0" };
  return requestRaw(w.app.url, { path: `/${route.api}${path}`, host: new URL(w.app.url).host, method, headers });
};

let asked = 0;
/** The same, no oftener than a plan lets anybody ask. */
const askInTurn: typeof ask = async (...what) => {
  if (++asked % PER_MINUTE === 0) await w.advance(MINUTE_MS);
  return ask(...what);
};

const NOT_PLAIN = [
  "100%",
  "%00",
  "a%00",
  "%c3",
  "%E0%A4%A",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  ".%2e",
  "..%2f",
  "..%2Fx",
  "a%2f..%2fb",
  "..%5c",
  "..\\x",
  "x/..",
  "x/%2e%2e/y",
  "x//%2e%2e/%2e%2e",
];

describe("a path that does not say what it says", () => {
  test("is 400 VALIDATION_ERROR on every route with an id in it, in the shape of its API, and nothing happens", async () => {
    let before = await everyRow(w);
    const wrong: string[] = [];
    const places = routes.flatMap((route) => namesIn(route.path).map((name) => ({ route, name })));
    let sinceMinute = 0;
    for (const { route, name } of places) {
      // a plan lets a person ask 600 times a minute
      sinceMinute += route.api === "platform" ? NOT_PLAIN.length : 0;
      if (sinceMinute > 500) {
        sinceMinute = NOT_PLAIN.length;
        expect(await everyRow(w)).toEqual(before);
        await w.advance(MINUTE_MS);
        before = await everyRow(w); // what waited for that minute has happened
      }
      // a key of the sandbox may ask ten times a minute
      const isFew = route.api === "platform" && ROUTES[nameOf(route)]?.testOnly;
      for (const bad of isFew ? NOT_PLAIN.slice(0, 9) : NOT_PLAIN) {
        const { status, body } = await ask(route, filled(route, { ...idsFor(route, tenant), [name]: bad }));
        if (status !== 400 || !body.includes("VALIDATION_ERROR"))
          wrong.push(`${nameOf(route)} with ${bad} as ${name}: ${status} ${body.slice(0, 100)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await everyRow(w)).toEqual(before);
  }, 120_000);

  test("P-160 GAP-C11 is refused after the credentials, with the request's id and, on the platform, its limits", async () => {
    const headersOf = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(`${w.app.url}${path}`, { headers });
      await answer.text();
      const limits = ["limit", "remaining", "reset"].map((name) => answer.headers.get(`x-ratelimit-${name}`));
      return [answer.status, answer.headers.get("x-request-id") !== null, limits.every((one) => one !== null)];
    };
    const bearer = { authorization: `Bearer ${tenant.token}` };
    for (const bad of ["%00", "100%", "%c3"]) {
      expect(await headersOf(`/platform/v1/channels/${bad}`, bearer)).toEqual([400, true, true]);
      expect(await headersOf(`/platform/v1/channels/${bad}`, {})).toEqual([401, true, true]);
      expect(await headersOf(`/gateway/v1/phones/${bad}`, { "x-api-key": tenant.gatewayKey })).toEqual([
        400,
        true,
        false,
      ]);
      expect(await headersOf(`/gateway/v1/phones/${bad}`, {})).toEqual([401, true, false]);
      expect(await headersOf(`/gateway/v1/admin/accounts/${bad}`, {})).toEqual([403, true, false]);
    }
  });

  test.each(["%2e%2e", "%2e%2e/", "x/%2e%2e/%2e%2e", "x//%2e%2e/%2e%2e/%2e%2e/", "x/y//%2e%2e/%2e%2e/%2e%2e/%2e%2e/"])(
    "deletes nothing but what it names: DELETE …/ai-agent/knowledge/%s",
    async (path) => {
      const agent = `/v1/phones/${tenant.ids.phoneId}/ai-agent`;
      const route = { api: "gateway", method: "DELETE", path: agent, operation: {} } as const;
      expect((await ask(route, `${agent}/knowledge/${path}`)).status).toBe(400);
      expect((await ask(route, agent, "GET")).status).toBe(200);
    },
  );

  test.each([
    "/../metrics",
    "/gateway/%2e%2e/metrics",
    "/gateway/../console",
    "/%2e%2e/%2e%2e/console",
    "/console/100%",
    "/metrics/%00",
    "/%c3",
  ])("is 400 outside of the APIs too: %s", async (path) =>
    expect((await requestRaw(w.app.url, { path, host: new URL(w.app.url).host })).status).toBe(400),
  );

  test.each([
    ["/gateway/health", 200],
    ["/gateway/health/", 200],
    ["/gateway/health?x=/../100%25", 200],
    ["/gateway/v1//phones", 404],
    [`/gateway/v1/${"x/".repeat(40)}`, 404],
    ["/gateway/v1/phones/a...b", 404],
    ["/gateway/v1/phones/a%2fb", 404],
    ["/gateway/v1/phones/%C3%A9", 404],
    ["/", 302],
    ["/console", 200],
  ])("and no other path is: %s", async (path, status) => {
    const answer = await requestRaw(w.app.url, {
      path,
      host: new URL(w.app.url).host,
      headers: { "x-api-key": tenant.gatewayKey },
    });
    expect(answer.status).toBe(status);
  });
});

const upper = (ids: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, /^[0-9a-f-]{36}$/.test(id) ? id.toUpperCase() : id]),
  );

describe("ids are the same in upper and lower case", () => {
  test("in the path of everything that can be read", async () => {
    let found = 0;
    for (const route of routes.filter(({ method, path }) => method === "GET" && path.includes("{"))) {
      const ids = idsFor(route, tenant);
      const lower = await askInTurn(route, filled(route, ids));
      expect([nameOf(route), (await askInTurn(route, filled(route, upper(ids)))).status]).toEqual([
        nameOf(route),
        lower.status,
      ]);
      if (lower.status === 200) found += 1;
    }
    expect(found).toBeGreaterThan(15);
  }, 120_000);

  test("in queries, headers and bodies, on both APIs", async () => {
    const { gatewayKey: key, token, ids } = tenant;
    const phoneId = ids.phoneId.toUpperCase();
    const events = (await w.gateway(`/v1/events?phoneId=${ids.phoneId}`, { key })).body.items.length;
    expect(events).toBeGreaterThan(0);
    expect((await w.gateway(`/v1/events?phoneId=${phoneId}`, { key })).body.items).toHaveLength(events);
    const message = {
      phoneId,
      to: "5511999990001",
      type: "text",
      content: { text: "olá" },
      quotedMessageId: ids.messageId.toUpperCase(),
    };
    expect((await w.gateway("/v1/messages", { key, body: message })).status).toBe(202);
    const scheduledAt = new Date(w.clock.now() + 3_600_000).toISOString();
    expect((await w.gateway("/v1/messages/scheduled", { key, body: { scheduledAt, payload: message } })).status).toBe(
      201,
    );
    const batch = { channelId: phoneId, text: "olá", recipients: ["5511999990002"] };
    expect((await w.platform("/v1/bulk", { token, body: batch })).status).toBe(202);
  });

  test("but what is not ours stays as it was written", async () => {
    const { gatewayKey: key, ids } = tenant;
    const id = "AAAAAAAA-0000-4000-8000-00000000000A";
    const content = { text: "olá", buttons: [{ id, text: "Sim" }] };
    await w.gateway("/v1/messages", {
      key,
      body: { phoneId: ids.phoneId, to: "5511999990001", type: "button", content },
    });
    expect(JSON.stringify(await everyRow(w))).toContain(id);
  });
});

test("HEAD answers wherever GET does, with the same status, the stream of events too", async () => {
  for (const route of routes.filter(({ method }) => method === "GET")) {
    const path = filled(route, idsFor(route, tenant));
    const head = await askInTurn(route, path, "HEAD");
    const expected = path === "/v1/events/stream" ? 200 : (await askInTurn(route, path)).status;
    expect([nameOf(route), head.status, head.body]).toEqual([nameOf(route), expected, ""]);
  }
}, 120_000);
