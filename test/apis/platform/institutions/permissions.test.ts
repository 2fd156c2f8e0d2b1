import { describe, expect, test } from "bun:test";
import type { route } from "../../../../src/apis/platform/route-options.ts";
import { PERMISSIONS } from "../../../../src/core/tenancy/keys/keys.ts";
import { isolatedRoutes } from "../../../support/tenants/isolation.ts";
import { customer, made } from "../../../support/tenants/platform.ts";
import { addressed, documented, isPermission, ROUTES, type Route } from "../../../support/tenants/platform-routes.ts";
import {
  callRoute,
  everything,
  isReading,
  sharedByRoutes,
  thingsOf,
} from "../../../support/tenants/platform-things.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

test("a route of the document without an entry in ROUTES fails here, and an entry without a route too", async () => {
  const { body } = await w.platform("/openapi.json");
  expect(documented(body).sort()).toEqual(Object.keys(ROUTES).sort());
});

/** What the compiler finds: a line that says the opposite does not compile. */
type Takes<Place, Given> = Given extends Place ? "yes" : "no";
type Stating<More> = Takes<Parameters<typeof route>[0], { operationId: "getChannel"; isolation: "own" } & More>;
const demanded: [
  Stating<object>,
  Stating<{ permission: "channels.read" }>,
  Stating<{ power: "keys.read" }>,
  Stating<{ access: "public" }>,
  Stating<{ access: "testKey"; permission: "channels.read" }>,
  Stating<{ access: "public"; permission: "channels.read" }>,
  Stating<{ permission: "channels.read"; power: "keys.read" }>,
] = ["no", "yes", "yes", "yes", "yes", "no", "no"];

test("a route that says neither who opens it nor what it needs does not compile", () => {
  expect(demanded).toEqual(["no", "yes", "yes", "yes", "yes", "no", "no"]);
});

/** A member may leave by this route, so it lets everybody in who may see the members; to remove others needs more. */
const LEAVING = "DELETE /v1/institutions/{institutionId}/members/{userId}";

test("each route states the permission, the power and the limit that the tests ask it for, and who else opens it", () => {
  const stated = isolatedRoutes("platform").map(({ name, access, keyNeeds, roleNeeds, limit }) => [
    name,
    [access, keyNeeds, roleNeeds, limit].join(" / "),
  ]);
  const asked = Object.entries(ROUTES).map(([name, { access, power = "", perMinute, testOnly }]) => {
    const permission = isPermission(access) ? access : "";
    const opening = isPermission(access) || access === "any" || power ? "credentials" : access;
    const limit = perMinute === undefined ? "" : `${perMinute} a minute`;
    const role = name === LEAVING ? "members.read" : power;
    return [name, [testOnly ? "testKey" : opening, permission, role, limit].join(" / ")];
  });
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(asked));
});

const routes = Object.entries(ROUTES);
const guarded = routes.flatMap(([route, spec]) =>
  isPermission(spec.access) ? [{ route, spec, permission: spec.access }] : [],
);
const protectedRoutes = routes.filter(([, { access }]) => access !== "public");

const withThings = async (spec: Route) => {
  const who = await customer(w);
  return { who, things: await thingsOf(w, who, spec) };
};
const untouched = sharedByRoutes(withThings);

describe("permissions", () => {
  test.each(guarded)(
    "P-029 P-118 P-133 P-134 P-135 P-136 P-137 P-138 P-139 P-140 P-141 P-142 P-143 P-144 P-145 P-146 P-147 P-148 P-149 P-150 P-151 P-152 P-153 P-154 P-155 P-156 P-157 P-190 P-220 P-240 $route is opened by $permission and by nothing else",
    async ({ route, spec, permission }) => {
      const { who, things } = await (isReading(route) ? untouched : withThings)(spec);
      const environment = spec.testOnly ? "test" : "live";
      const without = await w.platformKey(who.token, {
        environment,
        permissions: PERMISSIONS.filter((one) => one !== permission),
      });
      const alone = await w.platformKey(who.token, { environment, permissions: [permission] });
      const before = await everything(w, who, things);
      const refused = await callRoute(w, [route, spec], things, { key: without });
      expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
      expect(Object.keys(refused.body).sort()).toEqual(["code", "message"]);
      expect(await everything(w, who, things)).toEqual(before);
      expect((await callRoute(w, [route, spec], things, { key: alone })).status).toBe(spec.opens);
    },
  );

  test.each(routes.filter(([, { access }]) => access === "user" || access === "pending"))(
    "P-091 P-116 %s is opened by a user's token and by no key, whatever it may do",
    async (route, spec) => {
      const { who, things } = await (isReading(route) ? untouched : withThings)(spec);
      const before = await everything(w, who, things);
      const refused = await callRoute(w, [route, spec], things, { key: who.key });
      expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
      expect(await everything(w, who, things)).toEqual(before);
      expect((await callRoute(w, [route, spec], things, { token: who.token })).status).toBe(spec.opens);
    },
  );

  test.each(guarded.filter(({ spec }) => !spec.testOnly))(
    "P-073 $route is opened by a complete token",
    async ({ route, spec }) => {
      const { who, things } = await (isReading(route) ? untouched : withThings)(spec);
      expect((await callRoute(w, [route, spec], things, { token: who.token })).status).toBe(spec.opens);
    },
  );

  test.each(guarded.filter(({ spec }) => spec.testOnly))(
    "P-157 $route is opened by no live key and no token, whatever they may do",
    async ({ route, spec }) => {
      const { who, things } = await untouched(spec);
      const before = await everything(w, who, things);
      for (const as of [{ key: who.key }, { token: who.token }]) {
        const refused = await callRoute(w, [route, spec], things, as);
        expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
        expect(refused.body.message).toContain("test key");
      }
      expect(await everything(w, who, things)).toEqual(before);
    },
  );

  test.each(routes.filter(([, { access }]) => access === "public"))(
    "P-040 P-060 %s needs no authentication",
    async (route, spec) => {
      expect((await callRoute(w, [route, spec], await thingsOf(w, await customer(w), spec), {})).status).toBe(
        spec.opens,
      );
    },
  );

  test("P-029 a permission is checked before the body, and before the resource is looked up", async () => {
    const { token } = await customer(w);
    for (const { route, permission } of guarded) {
      const key = await w.platformKey(token, {
        permissions: [permission === "contacts.read" ? "channels.read" : "contacts.read"],
      });
      const { method, path } = addressed(route, {});
      const answer = await w.platform(path, { method, key, ...(method === "GET" ? {} : { body: { name: 1 } }) });
      expect([route, answer.status, answer.body.code]).toEqual([route, 403, "FORBIDDEN_PERMISSION"]);
    }
  });
});

describe("a pending token", () => {
  test.each(protectedRoutes)("P-072 P-081 at %s: it opens the choice of an institution alone", async (route, spec) => {
    const who = await customer(w);
    const things = await thingsOf(w, who, spec);
    made(await w.platform("/v1/institutions", { token: who.token, body: { name: "Second" } }), 201);
    const { body } = await w.platform("/v1/auth/login", { body: { email: who.email, password: "password-1" } });
    const before = await everything(w, who, things);
    const answer = await callRoute(w, [route, spec], things, { token: body.token });
    if (spec.access === "pending") return expect(answer.status).toBe(spec.opens);
    expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN_PERMISSION"]);
    expect(answer.body.message).toContain("institution");
    expect(await everything(w, who, things)).toEqual(before);
  });
});
