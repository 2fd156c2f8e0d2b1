import { type AnyElysia, Elysia } from "elysia";
import type { Mount } from "../shared/api-env.ts";
import { COMMON_HEADERS, COMMON_HEADERS_TEXT } from "../shared/description/headers.ts";
import { description } from "../shared/docs/openapi.ts";
import { bodyReaders } from "../shared/http/bodies.ts";
import { checkedBodies } from "../shared/http/checked-bodies.ts";
import { faultOf } from "../shared/http/faults.ts";
import { locating } from "../shared/http/location.ts";
import { pathOf } from "../shared/http/request.ts";
import { repeats } from "../shared/idempotency.ts";
import { account } from "./account/account.ts";
import { apiKeys } from "./account/api-keys.ts";
import { audit } from "./account/audit.ts";
import { accountStats } from "./account/stats.ts";
import { admin } from "./admin/admin.ts";
import { adminHistoryFiles } from "./admin/admin-history-files.ts";
import { agentList } from "./ai/agent-list.ts";
import { agents } from "./ai/agents.ts";
import { ai } from "./ai/ai.ts";
import { aiConversations } from "./ai/ai-conversations.ts";
import { integrations } from "./ai/integrations.ts";
import { knowledge } from "./ai/knowledge.ts";
import { tools } from "./ai/tools.ts";
import { agentTests, trials } from "./ai/trials.ts";
import { type GatewayAuth, gatewayAuth, gatewayFrame, gatewayKeyOwner } from "./auth.ts";
import { charges } from "./billing/charges.ts";
import { invoices } from "./billing/invoices.ts";
import { months } from "./billing/months.ts";
import { payment } from "./billing/payment.ts";
import { usage } from "./billing/usage.ts";
import { catalog } from "./business/catalog.ts";
import { callLinks, calls } from "./calls/calls.ts";
import { recordingFiles, recordings } from "./calls/recordings.ts";
import { cannedReplies } from "./chats/canned-replies.ts";
import { chatActs } from "./chats/chat-acts.ts";
import { chats } from "./chats/chats.ts";
import { contacts } from "./chats/contacts.ts";
import { handover } from "./chats/handover.ts";
import { chatTimers } from "./chats/timers.ts";
import type { GatewayEnv } from "./env.ts";
import { CODES, faultResponse } from "./errors.ts";
import { deliveries } from "./events/deliveries.ts";
import { CutEvent, GATEWAY_EVENTS, GatewayEvent } from "./events/event-schemas/index.ts";
import { events } from "./events/events.ts";
import { receivers } from "./events/receivers.ts";
import { GATEWAY_HEADERS } from "./events/render.ts";
import { webhookHealths } from "./events/webhook-health.ts";
import { webhookTrials } from "./events/webhook-trials.ts";
import { webhooks } from "./events/webhooks.ts";
import { communities } from "./groups/communities.ts";
import { groupPeople } from "./groups/group-people.ts";
import { groups } from "./groups/groups.ts";
import { groupInvites } from "./groups/invites.ts";
import { newsletters } from "./groups/newsletters.ts";
import { keptFiles } from "./media/kept-files.ts";
import { files, media, mediaUploads } from "./media/media.ts";
import { sentFiles } from "./media/sent-files.ts";
import { cheapest } from "./messages/cheapest.ts";
import { flowExchange } from "./messages/flow-exchange.ts";
import { flowKeys, flows } from "./messages/flows.ts";
import { lookup } from "./messages/lookup.ts";
import { messageForwards } from "./messages/message-forward.ts";
import { messageLists } from "./messages/message-log.ts";
import { messageReceipts } from "./messages/message-receipts.ts";
import { messageTimelines } from "./messages/message-timeline.ts";
import { messages } from "./messages/messages.ts";
import { operations } from "./messages/operations.ts";
import { scheduled } from "./messages/scheduled.ts";
import { templates } from "./messages/templates.ts";
import { business } from "./phones/business.ts";
import { businessHours } from "./phones/business-hours.ts";
import { capabilities } from "./phones/capabilities.ts";
import { cloudApi, cloudTokens } from "./phones/cloud-api.ts";
import { cloudWebhook } from "./phones/cloud-webhook.ts";
import { credentials } from "./phones/credentials.ts";
import { entries } from "./phones/entries.ts";
import { history } from "./phones/history.ts";
import { identities } from "./phones/identities.ts";
import { kinds } from "./phones/kinds.ts";
import { labels } from "./phones/labels.ts";
import { number } from "./phones/number.ts";
import { onboarding } from "./phones/onboarding.ts";
import { pairing } from "./phones/pairing.ts";
import { pairingLinks } from "./phones/pairing-links.ts";
import { passkey } from "./phones/passkey.ts";
import { people } from "./phones/people.ts";
import { phoneSearch } from "./phones/phone-search.ts";
import { phones } from "./phones/phones.ts";
import { privacy } from "./phones/privacy.ts";
import { proxies } from "./phones/proxies.ts";
import { quota } from "./phones/quota.ts";
import { socialOAuth } from "./phones/social-oauth.ts";
import { statuses } from "./phones/statuses.ts";
import { chatwoot } from "./programs/chatwoot.ts";
import { chatwootReceiver } from "./programs/chatwoot-receiver.ts";
import { gatewayTable } from "./route-options.ts";
import { scopesOf } from "./scopes.ts";
import { system } from "./system.ts";

const TAGS = {
  account: "The account of the request, and its remaining limits",
  audit: "Who changed what",
  keys: "API keys of the account",
  phones: "Connected numbers and accounts",
  messages: "Sending messages, and their progress",
  chats: "Conversations of phones: answers, their leaders, and the people",
  media: "Files that came with messages, and files to be sent",
  flows: "Forms inside a chat",
  groups: "Groups of official numbers and of sessions, and newsletters of sessions",
  calls: "Calls: their signalling, who may be called, recordings (WABA), links (SESSION)",
  lookup: "Whether numbers are on the network",
  templates: "Messages that the network approves beforehand (WABA)",
  webhooks: "Addresses that several phones share",
  ai: "Agents that answer on phones, and other uses of language models",
  events: "What happened, and its deliveries",
  billing: "Usage, its cost, and debts",
  receivers: "Where upstreams call",
  admin: "Accounts and their keys; needs X-Admin-Token",
  system: "Health and version",
};

const SECURITY = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "ak_live_…" },
  adminToken: { type: "apiKey", in: "header", name: "X-Admin-Token", description: "For /v1/admin alone" },
} as const;

/** The parts about agents, without the types of their routes: one chain of all parts is too deep for the compiler. */
const ofAgents = (env: GatewayEnv, auth: GatewayAuth): Elysia => {
  const parts: AnyElysia = new Elysia()
    .use(agents(env, auth))
    .use(agentTests(env, auth))
    .use(agentList(env, auth))
    .use(tools(env, auth))
    .use(aiConversations(env, auth))
    .use(trials(env, auth));
  return parts;
};

/** The same for what single phones do, and how they are paired. */
const ofPhones = (env: GatewayEnv, auth: GatewayAuth): Elysia => {
  const parts: AnyElysia = new Elysia()
    .use(identities(env, auth))
    .use(handover(env, auth))
    .use(entries(env, auth))
    .use(pairing(env, auth))
    .use(pairingLinks(env, auth))
    .use(quota(env, auth))
    .use(passkey(env, auth))
    .use(people(env, auth))
    .use(privacy(env, auth))
    .use(statuses(env, auth))
    .use(labels(env, auth))
    .use(chatTimers(env, auth));
  return parts;
};

/** The same for what is done in chats besides answers. */
const ofChats = (env: GatewayEnv, auth: GatewayAuth): Elysia => {
  const parts: AnyElysia = new Elysia().use(chatActs(env, auth)).use(cannedReplies(env, auth)).use(contacts(env, auth));
  return parts;
};

/** The gateway API on one page: every resource, in the order of its document. */
export const createGatewayApi = (env: GatewayEnv, { prefix, url }: Mount) => {
  const auth = gatewayAuth();
  const { readJson } = bodyReaders(env);
  const bodies = checkedBodies();
  const find = (request: Request) => table.find(request.method, pathOf(request));
  const locate = locating(() => table);
  const repeated = repeats(env, { keyOwnerOf: gatewayKeyOwner, routeOf: find, locate });
  const described = description(prefix, {
    title: "Recado gateway API",
    description:
      "Phones, messages, templates, media, events, agents, groups, calls and billing, on all kinds of channels. " +
      "Unknown fields of a body are ignored; with the header `Prefer: handling=strict` they are refused. " +
      COMMON_HEADERS_TEXT,
    version: env.version.version,
    madeFrom: env.registry.kinds.join(),
    url,
    tags: TAGS,
    schemes: SECURITY,
    security: "apiKey",
    headers: COMMON_HEADERS,
    webhooks: { events: GATEWAY_EVENTS, union: GatewayEvent, cut: CutEvent, headers: GATEWAY_HEADERS },
    codes: CODES,
  });
  // "typebox": the default cleaner turns a value of the wrong type into an empty one of the right type before it is
  // checked
  const api = new Elysia({ name: "api.gateway", prefix, normalize: "typebox" })
    .use(gatewayFrame(env, { find, scopeOf: (name) => scopes.get(name) }))
    .onError(({ code, error, request, route, set }) =>
      faultResponse(
        faultOf(code, error, { log: env.log, requestId: set.headers["x-request-id"], method: request.method, route }),
        find(request).pattern !== undefined,
      ),
    )
    .use(described.served)
    .onBeforeHandle(bodies.check)
    .onAfterHandle(({ responseValue, request, set }) => locate(request, responseValue, set))
    .onBeforeHandle(async ({ request, body }) => repeated(request, body))
    .use(system(env))
    .use(receivers(env))
    .use(chatwootReceiver(env))
    .use(flowExchange(env))
    .use(files(env))
    .use(sentFiles(env))
    .use(recordingFiles(env))
    .use(recordings(env, auth))
    .use(ai(env, auth))
    .use(knowledge(env, auth))
    .use(keptFiles(env, auth))
    .use(adminHistoryFiles(env))
    .guard({ parse: [readJson, "json"] }) // the second is for the description alone
    .use(account(env, auth))
    .use(audit(env, auth))
    .use(apiKeys(env, auth))
    .use(onboarding(env, auth))
    .use(socialOAuth(env, auth))
    .use(phoneSearch(env, auth))
    .use(phones(env, auth))
    .use(kinds(env, auth))
    .use(credentials(env, auth))
    .use(capabilities(env, auth))
    .use(proxies(env, auth))
    .use(businessHours(env, auth))
    .use(cloudApi(env, auth))
    .use(cloudTokens(env, auth))
    .use(cloudWebhook(env, auth))
    .use(chatwoot(env, auth))
    .use(ofPhones(env, auth))
    .use(catalog(env, auth))
    .use(history(env, auth))
    .use(business(env, auth))
    .use(number(env, auth))
    .use(flowKeys(env, auth))
    .use(messages(env, auth))
    .use(cheapest(env, auth))
    .use(messageLists(env, auth, url))
    .use(messageReceipts(env, auth, url))
    .use(messageForwards(env, auth))
    .use(messageTimelines(env, auth, url))
    .use(chats(env, auth, url))
    .use(ofChats(env, auth))
    .use(operations(env, auth))
    .use(scheduled(env, auth))
    .use(templates(env, auth))
    .use(media(env, auth))
    .use(mediaUploads(env, auth))
    .use(flows(env, auth))
    .use(groups(env, auth))
    .use(groupPeople(env, auth))
    .use(groupInvites(env, auth))
    .use(communities(env, auth))
    .use(newsletters(env, auth))
    .use(lookup(env, auth))
    .use(calls(env, auth))
    .use(callLinks(env, auth))
    .use(integrations(env, auth))
    .use(ofAgents(env, auth))
    .use(webhooks(env, auth))
    .use(webhookTrials(env, auth))
    .use(webhookHealths(env, auth))
    .use(events(env, auth))
    .use(deliveries(env, auth))
    .use(accountStats(env, auth))
    .use(usage(env, auth))
    .use(months(env, auth))
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
