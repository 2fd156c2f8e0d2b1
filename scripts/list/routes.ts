import { createGatewayApi } from "../../src/apis/gateway/api.ts";
import type { GatewayEnv } from "../../src/apis/gateway/env.ts";
import { scopesOf } from "../../src/apis/gateway/scopes.ts";
import { createPlatformApi } from "../../src/apis/platform/api.ts";
import type { Acts } from "../../src/apis/shared/acts.ts";
import type { StatedIsolation } from "../../src/apis/shared/isolation.ts";
import { onEmptyDatabase } from "../../src/description.ts";

/** A described route with the options that it states, and its operation in the OpenAPI document of its API. */
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
  /** The scope that a limited key needs; empty where keys open nothing, and in the platform API. */
  scope: string;
};

type Operation = { operationId: string; "x-scope"?: string } & Record<string, unknown>;
type Document = { paths: Record<string, Record<string, Operation>>; components: object };

/**
 * The routes of both APIs, and the documents that describe them, as a server with default settings has them. `parts`:
 * what its environment has in addition.
 */
export const statedRoutes = (
  parts: Partial<Pick<GatewayEnv, "advanceClock">> = {},
): Promise<{
  routes: StatedRoute[];
  documents: Record<StatedRoute["api"], Document>;
}> =>
  onEmptyDatabase(async (env) => {
    const mount = { prefix: "", url: "http://localhost" };
    const apis = { gateway: createGatewayApi({ ...env, ...parts }, mount), platform: createPlatformApi(env, mount) };
    const documentFrom = async (api: StatedRoute["api"]): Promise<Document> =>
      (await (await apis[api].app.handle(new Request("http://localhost/openapi.json"))).json()) as Document;
    const documents = { gateway: await documentFrom("gateway"), platform: await documentFrom("platform") };
    const scopes = scopesOf(apis.gateway.table);
    const scopeOf = (api: StatedRoute["api"], name: string, access: string) =>
      (api === "gateway" && access === "key" ? scopes.get(name) : undefined) ?? "";
    const routes = (["gateway", "platform"] as const).flatMap((api) =>
      apis[api].table.routes.flatMap(({ name, routeOptions: { access, maxBodyBytes, isolation, acts } }) => {
        const [method = "", pattern = ""] = name.split(" ");
        const path = pattern.replaceAll(/:(\w+)/g, "{$1}");
        const operation = documents[api].paths[path]?.[method.toLowerCase()];
        const scope = scopeOf(api, name, access);
        return operation ? [{ api, method, path, operation, access, maxBodyBytes, isolation, acts, scope }] : [];
      }),
    );
    return { routes, documents };
  });

const KIB = 1024;
const isolationText = (isolation: StatedIsolation): string =>
  typeof isolation === "string"
    ? isolation
    : isolation.map(([name, kinds]) => `${name}: ${kinds.join(" or ")}`).join(", ");

/** The rows of `npm run list -- routes`, with the names of their columns before them. */
export const routeRows = async (): Promise<string[][]> => {
  const { routes } = await statedRoutes();
  return [
    ["api", "method", "path", "operationId", "opened by", "scope", "body in KiB", "isolation", "acts"],
    ...routes.map(({ api, method, path, operation, access, maxBodyBytes, isolation, acts, scope }) => [
      api,
      method,
      path,
      operation.operationId,
      access,
      scope,
      String(Math.round(maxBodyBytes / KIB)),
      isolationText(isolation),
      typeof acts === "string" ? acts : acts.join(", "),
    ]),
  ];
};
