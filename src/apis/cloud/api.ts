import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { faultOf } from "../shared/faults.ts";
import { pathOf } from "../shared/request.ts";
import { cloudAuth, requestFrame } from "./auth.ts";
import type { CloudEnv } from "./env.ts";
import { faultResponse } from "./errors.ts";
import { nodes } from "./nodes.ts";
import { cloudTable } from "./route-options.ts";

/** The API that is compatible with the Cloud API on one page: every resource. */
export const createCloudApi = (env: CloudEnv, { prefix }: Mount) => {
  const auth = cloudAuth();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const api = new Elysia({ name: "api.cloud", prefix, normalize: "typebox" })
    .use(requestFrame(env, { find, prefix }))
    .onError(({ code, error, request, route, set }) => {
      const traceId = String(set.headers["x-fb-trace-id"] ?? "");
      return faultResponse(
        faultOf(code, error, { log: env.log, requestId: traceId, method: request.method, route }),
        traceId,
      );
    })
    .use(nodes(env, auth));
  const table = cloudTable(api.routes, prefix);
  return { app: api, table };
};
