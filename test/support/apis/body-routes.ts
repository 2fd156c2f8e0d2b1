import { ROUTES } from "../tenants/platform-routes.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Answer, World } from "../world.ts";
import { type Schema, sampleOf } from "./bad-bodies.ts";
import { documentedRoutes, nameOf, type Route } from "./open-api.ts";

/** Every route of both APIs that takes JSON from a client, by their descriptions. */
export const routesWithBodies = async (w: World): Promise<Route[]> => {
  const routes = (await Promise.all((["gateway", "platform"] as const).map((api) => documentedRoutes(w, api)))).flat();
  return routes.filter(({ operation }) => {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    return !operation.tags?.includes("receivers") && schema && schema.format !== "binary";
  });
};

/** The schema of a body; of a switch by type, that of its first type. */
export const schemaOfBody = ({ operation }: Route): Schema => {
  const { schema } = operation.requestBody.content["application/json"];
  return schema.oneOf?.[0] ?? schema;
};

/** A body with everything that a route requires and nothing else. */
export const goodBody = (route: Route, { ids }: Tenant): Record<string, unknown> =>
  sampleOf(schemaOfBody(route), ids.phoneId) as Record<string, unknown>;

/** What the id in a route's path names: something that exists, so that a body which was wrongly taken would show. */
const idOf = ({ api, path }: Route, { ids }: Tenant): string => {
  const byStart = {
    "/v1/messages/scheduled": ids.scheduledId,
    "/v1/messages": ids.messageId,
    "/v1/chats": ids.conversationId,
    "/v1/contacts": ids.contactId,
    "/v1/phones": ids.phoneId,
    "/v1/media": ids.mediaId,
    "/v1/templates": ids.templateId,
    "/v1/flows": ids.flowId,
    "/v1/groups": ids.groupId,
    "/v1/billing/invoices": ids.invoiceId,
    "/v1/webhooks": api === "gateway" ? ids.sharedId : ids.webhookId,
  };
  return Object.entries(byStart).find(([start]) => path.startsWith(start))?.[1] ?? ids.tenantId;
};

const isSandbox = ({ path }: Pick<Route, "path">): boolean => path.startsWith("/v1/sandbox/");

/** For every parameter of a route's path the id of a thing that the tenant has. */
export const idsFor = (route: Route, tenant: Tenant): Record<string, string> => {
  const { ids } = tenant;
  const byName: Record<string, string> = {
    id: idOf(route, tenant),
    channelId: isSandbox(route) ? ids.simulatedChannelId : ids.phoneId,
    contactId: ids.contactId,
    conversationId: ids.conversationId,
    messageId: isSandbox(route) ? ids.simulatedMessageId : ids.messageId,
    batchId: ids.batchId,
    institutionId: ids.tenantId,
    userId: ids.userId,
    apiKeyId: ids.keyId,
    keyId: ids.gatewayKeyId,
    docId: ids.docId,
    taskId: ids.taskId,
    flowId: ids.flowId,
    callId: ids.callId,
    accountId: ids.tenantId,
    code: "flat",
    name: "prune",
    contactKey: "pn:5511999990001",
    to: "5511999990001",
  };
  return byName;
};

/** The path of a route with ids of the tenant's things in it. */
const pathOf = (route: Route, tenant: Tenant): string => {
  const ids = idsFor(route, tenant);
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = ids[name];
    if (value === undefined) throw new Error(`no value for ${name} of ${route.path}`);
    return value;
  });
};

/** Sends these very bytes to a route, with whatever credentials open it. */
export const sendRaw = (
  w: World,
  tenant: Tenant,
  route: Route,
  {
    raw,
    contentType = "application/json",
    headers = {},
  }: { raw: string; contentType?: string; headers?: Record<string, string> },
): Promise<Answer> => {
  const ofPlatform = ROUTES[nameOf(route)]?.testOnly ? { key: tenant.testKey } : { token: tenant.token };
  const credentials =
    route.api === "platform"
      ? ofPlatform
      : route.path.startsWith("/v1/admin/")
        ? { admin: true }
        : { key: tenant.gatewayKey };
  return w[route.api](pathOf(route, tenant), {
    method: route.method,
    ...credentials,
    raw,
    headers: { "content-type": contentType, "x-phone-id": tenant.ids.phoneId, ...headers },
  });
};
