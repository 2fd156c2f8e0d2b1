import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import type { BatchId, ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import { type Part, type Passed, passMatching } from "../../engine/counting.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import {
  columnsOf,
  columnsOfEach,
  columnsWithout,
  insertInto,
  lines,
  statement,
  updateOf,
} from "../../engine/statement.ts";
import { ifWithin, inSightOf, type Scope, type Viewer } from "../scope.ts";
import { laws, REDACTED } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { type TenantRow, tenants } from "../tenancy/tenants.ts";
import type { FallbackReason } from "./fallbacks.ts";
import { type MessageRow, messages } from "./messages.ts";

/** As a message's fallback. The values of its template may hold variables, which each recipient's values fill. */
export type BatchFallback = {
  channelId: string;
  template: BatchTemplate;
  afterMinutes: number;
  reasons: readonly FallbackReason[];
  mayArriveTwice: boolean;
};

export const BATCH_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * A batch: one text or one template to many recipients, at its own pace. QUEUED: no message was sent yet. `nextAt`:
 * when the pace allows the next one. `startsAt`: the time that was chosen for the first one. `pausedAt`: since when a
 * person holds it back. `triedAt`: when the network was last given one. `waitingSince`: since when its channel is not
 * connected. `respectsHours`: it sends in business hours alone; `opensAt`: until when it waits for them. `text` is empty
 * for a template.
 */
export const batches = sqliteTable(
  "batches",
  {
    id: text().$type<BatchId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    environment: text().$type<Environment>().notNull(),
    name: text(),
    delayMs: integer("delay_ms").notNull(),
    jitter: real().notNull(),
    status: text().$type<BatchStatus>().notNull(),
    nextAt: integer("next_at").notNull(),
    startsAt: integer("starts_at"),
    pausedAt: integer("paused_at"),
    triedAt: integer("tried_at"),
    waitingSince: integer("waiting_since"),
    respectsHours: integer("respects_hours", { mode: "boolean" }).notNull().default(false),
    opensAt: integer("opens_at"),
    createdAt: integer("created_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    // last, because a long column slows down reading the columns behind it
    template: text({ mode: "json" }).$type<BatchTemplate>(),
    text: text().notNull(),
    /** What another channel sends to whom this one does not reach. */
    fallback: text({ mode: "json" }).$type<BatchFallback>(),
    /** The id of the request that made it. Null: not recorded. */
    requestId: text("request_id"),
  },
  (t) => [
    index("batches_by_tenant").on(t.tenantId, t.id),
    index("batches_by_status").on(t.tenantId, t.status, t.id),
    index("batches_by_channel").on(t.tenantId, t.channelId, t.id),
    index("batches_test").on(t.tenantId, t.id).where(sql`environment = 'test'`),
    index("batches_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
    index("batches_running").on(t.channelId).where(sql`status IN ('QUEUED', 'RUNNING')`),
  ],
);
export type BatchRow = typeof batches.$inferSelect;

const eraseText = statement<never, { at: number; text: string }>(
  "UPDATE batches SET text = :text, template = NULL, fallback = NULL, name = NULL WHERE rowid = :at",
);

export const batchesLaws = laws(batches, {
  keeps: { group: "batches", setting: "RECADO_KEEP_BATCHES", rule: "one that is not finished stays", isSwept: true },
  personal: {
    rowsOf: {
      columns: `batches.*, tenant_id AS tenantId, NOT EXISTS (SELECT 1 FROM batch_recipients WHERE batch_id = batches.id
        AND recipient <> '[erased]') AS isNobodys`,
      from: "batches",
    },
    by: [],
    texts: ["text", "template", "fallback", "name"],
    isOf: ({ isNobodys, text: said }) => isNobodys === 1 && said !== REDACTED,
    erase(tx, { at }) {
      eraseText.run(tx, { at, text: REDACTED });
      return {};
    },
  },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "three under way per channel (P-345), ten made per minute (P-350)" },
  files: {
    fallback: "a template names files by addresses, and by handles of its network",
    template: "a template names files by addresses, and by handles of its network",
  },
  backup: "rows alone",
});

/** PENDING: not handled yet. QUEUED: the message is accepted; its outcome is not known yet. */
export const RECIPIENT_STATUSES = ["PENDING", "QUEUED", "SENT", "FAILED", "CANCELLED"] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** The recipients of a batch, in order, with the outcome of each. The counts of a batch come from this table only. */
export const batchRecipients = sqliteTable(
  "batch_recipients",
  {
    batchId: text("batch_id").$type<BatchId>().notNull(),
    position: integer().notNull(),
    recipient: text().notNull(),
    variables: text({ mode: "json" }).$type<Record<string, string>>(),
    status: text().$type<RecipientStatus>().notNull(),
    messageId: text("message_id").$type<MessageId>(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
  },
  (t) => [
    primaryKey({ columns: [t.batchId, t.position] }),
    index("batch_recipients_by_status").on(t.batchId, t.status, t.position),
    uniqueIndex("batch_recipients_by_message").on(t.messageId).where(sql`message_id IS NOT NULL`),
  ],
);
export type BatchRecipientRow = typeof batchRecipients.$inferSelect;

const eraseRecipient = statement<never, { at: number; recipient: string }>(
  `UPDATE batch_recipients SET recipient = :recipient, variables = NULL, error_message = NULL,
    status = iif(status IN ('PENDING', 'QUEUED'), 'CANCELLED', status) WHERE rowid = :at`,
);

export const batchRecipientsLaws = laws(batchRecipients, {
  keeps: { group: "batches", setting: "none", rule: "goes with its batch", isSwept: false },
  personal: {
    rowsOf: {
      columns: "batch_recipients.*, batches.tenant_id AS tenantId",
      from: "batch_recipients JOIN batches ON batches.id = batch_id",
    },
    by: ["recipient"],
    texts: ["variables", "error_message"],
    erase(tx, { at, batch_id: batchId }) {
      eraseRecipient.run(tx, { at, recipient: REDACTED });
      return { batchId: String(batchId) };
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 10,000 per batch" },
  files: { variables: "holds no content of a message" },
  backup: "rows alone",
});

/** A recipient of a new batch, in order. With `error`, the recipient gets no message. */
export type NewRecipient = { to: string; variables?: Record<string, string>; error?: RecipientError };
export type RecipientError = { code: string; message: string };

const BATCH = columnsOf(batches);
const RECIPIENT = columnsOf(batchRecipients);

const insert = insertInto(batches);
export const insertBatch = async (tx: Tx, row: BatchRow, recipients: readonly NewRecipient[]): Promise<void> => {
  insert(tx, row);
  addRecipients(tx, row.id, recipients, 0);
};

const add = statement<never, { id: BatchId; recipients: readonly NewRecipient[]; first: number }>(
  `INSERT INTO batch_recipients (batch_id, position, recipient, variables, status, error_code, error_message)
    SELECT :id, key + :first, value ->> 'to', value -> 'variables', iif(value -> 'error' IS NULL, 'PENDING', 'FAILED'),
    value ->> '$.error.code', value ->> '$.error.message' FROM json_each(:recipients)`,
);

/** Adds recipients behind those that the batch has. `first`: the position of the first of them. */
export const addRecipients = (tx: Tx, id: BatchId, recipients: readonly NewRecipient[], first: number): void =>
  add.run(tx, { id, recipients, first });

const numbersOf = statement<{ recipient: string }, { id: BatchId }>(
  "SELECT recipient FROM batch_recipients WHERE batch_id = :id",
);

/** Everybody whom a batch is for. */
export const listNumbersOf = async (r: Reader, id: BatchId): Promise<string[]> =>
  (await numbersOf.all(r, { id })).map(({ recipient }) => recipient);

const byId = statement<BatchRow, { id: string }>("SELECT * FROM batches WHERE id = :id", BATCH);

export const findBatch = async (r: Reader, scope: Scope, id: string): Promise<BatchRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

type WithTenant = { row: BatchRow; tenant: Pick<TenantRow, "status" | "dunningStage" | "platformPlan"> };
const withTenant = statement<WithTenant, { id: BatchId }>(
  "SELECT * FROM batches AS row JOIN tenants AS tenant ON tenant.id = row.tenant_id WHERE row.id = :id",
  columnsOfEach({ row: BATCH, tenant: columnsOf(tenants, "status", "dunningStage", "platformPlan") }),
);

/** A batch with the state of its institution. */
export const loadBatch = (r: Reader, id: BatchId): Promise<WithTenant | undefined> => withTenant.get(r, { id });

const firstPending = statement<BatchRecipientRow, { batchId: BatchId }>(
  "SELECT * FROM batch_recipients WHERE batch_id = :batchId AND status = 'PENDING' ORDER BY position LIMIT 1",
  RECIPIENT,
);

/** The next recipient to send to. */
export const findNextRecipient = (r: Reader, batchId: BatchId): Promise<BatchRecipientRow | undefined> =>
  firstPending.get(r, { batchId });

const update = updateOf<typeof batches, { id: BatchId }>(
  batches,
  "WHERE id = :id AND status IN ('QUEUED', 'RUNNING') RETURNING *",
);

/** The changed row; undefined when the batch is finished or deleted. */
export const updateUnfinished = async (
  tx: Tx,
  id: BatchId,
  changes: Partial<BatchRow>,
): Promise<BatchRow | undefined> => (await update(tx, changes, { id }))[0];

/** The unfinished batches that wait for business hours, of an account or of one of its channels: three per channel. */
export const listClosedBatches = (
  r: Reader,
  tenantId: TenantId,
  channelId: ChannelId | undefined,
): Promise<BatchRow[]> =>
  statement<BatchRow, { tenantId: TenantId; channelId: ChannelId | undefined }>(
    lines(
      `SELECT * FROM batches WHERE tenant_id = :tenantId AND status IN ('QUEUED', 'RUNNING') AND opens_at IS NOT NULL`,
      channelId !== undefined && "AND channel_id = :channelId",
    ),
    BATCH,
  ).all(r, { tenantId, channelId });

const note = statement<never, { id: BatchId; atMs: number }>("UPDATE batches SET tried_at = :atMs WHERE id = :id");

/** Records that the network is given one of the batch's messages. */
export const noteTried = (tx: Tx, id: BatchId, atMs: number): void => note.run(tx, { id, atMs });

type RecipientKey = Pick<BatchRecipientRow, "batchId" | "position">;
const queue = statement<never, RecipientKey & { messageId: MessageId }>(
  `UPDATE batch_recipients SET status = 'QUEUED', message_id = :messageId WHERE batch_id = :batchId
    AND position = :position`,
);
const fail = statement<never, RecipientKey & RecipientError>(
  `UPDATE batch_recipients SET status = 'FAILED', error_code = :code, error_message = :message
    WHERE batch_id = :batchId AND position = :position`,
);

/** Records the message of a recipient. */
export const queueRecipient = (tx: Tx, { batchId, position }: RecipientKey, messageId: MessageId): void =>
  queue.run(tx, { batchId, position, messageId });
export const failRecipient = (tx: Tx, { batchId, position }: RecipientKey, { code, message }: RecipientError): void =>
  fail.run(tx, { batchId, position, code, message });

const move = statement<never, { firstId: MessageId; secondId: MessageId }>(
  "UPDATE batch_recipients SET message_id = :secondId WHERE message_id = :firstId AND status = 'QUEUED'",
);

/** Gives a recipient another message in place of the one that was accepted first. */
export const moveRecipient = (tx: Tx, firstId: MessageId, secondId: MessageId): void =>
  move.run(tx, { firstId, secondId });

type Outcome = { messageId: MessageId; status: RecipientStatus; code: string | null; message: string | null };
const settle = statement<unknown, Outcome>(
  `UPDATE batch_recipients SET status = :status, error_code = :code, error_message = :message
    WHERE message_id = :messageId AND (status = 'QUEUED' OR (status = 'SENT' AND :status = 'FAILED')) RETURNING 1`,
);

/** Records the outcome of a message; false when it was recorded before. Only SENT can still change, to FAILED. */
export const settleRecipient = async (
  tx: Tx,
  messageId: MessageId,
  status: "SENT" | "FAILED" | "CANCELLED",
  { code, message }: Partial<RecipientError> = {},
): Promise<boolean> =>
  (await settle.get(tx, { messageId, status, code: code ?? null, message: message ?? null })) !== undefined;

const cancelAll = statement<never, { batchId: BatchId }>(
  "UPDATE batch_recipients SET status = 'CANCELLED' WHERE batch_id = :batchId AND status = 'PENDING'",
);

/** Cancels every recipient that is still PENDING. */
export const cancelPending = (tx: Tx, batchId: BatchId): void => cancelAll.run(tx, { batchId });

const failAll = statement<never, RecipientError & { batchId: BatchId }>(
  `UPDATE batch_recipients SET status = 'FAILED', error_code = :code, error_message = :message
    WHERE batch_id = :batchId AND status = 'PENDING'`,
);

/** Fails every recipient that is still PENDING. */
export const failPending = (tx: Tx, batchId: BatchId, { code, message }: RecipientError): void =>
  failAll.run(tx, { batchId, code, message });

const untried = statement<MessageRow, { batchId: BatchId }>(
  `SELECT m.* FROM batch_recipients AS r JOIN messages AS m ON m.id = r.message_id
    WHERE r.batch_id = :batchId AND r.status = 'QUEUED' AND m.status = 'QUEUED' AND m.send_state = 'NONE'`,
  columnsOf(messages),
);

/** The batch's messages without a begun attempt. */
export const listUntried = (r: Reader, batchId: BatchId): Promise<MessageRow[]> => untried.all(r, { batchId });

export type RecipientCounts = Record<RecipientStatus, number>;

const NONE: RecipientCounts = { PENDING: 0, QUEUED: 0, SENT: 0, FAILED: 0, CANCELLED: 0 };
const count = statement<{ id: BatchId; status: RecipientStatus; n: number }, { ids: readonly BatchId[] }>(
  `SELECT batch_id AS id, status, count(*) AS n FROM batch_recipients
    WHERE batch_id IN (SELECT value FROM json_each(:ids)) GROUP BY batch_id, status`,
);

/** The number of recipients per status, for each batch. */
export const countRecipients = async (
  r: Reader,
  ids: readonly BatchId[],
): Promise<(id: BatchId) => RecipientCounts> => {
  const counts = new Map<BatchId, RecipientCounts>();
  for (const { id, status, n } of await count.all(r, { ids }))
    counts.set(id, { ...(counts.get(id) ?? NONE), [status]: n });
  return (id) => counts.get(id) ?? NONE;
};

/** The number of recipients per status of one batch. */
export const countRecipientsOf = async (r: Reader, id: BatchId): Promise<RecipientCounts> =>
  (await countRecipients(r, [id]))(id);

type Failed = RecipientError & { recipient: string };
const failed = statement<Failed, { batchId: BatchId; limit: number }>(
  `SELECT recipient, error_code AS code, error_message AS message FROM batch_recipients WHERE batch_id = :batchId
    AND status = 'FAILED' ORDER BY position LIMIT :limit`,
);

/** The failed recipients with their errors, in the order of the batch; at most `limit`. */
export const listErrors = (r: Reader, batchId: BatchId, limit: number): Promise<Failed[]> =>
  failed.all(r, { batchId, limit });

/** A recipient, and the state of the message that it got. */
export type BatchRecipient = BatchRecipientRow & { messageStatus: MessageRow["status"] | null };

type RecipientFilter = { status: RecipientStatus | undefined; after: number; limit: number };

/** The recipients behind a position, in the order of the batch. */
export const listRecipients = (r: Reader, batchId: BatchId, filter: RecipientFilter): Promise<BatchRecipient[]> =>
  statement<BatchRecipient, RecipientFilter & { batchId: BatchId }>(
    lines(
      `SELECT r.*, m.status AS messageStatus FROM batch_recipients AS r LEFT JOIN messages AS m ON m.id = r.message_id
        WHERE r.batch_id = :batchId AND r.position > :after`,
      filter.status && "AND r.status = :status",
      "ORDER BY r.position LIMIT :limit",
    ),
    RECIPIENT,
  ).all(r, { ...filter, batchId });

export type BatchFilter = { status: BatchStatus | undefined; channelId: string | undefined };

/** Batches of test keys are few. `+` keeps SQLite from using the indexes of all batches. */
const matching = (viewer: Viewer, { status, channelId }: BatchFilter): string => {
  const plus = viewer.environment === "live" ? "" : "+";
  return lines(
    "tenant_id = :tenantId",
    inSightOf(viewer),
    status !== undefined && `AND ${plus}status = :status`,
    channelId !== undefined && `AND ${plus}channel_id = :channelId`,
  );
};

/** A row of a list, without its message, which may be long. */
export type BatchItem = Omit<BatchRow, "text" | "template">;

const ITEM = columnsWithout(batches, "text", "template");

type BatchPage = { limit: number; offset: number; before?: string | undefined };

/** Newest first, from before an id on. */
export const listBatches = (r: Reader, viewer: Viewer, filter: BatchFilter & BatchPage): Promise<BatchItem[]> =>
  statement<BatchItem, BatchFilter & BatchPage & Viewer>(
    lines(
      `SELECT * FROM batches WHERE ${matching(viewer, filter)}`,
      filter.before !== undefined && "AND id < :before",
      "ORDER BY id DESC LIMIT :limit OFFSET :offset",
    ),
    ITEM,
  ).all(r, { ...viewer, ...filter });

/** Passes part of the batches. */
export const passBatches = (
  r: Reader,
  viewer: Viewer,
  filter: BatchFilter,
  part: Part<string>,
): Promise<Passed<string>> =>
  passMatching(
    r,
    { table: "batches", key: "id", where: matching(viewer, filter), params: { ...viewer, ...filter } },
    part,
  );

const RUNNING_ON = "status IN ('QUEUED', 'RUNNING') AND channel_id = :channelId";

type OfChannel = { channelId: ChannelId };
const unfinished = statement<{ n: number }, OfChannel & { environment: Environment }>(
  `SELECT count(*) AS n FROM batches WHERE ${RUNNING_ON} AND environment = :environment`,
);

/** The number of unfinished batches of a channel. */
export const countUnfinished = async (r: Reader, channelId: ChannelId, environment: Environment): Promise<number> =>
  (await unfinished.get(r, { channelId, environment }))?.n ?? 0;

const wait = statement<never, OfChannel & { atMs: number }>(
  `UPDATE batches SET waiting_since = :atMs WHERE ${RUNNING_ON} AND environment = 'live' AND waiting_since IS NULL`,
);

/** Records since when the channel's live batches wait for its connection. */
export const noteWaiting = (tx: Tx, channelId: ChannelId, atMs: number): void => wait.run(tx, { channelId, atMs });

const waitNoMore = statement<never, OfChannel>(`UPDATE batches SET waiting_since = NULL WHERE ${RUNNING_ON}`);

/** Ends the waiting, because the channel is connected. */
export const endWaiting = (tx: Tx, channelId: ChannelId): void => waitNoMore.run(tx, { channelId });

const cancel = statement<{ id: BatchId }, OfChannel & { atMs: number }>(
  `UPDATE batches SET status = 'CANCELLED', finished_at = :atMs WHERE ${RUNNING_ON} RETURNING id`,
);

/** Cancels the unfinished batches of a deleted channel. */
export const cancelBatchesOf = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> => {
  for (const { id } of await cancel.all(tx, { channelId, atMs })) cancelPending(tx, id);
};

const oldBatches = statement<{ id: BatchId }, { beforeMs: number; limit: number }>(
  `SELECT id FROM batches WHERE finished_at IS NOT NULL AND finished_at < :beforeMs
    ORDER BY finished_at LIMIT :limit`,
);
const removeRecipients = statement<unknown, { id: BatchId; limit: number }>(
  `DELETE FROM batch_recipients WHERE rowid IN
    (SELECT rowid FROM batch_recipients WHERE batch_id = :id LIMIT :limit) RETURNING 1`,
);
const remove = statement<never, { id: BatchId }>("DELETE FROM batches WHERE id = :id");

/**
 * Deletes batches that finished before `beforeMs`, with their recipients; at most `limit` rows. True when there may be
 * more.
 */
export const pruneBatches = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> => {
  let room = limit;
  for (const { id } of await oldBatches.all(tx, { beforeMs, limit })) {
    room -= (await removeRecipients.all(tx, { id, limit: room })).length;
    if (room <= 0) return true;
    remove.run(tx, { id });
    room--;
  }
  return room <= 0;
};

type OnAccount = { tenantId: TenantId; accountId: string | null };
type RecentRecipient = { recipient: string; createdAt: number };
const recentRecipients = statement<RecentRecipient, OnAccount & { sinceMs: number }>(
  `SELECT DISTINCT r.recipient AS recipient, b.created_at AS createdAt
    FROM batches b JOIN channels c ON c.id = b.channel_id JOIN batch_recipients r ON r.batch_id = b.id
    WHERE b.tenant_id = :tenantId AND b.environment = 'live' AND b.created_at >= :sinceMs
    AND c.account_id IS :accountId AND r.status IN ('PENDING', 'QUEUED', 'SENT')`,
);

/** Who gets, or got, a message of the live batches that were made since then on the account of this channel. */
export const listRecentRecipients = (
  r: Reader,
  { tenantId, accountId }: OnAccount,
  sinceMs: number,
): Promise<RecentRecipient[]> => recentRecipients.all(r, { tenantId, accountId, sinceMs });
