import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { GroupContent } from "../../../contract/abilities/groups.ts";
import type { Content } from "../../../contract/content/content.ts";
import type { ProviderMessageId, ReceiptPricing } from "../../../contract/events.ts";
import type { FailureCode, Measured, PlainerForm } from "../../../contract/outcome.ts";
import type { BatchId, ChannelId, ConversationId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, isWordOf, statement, updateOf } from "../../engine/statement.ts";
import type { ChargeEntry } from "../billing/charges.ts";
import { findInbound, type InboxRow, inbox, wholeKeyOf } from "../channels/inbox.ts";
import { deleteOldRows } from "../old-rows.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { type FilesWithin, laws, type OneFile, referenceIndex, waitsWithin } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

export const MESSAGE_STATUSES = ["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * How certain the outcome of a QUEUED message is. NONE: no attempt has begun. SENDING: an attempt has begun, its end is
 * not recorded. UNKNOWN: an attempt ended without an answer, so the network may have the message.
 */
export type SendState = "NONE" | "SENDING" | "UNKNOWN";

/** The receipts' word on the charge for one recipient, and the place where the ledger counts it. */
export type MessageCharge = { price?: ReceiptPricing; deliveredAt?: number; entry?: ChargeEntry };

/**
 * Whether the network charges for a message, in which of its categories, and its parts and price. `presumedDay`: the
 * network has said nothing, and a charge was presumed, which counts on that UTC day. `charges`: the ledger's entries by
 * recipient. `stated`: the ledger's entry of `price`.
 */
export type Pricing = Measured & {
  isBillable?: boolean;
  category?: string;
  isPresumed?: true;
  presumedDay?: number;
  charges?: Record<string, MessageCharge>;
  stated?: ChargeEntry;
};

/**
 * An attempt that did not send the message, with its error. UNCERTAIN: the network may have the message all the same.
 * `code` is ours, `upstreamCode` the network's own number.
 */
export type FailedTry = {
  at: number;
  outcome: "REFUSED" | "UNCERTAIN";
  code: FailureCode;
  reason: string;
  upstreamCode?: number;
  /** The network has another template than the one that the values were made for. */
  isTemplateMisfit?: true;
  /** The plainer form in which the message then went out, in the same attempt. */
  sentAs?: PlainerForm["sentAs"];
};

const waitingFile: OneFile = { by: "handle", names: "content ->> '$.mediaHandle'", waits: "status = 'QUEUED'" };
const withFile = referenceIndex(waitingFile);
/**
 * The files of a template's header and of the cards of its carousel, the picture of a document's first page, and the
 * pictures of an album.
 */
const waitingFiles: FilesWithin = {
  by: "handle",
  within: "content",
  waits: "status = 'QUEUED' AND type IN ('template', 'document', 'image')",
};

/** Messages sent through the gateway. They stay after the deletion of their channel. */
export const messages = sqliteTable(
  "messages",
  {
    id: text().$type<MessageId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    environment: text().$type<Environment>().notNull(),
    type: text().$type<(Content | GroupContent)["type"]>().notNull(),
    recipient: text().notNull(),
    content: text({ mode: "json" }).$type<(Content | GroupContent)["content"]>().notNull(),
    quotedProviderMessageId: text("quoted_key").$type<ProviderMessageId>(),
    /** The quoted message, if it had no provider message id yet. The id is looked up when this message is sent. */
    quotedMessageId: text("quoted_message_id").$type<MessageId>(),
    status: text().$type<MessageStatus>().notNull(),
    sendState: text("send_state").$type<SendState>().notNull(),
    /** The number of attempts with an uncertain outcome. Shows that a message may have been sent twice. */
    uncertainAttempts: integer("uncertain_attempts").notNull(),
    providerMessageId: text("provider_message_id").$type<ProviderMessageId>(),
    failedReason: text("failed_reason"),
    /** The network's charge for the message, by its receipts. */
    pricing: text({ mode: "json" }).$type<Pricing>(),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
    deliveredAt: integer("delivered_at"),
    readAt: integer("read_at"),
    failedAt: integer("failed_at"),
    /** The conversation and the batch that the message belongs to. */
    conversationId: text("conversation_id").$type<ConversationId>(),
    batchId: text("batch_id").$type<BatchId>(),
    /** The sender: the actor of the request, or the scheduled message, batch or agent. Null: not recorded. */
    acceptedBy: text("accepted_by"),
    /** A text of the client. The statuses of the API that is compatible with the Cloud API return it. */
    callbackData: text("callback_data"),
    /** The newest attempts that did not send it; null without any. */
    failedTries: text("failed_tries", { mode: "json" }).$type<FailedTry[]>(),
    /**
     * The id of the request that asked for it, also if a schedule, a batch or a fallback sent it. Null: no request
     * asked.
     */
    requestId: text("request_id"),
    /** What the client said of the send beside its content, in the network's own terms; null without. */
    options: text({ mode: "json" }).$type<Record<string, string>>(),
    /** It answers the recipient, so it is sent even if the recipient opted out. */
    isAnswer: integer("is_answer", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("messages_by_conversation").on(t.conversationId, t.id).where(sql`conversation_id IS NOT NULL`),
    uniqueIndex("messages_by_provider_message_id")
      .on(t.channelId, t.providerMessageId)
      .where(sql`provider_message_id IS NOT NULL`),
    // partial ones, which no query without the literal uses
    index("messages_by_tenant").on(t.tenantId, t.id).where(sql`environment = 'live'`),
    index("messages_by_channel").on(t.channelId, t.id).where(sql`environment = 'live'`),
    index("messages_queued").on(t.channelId).where(sql`status = 'QUEUED'`),
    // a separate index, because every send writes to the index above, which grows only at its end
    index("messages_uncertain").on(t.channelId, t.recipient).where(sql`status = 'QUEUED' AND send_state <> 'NONE'`),
    index("messages_with_file").on(withFile.on).where(withFile.where),
    index("messages_with_files")
      .on(t.tenantId)
      .where(sql.raw(waitsWithin(waitingFiles))),
  ],
);
export type MessageRow = typeof messages.$inferSelect;

export const messagesLaws = laws(messages, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the message's last status; a waiting message stays, and a sent message without a receipt stays for at least 8 days",
    isSwept: true,
  },
  personal: {
    rowsOf: "tenant",
    by: ["recipient"],
    texts: ["content", "failed_reason", "failed_tries", "pricing", "options"],
  },
  joins: {
    rows: "move",
    now: {
      where: `tenant_id = :from AND rowid IN (SELECT rowid FROM messages WHERE status = 'QUEUED'
        AND channel_id IN (SELECT value FROM json_each(:ids))
      UNION ALL SELECT messages.rowid FROM fallbacks JOIN messages ON messages.id = fallbacks.id
        WHERE fallbacks.tenant_id = :from AND fallbacks.status = 'WAITING')`,
    },
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "made by sends, which have a rate and a limit per day" },
  files: {
    failed_tries: "holds no content of a message",
    pricing: "holds no content of a message",
    options: "names no file",
    content: [waitingFile, waitingFiles],
  },
  backup: "rows alone",
});

const MESSAGE = columnsOf(messages);

/** The sender of a message, and its request. */
export type AskedBy = Pick<MessageRow, "acceptedBy" | "requestId">;

export type NewMessage = AskedBy &
  Partial<Pick<MessageRow, "callbackData" | "options" | "isAnswer">> &
  Pick<
    MessageRow,
    | "id"
    | "tenantId"
    | "channelId"
    | "environment"
    | "type"
    | "recipient"
    | "content"
    | "quotedProviderMessageId"
    | "quotedMessageId"
    | "createdAt"
    | "conversationId"
    | "batchId"
  >;
const insert = insertInto(messages);
export const insertMessage = async (tx: Tx, row: NewMessage): Promise<void> =>
  insert(tx, { ...row, status: "QUEUED", sendState: "NONE", uncertainAttempts: 0 });

const byId = statement<MessageRow, { id: string }>("SELECT * FROM messages WHERE id = :id", MESSAGE);

export const findMessage = async (r: Reader, scope: Scope, id: string): Promise<MessageRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

/** A message of a channel, by an id that the network returned. */
export const findMessageOf = async (r: Reader, channelId: ChannelId, id: string): Promise<MessageRow | undefined> => {
  const row = await byId.get(r, { id });
  return row?.channelId === channelId ? row : undefined;
};

/** The sent messages among these ids. Bound: the ids of the caller. */
export const listMessages = (r: Reader, scope: Scope, ids: readonly string[]): Promise<MessageRow[]> =>
  statement<MessageRow, { ids: readonly string[] } & Scope>(
    // + keeps SQLite from the index of the tenant's messages
    `SELECT * FROM messages WHERE id IN (SELECT value FROM json_each(:ids)) ${inScope(scope, "+tenant_id")}`,
    MESSAGE,
  ).all(r, { ...scope, ids });

const byProviderMessageId = statement<MessageRow, { channelId: ChannelId; providerMessageId: ProviderMessageId }>(
  "SELECT * FROM messages WHERE channel_id = :channelId AND provider_message_id = :providerMessageId",
  MESSAGE,
);

export const findMessageByProviderId = (
  r: Reader,
  channelId: ChannelId,
  providerMessageId: ProviderMessageId,
): Promise<MessageRow | undefined> => byProviderMessageId.get(r, { channelId, providerMessageId });

/** If another message of the channel has the provider message id, it keeps the id. */
const KEY_UNLESS_TAKEN = `CASE WHEN EXISTS (SELECT 1 FROM messages AS other
  WHERE other.channel_id = messages.channel_id AND other.provider_message_id = :new_providerMessageId
  AND other.id <> messages.id) THEN messages.provider_message_id ELSE :new_providerMessageId END`;

const update = updateOf<typeof messages, { id: MessageId; from: readonly MessageStatus[] }>(
  messages,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
  { providerMessageId: KEY_UNLESS_TAKEN },
);

const price = statement<never, { id: MessageId; pricing: Pricing }>(
  "UPDATE messages SET pricing = :pricing WHERE id = :id",
);

/** Records the known facts about a message's price. */
export const recordPricing = async (tx: Tx, id: MessageId, pricing: Pricing): Promise<void> =>
  price.run(tx, { id, pricing });

/**
 * The changed row, with its earlier provider message id if another message has the new one. Undefined if its status is
 * not in `from`.
 */
export const updateMessage = async (
  tx: Tx,
  id: MessageId,
  from: readonly MessageStatus[],
  changes: Partial<MessageRow>,
): Promise<MessageRow | undefined> => (await update(tx, changes, { id, from }))[0];

type TryKeys = Pick<MessageRow, "providerMessageId" | "quotedProviderMessageId">;
const begin = statement<unknown, TryKeys & { id: MessageId }>(
  `UPDATE messages SET send_state = 'SENDING', provider_message_id = :providerMessageId,
    quoted_key = :quotedProviderMessageId WHERE id = :id AND status = 'QUEUED' RETURNING 1`,
);

/** Records, before the network is called, that an attempt begins. False when the message is no longer queued. */
export const beginTry = async (tx: Tx, id: MessageId, keys: TryKeys): Promise<boolean> =>
  (await begin.get(tx, { id, ...keys })) !== undefined;

type ToPerson = Pick<MessageRow, "channelId" | "recipient">;
const uncertain = statement<MessageRow, ToPerson & { limit: number }>(
  `SELECT * FROM messages WHERE channel_id = :channelId AND recipient = :recipient
    AND status = 'QUEUED' AND send_state <> 'NONE' AND provider_message_id IS NULL ORDER BY id LIMIT :limit`,
  MESSAGE,
);

/** Messages to a person with an uncertain outcome and without a reported provider message id; oldest first. */
export const listUncertain = (r: Reader, { channelId, recipient }: ToPerson, limit: number): Promise<MessageRow[]> =>
  uncertain.all(r, { channelId, recipient, limit });

type BeforeDelivery = { conversationId: ConversationId; acceptedBy: number; sentBy: number; limit: number };
const undelivered = statement<MessageRow, BeforeDelivery>(
  `SELECT * FROM messages WHERE id IN (SELECT id FROM messages WHERE conversation_id = :conversationId
      AND conversation_id IS NOT NULL ORDER BY id DESC LIMIT :limit)
    AND status = 'SENT' AND created_at <= :acceptedBy AND sent_at <= :sentBy ORDER BY id`,
  MESSAGE,
);

/** Among the newest messages of a conversation, as many as `limit`, the sent ones without a receipt; oldest first. */
export const listUndelivered = (r: Reader, before: BeforeDelivery): Promise<MessageRow[]> => undelivered.all(r, before);

const received = statement<InboxRow, { messageId: string; channelId: ChannelId }>(
  "SELECT * FROM inbox WHERE message_id = :messageId AND channel_id = :channelId",
  columnsOf(inbox),
);

/**
 * A message that the network also has, for a reply or an operation. `elsewhere`: the channel's owner wrote it in the
 * network's own app. `at`: when it was received or sent; null while it is being sent. `type` is known only of messages
 * sent here; it is the network's type if the message was sent in the network's own format.
 */
export type KnownMessage = {
  key: ProviderMessageId;
  direction: "inbound" | "outbound" | "elsewhere";
  chat: string;
  sender: string | null;
  at: number | null;
  type: MessageRow["type"] | null;
  environment: Environment;
};

/**
 * A channel's message by Recado's id; undefined while it has no provider message id. Of a sent message's several ids it
 * is the one in the message's own row.
 */
export const findKnown = async (
  r: Reader,
  channelId: ChannelId,
  messageId: string,
): Promise<KnownMessage | undefined> => {
  const sent = await byId.get(r, { id: messageId });
  if (sent?.channelId === channelId)
    return sent.providerMessageId === null ? undefined : knownAsSent(sent, sent.providerMessageId);
  const came = await received.get(r, { messageId, channelId });
  if (!came) return undefined;
  const { chat, sender, isOwn, receivedAt: at, environment } = came;
  const key = await wholeKeyOf(r, came);
  return { key, direction: isOwn ? "elsewhere" : "inbound", chat, sender, at, type: null, environment };
};

const knownAsSent = (
  { recipient: chat, sentAt: at, environment, ...message }: MessageRow,
  key: ProviderMessageId,
): KnownMessage => {
  const { type, content } = message as Content | GroupContent; // stored as it was checked
  return {
    key,
    direction: "outbound",
    chat,
    sender: null,
    at,
    type: type === "native" ? content.type : type,
    environment,
  };
};

/** Recado's id of a provider message id, for inbound replies. */
export const findIdOfKey = async (
  r: Reader,
  channelId: ChannelId,
  key: ProviderMessageId,
): Promise<MessageId | undefined> => {
  const sent = await findMessageByProviderId(r, channelId, key);
  if (sent) return sent.id;
  return (await findInbound(r, channelId, key))?.messageId;
};

/**
 * The message or scheduled message of a tenant's idempotency key, until the key expires. The hash of its request is
 * null for keys of older versions.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    key: text().notNull(),
    messageId: text("message_id").notNull(),
    expiresAt: integer("expires_at").notNull(),
    fingerprint: text(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.key] }), index("idempotency_keys_by_expiry").on(t.expiresAt)],
);

export const idempotencyKeysLaws = laws(idempotencyKeys, {
  keeps: {
    group: "messages",
    setting: "none",
    rule: "24 hours after the message was accepted, or the scheduled message ended; deleted together with inbox",
    isSwept: false,
  },
  personal: { rowsOf: "tenant", by: [], texts: [], isOf: ({ key }, who) => who.mentions(key) },
  joins: { rows: "yield", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by sends; kept for a day" },
  files: "none",
  backup: "rows alone",
});

export type IdempotencyKey = { tenantId: TenantId; key: string; fingerprint: string };
/** The message or scheduled message that has claimed a key. `isSameRequest`: an equal request was accepted. */
export type ClaimedKey<Id> = { id: Id; isSameRequest: boolean };

/** A key ends when it expires, unless its scheduled message still waits, as for the payment of its account. */
export const KEY_ENDED = `(expires_at <= :nowMs AND NOT EXISTS (SELECT 1 FROM scheduled
  WHERE scheduled.id = idempotency_keys.message_id AND scheduled.status IN ('PENDING', 'PROCESSING')))`;

const claim = statement<
  { id: string; isSame: number },
  IdempotencyKey & { id: string; nowMs: number; expiresAt: number }
>(
  `INSERT INTO idempotency_keys (tenant_id, key, message_id, expires_at, fingerprint)
    VALUES (:tenantId, :key, :id, :expiresAt, :fingerprint)
    ON CONFLICT (tenant_id, key) DO UPDATE
    SET message_id = iif(ENDED, excluded.message_id, message_id),
    expires_at = iif(ENDED OR message_id = excluded.message_id, excluded.expires_at, expires_at),
    fingerprint = iif(ENDED, excluded.fingerprint, fingerprint)
    RETURNING message_id AS id, coalesce(fingerprint, :fingerprint) = :fingerprint AS isSame`.replaceAll(
    "ENDED",
    KEY_ENDED,
  ),
);

/**
 * The earlier claim of this key; undefined if the key was free and now belongs to `id`, or belonged to `id` and is
 * renewed. An equal request was made on the same path, so its id is of the same kind.
 */
export const claimIdempotencyKey = async <Id extends string>(
  tx: Tx,
  { tenantId, key, fingerprint }: IdempotencyKey,
  { id, nowMs, expiresAt }: { id: Id; nowMs: number; expiresAt: number },
): Promise<ClaimedKey<Id> | undefined> => {
  const taken = await claim.get(tx, { tenantId, key, fingerprint, id, nowMs, expiresAt });
  return taken === undefined || taken.id === id ? undefined : { id: taken.id as Id, isSameRequest: taken.isSame === 1 };
};

type KeyOf = { tenantId: TenantId; key: string; id: string };
const keep = statement<never, KeyOf & { expiresAt: number }>(
  `UPDATE idempotency_keys SET expires_at = :expiresAt WHERE tenant_id = :tenantId AND key = :key
    AND message_id = :id`,
);

/** Sets the expiry of a key that was claimed for `id`. */
export const keepIdempotencyKey = (tx: Tx, { tenantId, key, id }: KeyOf, expiresAt: number): void =>
  keep.run(tx, { tenantId, key, id, expiresAt });

const removeKeys = statement<unknown, { nowMs: number; limit: number }>(
  `DELETE FROM idempotency_keys WHERE rowid IN (SELECT rowid FROM idempotency_keys WHERE ${KEY_ENDED}
    LIMIT :limit) RETURNING 1`,
);
const removeReceived = statement<unknown, { inboxBefore: number; limit: number }>(
  `DELETE FROM inbox WHERE message_id IN (SELECT message_id FROM inbox WHERE received_at < :inboxBefore LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired rows; at most `limit` of each table, so that no transaction is long. True when there may be more. */
export const pruneMessages = async (tx: Tx, nowMs: number, inboxBefore: number, limit: number): Promise<boolean> => {
  const keys = await removeKeys.all(tx, { nowMs, limit });
  const old = await removeReceived.all(tx, { inboxBefore, limit });
  return keys.length >= limit || old.length >= limit; // a message may have several ids
};

const LAST_STATUS_AT =
  "max(coalesce(sent_at, 0), coalesce(delivered_at, 0), coalesce(read_at, 0), coalesce(failed_at, 0))";

/**
 * Deletes old messages whose last status came before `endedBefore`; SENT messages, which expect a receipt, before
 * `awaitedBefore`. Queued messages stay.
 */
export const pruneSent = deleteOldRows<{ endedBefore: number; awaitedBefore: number }>(
  "messages",
  `status <> 'QUEUED' AND ${LAST_STATUS_AT} < iif(status = 'SENT', :awaitedBefore, :endedBefore)`,
);
