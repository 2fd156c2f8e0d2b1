import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { bodyReaders } from "../shared/bodies.ts";
import { checkedBodies } from "../shared/checked-bodies.ts";
import { faultOf } from "../shared/faults.ts";
import { description } from "../shared/openapi.ts";
import { pathOf } from "../shared/request.ts";
import { apiKeys, sessions } from "./account.ts";
import { Forbidden, platformAuth, requestFrame, TooMany } from "./auth.ts";
import { bulk } from "./bulk.ts";
import { channels } from "./channels.ts";
import { contacts } from "./contacts.ts";
import { conversations } from "./conversations.ts";
import type { PlatformEnv } from "./env.ts";
import { faultResponse, refuse } from "./errors.ts";
import { history } from "./history.ts";
import { institutions } from "./institutions.ts";
import { messages } from "./messages.ts";
import { platformTable } from "./route-options.ts";
import { sandbox } from "./sandbox.ts";
import { templates } from "./templates.ts";
import { links, user } from "./user.ts";
import { webhooks } from "./webhooks.ts";

const TAGS = {
  auth: "Registration, login, the choice of an institution, and what a user does about itself",
  institutions: "Institutions and their members",
  "api-keys": "API keys and their permissions",
  channels: "Connected messaging numbers",
  messages: "Sending through a channel, and what was sent and received",
  templates: "Message templates of official numbers, as the network knows them",
  bulk: "One text to many people, at a pace",
  conversations: "What is written with each contact through each channel",
  contacts: "People whom the institution writes with",
  webhooks: "Where events are sent, and what became of it",
  sandbox: "What a network would do, simulated for test keys",
};

const isSuccessOr429 = (status: string): boolean => status < "400" || status === "429";
const HEADERS = {
  "X-RateLimit-Limit": {
    description: "Requests a minute that the narrowest limit in force allows; every answer says so",
    schema: { type: "integer" },
    isOf: isSuccessOr429,
  },
  "X-RateLimit-Remaining": {
    description: "How many of them are left",
    schema: { type: "integer" },
    isOf: isSuccessOr429,
  },
  "X-RateLimit-Reset": {
    description: "When they are renewed, in seconds since 1970",
    schema: { type: "integer" },
    isOf: isSuccessOr429,
  },
  "Retry-After": {
    description: "In how many seconds to try again",
    schema: { type: "integer" },
    isOf: (status: string) => status === "429",
  },
};

const SECURITY = {
  bearer: { type: "http", scheme: "bearer", description: "An API key (oapi_sk_…) or a user token" },
} as const;

/** The platform API on one page: every resource, in the order of its document. */
export const createPlatformApi = (env: PlatformEnv, { prefix, url }: Mount) => {
  const auth = platformAuth(env);
  const { readJson } = bodyReaders(env.intake);
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const described = description(prefix, {
    title: "Recado platform API",
    description:
      "Institutions, API keys, channels, messages, batches, conversations, contacts and webhooks. " +
      "Unknown fields of a body are ignored; with the header `Prefer: handling=strict` they are refused.",
    version: env.version.version,
    madeFrom: env.registry.kinds.join(),
    url,
    tags: TAGS,
    schemes: SECURITY,
    security: "bearer",
    headers: HEADERS,
  });
  // "typebox": the default cleaner turns a value of the wrong type into an empty one of the right type before it is
  // checked
  const api = new Elysia({ name: "api.platform", prefix, normalize: "typebox" })
    .use(requestFrame(env, find))
    .onError(({ code, error, request, route, set }) => {
      const { routeOptions, pattern } = find(request);
      const shape = routeOptions.errors;
      if (error instanceof TooMany) return refuse(shape, "RATE_LIMIT_EXCEEDED", error);
      if (error instanceof Forbidden) return refuse(shape, "FORBIDDEN_PERMISSION", { message: error.message });
      return faultResponse(
        shape,
        faultOf(code, error, { log: env.log, requestId: set.headers["x-request-id"], method: request.method, route }),
        pattern !== undefined,
      );
    })
    .use(described.served)
    .guard({ parse: [readJson, "json"], beforeHandle: bodies.check }) // "json" is for the description alone
    .use(sessions(env, auth))
    .use(links(env))
    .use(user(env, auth))
    .use(institutions(env, auth))
    .use(apiKeys(env, auth))
    .use(channels(env, auth))
    .use(messages(env, auth))
    .use(templates(env, auth))
    .use(bulk(env, auth))
    .use(conversations(env, auth))
    .use(history(env, auth, url))
    .use(contacts(env, auth))
    .use(webhooks(env, auth))
    .use(sandbox(env, auth, url));
  described.make(api);
  bodies.over(api.routes);
  const table = platformTable(api.routes, prefix);
  return { app: api, table };
};
