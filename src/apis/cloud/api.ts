import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { faultOf } from "../shared/http/faults.ts";
import { pathOf } from "../shared/http/request.ts";
import { cloudAuth, cloudFrame } from "./auth.ts";
import type { CloudEnv } from "./env.ts";
import { faultResponse, graphError, Refused } from "./errors.ts";
import { files, uploads } from "./media.ts";
import { messages } from "./messages.ts";
import { nodes } from "./nodes.ts";
import { profile } from "./profile.ts";
import { cloudTable } from "./route-options.ts";
import { targets } from "./targets.ts";
import { templates } from "./templates.ts";
import { tokens } from "./tokens.ts";

/** Elysia reads no body: `paramsOf` and the uploads read it, within their limits. */
const unread = (): null => null;

/** The API that is compatible with the Cloud API on one page: every resource. */
export const createCloudApi = (env: CloudEnv, { prefix }: Mount) => {
  const auth = cloudAuth();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const api = new Elysia({ name: "api.cloud", prefix, normalize: "typebox" })
    .use(cloudFrame(env, { find, prefix }))
    .onError(({ code, error, request, route, set }) => {
      const traceId = String(set.headers["x-fb-trace-id"] ?? "");
      if (error instanceof Refused) return graphError(error.named, { details: error.message, traceId });
      return faultResponse(
        faultOf(code, error, { log: env.log, requestId: traceId, method: request.method, route }),
        traceId,
      );
    })
    .guard({ parse: [unread] })
    .use(files(env))
    .use(tokens(env, auth))
    .use(messages(env, auth))
    .use(uploads(env, auth))
    .use(templates(env, auth))
    .use(profile(env, auth))
    .use(nodes(env, auth))
    .use(targets(env, auth));
  const table = cloudTable(api.routes, prefix);
  return { app: api, table };
};
