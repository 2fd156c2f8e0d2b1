import { Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { COMMON_HEADERS, COMMON_HEADERS_TEXT } from "../shared/description/headers.ts";
import { description } from "../shared/docs/openapi.ts";
import { bodyReaders } from "../shared/http/bodies.ts";
import { checkedBodies } from "../shared/http/checked-bodies.ts";
import { faultOf } from "../shared/http/faults.ts";
import { locating } from "../shared/http/location.ts";
import { pathOf } from "../shared/http/request.ts";
import { repeats } from "../shared/idempotency.ts";
import { Forbidden, platformAuth, platformFrame, platformKeyOwner, TooMany } from "./auth.ts";
import { batches } from "./batches/batches.ts";
import { businessHours } from "./business-hours.ts";
import { typesOfChannels } from "./channel-types.ts";
import { channels } from "./channels.ts";
import { contacts } from "./contacts.ts";
import { conversations } from "./conversations.ts";
import type { PlatformEnv } from "./env.ts";
import { CODES, faultResponse, refuse } from "./errors.ts";
import { PLATFORM_EVENTS, PlatformEvent } from "./events/definitions.ts";
import { PLATFORM_HEADERS } from "./events/render.ts";
import { webhooks } from "./events/webhooks.ts";
import { history } from "./history.ts";
import { apiKeys, sessions } from "./institutions/account.ts";
import { institutions } from "./institutions/institutions.ts";
import { ownAccount } from "./institutions/own-account.ts";
import { links, user } from "./institutions/user.ts";
import { messages } from "./messages.ts";
import { platformTable } from "./route-options.ts";
import { sandbox } from "./sandbox.ts";
import { templates } from "./templates.ts";

const TAGS = {
  auth: "Registration, login, the choice of an institution, and the user's own data",
  institutions: "Institutions and their members",
  "api-keys": "API keys and their permissions",
  channels: "Connected messaging numbers",
  messages: "Sending through a channel, and the sent and received messages",
  templates: "Message templates of official numbers, as the network knows them",
  bulk: "One text to many people, at a pace",
  conversations: "The conversations with each contact through each channel",
  contacts: "The people with whom the institution exchanges messages",
  webhooks: "Where events are sent, and the results",
  sandbox: "The acts of a network, simulated for test keys",
};

const always = (): boolean => true;
const HEADERS = {
  ...COMMON_HEADERS,
  "X-RateLimit-Limit": {
    short: "Limit",
    description: "Requests a minute that the narrowest limit in force allows; every answer says so",
    schema: { type: "integer" },
    isOf: always,
  },
  "X-RateLimit-Remaining": {
    short: "Remaining",
    description: "How many of them are left",
    schema: { type: "integer" },
    isOf: always,
  },
  "X-RateLimit-Reset": {
    short: "Reset",
    description: "When they are renewed, in seconds since 1970",
    schema: { type: "integer" },
    isOf: always,
  },
};

const SECURITY = {
  bearer: { type: "http", scheme: "bearer", description: "An API key (oapi_sk_…) or a user token" },
} as const;

/** The platform API on one page: every resource, in the order of its document. */
export const createPlatformApi = (env: PlatformEnv, { prefix, url }: Mount) => {
  const { readJson } = bodyReaders(env);
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const auth = platformAuth(env, find);
  const locate = locating(() => table);
  const repeated = repeats(env, { keyOwnerOf: platformKeyOwner, routeOf: find, locate });
  const repeat = async ({ request, body }: { request: Request; body: unknown }) => repeated(request, body);
  const described = description(prefix, {
    title: "Recado platform API",
    description:
      "Institutions, API keys, channels, messages, batches, conversations, contacts and webhooks. " +
      "Unknown fields of a body are ignored; with the header `Prefer: handling=strict` they are refused. " +
      `${COMMON_HEADERS_TEXT} ` +
      "Every answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`.",
    version: env.version.version,
    madeFrom: env.registry.kinds.join(),
    url,
    tags: TAGS,
    schemes: SECURITY,
    security: "bearer",
    webhooks: { events: PLATFORM_EVENTS, union: PlatformEvent, headers: PLATFORM_HEADERS },
    headers: HEADERS,
    codes: CODES,
  });
  // "typebox": the default cleaner turns a value of the wrong type into an empty one of the right type before it is
  // checked
  const api = new Elysia({ name: "api.platform", prefix, normalize: "typebox" })
    .use(platformFrame(env, find))
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
    .guard({ parse: [readJson, "json"], beforeHandle: [bodies.check, repeat] }) // "json" is for the description alone
    .onAfterHandle(({ responseValue, request, set }) => locate(request, responseValue, set))
    .use(sessions(env, auth))
    .use(links(env))
    .use(user(env, auth))
    .use(institutions(env, auth))
    .use(apiKeys(env, auth))
    .use(ownAccount(env, auth))
    .use(channels(env, auth))
    .use(typesOfChannels(env, auth))
    .use(businessHours(env, auth))
    .use(messages(env, auth))
    .use(templates(env, auth))
    .use(batches(env, auth))
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
