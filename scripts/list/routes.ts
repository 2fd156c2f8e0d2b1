import { createGatewayApi } from "../../src/apis/gateway/api.ts";
import type { GatewayEnv } from "../../src/apis/gateway/env.ts";
import type { GatewayRouteOptions } from "../../src/apis/gateway/route-options.ts";
import { scopesOf } from "../../src/apis/gateway/scopes.ts";
import { createPlatformApi } from "../../src/apis/platform/api.ts";
import type { PlatformRouteOptions } from "../../src/apis/platform/route-options.ts";
import type { Acts } from "../../src/apis/shared/acts.ts";
import type { StatedIsolation } from "../../src/apis/shared/isolation.ts";
import type { RouteTable } from "../../src/apis/shared/route-table.ts";
import { onEmptyDatabase } from "../../src/description.ts";

/** A described route with its options, and its operation in the OpenAPI document of its API. */
export type StatedRoute = {
  api: "gateway" | "platform";
  method: string;
  /** With its `{parameters}`. */
  path: string;
  operation: Operation;
  access: string;
  maxBodyBytes: number;
  isolation: StatedIsolation;
  acts: Acts;
  /** The right that a limited key needs: a scope of the gateway API, a permission of the platform API; else empty. */
  keyNeeds: string;
  /** The right that a person's role needs, if no key has it or if it differs from that of a key; else empty. */
  roleNeeds: string;
  /** The limits of the route besides those of all requests, in words; else empty. */
  limit: string;
};

type Operation = { operationId: string; "x-scope"?: string } & Record<string, unknown>;
type Document = { paths: Record<string, Record<string, Operation>>; components: object };
type Needs = Pick<StatedRoute, "keyNeeds" | "roleNeeds" | "limit">;
/** A described route as the table of its API has it, with what it needs. */
type Listed = { name: string; routeOptions: GatewayRouteOptions | PlatformRouteOptions; needs: Needs };

const gatewayRoutes = (table: RouteTable<GatewayRouteOptions>): Listed[] => {
  const scopes = scopesOf(table);
  return table.routes.map(({ name, routeOptions }) => ({
    name,
    routeOptions,
    needs: {
      keyNeeds: routeOptions.access === "key" ? (scopes.get(name) ?? "") : "",
      roleNeeds: routeOptions.roleScope,
      limit: routeOptions.countsAsSend ? "a send" : "",
    },
  }));
};

const platformRoutes = ({ routes }: RouteTable<PlatformRouteOptions>): Listed[] =>
  routes.map(({ name, routeOptions }) => ({
    name,
    routeOptions,
    needs: {
      keyNeeds: routeOptions.permission,
      roleNeeds: routeOptions.power,
      limit: routeOptions.perMinute > 0 ? `${routeOptions.perMinute} a minute` : "",
    },
  }));

/**
 * The routes of both APIs and their documents, from a server with default settings. `parts`: additions to its
 * environment.
 */
export const statedRoutes = (
  parts: Partial<Pick<GatewayEnv, "advanceClock">> = {},
): Promise<{
  routes: StatedRoute[];
  documents: Record<StatedRoute["api"], Document>;
}> =>
  onEmptyDatabase(async (env) => {
    const mount = { prefix: "", url: () => "http://localhost" };
    const apis = { gateway: createGatewayApi({ ...env, ...parts }, mount), platform: createPlatformApi(env, mount) };
    const documentFrom = async (api: StatedRoute["api"]): Promise<Document> =>
      (await (await apis[api].app.handle(new Request("http://localhost/openapi.json"))).json()) as Document;
    const documents = { gateway: await documentFrom("gateway"), platform: await documentFrom("platform") };
    const listed = { gateway: gatewayRoutes(apis.gateway.table), platform: platformRoutes(apis.platform.table) };
    const routes = (["gateway", "platform"] as const).flatMap((api) =>
      listed[api].flatMap(({ name, routeOptions: { access, maxBodyBytes, isolation, acts }, needs }) => {
        const [method = "", pattern = ""] = name.split(" ");
        const path = pattern.replaceAll(/:(\w+)/g, "{$1}");
        const operation = documents[api].paths[path]?.[method.toLowerCase()];
        return operation ? [{ api, method, path, operation, access, maxBodyBytes, isolation, acts, ...needs }] : [];
      }),
    );
    return { routes, documents };
  });

const KIB = 1024;
const isolationText = (isolation: StatedIsolation): string =>
  typeof isolation === "string"
    ? isolation
    : isolation.map(([name, kinds]) => `${name}: ${kinds.join(" or ")}`).join(", ");

/** TABLE: the columns of `npm run list -- routes`. */
const COLUMNS: Readonly<Record<string, (route: StatedRoute) => string>> = {
  api: ({ api }) => api,
  method: ({ method }) => method,
  path: ({ path }) => path,
  operationId: ({ operation }) => operation.operationId,
  "opened by": ({ access }) => access,
  "a key needs": ({ keyNeeds }) => keyNeeds,
  "a role needs": ({ roleNeeds }) => roleNeeds,
  limit: ({ limit }) => limit,
  "body in KiB": ({ maxBodyBytes }) => String(Math.round(maxBodyBytes / KIB)),
  isolation: ({ isolation }) => isolationText(isolation),
  acts: ({ acts }) => (typeof acts === "string" ? acts : acts.join(", ")),
};

/** The rows of `npm run list -- routes`, with the names of their columns before them. */
export const routeRows = async (): Promise<string[][]> => {
  const { routes } = await statedRoutes();
  return [Object.keys(COLUMNS), ...routes.map((route) => Object.values(COLUMNS).map((textOf) => textOf(route)))];
};
