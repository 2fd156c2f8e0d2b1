import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { RETENTION } from "../../src/core/retention.ts";
import { DAY_MS, iso } from "../../src/kernel/clock.ts";
import { goodBody, idsFor } from "../support/apis/body-routes.ts";
import { documentedRoutes, type Route } from "../support/apis/open-api.ts";
import { WALKS } from "../support/databases/plans.ts";
import { type Attempt, isolatedRoute, ownAttempts } from "../support/tenants/isolation.ts";
import { newTenant, type Tenant } from "../support/tenants/tenant.ts";
import { type Call, startWorld, type World } from "../support/world.ts";

// Every statement that the server runs while every route is asked with every filter, by the plan that SQLite makes.

const { prepare } = Database.prototype;
const prepared = new Set<string>();
let w: World;
let tenant: Tenant;

beforeAll(async () => {
  Database.prototype.prepare = function (this: Database, sql: string) {
    prepared.add(sql);
    return prepare.call(this, sql);
  } as typeof prepare;
  w = await startWorld({ isRemote: false, env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" } });
  tenant = await newTenant(w, "tenant");
});
afterAll(async () => {
  Database.prototype.prepare = prepare;
  await w.stop();
});

type Parameter = { in: string; name: string; schema?: { type?: string; format?: string; enum?: unknown[] } };

const sampleOf = ({ name, schema: { type, format, enum: values } = {} }: Parameter): string => {
  if (values) return String(values[0]);
  if (format === "date-time") return iso(w.clock.now() - DAY_MS);
  if (type === "integer" || type === "number") return "1";
  if (type === "boolean") return "true";
  return name === "type" ? "call:*" : tenant.ids.phoneId;
};

/** Without a filter, with each alone, and with all. */
const queriesOf = ({ method, operation }: Route): Record<string, string>[] => {
  const named = ((operation as { parameters?: Parameter[] }).parameters ?? []).filter(
    ({ in: place, name }) => method === "GET" && place === "query" && name !== "cursor",
  );
  const each = named.map((parameter) => ({ [parameter.name]: sampleOf(parameter) }));
  return [{}, ...each, Object.assign({}, ...each) as Record<string, string>];
};

const attemptOf = (route: Route): Attempt => ownAttempts(isolatedRoute(route), tenant.ids)[0] ?? {};

const credentialsFor = (route: Route): { key?: string; token?: string; admin?: boolean } => {
  if (route.path.startsWith("/v1/admin/")) return { admin: true };
  return route.api === "gateway" ? { key: tenant.gatewayKey } : { token: tenant.token };
};

/** What a call sends, by the description of its body. */
const sentBy = (route: Route): Pick<Call, "body" | "raw" | "headers"> => {
  const { body, headers = {} } = attemptOf(route);
  const { requestBody } = route.operation;
  if (route.method === "GET" || !requestBody) return { headers };
  if (body !== undefined) return { body, headers };
  if (requestBody.content["application/json"]) return { body: goodBody(route, tenant), headers };
  return { raw: "a file", headers: { "content-type": "application/octet-stream", ...headers } };
};

const ask = async (route: Route, query: Record<string, string>): Promise<void> => {
  const { params = {}, query: usual } = attemptOf(route);
  const ids: Record<string, string> = { ...idsFor(route, tenant), ...params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "missing");
  const asked = new URLSearchParams({ ...usual, ...query }).toString();
  await w[route.api](`${path}${asked ? `?${asked}` : ""}`, {
    method: route.method,
    ...credentialsFor(route),
    ...sentBy(route),
  });
};

/** What ends access, or has the world of the test do what no customer does. */
const LEFT_OUT = /stream$|clock|\/restore|delete-user|change-password|revoke|admin\/token|\/sign-out|\/close$/;
const ORDER = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** What may be walked through, and why: whatever else is walked through grows with messages, people or time. */
const SHORT: readonly [RegExp, string][] = [
  [/^SCAN \d+-ROW VALUES/, "the rows of the statement itself"],
  [/^SCAN contacts_search VIRTUAL TABLE INDEX 0:=/, "one row by its number"],
  [
    /^SCAN (wrapped_keys|migrations|plans|operators|processes|cron_runs|troubles)\b/,
    "set up by the operator or the program",
  ],
  [
    /^SCAN (tenants|channels|departed_channels|subscriptions|s|groups|queues)\b/,
    "as many as there are accounts and channels",
  ],
  [/^SCAN (usage_days|charge_days|invoices)\b/, "a row a day or a month for each account, added up by administrators"],
  [/^SCAN rate_windows\b/, "those of the current minute"],
  [/^SCAN audit_entries\b/, "its newest entries, until enough are found"],
];
const COUNTED = /SELECT 1 FROM (?:jobs|discarded_jobs|deliveries)[^)]* LIMIT 10000/;

const isShort = (step: string, sql: string): boolean =>
  SHORT.some(([pattern]) => pattern.test(step)) ||
  (COUNTED.test(sql) && /^SCAN (jobs|discarded_jobs|deliveries)\b/.test(step));

/** A statement and the steps of its plan that walk through a table that grows. */
const walksIn = (database: Database, statements: Iterable<string>): string[] =>
  [...statements]
    .filter((sql) => /^\s*(select|insert|update|delete|with)\b/i.test(sql))
    .flatMap((sql) => {
      const steps = prepare.call(database, `EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
      return steps.flatMap(({ detail }) => (WALKS.test(detail) && !isShort(detail, sql) ? [`${detail}: ${sql}`] : []));
    });

test("no statement of any route, with any filter, walks through a table that grows", async () => {
  const routes = (await Promise.all((["gateway", "platform"] as const).map((api) => documentedRoutes(w, api)))).flat();
  const asked = routes.filter(({ path }) => !LEFT_OUT.test(path));
  for (const method of ORDER)
    for (const route of asked.filter((one) => one.method === method))
      for (const query of queriesOf(route)) await ask(route, query);
  await w.settle();
  for (const { sweep } of RETENTION) await sweep?.(w.app.env, w.clock.now());
  const database = new Database(join(w.dataDir, "recado.db"), { readonly: true });
  expect(walksIn(database, prepared)).toEqual([]);
  expect(prepared.size).toBeGreaterThan(500);
  expect(walksIn(database, ["SELECT id FROM messages WHERE upper(recipient) = ?1"])).toHaveLength(1);
  database.close();
}, 300_000);
