// One believable domain event of each type: for the tests of webhooks, and for the samples of docs/events.md.
import type { ContactRow } from "../../../core/conversations/contacts.ts";
import type { ConversationRow } from "../../../core/conversations/conversations.ts";
import { contactOf, type DomainEvent, type MediaMetadata } from "../../../core/domain-event.ts";
import type { Audience } from "../../../core/events/audience.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import type {
  BatchId,
  ChannelId,
  ContactId,
  ConversationId,
  InvoiceId,
  MessageId,
  TenantId,
} from "../../../kernel/ids.ts";

/** When every sample happened: 2026-11-20 12:00 UTC. */
export const AT = Date.UTC(2026, 10, 20, 12);

/** A public id that says what it is of by its last digits. */
const idOf = <Id extends string>(number: number): Id =>
  `01a5c0de-0000-4000-8000-${String(number).padStart(12, "0")}` as Id;

export const EVENT_ID = idOf(1);
export const TENANT_ID = idOf<TenantId>(2);
export const CHANNEL_ID = idOf<ChannelId>(3);
const MESSAGE_ID = idOf<MessageId>(4);
const SECOND_ID = idOf<MessageId>(44);
const MEDIA_ID = idOf(5);
const CONVERSATION_ID = idOf<ConversationId>(6);
const GROUP = { groupId: idOf(8), upstreamGroupId: "120363020000000001" };
const CALL = { callId: idOf(9), upstreamCallId: "wacid.HBgNNTUxMTk5OTk5" };

const ANA = contactOf({ pn: "5511999999999", bsuid: "BR.1234567890" });
const CHAT = { chat: ANA };

const TEMPLATE = { templateId: idOf(10), name: "order_ready", language: "pt_BR" };

const MEDIA: MediaMetadata = {
  mediaId: MEDIA_ID,
  contentType: "image/jpeg",
  sizeBytes: 48_213,
  filename: null,
  expiresAt: AT + 7 * DAY_MS,
};

const RECEIVED: Extract<DomainEvent, { type: "message.received" }> = {
  type: "message.received",
  messageId: MESSAGE_ID,
  at: AT,
  direction: "inbound",
  isHistory: false,
  media: null,
  from: ANA,
  chat: ANA,
  pushName: "Ana",
  content: { type: "text", content: { text: "Bom dia" } },
  quotedMessageId: null,
  to: "5511900000001",
  conversationId: CONVERSATION_ID,
};

type StatusType = "message.sent" | "message.delivered" | "message.read" | "message.failed";
const status = (type: StatusType, error: Extract<DomainEvent, { type: StatusType }>["error"] = null): DomainEvent => ({
  type,
  messageId: MESSAGE_ID,
  at: AT,
  to: ANA,
  conversationId: CONVERSATION_ID,
  said: { type: "text", content: { text: "Olá" } },
  error,
  isFirst: true,
});

const call = (
  changed: Pick<Extract<DomainEvent, { type: "call.changed" }>, "status" | "reason" | "sdpAnswer" | "durationSeconds">,
): DomainEvent => ({
  type: "call.changed",
  ...CALL,
  direction: "INBOUND",
  ...changed,
});

const CONTACT: ContactRow = {
  seq: 1,
  id: idOf<ContactId>(7),
  tenantId: TENANT_ID,
  environment: "live",
  phoneNumber: "5511999999999",
  numberKey: "5511999999999",
  alias: null,
  name: "Ana",
  email: null,
  tags: ["vip"],
  metadata: {},
  createdAt: AT,
  updatedAt: AT,
};

const CONVERSATION: ConversationRow = {
  id: CONVERSATION_ID,
  tenantId: TENANT_ID,
  channelId: CHANNEL_ID,
  contactId: CONTACT.id,
  environment: "live",
  status: "OPEN",
  assignedUserId: null,
  transferNote: null,
  lastMessageAt: AT,
  unreadCount: 0,
  createdAt: AT,
  closedAt: null,
};

const BATCH = { batchId: idOf<BatchId>(11), total: 100 } as const;
const CHAT_KEY = { chat: ANA.canonicalKey };

/** The samples by a name of their own; several may be of one type. */
export const EVENTS = {
  text: RECEIVED,
  image: {
    ...RECEIVED,
    content: { type: "image", content: { mimeType: "image/jpeg", caption: "A caixa" } },
    media: MEDIA,
  },
  standby: { ...RECEIVED, heldBy: { role: "ai_agent", since: AT } },
  comment: {
    type: "comment.received",
    commentId: MESSAGE_ID,
    at: AT,
    from: contactOf({ igsid: "17841400000000001" }),
    text: "Quanto custa?",
    postId: "18000000000000001",
    parentCommentId: null,
  },
  held: { type: "conversation.held", chat: ANA, role: "ai_agent", since: AT, cause: "standby" },
  released: { type: "conversation.released", chat: ANA, since: AT, cause: "handover" },
  sent: status("message.sent"),
  delivered: status("message.delivered"),
  read: status("message.read"),
  failed: status("message.failed", {
    code: 131026,
    title: "Message undeliverable",
    message: "The recipient is not on WhatsApp.",
  }),
  deleted: { type: "message.deleted", messageId: MESSAGE_ID, at: AT, to: ANA, error: null },
  readUpTo: { type: "messages.read_up_to", at: AT, from: contactOf({ igsid: "17841400000000001" }) },
  reacted: { type: "message.reacted", messageId: MESSAGE_ID, at: AT, emoji: "👍", ...CHAT, from: ANA },
  edited: { type: "message.edited", messageId: MESSAGE_ID, at: AT, text: "Boa tarde", ...CHAT, from: ANA },
  pollVote: {
    type: "message.poll_vote",
    messageId: MESSAGE_ID,
    at: AT,
    options: ["Sábado"],
    totals: [
      { option: "Sábado", votes: 2 },
      { option: "Domingo", votes: 0 },
    ],
    ...CHAT,
    from: ANA,
  },
  status: {
    type: "broadcast.received",
    at: AT,
    from: ANA,
    newsletterId: null,
    pushName: "Ana",
    content: { type: "text", content: { text: "Na praia" } },
  },
  newsletter: {
    type: "broadcast.received",
    at: AT,
    from: null,
    newsletterId: "120363000000000001",
    pushName: null,
    content: { type: "text", content: { text: "Novidades" } },
  },
  operationFailed: {
    type: "message.operation_failed",
    messageId: MESSAGE_ID,
    operation: "edit",
    code: "UPSTREAM_UNSUPPORTED",
    reason: "only messages of our own can be edited",
    ...CHAT,
  },
  fallback: {
    type: "message.fallback",
    messageId: MESSAGE_ID,
    at: AT,
    outcome: "TAKEN",
    reason: "lost",
    isUncertain: false,
    secondId: SECOND_ID,
    secondChannelId: CHANNEL_ID,
    refusal: null,
    ...CHAT,
  },
  mediaAvailable: { type: "media.available", messageId: MESSAGE_ID, ...CHAT, ...MEDIA },
  mediaExpired: { type: "media.expired", mediaId: MEDIA_ID, messageId: MESSAGE_ID, expiredAt: AT },
  template: { type: "template.changed", ...TEMPLATE, category: "UTILITY", status: "APPROVED", rejectionReason: null },
  contactsSynced: {
    type: "contacts.synced",
    contacts: [{ identity: { pn: "5511999999999" }, name: "Ana Souza", firstName: "Ana", action: "add" }],
  },
  history: { type: "history.progressed", percent: 40, imported: 2000 },
  presence: { type: "contact.presence", contact: ANA, ...CHAT, state: "composing", at: AT, lastSeenAt: null },
  connected: { type: "channel.connected", phoneNumber: "5511900000001", connectedAt: AT },
  disconnected: {
    type: "channel.disconnected",
    reason: "LOGGED_OUT",
    phoneNumber: "5511900000001",
    wasConnected: true,
  },
  restricted: {
    type: "channel.restricted",
    reason: "RESTRICT_ALL_COMPANIONS",
    until: AT + 12 * HOUR_MS,
    allows: "replies",
  },
  unrestricted: { type: "channel.unrestricted", reason: "RESTRICT_ALL_COMPANIONS" },
  passkeyRequired: {
    type: "channel.passkey_required",
    bridgeUrl: "https://recado.example.com/pairing/passkey/6d0b…",
    expiresAt: AT + 600_000,
    hint: { code: "PASSKEY_REQUIRED", en: "WhatsApp asks for the passkey of this account. …", pt: "O WhatsApp pede …" },
  },
  qrIssued: { type: "channel.qr_issued", qr: "https://wa.me/settings/linked_devices#2@…", expiresAt: AT + 20_000 },
  clientExpiring: { type: "channel.client_expiring", version: "2.3000.1047471845", expiresAt: AT + 480 * HOUR_MS },
  handoff: {
    type: "agent.handoff",
    conversationId: CONVERSATION_ID,
    contactKey: ANA.canonicalKey,
    reason: "keyword",
    manual: false,
    turnCount: 4,
    handoffAt: AT,
  },
  budgetExhausted: {
    type: "agent.budget_exhausted",
    budget: "contact",
    conversationId: CONVERSATION_ID,
    contactKey: ANA.canonicalKey,
    dailyTokens: 50_000,
    usedTokens: 50_212,
    resetsAt: AT + 12 * HOUR_MS,
  },
  agentDocument: {
    type: "agent.document",
    documentId: CONVERSATION_ID,
    title: "Cardápio",
    status: "READY",
    chunkCount: 12,
    errorReason: null,
  },
  groupCreated: { type: "group.lifecycle", ...GROUP, action: "created" },
  groupJoined: { type: "group.participants", groupId: GROUP.groupId, action: "join", waIds: ["5511999999999"] },
  groupSettings: {
    type: "group.settings",
    groupId: GROUP.groupId,
    subject: "Entregas",
    joinApprovalMode: "APPROVAL_REQUIRED",
  },
  groupStatus: { type: "group.status", groupId: GROUP.groupId, status: "SUSPENDED", suspended: true },
  callOffer: { type: "call.offer", ...CALL, from: ANA, sdpOffer: "v=0…", expiresAt: AT + MINUTE_MS },
  callRinging: call({ status: "RINGING" }),
  callAccepted: call({ status: "ACCEPTED", sdpAnswer: "v=0…" }),
  callInProgress: call({ status: "IN_PROGRESS" }),
  callCompleted: call({ status: "COMPLETED", durationSeconds: 42 }),
  callRejected: call({ status: "REJECTED" }),
  callMissed: call({ status: "MISSED", reason: "RING_TIMEOUT" }),
  callFailed: call({ status: "FAILED", reason: "The network reported an error." }),
  invoicePaid: { type: "invoice.paid", invoiceId: idOf<InvoiceId>(12), paidAt: AT, totalCents: 19_900 },
  invoiceFailed: {
    type: "invoice.failed",
    invoiceId: idOf<InvoiceId>(12),
    reason: "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED",
  },
  webhookFailed: {
    type: "subscription.failed",
    failedSubscriptionId: idOf(13),
    eventId: idOf(14),
    eventType: "message:received",
    url: "https://example.com/hooks/recado",
    attempts: 9,
    lastStatusCode: 503,
    lastError: "HTTP 503",
  },
  contactCreated: { type: "contact.created", contact: CONTACT, ...CHAT_KEY },
  contactUpdated: { type: "contact.updated", contact: { ...CONTACT, email: "ana@example.com" }, ...CHAT_KEY },
  conversationCreated: { type: "conversation.created", conversation: CONVERSATION, ...CHAT_KEY },
  conversationClosed: {
    type: "conversation.closed",
    conversation: { ...CONVERSATION, status: "CLOSED", closedAt: AT },
    ...CHAT_KEY,
  },
  bulkCompleted: { type: "bulk.completed", ...BATCH, status: "COMPLETED", sent: 98, failed: 2 },
  bulkFailed: { type: "bulk.failed", ...BATCH, status: "FAILED", sent: 0, failed: 100 },
} as const satisfies Record<string, DomainEvent>;

export type SampleName = keyof typeof EVENTS;

/**
 * An audience's `sample`: the first event of the table that it renders as an event of that type. It names a channel that
 * does not exist where none is given.
 */
export const sampleBy =
  (render: Audience["render"]): Audience["sample"] =>
  (published, type) =>
    Object.values<DomainEvent>(EVENTS)
      .map((domainEvent) => render({ ...published, channelId: published.channelId ?? CHANNEL_ID, domainEvent }))
      .find((rendered) => rendered?.type === type);
