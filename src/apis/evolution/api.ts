import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { bodyReaders } from "../shared/http/bodies.ts";
import { checkedBodies } from "../shared/http/checked-bodies.ts";
import { faultOf } from "../shared/http/faults.ts";
import { pathOf } from "../shared/http/request.ts";
import { evolutionAuth, evolutionFrame } from "./auth.ts";
import { business } from "./business.ts";
import { channels } from "./channels.ts";
import { chatActs } from "./chat-acts.ts";
import { chats } from "./chats.ts";
import type { EvolutionEnv } from "./env.ts";
import { faultResponse } from "./errors.ts";
import { formReader } from "./forms.ts";
import { groups } from "./groups.ts";
import { history } from "./history.ts";
import { instances } from "./instances.ts";
import { messages } from "./messages.ts";
import { missing } from "./missing.ts";
import { profiles } from "./profiles.ts";
import { proxies } from "./proxies.ts";
import { evolutionTable, routeOptions } from "./route-options.ts";
import { settings } from "./settings.ts";
import { statuses } from "./statuses.ts";
import { storedFiles } from "./stored-files.ts";
import { templates } from "./templates.ts";
import { webhooks } from "./webhooks/webhooks.ts";

/** The version of Evolution whose routes and shapes these are. Its clients read it. */
const COMPATIBLE_WITH = "2.3.7";

/** The API that is compatible with Evolution's on one page: every resource. */
export const createEvolutionApi = (env: EvolutionEnv, { prefix }: Mount) => {
  const auth = evolutionAuth();
  const { readJson, readBy } = bodyReaders(env);
  const readBody = ({ request }: { request: Request }, contentType: string): Promise<unknown> => {
    const form = formReader(request);
    return form ? readBy(request, form) : readJson({ request }, contentType);
  };
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const api = new Elysia({ name: "api.evolution", prefix, normalize: "typebox" })
    .use(evolutionFrame(env, { find }))
    .onError(({ code, error, request, route, set }) =>
      faultResponse(
        faultOf(code, error, { log: env.log, requestId: set.headers["x-request-id"], method: request.method, route }),
        `${request.method} ${pathOf(request)}`,
      ),
    )
    .onBeforeHandle(bodies.check)
    .get(
      "/",
      () => ({
        status: 200,
        message: "Recado speaks Evolution's API here.",
        version: COMPATIBLE_WITH,
        clientName: "recado",
      }),
      { detail: { ...routeOptions({ access: "public" }) } },
    )
    .guard({ parse: [readBody] })
    .use(instances(env, auth))
    .use(settings(env, auth))
    .use(proxies(env, auth))
    .use(webhooks(env, auth))
    .use(messages(env, auth))
    .use(statuses(env, auth))
    .use(chats(env, auth))
    .use(profiles(env, auth))
    .use(history(env, auth))
    .use(storedFiles(env, auth))
    .use(chatActs(env, auth))
    .use(business(env, auth))
    .use(channels(env, auth))
    .use(groups(env, auth))
    .use(templates(env, auth))
    .use(missing(auth));
  bodies.over(api.routes);
  const table = evolutionTable(api.routes, prefix);
  return { app: api, table };
};
