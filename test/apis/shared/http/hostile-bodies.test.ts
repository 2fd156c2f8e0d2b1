import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { hmacSha256 } from "../../../../src/kernel/crypto.ts";
import { sampleOf } from "../../../support/apis/bad-bodies.ts";
import { goodBody, routesWithBodies, schemaOfBody, sendRaw } from "../../../support/apis/body-routes.ts";
import { HOSTILE_ROOTS, hostileBodiesOf, LONGEST_BODIES } from "../../../support/apis/hostile-bodies.ts";
import { nameOf, type Route } from "../../../support/apis/open-api.ts";
import { areAllRounds } from "../../../support/rounds.ts";
import { newTenant, type Tenant } from "../../../support/tenants/tenant.ts";
import { type Answer, APP_SECRET, startWorld, type World } from "../../../support/world.ts";

const MOST_GROWTH = 50 * 1024 * 1024;
const LARGEST_ANSWER = 64 * 1024;
const MINUTE_MS = 60_000;
const PER_MINUTE = 5;

let w: World;
let tenant: Tenant;
let routes: Route[];
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "1000000", RECADO_GATEWAY_SEND_RATE: "1000000" } });
  tenant = await newTenant(w, "tenant");
  routes = await routesWithBodies(w);
  await w.graph.stop(); // what it would make of such bodies is its own affair, in this very process
});
beforeEach(() => w.advance(MINUTE_MS));
afterAll(async () => {
  const stopped = w.stop();
  // some connections have bodies that were refused before they were read: the server gives them its grace, by this
  // clock
  await w.advance(MINUTE_MS);
  await stopped;
});

let sent = 0;

/** Of the bodies for a route: all of them in CI; else every sixteenth, begun elsewhere for each route. */
const some = <One>(all: readonly One[], route: number): readonly One[] =>
  areAllRounds ? all : all.filter((_, n) => (n + route) % 16 === 0);

/** What is wrong with how a body was answered: nothing where it was not our fault, took little and found others served. */
const faultsOf = async (what: string, send: () => Promise<Answer>): Promise<string[]> => {
  if (++sent % PER_MINUTE === 0) await w.advance(MINUTE_MS);
  await w.settle(); // what an earlier body has begun is not this one's
  const [answer, health] = await Promise.all([send(), w.gateway("/health")]);
  if (answer.status === 500) return [`${what}: ${answer.text.slice(0, 200)}`];
  if (answer.text.length > LARGEST_ANSWER && answer.status >= 400)
    return [`${what}: ${answer.status} of ${answer.text.length} characters`];
  return health.status === 200 ? [] : [`${what}: nobody else is served, ${health.status}`];
};

const page = async (path: string, body: string): Promise<Answer> => {
  const response = await fetch(w.app.url + path, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  return { status: response.status, headers: response.headers, text: await response.text(), body: undefined };
};

const memory = (): number => {
  Bun.gc(true);
  return process.memoryUsage.rss();
};

test("every body of a client is answered in few words, whatever its schema and however it is made, and others are served", async () => {
  const faults: string[] = [];
  for (const [at, route] of routes.entries()) {
    const bodies = some(
      hostileBodiesOf(schemaOfBody(route), goodBody(route, tenant), (of) => sampleOf(of, tenant.ids.phoneId)),
      at,
    );
    for (const [n, { why, raw }] of bodies.entries()) {
      const headers = n % 2 === 0 ? { prefer: "handling=strict" } : {};
      faults.push(
        ...(await faultsOf(`${nameOf(route)} ${why}`, () => sendRaw(w, tenant, route, { raw: raw(), headers }))),
      );
    }
  }
  expect(faults).toEqual([]);
  expect(sent).toBeGreaterThan(areAllRounds ? 1000 : 60);
}, 300_000);

test("so is every body that is no object at all", async () => {
  const faults: string[] = [];
  for (const [at, route] of routes.entries()) {
    // and the next route the next ones
    const roots = HOSTILE_ROOTS.filter((_, n) => (n + at) % (areAllRounds ? 4 : 16) === 0);
    for (const { why, raw } of roots)
      faults.push(...(await faultsOf(`${nameOf(route)} ${why}`, () => sendRaw(w, tenant, route, { raw: raw() }))));
  }
  expect(faults).toEqual([]);
}, 300_000);

test("so is every body at a receiver or a page, signed or not", async () => {
  const faults: string[] = [];
  const json = { "content-type": "application/json" };
  for (const { why, raw: made } of HOSTILE_ROOTS) {
    const raw = made();
    const signed = { ...json, "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, raw, "hex")}` };
    const forged = { ...json, "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    for (const path of ["/v1/upstream-webhook", "/v1/payment-webhook", `/v1/flows/data-exchange/${tenant.ids.flowId}`])
      for (const headers of [json, forged, signed])
        faults.push(...(await faultsOf(`${path} ${why}`, () => w.gateway(path, { raw, headers }))));
    for (const path of ["/console/setup?token=x", "/console", "/metrics"])
      faults.push(...(await faultsOf(`${path} ${why}`, () => page(path, raw))));
  }
  expect(faults).toEqual([]);
}, 300_000);

test.each(Object.entries(LONGEST_BODIES))("so is the longest that the API takes, of %s", async (why, made) => {
  const raw = made();
  const send = (path: string) => w.gateway(path, { key: tenant.gatewayKey, raw });
  expect(await faultsOf(why, () => send("/v1/ai/summary"))).toEqual([]);
  expect(await faultsOf(why, () => send(`/v1/phones/${tenant.ids.phoneId}/ai-agent/knowledge`))).toEqual([]);
});

test("none of them is kept: memory is what it was", async () => {
  const bodies = Object.values(LONGEST_BODIES).map((made) => made());
  const send = () => Promise.all(bodies.map((raw) => w.gateway("/v1/ai/summary", { key: tenant.gatewayKey, raw })));
  for (let n = 0; n < 3; n++) await send();
  const before = memory();
  for (let n = 0; n < 5; n++) await send();
  expect(memory() - before).toBeLessThan(MOST_GROWTH);
}, 120_000);
