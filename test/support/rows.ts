import type { NativeKey } from "../../src/contract/events.ts";
import type { ChannelId, MessageId, SubscriptionId, TenantId } from "../../src/kernel/ids.ts";
import { insertAttempt } from "../../src/store/attempts.ts";
import { insertChannel, writeVault } from "../../src/store/channels.ts";
import type { Tx } from "../../src/store/db.ts";
import { insertDelivery, insertEvent } from "../../src/store/events.ts";
import { insertKey } from "../../src/store/keys.ts";
import { insertLookup } from "../../src/store/lookups.ts";
import { insertMedia } from "../../src/store/media.ts";
import { beginTry, insertMessage } from "../../src/store/messages.ts";
import { insertScheduled } from "../../src/store/scheduled.ts";
import { insertSubscription } from "../../src/store/subscriptions.ts";
import { insertTemplate } from "../../src/store/templates.ts";
import { insertTenant } from "../../src/store/tenants.ts";

const NOW = 1_700_000_000_000;

/** One row of everything that a tenant may have, with ids that end in its own. */
export const insertEverythingOf = async (tx: Tx, tenant: string) => {
  const tenantId = tenant as TenantId;
  const ids = {
    tenantId,
    channelId: `channel-${tenant}` as ChannelId,
    phoneSubscriptionId: `phone-subscription-${tenant}` as SubscriptionId,
    subscriptionId: `subscription-${tenant}` as SubscriptionId,
    messageId: `message-${tenant}` as MessageId,
    nativeKey: `native-${tenant}` as NativeKey,
    mediaId: `media-${tenant}`,
    eventId: `event-${tenant}`,
    deliveryId: `delivery-${tenant}`,
    keyId: `key-${tenant}`,
    templateId: `template-${tenant}`,
    scheduledId: `scheduled-${tenant}`,
    taskId: `task-${tenant}`,
  };
  const stamps = { createdAt: NOW, updatedAt: NOW };
  await insertTenant(tx, {
    id: tenantId,
    name: tenant,
    status: "ACTIVE",
    dunningStage: "NONE",
    planCode: "free",
    platformPlan: null,
    billingEmail: null,
    wabaMarkupPct: null,
    ...stamps,
  });
  await insertChannel(tx, {
    id: ids.channelId,
    tenantId,
    kind: "SESSION",
    label: tenant,
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
      kind,
      channelId: kind === "phone" ? ids.channelId : null,
      name: tenant,
      url: "https://example.com",
      secret: "sealed",
      events: [],
      isActive: true,
      disabledAt: null,
      maxRetries: 3,
      retryDelayMs: 1000,
      consecutiveFailures: 0,
      lastFailedAt: null,
      breakerFailures: 0,
      breakerSince: 0,
      breakerTrips: 0,
      breakerOpenUntil: 0,
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
    quotedKey: null,
    createdAt: NOW,
  });
  await insertScheduled(tx, {
    id: ids.scheduledId,
    tenantId,
    channelId: ids.channelId,
    scheduledAt: NOW,
    status: "PENDING",
    messageId: null,
    failure: null,
    ...stamps,
    payload: { to: "5511999990000", type: "text", content: { text: "hi" } },
  });
  await beginTry(tx, ids.messageId, ids.nativeKey);
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
    gatewayType: "message:status",
    gatewayBody: "{}",
    platformType: null,
    platformBody: null,
    createdAt: NOW,
  };
  const eventSeq = await insertEvent(tx, event);
  await insertDelivery(tx, {
    id: ids.deliveryId,
    eventSeq,
    tenantId,
    subscriptionId: ids.subscriptionId,
    kind: "phone",
    status: "DEAD",
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
    face: "gateway",
    name: tenant,
    hash: `hash-${tenant}`,
    prefix: "oapi",
    permissions: [],
    environment: "live",
    requestsPerMinute: null,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    createdAt: NOW,
  });
  await insertLookup(tx, { id: ids.taskId, tenantId, channelId: ids.channelId, numbers: ["5511999990000"], results: null, expiresAt: NOW + 1 });
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
    toldAt: null,
    ...stamps,
  });
  return { ...ids, eventSeq };
};
export type Everything = Awaited<ReturnType<typeof insertEverythingOf>>;
