import { settingsFor } from "../billing/billing.ts";
import { APP_ID } from "../customers/signup.ts";
import { type Description, descriptionIn } from "../description/description.ts";
import { LLM_KEY, startLlm } from "../llm/index.ts";
import { startSocialWorld } from "../networks/social.ts";
import { startProcessor } from "../processor/index.ts";
import { newTenant, type Tenant } from "../tenants/tenant.ts";
import type { Answer, World } from "../world.ts";
import type { FuzzCall, FuzzRoute } from "./calls.ts";
import type { Meaning } from "./values.ts";

/** A server whose upstreams are all simulated, and two tenants of it with one of everything. */
export type Ground = {
  w: World;
  descriptions: Record<FuzzCall["api"], Description>;
  routes: readonly FuzzRoute[];
  /**
   * Makes a call. `sent`: the call with the ids of things in place of their names.
   * @throws Error when the answer is not as its description says.
   */
  make(call: FuzzCall): Promise<{ sent: FuzzCall; answer: Answer }>;
  stop(): Promise<void>;
};

/** TABLE: the meanings of fields, and of the last two parts of paths, whose name is not that of a thing. */
const MEANT: Record<FuzzCall["api"], Record<string, string>> = {
  gateway: {
    channelId: "phoneId",
    accountId: "tenantId",
    sharedWebhookId: "sharedId",
    "phones/id": "phoneId",
    "upstream-webhook/channelId": "phoneId",
    "X-Phone-Id": "phoneId",
    "messages/id": "messageId",
    "scheduled/id": "scheduledId",
    "media/id": "mediaId",
    "templates/id": "templateId",
    "flows/id": "flowId",
    "data-exchange/flowId": "flowId",
    "groups/id": "groupId",
    "webhooks/id": "sharedId",
    "events/id": "eventId",
    "deliveries/id": "deliveryId",
    "invoices/id": "invoiceId",
    "accounts/id": "tenantId",
    "institutions/id": "tenantId",
    "api-keys/id": "gatewayKeyId",
    "conversations/id": "aiConversationId",
    "calls/id": "callId",
    "lookup/taskId": "taskId",
    "knowledge/docId": "docId",
    "files/accountId": "tenantId",
    "plans/code": "plan",
    "jobs/name": "job",
  },
  platform: {
    channelId: "phoneId",
    institutionId: "tenantId",
    apiKeyId: "keyId",
    "institutions/institutionId": "tenantId",
    "members/userId": "userId",
    "sessions/sessionId": "sessionId",
    "invitations/invitationId": "invitationId",
    "api-keys/apiKeyId": "keyId",
    "channels/channelId": "phoneId",
    "bulk/batchId": "batchId",
    "conversations/conversationId": "conversationId",
    "messages/messageId": "messageId",
    "contacts/contactId": "contactId",
    "webhooks/id": "webhookId",
  },
};

const THINGS: ReadonlySet<string> = new Set([
  ..."phoneId messageId mediaId templateId flowId groupId conversationId contactId batchId taskId callId docId".split(
    " ",
  ),
  ..."userId invoiceId eventId deliveryId".split(" "),
]);
const FIXED: Record<string, string> = {
  plan: "flat",
  job: "scheduler",
  contactKey: "pn:5511999990001",
  to: "5511999990001",
};

/** The meanings of fields and paths of an API. */
export const meaningIn =
  (api: FuzzCall["api"]): Meaning =>
  (name) => {
    const last = name.split("/").at(-1) ?? "";
    const meant = MEANT[api][name] ?? MEANT[api][last] ?? last;
    const isPath = name.includes("/");
    return THINGS.has(meant) || name in MEANT[api] || last in MEANT[api] || (isPath && meant in FIXED)
      ? meant
      : isPath
        ? "tenantId"
        : undefined;
  };

const NAME = /@(own|other)\.(\w+)@/g;
/** After so many calls their tenant is a new one, and after so many a minute is over. */
const CALLS_OF_A_TENANT = 250;
const CALLS_OF_A_MINUTE = 20;
const MINUTE_MS = 60_000;

type Tenants = { own: Tenant; other: Tenant };

const idOf = (tenant: Tenant, name: string): string =>
  (tenant.ids as Record<string, string>)[name] ?? FIXED[name] ?? tenant.ids.tenantId;

const named = <Value>(value: Value, tenants: Tenants): Value =>
  typeof value === "string"
    ? (value.replaceAll(NAME, (_, whose: "own" | "other", name: string) => idOf(tenants[whose], name)) as Value)
    : Array.isArray(value)
      ? (value.map((one: unknown) => named(one, tenants)) as Value)
      : typeof value === "object" && value !== null
        ? (Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one, tenants)])) as Value)
        : value;

type Credentials = { key?: string; token?: string; admin?: boolean; headers: Record<string, string> };

const credentialsOf = (
  { api, caller }: FuzzCall,
  { operation: { tags = [] } }: FuzzRoute,
  own: Tenant,
): Credentials => {
  if (caller === "none") return { headers: {} };
  if (caller === "wrong") return { key: "ak_live_wrong", headers: { "x-admin-token": "wrong" } };
  if (api === "gateway")
    return tags.includes("admin") ? { admin: true, headers: {} } : { key: own.gatewayKey, headers: {} };
  if (caller === "token") return { token: own.token, headers: {} };
  return { key: caller === "test" ? own.testKey : own.key, headers: {} };
};

/** A header cannot hold characters outside ISO 8859-1, nor control characters. */
const sendable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\x20-\x7e]*$/.test(value)));

const pathWith = (template: string, { path, query }: FuzzCall): string => {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? "none"));
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
};

const requested = (w: World, route: FuzzRoute, sent: FuzzCall, own: Tenant): Promise<Answer> => {
  const { headers, ...credentials } = credentialsOf(sent, route, own);
  return w[sent.api](pathWith(route.path, sent), {
    method: route.operation.operationId === "streamEvents" ? "HEAD" : route.method, // the stream has no end
    ...credentials,
    ...(route.method === "GET" || sent.body === undefined ? {} : { body: sent.body }),
    headers: { ...sendable(sent.headers), ...headers },
  });
};

/** Whether a call has ended the account, the user or the credentials with which the next ones are made. */
const endsTenant = ({ api, caller }: FuzzCall, { status, text }: Answer): boolean =>
  (status === 401 && (caller === "token" || (api === "gateway" && caller === "right"))) ||
  /"ACCOUNT_(SUSPENDED|INACTIVE)"/.test(text);

export const startGround = async (seed: number): Promise<Ground> => {
  const processor = startProcessor();
  const llm = startLlm();
  const limits = {
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_GATEWAY_SEND_RATE: "1000000",
    RECADO_ADDRESS_RATE: "1000000",
  };
  const env = { RECADO_META_APP_ID: APP_ID, RECADO_LLM_URL: llm.url, ...settingsFor(processor), ...limits };
  const social = await startSocialWorld({ env, seed });
  const { w } = social;
  const described = async (api: FuzzCall["api"]) =>
    descriptionIn(await (await fetch(`${w.app.url}/${api}/openapi.json`)).text());
  const descriptions = { gateway: await described("gateway"), platform: await described("platform") };
  const routes = (["gateway", "platform"] as const).flatMap((api) =>
    descriptions[api].routes.map((route) => ({ ...route, api })),
  );
  const byId = new Map(routes.map((route) => [`${route.api} ${route.operation.operationId}`, route]));
  let made = 0;
  let tenants: Tenants | undefined;
  let isOver = false;

  const newTenants = async (): Promise<Tenants> => {
    const own = await newTenant(w, `own${made}`);
    await w.gateway("/v1/account/integrations/llm", {
      key: own.gatewayKey,
      method: "PATCH",
      body: { apiKey: LLM_KEY },
    });
    return { own, other: tenants?.other ?? (await newTenant(w, "other")) };
  };
  return {
    w,
    descriptions,
    routes,
    async make(call) {
      if (made++ % CALLS_OF_A_TENANT === 0 || isOver || !tenants) tenants = await newTenants();
      if (made % CALLS_OF_A_MINUTE === 0) await w.advance(MINUTE_MS);
      const route = byId.get(`${call.api} ${call.operationId}`);
      if (!route) throw new Error(`there is no operation ${call.operationId}`);
      const sent = named(call, tenants);
      const answer = await requested(w, route, sent, tenants.own);
      await w.settle();
      isOver = endsTenant(call, answer);
      return { sent, answer };
    },
    async stop() {
      await social.stop();
      await Promise.all([processor.stop(), llm.stop()]);
    },
  };
};
