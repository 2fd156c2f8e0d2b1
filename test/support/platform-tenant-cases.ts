import { type Attempt, byId, type Case, own, webhook } from "./tenant-case.ts";

const byChannel = (rest: Attempt = {}): Case => ({
  foreign: ({ phoneId }) => [{ ...rest, params: { channelId: phoneId } }],
});
const byConversation = (rest: Attempt = {}): Case => ({
  foreign: ({ conversationId }) => [{ ...rest, params: { conversationId } }],
});
/** An own member for a foreign conversation, and a foreign member for an own one. */
const handedOver: Case = {
  foreign: ({ conversationId, userId }, mine) => [
    { params: { conversationId }, body: { userId: mine.userId } },
    { params: { conversationId: mine.conversationId }, body: { userId } },
  ],
};
const ofHistory: Case = {
  foreign: ({ messageId, receivedId, simulatedMessageId }) =>
    [messageId, receivedId, simulatedMessageId].map((id) => ({ params: { messageId: id } })),
};
const simulated = (rest: Attempt = {}): Case => ({
  foreign: ({ phoneId, simulatedChannelId }) =>
    [phoneId, simulatedChannelId].map((channelId) => ({ ...rest, params: { channelId } })),
});
const byContact = (rest: Attempt = {}): Case => ({ foreign: ({ contactId }) => [{ ...rest, params: { contactId } }] });

const FILE = { to: "5511999990001", mediaUrl: "https://files.example.com/a" };

/** How every documented route of the platform is called by another tenant. */
export const PLATFORM_CASES: Record<string, Case> = {
  "POST /v1/auth/register": own({
    body: { name: "Somebody", email: "somebody@example.com", password: "password-1", institutionName: "Some Company" },
  }),
  "POST /v1/auth/login": { foreign: ({ email }) => [{ body: { email, password: "password-of-another" } }] },
  "POST /v1/auth/select-institution": { foreign: ({ tenantId }) => [{ body: { institutionId: tenantId } }] },
  "GET /v1/auth/institutions": own(),
  "GET /v1/account": own(),
  "GET /v1/auth/sessions": own(),
  "DELETE /v1/auth/sessions/{sessionId}": { foreign: ({ sessionId }) => [{ params: { sessionId } }] },
  "POST /v1/auth/change-password": own({ body: { currentPassword: "password-of-another", newPassword: "password-2" } }),
  "POST /v1/auth/verify-email": { foreign: ({ invitationToken }) => [{ body: { token: invitationToken } }] },
  "POST /v1/auth/forgot-password": { foreign: ({ email }) => [{ body: { email } }] },
  "POST /v1/auth/reset-password": {
    foreign: ({ invitationToken }) => [{ body: { token: invitationToken, password: "password-2" } }],
  },
  "POST /v1/auth/request-verification": own(),
  "POST /v1/auth/delete-user": own({ body: { password: "password-of-another" } }),
  "POST /v1/institutions": own({ body: { name: "Another Company" } }),
  "POST /v1/institutions/{institutionId}/members": {
    foreign: ({ tenantId }, mine) => [{ params: { institutionId: tenantId }, body: { email: mine.email } }],
  },
  "POST /v1/auth/accept-invitation": { foreign: ({ invitationToken }) => [{ body: { token: invitationToken } }] },
  "POST /v1/auth/join": {
    foreign: ({ invitationToken }) => [{ body: { token: invitationToken, name: "Somebody", password: "password-1" } }],
  },
  "PATCH /v1/institutions/{institutionId}/members/{userId}": {
    foreign: ({ tenantId, userId }, mine) => [
      { params: { institutionId: tenantId, userId }, body: { role: "VIEWER" } },
      { params: { institutionId: mine.tenantId, userId }, body: { role: "VIEWER" } },
    ],
  },
  "DELETE /v1/institutions/{institutionId}/invitations/{invitationId}": {
    foreign: ({ tenantId, invitationId }, mine) => [
      { params: { institutionId: tenantId, invitationId } },
      { params: { institutionId: mine.tenantId, invitationId } },
    ],
  },
  "GET /v1/institutions/{institutionId}/members": {
    foreign: ({ tenantId }) => [{ params: { institutionId: tenantId } }],
  },
  "DELETE /v1/institutions/{institutionId}/members/{userId}": {
    foreign: ({ tenantId, userId }, mine) => [
      { params: { institutionId: tenantId, userId } },
      { params: { institutionId: mine.tenantId, userId } },
      { params: { institutionId: tenantId, userId: mine.userId } },
    ],
  },
  "POST /v1/institutions/{institutionId}/gateway-keys": {
    foreign: ({ tenantId }) => [{ params: { institutionId: tenantId }, body: { name: "Mine" } }],
  },
  "GET /v1/institutions/{institutionId}/gateway-keys": {
    foreign: ({ tenantId }) => [{ params: { institutionId: tenantId } }],
  },
  "DELETE /v1/institutions/{institutionId}/gateway-keys/{apiKeyId}": {
    foreign: ({ tenantId, gatewayKeyId }, mine) => [
      { params: { institutionId: tenantId, apiKeyId: gatewayKeyId } },
      { params: { institutionId: mine.tenantId, apiKeyId: gatewayKeyId } },
    ],
  },
  "POST /v1/institutions/{institutionId}/accounts": {
    foreign: ({ tenantId }, mine) =>
      [tenantId, mine.tenantId].map((institutionId) => ({
        params: { institutionId },
        body: { code: `${tenantId}.${tenantId}.1.${"0".repeat(64)}` },
      })),
  },
  "POST /v1/api-keys": own({ body: { name: "Mine", permissions: ["channels.read"] } }),
  "GET /v1/api-keys": own(),
  "DELETE /v1/api-keys/{apiKeyId}": {
    foreign: ({ keyId, gatewayKeyId }) => [keyId, gatewayKeyId].map((apiKeyId) => ({ params: { apiKeyId } })),
  },
  "POST /v1/channels": own({ body: { name: "Mine", type: "CHAT_SESSION" } }),
  "GET /v1/channels": own(),
  "GET /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/connect": byChannel(),
  "POST /v1/channels/{channelId}/disconnect": byChannel(),
  "DELETE /v1/channels/{channelId}": byChannel(),
  "POST /v1/channels/{channelId}/messages/text": byChannel({ body: { to: "5511999990001", text: "olá" } }),
  ...Object.fromEntries(
    ["image", "video", "audio", "document"].map((type) => [
      `POST /v1/channels/{channelId}/messages/${type}`,
      byChannel({ body: FILE }),
    ]),
  ),
  "POST /v1/channels/{channelId}/messages/contact": byChannel({
    body: { to: "5511999990001", contacts: [{ name: "Ana", phone: "5511999990001" }] },
  }),
  "POST /v1/channels/{channelId}/messages/pix": byChannel({
    body: {
      to: "5511999990001",
      amountCents: 100,
      key: "a@b.example",
      merchantName: "Padaria",
      merchantCity: "Recife",
      txid: "pedido1",
    },
  }),
  "POST /v1/channels/{channelId}/messages/template": byChannel({ body: { to: "5511999990001", name: "order_update" } }),
  "GET /v1/business-hours": own(),
  "PUT /v1/business-hours": own({ body: { timeZone: "UTC", weekly: { monday: [{ from: "09:00", to: "18:00" }] } } }),
  "GET /v1/channels/{channelId}/templates": byChannel(),
  "POST /v1/channels/{channelId}/templates/sync": byChannel(),
  "POST /v1/contacts": own({ body: { phoneNumber: "5511999990003", name: "Mine" } }),
  "GET /v1/contacts": { foreign: () => [{}, { query: { search: "contact" } }, { query: { search: "5511999990003" } }] },
  "GET /v1/conversations": {
    foreign: ({ phoneId, contactId }) => [
      {},
      { query: { channelId: phoneId } },
      { query: { contactId } },
      { query: { status: "OPEN", contactId } },
    ],
  },
  "GET /v1/conversations/{conversationId}": byConversation(),
  "POST /v1/conversations/{conversationId}/assign": handedOver,
  "POST /v1/conversations/{conversationId}/transfer": handedOver,
  "POST /v1/conversations/{conversationId}/close": byConversation(),
  "GET /v1/conversations/{conversationId}/messages": byConversation(),
  "GET /v1/messages/{messageId}": ofHistory,
  "GET /v1/messages/{messageId}/media": ofHistory,
  "GET /v1/contacts/{contactId}": byContact(),
  "PATCH /v1/contacts/{contactId}": byContact({ body: { name: "Mine", tags: ["mine"] } }),
  "DELETE /v1/contacts/{contactId}": byContact(),
  "POST /v1/bulk": {
    foreign: ({ phoneId }) => [{ body: { channelId: phoneId, text: "olá", recipients: ["5511999990001"] } }],
  },
  "GET /v1/bulk": { foreign: ({ phoneId }) => [{}, { query: { channelId: phoneId } }] },
  "GET /v1/bulk/{batchId}": { foreign: ({ batchId }) => [{ params: { batchId } }] },
  "GET /v1/bulk/{batchId}/recipients": { foreign: ({ batchId }) => [{ params: { batchId } }] },
  "POST /v1/bulk/{batchId}/recipients": {
    foreign: ({ batchId }) => [{ params: { batchId }, body: { recipients: ["5511999990099"] } }],
  },
  "POST /v1/bulk/{batchId}/pause": { foreign: ({ batchId }) => [{ params: { batchId } }] },
  "POST /v1/bulk/{batchId}/resume": { foreign: ({ batchId }) => [{ params: { batchId } }] },
  "POST /v1/bulk/{batchId}/cancel": { foreign: ({ batchId }) => [{ params: { batchId } }] },
  "POST /v1/bulk/validate": {
    foreign: ({ phoneId }) => [{ body: { numbers: ["5511999990001"], channelId: phoneId } }],
  },
  "POST /v1/bulk/forecast": {
    foreign: ({ phoneId }) => [{ body: { to: ["5511999990001"], channelId: phoneId } }],
  },
  "POST /v1/webhooks": own({ body: { ...webhook, name: "Mine", events: ["message.sent"] } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/{id}": {
    foreign: ({ webhookId, sharedId }) => [webhookId, sharedId].map((id) => ({ params: { id } })),
  },
  "PATCH /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", active: false } }),
  "PUT /v1/webhooks/{id}": byId((ids) => ids.webhookId, { body: { name: "Mine", url: webhook.url } }),
  "DELETE /v1/webhooks/{id}": byId((ids) => ids.webhookId),
  "POST /v1/webhooks/{id}/retry": byId((ids) => ids.webhookId),
  "POST /v1/webhooks/{id}/test": byId((ids) => ids.webhookId, { body: {} }),
  "GET /v1/webhooks/{id}/logs": byId((ids) => ids.webhookId),
  "POST /v1/sandbox/channels/{channelId}/connect": simulated({ body: { phoneNumber: "5511999990004" } }),
  "POST /v1/sandbox/channels/{channelId}/disconnect": simulated(),
  "POST /v1/sandbox/channels/{channelId}/messages": simulated({ body: { from: "5511999990003", text: "olá" } }),
  "POST /v1/sandbox/messages/{messageId}/status": {
    foreign: ({ messageId, receivedId, simulatedMessageId }) =>
      [messageId, receivedId, simulatedMessageId].map((id) => ({
        params: { messageId: id },
        body: { status: "read" },
      })),
  },
};
