import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { goodBody, idsFor } from "../../../support/apis/body-routes.ts";
import { documentedRoutes, nameOf, type Route } from "../../../support/apis/open-api.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { type Attempt, isolatedRoute, ownAttempts } from "../../../support/tenants/isolation.ts";
import { ROUTES } from "../../../support/tenants/platform-routes.ts";
import { everyRow, newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, untilTrue } from "../../../support/world.ts";

// Over all POST routes of both documents: what a repeat under one Idempotency-Key gets, and what it does.

const MINUTE_MS = 60_000;
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
let tenant: Tenant;
let posts: Route[];
beforeAll(async () => {
  tenant = await newTenant(w, "tenant");
  const routes = (await Promise.all((["gateway", "platform"] as const).map((api) => documentedRoutes(w, api)))).flat();
  posts = routes.filter(({ method, operation }) => method === "POST" && operation.security?.length !== 0);
});
beforeEach(() => w.advance(MINUTE_MS)); // a new rate window

/** Ends what the test works with: the account's own access, its session, or the clock of the world. */
const ENDS_ACCESS = new Set([
  "POST /v1/auth/delete-user",
  "POST /v1/auth/change-password",
  "POST /v1/admin/api-keys/{id}/revoke",
  "POST /v1/api-keys/{id}/revoke",
  "POST /v1/admin/clock",
  "POST /v1/admin/token",
]);

const isJson = ({ operation }: Route): boolean => operation.requestBody?.content["application/json"] !== undefined;

/** A call of the route with things of the tenant's own, as the route's isolation has it. */
const attemptOf = (route: Route): Attempt => ownAttempts(isolatedRoute(route), tenant.ids)[0] ?? {};

const credentialsFor = (route: Route): { key?: string; token?: string; admin?: boolean } => {
  if (route.path.startsWith("/v1/admin/")) return { admin: true };
  if (route.api === "gateway") return { key: tenant.gatewayKey };
  return ROUTES[nameOf(route)]?.testOnly ? { key: tenant.testKey } : { token: tenant.token };
};

const call = (route: Route, key: string): Promise<Answer> => {
  const { params = {}, query, body, headers = {} } = attemptOf(route);
  const ids: Record<string, string> = { ...idsFor(route, tenant), ...params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "missing");
  const json = () => (route.operation.requestBody ? JSON.stringify(body ?? goodBody(route, tenant)) : "");
  return w[route.api](`${path}${query ? `?${new URLSearchParams(query).toString()}` : ""}`, {
    method: "POST",
    ...credentialsFor(route),
    raw: route.operation.requestBody && !isJson(route) ? "bytes of a file that is not read as JSON" : json(),
    headers: {
      "content-type": route.operation.requestBody && !isJson(route) ? "text/plain" : "application/json",
      "x-phone-id": tenant.ids.phoneId,
      "idempotency-key": key,
      ...headers,
    },
  });
};

/** What a repeat has in common with the first answer. */
const essence = ({ status, text, headers }: Answer) => ({
  status,
  text,
  location: headers.get("location"),
  cacheControl: headers.get("cache-control"),
});
/** Every row, once nothing is on its way: a reconnection goes on after its answer. */
const keptRows = async (): Promise<string[]> => {
  await untilTrue(async () => (await rowsOf(w, "SELECT id FROM channels WHERE state = 'CONNECTING'")).length === 0);
  return (await everyRow(w)).filter((row) => !row.startsWith("jobs "));
};
const keyCount = async (): Promise<number> =>
  (await rowsOf<{ n: number }>(w, "SELECT count(*) AS n FROM keyed_requests"))[0]?.n ?? 0;

test("the description names the header, that of a replay and the conflict at every POST with a credential", () => {
  for (const route of posts) {
    const { parameters, responses } = route.operation;
    const named = (parameters as { name: string }[]).filter(({ name }) => name === "Idempotency-Key");
    expect([nameOf(route), named.length, "409" in responses]).toEqual([nameOf(route), 1, true]);
    for (const [status, answer] of Object.entries(responses as Record<string, { headers?: object }>))
      if (status < "300")
        expect([nameOf(route), Object.keys(answer.headers ?? {})]).toEqual([
          nameOf(route),
          expect.arrayContaining(["Idempotent-Replayed"]),
        ]);
  }
});

describe("a repeat under one Idempotency-Key, on every POST with a credential,", () => {
  test("is answered as the first and does nothing; a refusal leaves the key free", async () => {
    const replays: string[] = [];
    for (const route of posts.filter((one) => !ENDS_ACCESS.has(nameOf(one)))) {
      const key = `repeat-${replays.length}-${route.path.length}-${posts.indexOf(route)}`;
      const name = `${route.api} ${nameOf(route)}`;
      const keysBefore = await keyCount();
      const first = await call(route, key);
      expect([name, first.headers.get("idempotent-replayed")]).toEqual([name, null]);
      const isKept = first.status < 400 || first.status >= 500;
      const before = await keptRows();
      const second = await call(route, key);
      if (isKept) {
        expect([name, essence(second), second.headers.get("idempotent-replayed")]).toEqual([
          name,
          essence(first),
          "true",
        ]);
        const after = await keptRows();
        expect([name, after.filter((row) => !before.includes(row)), after.length]).toEqual([name, [], before.length]);
        replays.push(`${first.status} ${name}`);
      } else {
        expect([name, second.status, second.headers.get("idempotent-replayed")]).toEqual([name, first.status, null]);
        expect([name, await keyCount()]).toEqual([name, keysBefore]);
      }
      await w.advance(MINUTE_MS);
    }
    // what sessions alone offer is refused to this phone, and so are some twenty of the routes
    expect(replays.length).toBeGreaterThan((posts.length - 20) / 2);
  }, 120_000);
});
