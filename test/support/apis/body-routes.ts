import { isolatedRoute } from "../tenants/isolation.ts";
import { NAMED, PLAIN } from "../tenants/isolation-fixtures.ts";
import { ROUTES } from "../tenants/platform-routes.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Answer, World } from "../world.ts";
import { type Schema, sampleOf } from "./bad-bodies.ts";
import { documentedRoutes, nameOf, type Route } from "./open-api.ts";

/** Every route of both APIs that takes JSON from a client, by their descriptions. */
export const routesWithBodies = async (w: World): Promise<Route[]> => {
  const routes = (await Promise.all((["gateway", "platform"] as const).map((api) => documentedRoutes(w, api)))).flat();
  return routes.filter(({ operation }) => {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    return !operation.tags?.includes("receivers") && schema && schema.format !== "binary";
  });
};

/** The schema of a body; of a body with several types, the schema of the first type. */
export const schemaOfBody = ({ operation }: Route): Schema => {
  const { schema } = operation.requestBody.content["application/json"];
  return schema.oneOf?.[0] ?? schema;
};

/** A body with only the fields that a route requires. */
export const goodBody = (route: Route, { ids }: Tenant): Record<string, unknown> =>
  sampleOf(schemaOfBody(route), ids.phoneId) as Record<string, unknown>;

/** TABLE: parameters of paths that name no thing of a tenant: the administrator's, and words. */
const OF_NO_KIND = ({ ids }: Tenant): Record<string, string> => ({
  id: ids.tenantId,
  keyId: ids.gatewayKeyId,
  code: "flat",
  name: "prune",
});

/** The things that a sandbox acts on: those of the simulated channel, which stand second. */
const isSandbox = ({ path }: Pick<Route, "path">): boolean => path.startsWith("/v1/sandbox/");

/**
 * An id for every parameter of a route's path. It names a thing of the tenant, of the kind that the isolation states.
 */
export const idsFor = (route: Route, tenant: Tenant): Record<string, string> => {
  const { parameters, namings } = isolatedRoute(route);
  const names = parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const others = { ...OF_NO_KIND(tenant), ...PLAIN };
  return Object.fromEntries(
    names.map((name) => {
      const kinds = namings.find((naming) => naming.name === name)?.kinds ?? [];
      const things = kinds.flatMap((kind) => NAMED[kind](tenant.ids, route.api));
      return [name, (isSandbox(route) ? things.at(-1) : things[0]) ?? others[name] ?? ""];
    }),
  );
};

/** The path of a route with ids of the tenant's things in it. */
const pathOf = (route: Route, tenant: Tenant): string => {
  const ids = idsFor(route, tenant);
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name];
    if (!value) throw new Error(`no value for ${name} of ${route.path}`);
    return value;
  });
};

/** Sends exactly these bytes to a route, with credentials that open it. */
export const sendRaw = (
  w: World,
  tenant: Tenant,
  route: Route,
  {
    raw,
    contentType = "application/json",
    headers = {},
  }: { raw: string; contentType?: string; headers?: Record<string, string> },
): Promise<Answer> => {
  const ofPlatform = ROUTES[nameOf(route)]?.testOnly ? { key: tenant.testKey } : { token: tenant.token };
  const credentials =
    route.api === "platform"
      ? ofPlatform
      : route.path.startsWith("/v1/admin/")
        ? { admin: true }
        : { key: tenant.gatewayKey };
  return w[route.api](pathOf(route, tenant), {
    method: route.method,
    ...credentials,
    raw,
    headers: { "content-type": contentType, "x-phone-id": tenant.ids.phoneId, ...headers },
  });
};
