import type { StatedRoute } from "../../../scripts/list/routes.ts";
import type { Kind } from "../../../src/apis/shared/isolation.ts";
import { WEBHOOK_TOKEN } from "../billing/billing.ts";
import { AI_CONTACT } from "../customers/agents/ai-chat.ts";
import { APP_ID } from "../customers/signup.ts";
import { TEMPLATE } from "../customers/templates.ts";
import { REDIRECT } from "../networks/social.ts";
import { IDEMPOTENCY_KEY, type Ids } from "./tenant.ts";

// The facts about the requests of isolation.ts that only tests know. No table has routes as keys.

type Texts = Readonly<Record<string, string>>;

/** TABLE: the names of a kind's things. A request that must find a thing uses the first name. */
export const NAMED: Record<Kind, (ids: Ids, api: StatedRoute["api"]) => readonly string[]> = {
  account: ({ tenantId }) => [tenantId],
  agentConversation: ({ aiConversationId }) => [aiConversationId],
  agentTool: ({ toolId }) => [toolId],
  agentTurn: ({ aiTurnId }) => [aiTurnId],
  batch: ({ batchId }) => [batchId],
  call: ({ callId, upstreamCallId }) => [callId, encodeURIComponent(upstreamCallId)],
  cannedReply: ({ cannedReplyId }) => [cannedReplyId],
  channel: ({ phoneId, simulatedChannelId }) => [phoneId, simulatedChannelId],
  cloudToken: ({ cloudTokenId }) => [cloudTokenId],
  contact: ({ contactId }) => [contactId],
  conversation: ({ conversationId }) => [conversationId],
  delivery: ({ deliveryId }) => [deliveryId],
  email: ({ email }) => [email],
  event: ({ eventId, deliveryId, messageId }) => [eventId, deliveryId, messageId],
  file: ({ mediaId }) => [mediaId],
  fileHandle: ({ mediaId }) => [`file-${mediaId}`],
  flow: ({ flowId }) => [flowId],
  group: ({ groupId }) => [groupId],
  invitation: ({ invitationId }) => [invitationId],
  invitationToken: ({ invitationToken }) => [invitationToken],
  invoice: ({ invoiceId }) => [invoiceId],
  joinCode: ({ tenantId }) => [`${tenantId}.${tenantId}.1.${"0".repeat(64)}`],
  gatewayKey: ({ gatewayKeyId }) => [gatewayKeyId],
  key: ({ keyId, gatewayKeyId }, api) => (api === "gateway" ? [gatewayKeyId, keyId] : [keyId, gatewayKeyId]),
  knowledge: ({ docId }) => [docId],
  lookup: ({ taskId }) => [taskId],
  message: ({ messageId, receivedId, simulatedMessageId }) => [messageId, receivedId, simulatedMessageId],
  networkNumber: ({ phoneNumberId }) => [phoneNumberId],
  pairingLink: ({ pairingLinkId }) => [pairingLinkId],
  scheduledMessage: ({ scheduledId }) => [scheduledId],
  sender: ({ gatewayKeyId, userId }) => [`key:${gatewayKeyId}`, `user:${userId}`],
  signIn: ({ sessionId }) => [sessionId],
  template: ({ templateId }) => [templateId],
  trialRun: ({ trialRunId }) => [trialRunId],
  user: ({ userId }) => [userId],
  webhook: ({ sharedId, webhookId }, api) => (api === "gateway" ? [sharedId, webhookId] : [webhookId, sharedId]),
  idempotencyKey: () => [IDEMPOTENCY_KEY],
  person: () => ["5511999990001", "5511999990003", "contact"],
  templateName: () => ["victim_template"],
  text: () => ["document"],
};
/** Words that every tenant may say. */
export const COMMON: readonly Kind[] = ["idempotencyKey", "person", "templateName", "text"];

/** TABLE: parameters that name no thing of a tenant, and their values in a request that must find a thing. */
export const PLAIN: Texts = {
  to: "5511999990001",
  key: "5511999990001",
  contactKey: AI_CONTACT,
  upstreamId: "123",
  newsletterId: "120363000000000001",
  serverId: "100",
  orderId: "1234567890",
  exp: "9999999999",
  limit: "1",
  inviteCode: "Zk3vX9pQ2rT",
};

/** A text that can be sent. */
export const TEXT = { type: "text", content: { text: "olá" }, to: "5511999990001" };
const LATER = { scheduledAt: "2027-01-01T00:00:00Z" };

/**
 * TABLE: bodies by the names of their schemas, if the documented example changes nothing, or names things that the
 * tests' servers do not have.
 */
export const BODIES: Record<string, object> = {
  AddDocumentRequest: { source: "TEXT_INLINE", text: "what nobody else is to know" },
  ConnectSocialAccountRequest: { code: "a code of nobody", redirectUri: REDIRECT },
  CreateBatchRequest: { text: "olá", recipients: ["5511999990001"] },
  CreateTemplateRequest: TEMPLATE,
  ReadEmbeddedSignupEventRequest: { message: { type: "WA_EMBEDDED_SIGNUP" } },
  RescheduleRequest: LATER,
  RetryDeliveries: { state: "DEAD" },
  ScheduleMessageRequest: { ...LATER, payload: TEXT },
  SendMessage: TEXT,
  SendPixRequest: {
    to: "5511999990001",
    amountCents: 100,
    key: "a@b.example",
    merchantName: "Padaria",
    merchantCity: "Recife",
    txid: "pedido1",
  },
  SetPhoneProxyRequest: { url: null },
  ShowPresenceRequest: { state: "available" },
  SnoozeChat: { until: "2026-11-30T12:00:00Z" },
  TrialSetRequest: { questions: [{ text: "Vocês abrem no domingo?", facts: ["não"] }] },
  UpdateNewsletterRequest: { name: "Padaria" },
  UploadMediaResumableRequest: {
    mediaUrl: "https://files.example.com/a.png",
    mimeType: "image/png",
    fileName: "a.png",
    appId: APP_ID,
  },
};

/** TABLE: the credentials of routes that no tenant's credentials open. */
export const OPENED_BY: Record<string, Texts> = { processor: { "asaas-access-token": WEBHOOK_TOKEN } };
