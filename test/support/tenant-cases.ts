import { AI_CONTACT } from "./ai-chat.ts";
import { CPF, WEBHOOK_TOKEN } from "./billing.ts";
import { PLATFORM_CASES } from "./platform-tenant-cases.ts";
import { APP_ID } from "./signup.ts";
import { REDIRECT } from "./social.ts";
import { TEMPLATE } from "./templates.ts";
import { IDEMPOTENCY_KEY } from "./tenant.ts";
import { type Attempt, byId, type Case, own, webhook } from "./tenant-case.ts";

export const TEXT = { type: "text", content: { text: "olá" }, to: "5511999990001" };
const onMessage = (input: object): Case => ({
  foreign: ({ phoneId, messageId }, mine) => [
    { params: { id: messageId }, body: { ...input, phoneId } },
    { params: { id: messageId }, body: { ...input, phoneId: mine.phoneId } },
    { params: { id: mine.messageId }, body: { ...input, phoneId } },
  ],
});
const SOME_TIME = "2027-01-01T00:00:00Z";
const UPLOAD = { mediaUrl: "https://files.example.com/a.png", mimeType: "image/png" };
const throughPhone = (rest: Attempt): Case => ({
  foreign: ({ phoneId }) => [{ ...rest, headers: { "x-phone-id": phoneId } }],
});
const byEvent: Case = {
  foreign: ({ eventId, deliveryId, messageId }) => [eventId, deliveryId, messageId].map((id) => ({ params: { id } })),
};

const byTalk = (): Case => byId((ids) => ids.phoneId, { params: { contactKey: AI_CONTACT } });
const SDP = "v=0 a session description";
const onCall = (rest: Attempt = {}): Case => ({
  foreign: ({ callId, upstreamCallId }) =>
    [callId, encodeURIComponent(upstreamCallId)].map((id) => ({ ...rest, params: { id } })),
});

const agent = { systemPrompt: "You are somebody else's agent." };
const flow = { name: "Mine", categories: ["SURVEY"] };
const waIds = { waIds: ["5511999990001"] };
const joinRequestIds = { joinRequestIds: ["a"] };
const sealed = { encrypted_flow_data: "AAAA", encrypted_aes_key: "AAAA", initial_vector: "AAAA" };

const byDocument: Case = {
  foreign: ({ phoneId: id, docId }, mine) => [
    { params: { id, docId } },
    { params: { id: mine.phoneId, docId } },
    { params: { id, docId: mine.docId } },
  ],
};

const GATEWAY: Record<string, Case> = {
  "GET /health": own(),
  "GET /health/ready": own(),
  "GET /origin": own(),
  "GET /versao": own(),
  "GET /v1/upstream-webhook": own(),
  "POST /v1/upstream-webhook": own({ body: {} }),
  "POST /v1/upstream-webhook/{channelId}": {
    foreign: ({ phoneId }) => [{ params: { channelId: phoneId }, body: {} }],
  },
  "POST /v1/phones": {
    own: ({ tenantId, sharedId }) => ({
      body: { type: "SESSION", label: "Mine", accountId: tenantId, sharedWebhookId: sharedId },
    }),
  },
  "GET /v1/phones": { foreign: ({ tenantId }) => [{}, { query: { accountId: tenantId, tenantId } }] },
  "GET /v1/phones/search": {
    foreign: ({ tenantId, phoneId }) => [
      { query: { ids: phoneId } },
      { query: { cursor: phoneId, accountId: tenantId } },
    ],
  },
  "GET /v1/phones/{id}": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}": {
    foreign: ({ phoneId, sharedId }, mine) => [
      { params: { id: phoneId }, body: { webhook } },
      { params: { id: mine.phoneId }, body: { sharedWebhookId: sharedId } },
    ],
  },
  "DELETE /v1/phones/{id}": {
    foreign: ({ phoneId }) => [{ params: { id: phoneId } }, { params: { id: phoneId }, query: { deregister: "true" } }],
  },
  "GET /v1/phones/{id}/qrcode": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/pairing": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/pairing-code": byId((ids) => ids.phoneId, { body: { phoneNumber: "5511999990001" } }),
  "POST /v1/phones/{id}/pairing-links": byId((ids) => ids.phoneId, { body: { label: "Mine" } }),
  "GET /v1/phones/{id}/pairing-links": byId((ids) => ids.phoneId),
  "DELETE /v1/phones/{id}/pairing-links/{linkId}": {
    foreign: ({ phoneId, pairingLinkId }, mine) => [
      { params: { id: phoneId, linkId: pairingLinkId } },
      { params: { id: mine.phoneId, linkId: pairingLinkId } },
    ],
  },
  "POST /v1/phones/{id}/webhook/retry": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/webhook/test": byId((ids) => ids.phoneId, { body: {} }),
  "GET /v1/phones/{id}/webhook/attempts": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/passkey": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/passkey": byId((ids) => ids.phoneId, { body: {} }),
  "POST /v1/phones/{id}/passkey/confirm": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/cloud-api": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}/cloud-api": byId((ids) => ids.phoneId, { body: { templatesAsText: true } }),
  "POST /v1/phones/{id}/cloud-api/tokens": byId((ids) => ids.phoneId, { body: { name: "a token" } }),
  "GET /v1/phones/{id}/cloud-api/tokens": byId((ids) => ids.phoneId),
  "DELETE /v1/phones/{id}/cloud-api/tokens/{tokenId}": {
    foreign: ({ phoneId, cloudTokenId }, mine) => [
      { params: { id: phoneId, tokenId: cloudTokenId } },
      { params: { id: mine.phoneId, tokenId: cloudTokenId } },
    ],
  },
  "GET /v1/phones/{id}/cloud-api/webhook": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/cloud-api/webhook": byId((ids) => ids.phoneId, {
    body: { url: "https://example.com/webhook", verifyToken: "a token" },
  }),
  "POST /v1/phones/{id}/cloud-api/webhook/secret": byId((ids) => ids.phoneId),
  "DELETE /v1/phones/{id}/cloud-api/webhook": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/proxy": byId((ids) => ids.phoneId, { body: { url: null } }),
  "POST /v1/phones/{id}/proxy/check": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/logout": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/reconnect": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/identities/resolve": byId((ids) => ids.phoneId, { query: { key: "5511999990001" } }),
  "GET /v1/phones/{id}/conversations/{to}/control": byId((ids) => ids.phoneId, { params: { to: "5511999990001" } }),
  "POST /v1/phones/{id}/conversations/{to}/control": byId((ids) => ids.phoneId, {
    params: { to: "5511999990001" },
    body: { action: "take" },
  }),
  "GET /v1/phones/{id}/ice-breakers": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/ice-breakers": byId((ids) => ids.phoneId, {
    body: { iceBreakers: [{ locale: "default", questions: [{ question: "Mine?", payload: "MINE" }] }] },
  }),
  "DELETE /v1/phones/{id}/ice-breakers": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/menu": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/menu": byId((ids) => ids.phoneId, {
    body: { menu: [{ locale: "default", items: [{ type: "postback", title: "Mine", payload: "MINE" }] }] },
  }),
  "DELETE /v1/phones/{id}/menu": byId((ids) => ids.phoneId),
  "GET /v1/phones/waba/embedded-signup/config": own(),
  "POST /v1/phones/waba/embedded-signup": {
    own: ({ phoneNumberId }) => ({ body: { code: "a code of nobody", wabaId: "1", phoneNumberId: phoneNumberId } }),
  },
  "POST /v1/phones/waba/embedded-signup/events": own({ body: { message: { type: "WA_EMBEDDED_SIGNUP" } } }),
  "POST /v1/phones/{id}/verification": byId((ids) => ids.phoneId, { body: { method: "SMS" } }),
  "POST /v1/phones/{id}/verification/confirm": byId((ids) => ids.phoneId, { body: { code: "123456" } }),
  "GET /v1/phones/{id}/settings": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}/settings": byId((ids) => ids.phoneId, { body: { marketingMessages: "off" } }),
  "GET /v1/phones/{id}/username": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/username": byId((ids) => ids.phoneId, { body: { username: "padaria" } }),
  "DELETE /v1/phones/{id}/username": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/username/suggestions": byId((ids) => ids.phoneId),
  "GET /v1/phones/social/oauth/config": own(),
  "POST /v1/phones/social/oauth": own({ body: { code: "a code of nobody", redirectUri: REDIRECT } }),
  "POST /v1/phones/{id}/presence": byId((ids) => ids.phoneId, { body: { state: "available" } }),
  "POST /v1/phones/{id}/presence/subscriptions": byId((ids) => ids.phoneId, { body: { to: "5511999990001" } }),
  "GET /v1/phones/{id}/blocks": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/blocks": byId((ids) => ids.phoneId, { body: { to: "5511999990001" } }),
  "DELETE /v1/phones/{id}/blocks": byId((ids) => ids.phoneId, { body: { to: "5511999990001" } }),
  "GET /v1/phones/{id}/profile": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/profile": byId((ids) => ids.phoneId, { body: { about: "Mine" } }),
  "GET /v1/phones/{id}/contacts/{to}/profile-picture": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/history": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/history": byId((ids) => ids.phoneId, { body: { chat: "5511999990001" } }),
  "POST /v1/phones/{id}/rotate-token": byId((ids) => ids.phoneId, { body: { accessToken: "EAAtoken" } }),
  "GET /v1/phones/{id}/capabilities": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/quota": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId),
  "PATCH /v1/phones/{id}/business-profile": byId((ids) => ids.phoneId, { body: { about: "Mine" } }),
  "POST /v1/phones/{id}/name-change": byId((ids) => ids.phoneId, { body: { displayName: "Mine" } }),
  "GET /v1/phones/{id}/name-change": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/contacts/sync": byId((ids) => ids.phoneId, { body: {} }),
  "POST /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/flows-keypair": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/ai-agent": byId((ids) => ids.phoneId, { body: agent }),
  "GET /v1/phones/{id}/ai-agent": byId((ids) => ids.phoneId),
  "DELETE /v1/phones/{id}/ai-agent": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/ai-agent/enable": byId((ids) => ids.phoneId),
  "POST /v1/phones/{id}/ai-agent/disable": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/ai-agent/conversations": {
    foreign: ({ phoneId, aiConversationId }, mine) => [
      { params: { id: phoneId } },
      { params: { id: mine.phoneId }, query: { cursor: aiConversationId } },
    ],
  },
  "GET /v1/phones/{id}/ai-agent/conversations/{contactKey}": byTalk(),
  "GET /v1/phones/{id}/ai-agent/conversations/{contactKey}/messages": {
    foreign: ({ phoneId, aiTurnId }, mine) => [
      { params: { id: phoneId, contactKey: AI_CONTACT } },
      { params: { id: mine.phoneId, contactKey: AI_CONTACT }, query: { before: aiTurnId } },
    ],
  },
  "POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/handoff": byTalk(),
  "POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/release": byTalk(),
  "POST /v1/phones/{id}/ai-agent/conversations/{contactKey}/close": byTalk(),
  "POST /v1/phones/{id}/ai-agent/knowledge": byId((ids) => ids.phoneId, {
    body: { source: "TEXT_INLINE", text: "what nobody else is to know" },
  }),
  "POST /v1/phones/{id}/ai-agent/knowledge/files": byId((ids) => ids.phoneId, { body: {} }),
  "GET /v1/phones/{id}/ai-agent/knowledge": byId((ids) => ids.phoneId),
  "GET /v1/phones/{id}/ai-agent/knowledge/{docId}": byDocument,
  "DELETE /v1/phones/{id}/ai-agent/knowledge/{docId}": byDocument,
  "POST /v1/phones/{id}/ai-agent/test": byId((ids) => ids.phoneId, { body: { message: "olá" } }),
  "GET /v1/ai/agents": { foreign: ({ phoneId }) => [{ query: { phoneId } }] },
  "POST /v1/ai/summary": own({ body: { messages: [{ from: "user", text: "olá" }] } }),
  "POST /v1/ai/classify": own({ body: { text: "olá", categories: ["a", "b"] } }),
  "GET /v1/account/integrations/llm": own(),
  "PATCH /v1/account/integrations/llm": own({ body: { embeddingModel: "mine" } }),
  "POST /v1/flows": { foreign: ({ phoneId }) => [{ body: { ...flow, phoneId } }] },
  "GET /v1/flows": { foreign: ({ phoneId, flowId }) => [{ query: { phoneId } }, { query: { cursor: flowId } }] },
  "GET /v1/flows/{id}": byId((ids) => ids.flowId),
  "PATCH /v1/flows/{id}": byId((ids) => ids.flowId, { body: flow }),
  "DELETE /v1/flows/{id}": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/publish": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/deprecate": byId((ids) => ids.flowId),
  "POST /v1/flows/{id}/sync": byId((ids) => ids.flowId),
  // the network names the flow; what is not sealed with its phone's key is refused
  "POST /v1/flows/data-exchange/{flowId}": { own: ({ flowId }) => ({ params: { flowId }, body: sealed }) },
  "POST /v1/groups": { foreign: ({ phoneId }) => [{ body: { phoneId, subject: "Mine" } }] },
  "GET /v1/groups": {
    foreign: ({ phoneId, groupId }, mine) => [
      { query: { phoneId } },
      { query: { phoneId: mine.phoneId, cursor: groupId } },
    ],
  },
  "GET /v1/groups/{id}": {
    foreign: ({ groupId }) => [{ params: { id: groupId } }, { params: { id: groupId }, query: { refresh: "true" } }],
  },
  "PATCH /v1/groups/{id}": byId((ids) => ids.groupId, { body: { subject: "Mine" } }),
  "DELETE /v1/groups/{id}": byId((ids) => ids.groupId),
  "POST /v1/groups/{id}/participants": byId((ids) => ids.groupId, { body: waIds }),
  "DELETE /v1/groups/{id}/participants": byId((ids) => ids.groupId, { body: waIds }),
  "POST /v1/groups/{id}/admins": byId((ids) => ids.groupId, { body: waIds }),
  "DELETE /v1/groups/{id}/admins": byId((ids) => ids.groupId, { body: waIds }),
  "GET /v1/groups/{id}/join-requests": byId((ids) => ids.groupId),
  "POST /v1/groups/{id}/join-requests/approve": byId((ids) => ids.groupId, { body: joinRequestIds }),
  "POST /v1/groups/{id}/join-requests/reject": byId((ids) => ids.groupId, { body: joinRequestIds }),
  "POST /v1/groups/{id}/invite-link/reset": byId((ids) => ids.groupId),
  "POST /v1/groups/{id}/leave": byId((ids) => ids.groupId),
  "GET /v1/groups/{id}/invite-link": byId((ids) => ids.groupId),
  "PUT /v1/groups/{id}/picture": byId((ids) => ids.groupId, { body: { mediaUrl: "https://example.com/a.png" } }),
  "DELETE /v1/groups/{id}/picture": byId((ids) => ids.groupId),
  "POST /v1/groups/{id}/messages": byId((ids) => ids.groupId, { body: { type: "text", payload: { body: "olá" } } }),
  "POST /v1/calls": { foreign: ({ phoneId }) => [{ body: { phoneId, to: "5511999990001", sdpOffer: SDP } }] },
  "GET /v1/calls": { foreign: ({ phoneId, callId }) => [{}, { query: { phoneId } }, { query: { cursor: callId } }] },
  "GET /v1/calls/{id}": onCall(),
  "POST /v1/calls/{id}/accept": onCall({ body: { sdpAnswer: SDP } }),
  "POST /v1/calls/{id}/reject": onCall(),
  "POST /v1/calls/{id}/hangup": onCall(),
  "POST /v1/calls/permission-request": { foreign: ({ phoneId }) => [{ body: { phoneId, to: "5511999990001" } }] },
  "GET /v1/calls/permissions": { foreign: ({ phoneId }) => [{ query: { phoneId, to: "5511999990001" } }] },
  "POST /v1/calls/{id}/recording": onCall({ body: {}, headers: { "content-type": "audio/ogg" } }),
  "GET /v1/calls/{id}/recording": onCall(),
  "GET /files/{accountId}/recordings/{callId}/{fileId}": {
    foreign: ({ tenantId: accountId, callId, mediaId: fileId }) => [
      { params: { accountId, callId, fileId }, query: { exp: "9999999999", sig: "x" } },
    ],
  },
  "POST /v1/lookup": { foreign: ({ phoneId }) => [{ body: { phoneId, numbers: ["5511999990001"] } }] },
  "GET /v1/lookup/{taskId}": { foreign: ({ taskId }) => [{ params: { taskId } }] },
  "POST /v1/messages": {
    foreign: ({ phoneId, messageId }, mine) => [
      { body: { ...TEXT, phoneId } },
      { body: { ...TEXT, phoneId, idempotencyKey: IDEMPOTENCY_KEY } },
      { body: { ...TEXT, phoneId: mine.phoneId, quotedMessageId: messageId } },
    ],
  },
  "POST /v1/messages/cheapest": {
    foreign: ({ phoneId }) => [{ body: { ...TEXT, phoneIds: [phoneId] } }],
  },
  "GET /v1/messages/{id}/timeline": byId((ids) => ids.messageId),
  "GET /v1/messages/{id}": byId((ids) => ids.messageId),
  "GET /v1/account": own(),
  "GET /v1/messages": {
    foreign: ({ phoneId, conversationId, contactId, messageId }) => [
      {},
      { query: { phoneId } },
      { query: { phoneId, direction: "inbound", q: "document" } },
      { query: { chatId: conversationId } },
      { query: { contact: contactId } },
      { query: { contact: "5511999990001" } },
      { query: { cursor: messageId } },
    ],
  },
  "GET /v1/chats": {
    foreign: ({ phoneId, contactId, userId }) => [
      {},
      { query: { phoneId } },
      { query: { phoneId, unread: "true" } },
      { query: { state: "OPEN", q: "5511999990001" } },
      { query: { contactId } },
      { query: { state: "OPEN", assignee: userId } },
    ],
  },
  "GET /v1/chats/counts": { foreign: ({ userId }) => [{}, { query: { assignee: userId } }] },
  "GET /v1/chats/assignees": own(),
  "GET /v1/chats/{id}": byId((ids) => ids.conversationId),
  "GET /v1/chats/{id}/messages": byId((ids) => ids.conversationId),
  "POST /v1/chats/{id}/messages": byId((ids) => ids.conversationId, {
    body: { type: "text", content: { text: "olá" } },
  }),
  "POST /v1/chats/{id}/read": byId((ids) => ids.conversationId, { body: {} }),
  "POST /v1/chats/{id}/handover": byId((ids) => ids.conversationId, { body: { to: "person" } }),
  "POST /v1/chats/{id}/assign": byId((ids) => ids.conversationId, { body: { userId: null } }),
  "POST /v1/chats/{id}/close": byId((ids) => ids.conversationId, { body: {} }),
  "POST /v1/chats/{id}/reopen": byId((ids) => ids.conversationId, { body: {} }),
  "GET /v1/contacts": {
    foreign: ({ contactId }) => [{}, { query: { q: "contact" } }, { query: { cursor: contactId } }],
  },
  "GET /v1/contacts/{id}": byId((ids) => ids.contactId),
  "POST /v1/contacts": own({ body: { phoneNumber: "5511977776666", name: "Ana" } }),
  "PATCH /v1/contacts/{id}": byId((ids) => ids.contactId, { body: { name: "Ana" } }),
  "DELETE /v1/contacts/{id}": byId((ids) => ids.contactId),
  "POST /v1/templates": {
    foreign: ({ phoneId }) => [
      { body: { ...TEMPLATE, phoneId } },
      { body: { ...TEMPLATE, phoneId, name: "victim_template" } },
    ],
  },
  "GET /v1/templates": {
    foreign: ({ phoneId }) => [{}, { query: { phoneId } }, { query: { name: "victim_template" } }],
  },
  "GET /v1/templates/{id}": byId((ids) => ids.templateId),
  "PATCH /v1/templates/{id}": {
    foreign: ({ templateId }) => [
      { params: { id: templateId } },
      { params: { id: templateId }, body: { category: "MARKETING" } },
    ],
  },
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
  "POST /v1/messages/scheduled": {
    foreign: ({ phoneId }) => [{ body: { scheduledAt: SOME_TIME, payload: { ...TEXT, phoneId } } }],
  },
  "GET /v1/messages/scheduled": {
    foreign: ({ phoneId, scheduledId }) => [{}, { query: { phoneId } }, { query: { cursor: scheduledId } }],
  },
  "GET /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "PATCH /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId, { body: { scheduledAt: SOME_TIME } }),
  "DELETE /v1/messages/scheduled/{id}": byId((ids) => ids.scheduledId),
  "GET /v1/media/{id}": byId((ids) => ids.mediaId),
  "GET /v1/media/{id}/content": byId((ids) => ids.mediaId),
  "GET /v1/media/files/{handle}/content": { foreign: ({ mediaId }) => [{ params: { handle: `file-${mediaId}` } }] },
  "GET /v1/media/{id}/info": byId((ids) => ids.mediaId),
  "POST /v1/media/{id}/ack": byId((ids) => ids.mediaId),
  "POST /v1/media/files": own({ body: { a: 1 } }),
  "POST /v1/media/files/base64": own({ body: { base64: "aGVsbG8=" } }),
  "POST /v1/media/upload": throughPhone({ body: UPLOAD }),
  "POST /v1/media/upload/resumable": throughPhone({ body: { ...UPLOAD, fileName: "a.png", appId: APP_ID } }),
  "DELETE /v1/media/upstream/{upstreamId}": throughPhone({ params: { upstreamId: "123" } }),
  "GET /files/{accountId}/{mediaId}": {
    foreign: ({ tenantId, mediaId }) => [
      { params: { accountId: tenantId, mediaId } },
      { params: { accountId: tenantId, mediaId }, query: { exp: "9999999999", sig: "x" } },
    ],
  },
  "POST /v1/api-keys": own({ body: { name: "Mine" } }),
  "POST /v1/account/join-codes": own(),
  "GET /v1/api-keys": { foreign: ({ gatewayKeyId }) => [{}, { query: { cursor: gatewayKeyId, revoked: "true" } }] },
  "POST /v1/api-keys/{id}/revoke": byId((ids) => ids.gatewayKeyId),
  "POST /v1/webhooks": own({ body: { ...webhook, label: "Mine" } }),
  "GET /v1/webhooks": own(),
  "GET /v1/webhooks/health": {
    foreign: ({ sharedId }) => [{ query: { webhookId: sharedId } }, { query: { cursor: sharedId } }],
  },
  "GET /v1/webhooks/{id}": {
    foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })),
  },
  "PATCH /v1/webhooks/{id}": {
    foreign: ({ sharedId, webhookId }) =>
      [sharedId, webhookId].map((id) => ({ params: { id }, body: { ...webhook, label: "Mine" } })),
  },
  "POST /v1/webhooks/{id}/test": {
    foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id }, body: {} })),
  },
  "GET /v1/webhooks/{id}/attempts": {
    foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })),
  },
  "POST /v1/webhooks/{id}/retry": {
    foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })),
  },
  "DELETE /v1/webhooks/{id}": {
    foreign: ({ sharedId, webhookId }) => [sharedId, webhookId].map((id) => ({ params: { id } })),
  },
  "GET /v1/events": { foreign: ({ phoneId, eventId }) => [{ query: { phoneId } }, { query: { cursor: eventId } }] },
  "GET /v1/events/stream": "stream",
  "GET /v1/events/{id}": byEvent,
  "POST /v1/events/{id}/replay": byEvent,
  "GET /v1/deliveries": {
    foreign: ({ phoneId, messageId, sharedId, deliveryId }) => [
      { query: { phoneId } },
      { query: { messageId } },
      { query: { webhookId: sharedId } },
      { query: { cursor: deliveryId } },
    ],
  },
  "GET /v1/deliveries/{id}": byId((ids) => ids.deliveryId),
  "POST /v1/deliveries/{id}/retry": byId((ids) => ids.deliveryId),
  "POST /v1/deliveries/retry": {
    foreign: ({ phoneId, messageId, sharedId }) =>
      [{ phoneId }, { messageId }, { webhookId: sharedId }].map((named) => ({ body: { state: "DEAD", ...named } })),
  },
  "GET /v1/stats": { foreign: ({ phoneId }) => [{ query: { phoneId } }] },
  "GET /v1/stats/now": own(),
  "GET /v1/usage": own(),
  "GET /v1/billing/current": own(),
  "GET /v1/billing/ledger": own(),
  "GET /v1/billing/months": own(),
  "GET /v1/audit": {
    own: ({ tenantId, phoneId }) => ({ query: { search: phoneId, tenantId, accountId: tenantId } }),
  },
  "POST /v1/billing/estimate": {
    foreign: ({ phoneId }) => [{ body: { phoneId, to: ["5511999990001"] } }],
  },
  "GET /v1/business-hours": own(),
  "PUT /v1/business-hours": own({ body: { timeZone: "UTC", weekly: { monday: [{ from: "09:00", to: "18:00" }] } } }),
  "DELETE /v1/business-hours": own(),
  "GET /v1/phones/{id}/business-hours": byId((ids) => ids.phoneId),
  "PUT /v1/phones/{id}/business-hours": byId((ids) => ids.phoneId, {
    body: { timeZone: "UTC", weekly: { monday: [{ from: "09:00", to: "18:00" }] } },
  }),
  "DELETE /v1/phones/{id}/business-hours": byId((ids) => ids.phoneId),
  "GET /v1/billing/customer": own(),
  "POST /v1/billing/customer": own({ body: { cpfCnpj: CPF } }),
  "POST /v1/billing/invoices/{id}/issue": byId((ids) => ids.invoiceId),
  "POST /v1/payment-webhook": own({ headers: { "asaas-access-token": WEBHOOK_TOKEN }, body: {} }),
  "GET /v1/billing/invoices": own(),
  "GET /v1/billing/invoices/{id}": byId((ids) => ids.invoiceId),
  "POST /v1/admin/accounts": "admin",
  "GET /v1/admin/operators": "admin",
  "POST /v1/admin/operators": "admin",
  "POST /v1/admin/operators/reset": "admin",
  "DELETE /v1/admin/operators/{id}": "admin",
  "POST /v1/admin/users": "admin",
  "POST /v1/admin/users/reset": "admin",
  "POST /v1/admin/institutions/{id}/members": "admin",
  "GET /v1/admin/accounts": "admin",
  "GET /v1/admin/audit": "admin",
  "GET /v1/admin/accounts/{id}/use": "admin",
  "GET /v1/admin/billing": "admin",
  "GET /v1/admin/invoices": "admin",
  "GET /v1/admin/doctor": "admin",
  "GET /v1/admin/backups": "admin",
  "POST /v1/admin/backups": "admin",
  "GET /v1/admin/system": "admin",
  "GET /v1/admin/nodes": "admin",
  "GET /v1/admin/settings": "admin",
  "GET /v1/admin/troubles": "admin",
  "GET /v1/admin/licences": "admin",
  "GET /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/accounts/{id}": "admin",
  "PATCH /v1/admin/institutions/{id}": "admin",
  "POST /v1/admin/accounts/{id}/api-keys": "admin",
  "POST /v1/admin/accounts/{id}/institution": "admin",
  "POST /v1/admin/accounts/{id}/join": "admin",
  "GET /v1/admin/accounts/{id}/api-keys": "admin",
  "POST /v1/admin/api-keys/{id}/revoke": "admin",
  "GET /v1/admin/dead-letters": "admin",
  "POST /v1/admin/dead-letters/replay": "admin",
  "GET /v1/admin/plans": "admin",
  "POST /v1/admin/plans": "admin",
  "PATCH /v1/admin/plans/{code}": "admin",
  "POST /v1/admin/accounts/{id}/invoices": "admin",
  "POST /v1/admin/invoices/{id}/void": "admin",
  "POST /v1/admin/invoices/{id}/issue": "admin",
  "POST /v1/admin/invoices/{id}/mark-paid": "admin",
  "POST /v1/admin/jobs/{name}/run": "admin",
  "GET /v1/admin/stats": "admin",
  "POST /v1/admin/token": "admin",
  "POST /v1/admin/alerts/test": "admin",
  "POST /v1/admin/clock": "admin",
  "POST /v1/admin/imports/inspect": "admin",
  "POST /v1/admin/imports": "admin",
  "POST /v1/admin/exports": "admin",
  "POST /v1/admin/people/export": "admin",
  "POST /v1/admin/people/erase": "admin",
  "GET /v1/admin/people/erasures/{id}": "admin",
};

export type { Attempt, Case } from "./tenant-case.ts";

/** How every documented route is called by another tenant. */
export const CASES = { gateway: GATEWAY, platform: PLATFORM_CASES };
