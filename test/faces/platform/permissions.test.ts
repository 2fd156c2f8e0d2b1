import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../../src/core/tenancy/keys.ts";
import { type Customer, customer, made, rowsOf, wabaChannel, webhookBody } from "../../support/platform.ts";
import { addressed, documented, type Ids, isPermission, ROUTES, type Route } from "../../support/platform-routes.ts";
import { startWorld, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

test("a route of the document without an entry in ROUTES fails here, and an entry without a route too", async () => {
  const { body } = await w.platform("/openapi.json");
  expect(documented(body).sort()).toEqual(Object.keys(ROUTES).sort());
});

const routes = Object.entries(ROUTES);
const guarded = routes.flatMap(([route, facts]) => (isPermission(facts.access) ? [{ route, facts, permission: facts.access }] : []));
const protectedRoutes = routes.filter(([, { access }]) => access !== "public");

describe("permissions", () => {
  test.each(guarded)(
    "P-029 P-118 P-133 P-134 P-135 P-136 P-137 P-138 P-139 P-140 P-141 P-151 P-152 P-153 P-154 P-190 P-220 P-240 $route is opened by $permission and by nothing else",
    async ({ route, facts, permission }) => {
      const who = await customer(w);
      const without = await w.platformKey(who.token, { permissions: PERMISSIONS.filter((one) => one !== permission) });
      const alone = await w.platformKey(who.token, { permissions: [permission] });
      const things = await thingsOf(who);
      const before = await everything(who);
      const refused = await call(route, facts, things, { key: without });
      expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
      expect(Object.keys(refused.body).sort()).toEqual(["code", "message"]);
      expect(await everything(who)).toEqual(before);
      expect((await call(route, facts, things, { key: alone })).status).toBe(facts.opens);
    },
  );

  test.each(routes.filter(([, { access }]) => access === "user" || access === "pending"))(
    "P-091 P-116 %s is opened by a user's token and by no key, whatever it may do",
    async (route, facts) => {
      const who = await customer(w);
      const things = await thingsOf(who);
      const before = await everything(who);
      const refused = await call(route, facts, things, { key: who.key });
      expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
      expect(await everything(who)).toEqual(before);
      expect((await call(route, facts, things, { token: who.token })).status).toBe(facts.opens);
    },
  );

  test.each(guarded)("P-073 $route is opened by a complete token", async ({ route, facts }) => {
    const who = await customer(w);
    expect((await call(route, facts, await thingsOf(who), { token: who.token })).status).toBe(facts.opens);
  });

  test.each(routes.filter(([, { access }]) => access === "public"))("P-040 P-060 %s needs no authentication", async (route, facts) => {
    expect((await call(route, facts, await thingsOf(await customer(w)), {})).status).toBe(facts.opens);
  });

  test("P-029 a permission is asked for before the body is looked at and before what it is about is looked up", async () => {
    const { token } = await customer(w);
    const key = await w.platformKey(token, { permissions: ["contacts.read"] });
    for (const { route } of guarded) {
      const { method, path } = addressed(route, {});
      const answer = await w.platform(path, { method, key, ...(method === "GET" ? {} : { body: { name: 1 } }) });
      expect([route, answer.status, answer.body.code]).toEqual([route, 403, "FORBIDDEN_PERMISSION"]);
    }
  });
});

describe("a pending token", () => {
  test.each(protectedRoutes)("P-072 P-081 at %s: it opens the choice of an institution alone", async (route, facts) => {
    const who = await customer(w);
    const things = await thingsOf(who);
    made(await w.platform("/v1/institutions", { token: who.token, body: { name: "Second" } }), 201);
    const { body } = await w.platform("/v1/auth/login", { body: { email: who.email, password: "password-1" } });
    const before = await everything(who);
    const answer = await call(route, facts, things, { token: body.token });
    if (facts.access === "pending") return expect(answer.status).toBe(facts.opens);
    expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
    expect(answer.body.message).toContain("institution");
    expect(await everything(who)).toEqual(before);
  });
});

type Things = Ids & { strangerEmail: string };

/** One of everything that a path can name, of the customer. */
const thingsOf = async (who: Customer): Promise<Things> => {
  const [stranger, member] = [await w.institution(), await w.institution()];
  made(await w.platform(`/v1/institutions/${who.id}/members`, { token: who.token, body: { email: member.email } }), 201);
  const apiKey = made(await w.platform("/v1/api-keys", { token: who.token, body: { name: "Another", permissions: ["channels.read"] } }), 201);
  const webhook = made(await w.platform("/v1/webhooks", { key: who.key, body: webhookBody() }), 201);
  const { id: channelId } = await wabaChannel(w, who.key);
  return { institutionId: who.id, userId: member.userId, apiKeyId: apiKey.id, channelId, id: webhook.data.id, strangerEmail: stranger.email };
};

const call = (route: string, { body }: Route, things: Things, as: { key?: string; token?: string }) => {
  const { method, path } = addressed(route, things);
  return w.platform(path, { method, ...as, ...(body ? { body: body(things) } : {}) });
};

/** All that the customer can list, and what it cannot: what a refusal must leave alone. */
const everything = async ({ id, token }: Customer) => {
  const paths = ["/v1/api-keys", "/v1/channels", "/v1/webhooks", `/v1/institutions/${id}/members`, "/v1/auth/institutions"];
  const texts = await Promise.all(paths.map(async (path) => (await w.platform(path, { token })).text.replace(/"lastUsedAt":[^,]+/g, "")));
  return { texts, rows: await rowsOf(w, id) };
};
