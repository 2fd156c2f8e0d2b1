import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { bodyReaders } from "../shared/bodies.ts";
import { checkedBodies } from "../shared/checked-bodies.ts";
import { faultOf } from "../shared/faults.ts";
import { description } from "../shared/openapi.ts";
import { pathOf } from "../shared/request.ts";
import { admin } from "./admin.ts";
import { agents } from "./agents.ts";
import { ai } from "./ai.ts";
import { aiConversations } from "./ai-conversations.ts";
import { gatewayAuth, requestFrame } from "./auth.ts";
import { business } from "./business.ts";
import { calls } from "./calls.ts";
import { charges } from "./charges.ts";
import { entries } from "./entries.ts";
import type { GatewayEnv } from "./env.ts";
import { faultResponse } from "./errors.ts";
import { events } from "./events.ts";
import { flowExchange } from "./flow-exchange.ts";
import { flowKeys, flows } from "./flows.ts";
import { groupPeople } from "./group-people.ts";
import { groups } from "./groups.ts";
import { handover } from "./handover.ts";
import { history } from "./history.ts";
import { identities } from "./identities.ts";
import { integrations } from "./integrations.ts";
import { invoices } from "./invoices.ts";
import { keptFiles } from "./kept-files.ts";
import { knowledge } from "./knowledge.ts";
import { lookup } from "./lookup.ts";
import { files, media, mediaUploads } from "./media.ts";
import { messages } from "./messages.ts";
import { number } from "./number.ts";
import { onboarding } from "./onboarding.ts";
import { operations } from "./operations.ts";
import { pairing } from "./pairing.ts";
import { passkey } from "./passkey.ts";
import { payment } from "./payment.ts";
import { people } from "./people.ts";
import { phones } from "./phones.ts";
import { proxies } from "./proxies.ts";
import { quota } from "./quota.ts";
import { receivers } from "./receivers.ts";
import { recordingFiles, recordings } from "./recordings.ts";
import { gatewayTable } from "./route-options.ts";
import { scheduled } from "./scheduled.ts";
import { scopesOf } from "./scopes.ts";
import { socialOAuth } from "./social-oauth.ts";
import { system } from "./system.ts";
import { templates } from "./templates.ts";
import { usage } from "./usage.ts";
import { webhooks } from "./webhooks.ts";

const TAGS = {
  phones: "Connected numbers and accounts",
  messages: "Sending, and what became of it",
  media: "Files that came with messages, and files to be sent",
  flows: "Forms inside a chat",
  groups: "Groups of official numbers and of sessions",
  calls: "Voice calls: their signalling, who may be called, and recordings (WABA)",
  lookup: "Whether numbers are on the network",
  templates: "Messages that the network approves beforehand (WABA)",
  webhooks: "Addresses that several phones share",
  ai: "Agents that answer for phones, and what language models do besides",
  events: "What happened, and its deliveries",
  billing: "What is used, what it costs and what is owed",
  receivers: "Where upstreams call",
  admin: "Accounts and their keys; needs X-Admin-Token",
  system: "Health and version",
};

const SECURITY = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "ak_live_…" },
  adminToken: { type: "apiKey", in: "header", name: "X-Admin-Token", description: "For /v1/admin alone" },
} as const;

/** The gateway API on one page: every resource, in the order of its document. */
export const createGatewayApi = (env: GatewayEnv, { prefix, url }: Mount) => {
  const auth = gatewayAuth();
  const { readJson } = bodyReaders(env.intake);
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const described = description(prefix, {
    title: "Recado gateway API",
    description:
      "Phones, messages, templates, media, events, agents, groups, calls and billing, on all kinds of channels. " +
      "Unknown fields of a body are ignored; with the header `Prefer: handling=strict` they are refused.",
    version: env.version.version,
    madeFrom: env.registry.kinds.join(),
    url,
    tags: TAGS,
    schemes: SECURITY,
    security: "apiKey",
  });
  // "typebox": the default cleaner turns a value of the wrong type into an empty one of the right type before it is
  // checked
  const api = new Elysia({ name: "api.gateway", prefix, normalize: "typebox" })
    .use(requestFrame(env, { find, scopeOf: (name) => scopes.get(name) }))
    .onError(({ code, error, request, route, set }) =>
      faultResponse(
        faultOf(code, error, { log: env.log, requestId: set.headers["x-request-id"], method: request.method, route }),
        find(request).pattern !== undefined,
      ),
    )
    .use(described.served)
    .onBeforeHandle(bodies.check)
    .use(system(env))
    .use(receivers(env))
    .use(flowExchange(env))
    .use(files(env))
    .use(recordingFiles(env))
    .use(recordings(env, auth))
    .use(ai(env, auth))
    .use(knowledge(env, auth))
    .use(keptFiles(env, auth))
    .guard({ parse: [readJson, "json"] }) // the second is for the description alone
    .use(onboarding(env, auth))
    .use(socialOAuth(env, auth))
    .use(phones(env, auth))
    .use(proxies(env, auth))
    .use(identities(env, auth))
    .use(handover(env, auth))
    .use(entries(env, auth))
    .use(pairing(env, auth))
    .use(quota(env, auth))
    .use(passkey(env, auth))
    .use(people(env, auth))
    .use(history(env, auth))
    .use(business(env, auth))
    .use(number(env, auth))
    .use(flowKeys(env, auth))
    .use(messages(env, auth))
    .use(operations(env, auth))
    .use(scheduled(env, auth))
    .use(templates(env, auth))
    .use(media(env, auth))
    .use(mediaUploads(env, auth))
    .use(flows(env, auth))
    .use(groups(env, auth))
    .use(groupPeople(env, auth))
    .use(lookup(env, auth))
    .use(calls(env, auth))
    .use(integrations(env, auth))
    .use(agents(env, auth))
    .use(aiConversations(env, auth))
    .use(webhooks(env, auth))
    .use(events(env, auth))
    .use(usage(env, auth))
    .use(charges(env, auth))
    .use(invoices(env, auth))
    .use(payment(env, auth))
    .use(admin(env));
  described.make(api);
  bodies.over(api.routes);
  const table = gatewayTable(api.routes, prefix);
  const scopes = scopesOf(table);
  return { app: api, table };
};
