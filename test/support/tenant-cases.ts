import { APP_ID } from "./signup.ts";
import { REDIRECT } from "./social.ts";
import { TEMPLATE } from "./templates.ts";
import { IDEMPOTENCY_KEY, type Ids } from "./tenant.ts";
import { WEBHOOK_SECRET } from "./world.ts";

type Params = Record<string, string>;
export type Attempt = { params?: Params; query?: Params; body?: object; headers?: Params };
/**
 * How a route is tried. `own`: it should name nothing that exists, so it is called as it is meant, and what it answers is searched. `foreign`: the ways
 * of naming something of another tenant in it. `admin`: only the administrator may. `stream`: has a test of its own.
 */
export type Case = { own: (foreign: Ids) => Attempt } | { foreign: (ids: Ids, own: Ids) => Attempt[] } | "admin" | "stream";

export const TEXT = { type: "text", content: { text: "olá" }, to: "5511999990001" };
const webhook = { url: "https://hooks.example.com/mine", secret: WEBHOOK_SECRET };
const own = (attempt: Attempt = {}): Case => ({ own: () => attempt });
const byId = (pick: (ids: Ids) => string, rest: Attempt = {}): Case => ({ foreign: (ids) => [{ ...rest, params: { id: pick(ids) } }] });
const byChannel = (rest: Attempt = {}): Case => ({ foreign: ({ phoneId }) => [{ ...rest, params: { channelId: phoneId } }] });
const onMessage = (input: object): Case => ({
  foreign: ({ phoneId, messageId }, mine) => [
    { params: { id: messageId }, body: { ...input, phoneId } },
    { params: { id: messageId }, body: { ...input, phoneId: mine.phoneId } },
    { params: { id: mine.messageId }, body: { ...input, phoneId } },
  ],
});
const SOME_TIME = "2027-01-01T00:00:00Z";
const UPLOAD = { mediaUrl: "https://files.example.com/a.png", mimeType: "image/png" };
const throughPhone = (rest: Attempt): Case => ({ foreign: ({ phoneId }) => [{ ...rest, headers: { "x-phone-id": phoneId } }] });
const byEvent: Case = { foreign: ({ eventId, deliveryId, messageId }) => [eventId, deliveryId, messageId].map((id) => ({ params: { id } })) };

const flow = { name: "Mine", categories: ["SURVEY"] };
const sealed = { encrypted_flow_data: "AAAA", encrypted_aes_key: "AAAA", initial_vector: "AAAA" };

const GATEWAY: Record<string, Case> = {
  "GET /health": own(),
  "GET /health/ready": own(),
  "GET /versao": own(),
  "GET /v1/upstream-webhook": own(),
  "POST /v1/upstream-webhook": own({ body: {} }),
  "POST /v1/phones": { own: ({ tenantId, sharedId }) => ({ body: { type: "SESSION", label: "Mine", accountId: tenantId, sharedWebhookId: sharedId } }) },
  "GET /v1/phones": { foreign: ({ tenantId }) => [{}, { query: { accountId: tenantId, tenantId } }] },
  "GET /v1/phones/{id}": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}": {
    foreign: ({ phoneId, sharedId }, mine) => [
      { params: { id: phoneId }, body: { webhook } },
      { params: { id: mine.phoneId }, body: { sharedWebhookId: sharedId } },
    ],
  },
  "DELETE /v1/phones/{id}": { foreign: ({ phoneId }) => [{ params: { id: phoneId } }, { params: { id: phoneId }, query: { deregister: "true" } }] },
  "GET /v1/phones/{id}/qrcode": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId, { body: { phoneNumber: "5511999990001" } }),
  "POST /v1/phones/{id}/logout": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/reconnect": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/identities/resolve": byId((ids) => ids.phoneId, { query: { key: "5511999990001" } }),
  "GET /v1/phones/waba/embedded-signup/config": own(),
  "POST /v1/phones/waba/embedded-signup": { own: ({ phoneNumberId }) => ({ body: { code: "a code of nobody", wabaId: "1", phoneNumberId: phoneNumberId } }) },
  "GET /v1/phones/social/oauth/config": own(),
  "POST /v1/phones/social/oauth": own({ body: { code: "a code of nobody", redirectUri: REDIRECT } }),
  "POST /v1/phones/{id}/rotate-token": byId((ids) => ids.phoneId, { body: { accessToken: "EAAtoken" } }),
  "GET /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId, { body: { about: "Mine" } }),
  "POST /v1/phones/{id}/name-change": byId((ids) => ids.phoneId, { body: { displayName: "Mine" } }),
  "GET /v1/phones/{id}/name-change": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/contacts/sync": byId((ids) => ids.phoneId, { body: {} }),
  "POST /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "POST /v1/flows": { foreign: ({ phoneId }) => [{ body: { ...flow, phoneId } }] },
  "GET /v1/flows": { foreign: ({ phoneId, flowId }) => [{ query: { phoneId } }, { query: { cursor: flowId } }] },
  "GET /v1/flows/{id}": byId((ids) => ids.flowId),
  "PATCH /v1/flows/{id}": byId((ids) => ids.flowId, { body: flow }),
  "DELETE /v1/flows/{id}": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/publish": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/deprecate": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/sync": byId((ids) => ids.flowId),
  "POST /v1/flows/data-exchange/{flowId}": { own: ({ flowId }) => ({ params: { flowId }, body: sealed }) }, // the network names the flow; what is not sealed with its phone's key is refused
  "POST /v1/lookup": { foreign: ({ phoneId }) => [{ body: { phoneId, numbers: ["5511999990001"] } }] },
  "GET /v1/lookup/{taskId}": { foreign: ({ taskId }) => [{ params: { taskId } }] },
  "POST /v1/messages": {
    foreign: ({ phoneId, messageId }, mine) => [
      { body: { ...TEXT, phoneId } },
      { body: { ...TEXT, phoneId, idempotencyKey: IDEMPOTENCY_KEY } },
      { body: { ...TEXT, phoneId: mine.phoneId, quotedMessageId: messageId } },
    ],
  },
  "GET /v1/messages/{id}": byId((ids) => ids.messageId),
  "POST /v1/templates": { foreign: ({ phoneId }) => [{ body: { ...TEMPLATE, phoneId } }, { body: { ...TEMPLATE, phoneId, name: "victim_template" } }] },
  "GET /v1/templates": { foreign: ({ phoneId }) => [{}, { query: { phoneId } }, { query: { name: "victim_template" } }] },
  "GET /v1/templates/{id}": byId((ids) => ids.templateId),
  "PATCH /v1/templates/{id}": { foreign: ({ templateId }) => [{ params: { id: templateId } }, { params: { id: templateId }, body: { category: "MARKETING" } }] },
  "DELETE /v1/templates/{id}": byId((ids) => ids.templateId),
  "POST /v1/templates/sync": { foreign: ({ phoneId }) => [{ body: { phoneId } }] },
  "POST /v1/messages/{id}/react": onMessage({ emoji: "👍" }),
  "POST /v1/messages/{id}/edit": onMessage({ text: "olá" }),
  "POST /v1/messages/{id}/read": onMessage({}),
  "POST /v1/messages/{id}/typing": onMessage({}),
  "DELETE /v1/messages/{id}": {
    foreign: ({ phoneId, messageId }, mine) => [
      { params: { id: messageId }, query: { phoneId } },
      { params: { id: messageId }, query: { phoneId: mine.phoneId } },
      { params: { id: mine.messageId }, query: { phoneId } },
    ],
  },
  "POST /v1/messages/scheduled": { foreign: ({ phoneId }) => [{ body: { scheduledAt: SOME_TIME, payload: { ...TEXT, phoneId } } }] },
  "GET /v1/messages/scheduled": { foreign: ({ phoneId, scheduledId }) => [{}, { query: { phoneId } }, { query: { cursor: scheduledId } }] },
  "GET /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "PATCH /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId, { body: { scheduledAt: SOME_TIME } }),
  "DELETE /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "GET /v1/media/{id}": byId((ids) => ids.mediaId),
  "GET /v1/media/{id}/info": byId((ids) => ids.mediaId),
  "POST /v1/media/{id}/ack": byId((ids) => ids.mediaId),
  "POST /v1/media/upload": throughPhone({ body: UPLOAD }),
  "POST /v1/media/upload/resumable": throughPhone({ body: { ...UPLOAD, fileName: "a.png", appId: APP_ID } }),
  "DELETE /v1/media/upstream/{upstreamId}": throughPhone({ params: { upstreamId: "123" } }),
  "GET /files/{accountId}/{mediaId}": {
    foreign: ({ tenantId, mediaId }) => [{ params: { accountId: tenantId, mediaId } }, { params: { accountId: tenantId, mediaId }, query: { exp: "9999999999", sig: "x" } }],
  },
  "POST /v1/webhooks": own({ body: { ...webhook, label: "Mine" } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })) },
  "PATCH /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id }, body: { ...webhook, label: "Mine" } })) },
  "DELETE /v1/webhooks/{id}": { foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })) },
  "GET /v1/events": { foreign: ({ phoneId, eventId }) => [{ query: { phoneId } }, { query: { cursor: eventId } }] },
  "GET /v1/events/stream": "stream",
  "GET /v1/events/{id}": byEvent,
  "POST /v1/events/{id}/replay": byEvent,
  "POST /v1/admin/accounts": "admin",
  "GET /v1/admin/accounts": "admin",
  "GET /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/institutions/{id}": "admin",
  "POST /v1/admin/accounts/{id}/api-keys": "admin",
  "GET /v1/admin/accounts/{id}/api-keys": "admin",
  "POST /v1/admin/api-keys/{id}/revoke": "admin",
  "GET /v1/admin/dead-letters": "admin",
  "POST /v1/admin/dead-letters/replay": "admin",
  "POST /v1/admin/clock": "admin",
};

const PLATFORM: Record<string, Case> = {
  "POST /v1/auth/register": own({ body: { name: "Somebody", email: "somebody@example.com", password: "password-1", institutionName: "Some Company" } }),
  "POST /v1/auth/login": { foreign: ({ email }) => [{ body: { email, password: "password-of-another" } }] },
  "POST /v1/auth/select-institution": { foreign: ({ tenantId }) => [{ body: { institutionId: tenantId } }] },
  "GET /v1/auth/institutions": own(),
  "POST /v1/institutions": own({ body: { name: "Another Company" } }),
  "POST /v1/institutions/{institutionId}/members": { foreign: ({ tenantId }, mine) => [{ params: { institutionId: tenantId }, body: { email: mine.email } }] },
  "GET /v1/institutions/{institutionId}/members": { foreign: ({ tenantId }) => [{ params: { institutionId: tenantId } }] },
  "DELETE /v1/institutions/{institutionId}/members/{userId}": {
    foreign: ({ tenantId, userId }, mine) => [
      { params: { institutionId: tenantId, userId } },
      { params: { institutionId: mine.tenantId, userId } },
      { params: { institutionId: tenantId, userId: mine.userId } },
    ],
  },
  "POST /v1/api-keys": own({ body: { name: "Mine", permissions: ["channels.read"] } }),
  "GET /v1/api-keys": own(),
  "DELETE /v1/api-keys/{apiKeyId}": { foreign: ({ keyId, gatewayKeyId }) => [keyId, gatewayKeyId].map((apiKeyId) => ({ params: { apiKeyId } })) },
  "POST /v1/channels": own({ body: { name: "Mine", type: "CHAT_SESSION" } }),
  "GET /v1/channels": own(),
  "GET /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/connect": byChannel(),
  "POST /v1/channels/{channelId}/disconnect": byChannel(),
  "DELETE /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/messages/text": byChannel({ body: { to: "5511999990001", text: "olá" } }),
  "POST /v1/webhooks": own({ body: { ...webhook, name: "Mine", events: ["message.sent"] } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/{id}": { foreign: ({ webhookId, sharedId }) => [webhookId, sharedId].map((id) => ({ params: { id } })) },
  "PATCH /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", active: false } }),
  "PUT /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", url: webhook.url } }),
  "DELETE /v1/webhooks/{id}": byId((ids) => ids.webhookId),
  "GET /v1/webhooks/{id}/logs": byId((ids) => ids.webhookId),
};

/** How every documented route is tried by one who is not its tenant. */
export const CASES = { gateway: GATEWAY, platform: PLATFORM };
