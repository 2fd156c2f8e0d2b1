import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { CLOSED_BREAKER } from "../../../src/core/events/schedule.ts";
import type {
  BatchId,
  ChannelId,
  ContactId,
  ConversationId,
  InvoiceId,
  MessageId,
  SubscriptionId,
  TenantId,
} from "../../../src/kernel/ids.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import { putAgent } from "../../../src/store/tables/ai/agents.ts";
import { insertAiConversation } from "../../../src/store/tables/ai/ai-conversations.ts";
import { insertDocument } from "../../../src/store/tables/ai/knowledge.ts";
import { insertCall } from "../../../src/store/tables/calls.ts";
import { insertChannel, writeVault } from "../../../src/store/tables/channels/channels.ts";
import { insertContact } from "../../../src/store/tables/conversations/contacts.ts";
import { insertConversation } from "../../../src/store/tables/conversations/conversations.ts";
import { insertReceived } from "../../../src/store/tables/conversations/received.ts";
import { insertAttempt } from "../../../src/store/tables/events/attempts.ts";
import { insertDelivery, insertEvent } from "../../../src/store/tables/events/events.ts";
import { insertSubscription } from "../../../src/store/tables/events/subscriptions.ts";
import { insertMedia } from "../../../src/store/tables/media.ts";
import { insertBatch } from "../../../src/store/tables/messaging/batches.ts";
import { insertLookup } from "../../../src/store/tables/messaging/lookups.ts";
import { beginTry, insertMessage } from "../../../src/store/tables/messaging/messages.ts";
import { insertScheduled } from "../../../src/store/tables/messaging/scheduled.ts";
import { insertTemplate } from "../../../src/store/tables/messaging/templates.ts";
import { insertKey } from "../../../src/store/tables/tenancy/keys.ts";
import { insertTenant } from "../../../src/store/tables/tenancy/tenants.ts";
import { insertOpenInvoice } from "../billing/open-invoice.ts";

const NOW = 1_700_000_000_000;

/** One row of everything that a tenant may have, with ids that end in the tenant's own. */
export const insertEverythingOf = async (tx: Tx, tenant: string) => {
  const tenantId = tenant as TenantId;
  const ids = {
    tenantId,
    channelId: `channel-${tenant}` as ChannelId,
    phoneSubscriptionId: `phone-subscription-${tenant}` as SubscriptionId,
    subscriptionId: `subscription-${tenant}` as SubscriptionId,
    messageId: `message-${tenant}` as MessageId,
    batchId: `batch-${tenant}` as BatchId,
    providerMessageId: `native-${tenant}` as ProviderMessageId,
    mediaId: `media-${tenant}`,
    eventId: `event-${tenant}`,
    deliveryId: `delivery-${tenant}`,
    keyId: `key-${tenant}`,
    templateId: `template-${tenant}`,
    scheduledId: `scheduled-${tenant}`,
    taskId: `task-${tenant}`,
    invoiceId: `invoice-${tenant}` as InvoiceId,
    callId: `call-${tenant}`,
    documentId: `document-${tenant}`,
    upstreamCallId: `wacid-${tenant}`,
    aiConversationId: `ai-conversation-${tenant}`,
    contactId: `contact-${tenant}` as ContactId,
    conversationId: `conversation-${tenant}` as ConversationId,
    receivedId: `received-${tenant}` as MessageId,
    number: `number-${tenant}`,
    alias: `alias-${tenant}`,
  };
  const stamps = { createdAt: NOW, updatedAt: NOW };
  await insertTenant(tx, {
    id: tenantId,
    name: tenant,
    status: "ACTIVE",
    dunningStage: "NONE",
    planCode: "free",
    platformPlan: null,
    createdBy: null,
    billingEmail: null,
    wabaMarkupPct: null,
    reactivatedAt: null,
    reprievedOn: null,
    joinedInto: null,
    ...stamps,
  });
  await insertChannel(tx, {
    id: ids.channelId,
    tenantId,
    kind: "SESSION",
    holdsConnection: true,
    label: tenant,
    environment: "live",
    state: "CONNECTED",
    phoneNumber: null,
    numberId: "number",
    accountId: null,
    verifyTokenHash: null,
    isWebhookConfigured: false,
    profile: {},
    sharedWebhookId: null,
    validatedAt: null,
    connectedAt: null,
    disconnectedAt: null,
    stateSince: NOW,
    templatesAskedAt: null,
    ...stamps,
  });
  await writeVault(tx, [{ channelId: ids.channelId, field: "token", sealed: "sealed" }]);
  for (const [id, kind] of [
    [ids.phoneSubscriptionId, "phone"],
    [ids.subscriptionId, "shared"],
  ] as const) {
    await insertSubscription(tx, {
      id,
      tenantId,
      audience: "gateway",
      kind,
      channelId: kind === "phone" ? ids.channelId : null,
      environment: "live",
      name: tenant,
      url: "https://example.com",
      sealedUrl: null,
      secret: "sealed",
      previousSecret: null,
      previousSecretUntil: null,
      events: [],
      directions: null,
      channelIds: null,
      allChannels: false,
      headers: null,
      profile: null,
      verifiedAt: null,
      ordering: "none",
      isActive: true,
      disabledAt: null,
      maxRetries: 3,
      retryDelayMs: 1000,
      consecutiveFailures: 0,
      lastFailedAt: null,
      ...CLOSED_BREAKER,
      ...stamps,
    });
  }
  await insertMessage(tx, {
    id: ids.messageId,
    tenantId,
    channelId: ids.channelId,
    environment: "live",
    type: "text",
    recipient: "5511999990000",
    content: { text: "hi" },
    quotedProviderMessageId: null,
    quotedMessageId: null,
    createdAt: NOW,
    conversationId: null,
    batchId: null,
    acceptedBy: null,
    requestId: null,
  });
  const { channelId, contactId, conversationId } = ids;
  await insertConversation(tx, {
    id: conversationId,
    tenantId,
    channelId,
    contactId,
    environment: "live",
    status: "OPEN",
    assignedUserId: null,
    transferNote: null,
    lastMessageAt: NOW,
    unreadCount: 0,
    createdAt: NOW,
    closedAt: null,
    waitingSince: null,
    snoozedUntil: null,
  });
  const said = {
    type: "text",
    content: { text: "hi" },
    sender: "pn:5511999990000",
    recipient: null,
    isOwn: false,
    heldBy: null,
    quotedMessageId: null,
  } as const;
  await insertReceived(tx, {
    id: ids.receivedId,
    tenantId,
    channelId,
    conversationId,
    environment: "live",
    ...said,
    createdAt: NOW,
    raw: null,
  });
  const rules = {
    keywords: [],
    afterTurns: null,
    contextWindowTurns: 1,
    ragTopK: 0,
    conversationTtlDays: 1,
    greeting: null,
    builtInTools: [],
    respectsHours: false,
    closedText: null,
    transcribesVoice: false,
    speaks: false,
    voice: null,
    seesImages: false,
    seesDocuments: false,
    runsTrialsOnChange: false,
    dailyTokens: null,
    dailyTokensPerContact: null,
  };
  await putAgent(tx, {
    id: `agent-${tenant}`,
    tenantId,
    channelId,
    systemPrompt: tenant,
    model: "m",
    isEnabled: true,
    disabledAt: null,
    ...rules,
    ...stamps,
  });
  const never = { handoffReason: null, handoffAt: null, lastTurnAt: NOW, closedAt: null };
  await insertAiConversation(tx, {
    id: ids.aiConversationId,
    tenantId,
    channelId,
    contactKey: "pn:1",
    status: "AI",
    turnCount: 1,
    ...never,
    createdAt: NOW,
  });
  const pace = {
    delayMs: 1000,
    jitter: 0,
    status: "QUEUED",
    nextAt: NOW,
    triedAt: null,
    waitingSince: null,
    startsAt: null,
    pausedAt: null,
    respectsHours: false,
    opensAt: null,
    template: null,
    fallback: null,
    options: null,
    createdAt: NOW,
    startedAt: null,
    finishedAt: null,
    requestId: null,
  } as const;
  await insertBatch(
    tx,
    { id: ids.batchId, tenantId, channelId: ids.channelId, environment: "live", name: tenant, ...pace, text: "hi" },
    [{ to: "5511999990000" }],
  );
  await insertScheduled(tx, {
    id: ids.scheduledId,
    tenantId,
    channelId: ids.channelId,
    scheduledAt: NOW,
    askedFor: null,
    status: "PENDING",
    messageId: null,
    failure: null,
    ...stamps,
    payload: { to: "5511999990000", type: "text", content: { text: "hi" } },
    requestId: null,
  });
  await beginTry(tx, ids.messageId, { providerMessageId: ids.providerMessageId, quotedProviderMessageId: null });
  await insertMedia(tx, {
    id: ids.mediaId,
    tenantId,
    channelId: ids.channelId,
    messageId: ids.messageId,
    contentType: "image/png",
    sizeBytes: 1,
    createdAt: NOW,
    storedAt: NOW,
    expiresAt: NOW + 1,
  });
  const event = {
    id: ids.eventId,
    tenantId,
    channelId: ids.channelId,
    chat: "chat",
    callId: null,
    messageId: ids.messageId,
    direction: "outbound" as const,
    audience: "gateway",
    type: "message:status",
    body: "{}",
    createdAt: NOW,
  };
  const eventSeq = await insertEvent(tx, event);
  await insertDelivery(tx, {
    id: ids.deliveryId,
    eventSeq,
    tenantId,
    subscriptionId: ids.subscriptionId,
    status: "DEAD",
    chat: "/chat",
    url: "https://example.com",
    nextAt: null,
    lastError: "gone",
    createdAt: NOW,
  });
  await insertAttempt(tx, {
    publicId: `attempt-${tenant}`,
    deliveryId: ids.deliveryId,
    subscriptionId: ids.subscriptionId,
    eventType: "message:status",
    attempt: 1,
    isDelivered: false,
    statusCode: 500,
    failure: null,
    error: null,
    response: null,
    durationMs: 5,
    at: NOW,
  });
  await insertKey(tx, {
    id: ids.keyId,
    tenantId,
    api: "gateway",
    name: tenant,
    hash: `hash-${tenant}`,
    prefix: "oapi",
    permissions: [],
    environment: "live",
    channelId: null,
    requestsPerMinute: null,
    isReadOnly: false,
    allowedAddresses: [],
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: NOW,
  });
  await insertOpenInvoice(tx, { id: ids.invoiceId, tenantId });
  await insertLookup(tx, {
    id: ids.taskId,
    tenantId,
    channelId: ids.channelId,
    numbers: ["5511999990000"],
    results: null,
    expiresAt: NOW + 1,
  });
  await insertCall(tx, {
    id: ids.callId,
    tenantId,
    channelId: ids.channelId,
    upstreamCallId: ids.upstreamCallId,
    direction: "INBOUND",
    status: "MISSED",
    peer: "pn:5511999990000",
    sdpOffer: null,
    startedAt: NOW,
    acceptedAt: null,
    endedAt: NOW,
    durationSeconds: null,
    endReason: null,
    recording: null,
    ...stamps,
  });
  const contact = {
    tenantId,
    environment: "live" as const,
    phoneNumber: null,
    alias: null,
    name: `${tenant} somebody`,
    email: null,
    tags: [],
    metadata: {},
    ...stamps,
  };
  await insertContact(tx, { ...contact, id: ids.contactId, phoneNumber: ids.number });
  await insertContact(tx, { ...contact, id: `alias-contact-${tenant}` as ContactId, alias: ids.alias });
  await insertDocument(tx, {
    id: ids.documentId,
    tenantId,
    channelId: ids.channelId,
    source: "TEXT_INLINE",
    sourceRef: null,
    title: tenant,
    status: "PENDING",
    chunkCount: 0,
    errorReason: null,
    inlineText: tenant,
    ...stamps,
  });
  await insertTemplate(tx, {
    id: ids.templateId,
    tenantId,
    channelId: ids.channelId,
    name: "hello",
    language: "pt_BR",
    category: "UTILITY",
    status: "APPROVED",
    components: [],
    nativeId: "1689",
    rejectionReason: null,
    providerUpdatedAt: null,
    componentsListedAt: null,
    maxPricePer1000: null,
    ...stamps,
  });
  return { ...ids, eventSeq };
};
export type Everything = Awaited<ReturnType<typeof insertEverythingOf>>;
