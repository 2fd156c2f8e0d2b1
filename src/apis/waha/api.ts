import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { bodyReaders } from "../shared/http/bodies.ts";
import { checkedBodies } from "../shared/http/checked-bodies.ts";
import { faultOf } from "../shared/http/faults.ts";
import { pathOf } from "../shared/http/request.ts";
import { wahaAuth, wahaFrame } from "./auth.ts";
import { chats, oldMessages } from "./chats/chats.ts";
import { labels } from "./chats/labels.ts";
import type { WahaEnv } from "./env.ts";
import { faultResponse } from "./errors.ts";
import { groups } from "./groups/groups.ts";
import { newsletters } from "./groups/newsletters.ts";
import { statuses } from "./groups/statuses.ts";
import { missing } from "./missing.ts";
import { pairing } from "./pairing.ts";
import { calls } from "./people/calls.ts";
import { contacts, contactsOfSession } from "./people/contacts.ts";
import { lids } from "./people/lids.ts";
import { presence } from "./people/presence.ts";
import { profile } from "./people/profile.ts";
import { wahaTable } from "./route-options.ts";
import { acts, messageActs, signs } from "./sends/acts.ts";
import { menus } from "./sends/menus.ts";
import { fileMessages, messages } from "./sends/messages.ts";
import { formerSessions, sessions } from "./sessions.ts";
import { openSystem, system } from "./system.ts";

/** The API that is compatible with WAHA's on one page: every resource. */
export const createWahaApi = (env: WahaEnv, { prefix }: Mount) => {
  const auth = wahaAuth();
  const { readJson } = bodyReaders(env);
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const api = new Elysia({ name: "api.waha", prefix, normalize: "typebox" })
    .use(wahaFrame(env, { find }))
    .onError(({ code, error, request, route, set }) =>
      faultResponse(
        faultOf(code, error, { log: env.log, requestId: set.headers["x-request-id"], method: request.method, route }),
        `${request.method} ${pathOf(request)}`,
      ),
    )
    .onBeforeHandle(bodies.check)
    .use(openSystem())
    .guard({ parse: [readJson] })
    .use(system(env, auth))
    .use(sessions(env, auth))
    .use(formerSessions(env, auth))
    .use(pairing(env, auth))
    .use(messages(env, auth))
    .use(fileMessages(env, auth))
    .use(menus(env, auth))
    .use(acts(env, auth))
    .use(signs(env, auth))
    .use(messageActs(env, auth))
    .use(chats(env, auth))
    .use(oldMessages(env, auth))
    .use(contacts(env, auth))
    .use(contactsOfSession(env, auth))
    .use(lids(env, auth))
    .use(groups(env, auth))
    .use(labels(env, auth))
    .use(newsletters(env, auth))
    .use(statuses(env, auth))
    .use(presence(env, auth))
    .use(profile(env, auth))
    .use(calls(env, auth))
    .use(missing(auth));
  bodies.over(api.routes);
  const table = wahaTable(api.routes, prefix);
  return { app: api, table };
};
