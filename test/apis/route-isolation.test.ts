import { describe, expect, test } from "bun:test";
import type { DocumentDecoration } from "elysia";
import type { route } from "../../src/apis/gateway/route-options.ts";
import {
  fieldsOf,
  ISOLATED,
  type IsolatedRoute,
  isolatedRoutes,
  unknownNames,
  unnamedParameters,
} from "../support/tenants/isolation.ts";
import { BODIES } from "../support/tenants/isolation-fixtures.ts";

// What the routes state of their isolation, against their descriptions: two-tenants.test.ts makes its cases of it.

const named = (of: (route: IsolatedRoute) => readonly string[]): string[] =>
  ISOLATED.flatMap((route) => of(route).map((name) => `${route.api} ${route.name}: ${name}`));

/** Ids of a network, or of who asks: no tenant has a thing of that name. */
const NOT_OF_TENANTS = [
  "appId",
  "chatwootAccountId",
  "commentId",
  "joinRequestIds",
  "messagingAccountId",
  "rawId",
  "waIds",
  "wabaId",
];

/** What the compiler finds: a line that says the opposite does not compile. */
type Takes<Place, Given> = Given extends Place ? "yes" : "no";
type Stating = Parameters<typeof route>[0];
const demanded: [
  Takes<Stating, { operationId: "getPhone" }>,
  Takes<Stating, { operationId: "getPhone"; isolation: { id: "channel" } }>,
] = ["no", "yes"];
const routed: [
  Takes<DocumentDecoration, { operationId: "getPhone" }>,
  Takes<DocumentDecoration, ReturnType<typeof route>>,
] = ["no", "yes"];

describe("the isolation that a route states", () => {
  test("G-009 is demanded by the compiler: a description takes no operation id but of `route`, and `route` none without", () => {
    expect([demanded, routed]).toEqual([
      ["no", "yes"],
      ["no", "yes"],
    ]);
  });

  test("G-009 names parameters and fields that the route has, and every parameter of its path", () => {
    expect(ISOLATED.length).toBeGreaterThan(350);
    expect(named(unknownNames)).toEqual([]);
    expect(named(unnamedParameters)).toEqual([]);
  });

  test("G-009 names every field and filter that is called the id of something", () => {
    const idsIn = (route: IsolatedRoute): string[] =>
      fieldsOf(route).filter(
        (name) =>
          /Ids?$/.test(name) && !NOT_OF_TENANTS.includes(name) && !route.namings.some((naming) => naming.name === name),
      );
    expect(named(idsIn)).toEqual([]);
  });

  test("and the bodies of the cases are of schemas that a route has", () => {
    const names = new Set(ISOLATED.map(({ bodyName }) => bodyName));
    expect(Object.keys(BODIES).filter((name) => !names.has(name))).toEqual([]);
  });

  test("is the administrator's where the administrator's token opens the route, and no tenant's where no credentials do", () => {
    const wrong = ISOLATED.filter(({ access, isolation }) => {
      if ((isolation === "administrator") !== (access === "admin")) return true;
      const isOfNoTenant = typeof isolation === "string" && isolation.startsWith("none: ");
      return isOfNoTenant && (access === "key" || access === "credentials");
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(isolatedRoutes("gateway").filter(({ isolation }) => isolation === "administrator").length).toBeGreaterThan(
      40,
    );
  });
});
