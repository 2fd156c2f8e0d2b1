import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import type { BatchId, ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import { type Part, type Passed, passRows } from "../../engine/counting.ts";
import { hot, hotUpdate, type Reader, type Tx } from "../../engine/db.ts";
import { ifWithin, type Scope, seenBy, type Viewer, within } from "../scope.ts";
import { laws, REDACTED } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { tenants } from "../tenancy/tenants.ts";
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
      tx.run("UPDATE batches SET text = ?2, template = NULL, fallback = NULL, name = NULL WHERE rowid = ?1", [
        at,
        REDACTED,
      ]);
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
      const status = "iif(status IN ('PENDING', 'QUEUED'), 'CANCELLED', status)";
      tx.run(
        `UPDATE batch_recipients SET recipient = ?2, variables = NULL, error_message = NULL, status = ${status}
          WHERE rowid = ?1`,
        [at, REDACTED],
      );
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

const ADD_RECIPIENTS = `INSERT INTO batch_recipients
  (batch_id, position, recipient, variables, status, error_code, error_message)
  SELECT ?1, key + ?3, value ->> 'to', value -> 'variables', iif(value -> 'error' IS NULL, 'PENDING', 'FAILED'),
  value ->> '$.error.code', value ->> '$.error.message' FROM json_each(?2)`;

export const insertBatch = async (tx: Tx, row: BatchRow, recipients: readonly NewRecipient[]): Promise<void> => {
  await tx.q.insert(batches).values(row);
  addRecipients(tx, row.id, recipients, 0);
};

/** Adds recipients behind those that the batch has. `first`: the position of the first of them. */
export const addRecipients = (tx: Tx, id: BatchId, recipients: readonly NewRecipient[], first: number): void =>
  tx.run(ADD_RECIPIENTS, [id, JSON.stringify(recipients), first]);

/** Everybody whom a batch is for. */
export const listNumbersOf = async (r: Reader, id: BatchId): Promise<string[]> =>
  (await r.rows<{ recipient: string }>("SELECT recipient FROM batch_recipients WHERE batch_id = ?1", [id])).map(
    ({ recipient }) => recipient,
  );

const byId = hot((q) =>
  q
    .select()
    .from(batches)
    .where(eq(batches.id, sql.placeholder("id")))
    .prepare(),
);

export const findBatch = async (r: Reader, scope: Scope, id: string): Promise<BatchRow | undefined> =>
  ifWithin(await byId(r).get({ id }), scope);

const withTenant = hot((q) =>
  q
    .select({
      row: batches,
      tenant: { status: tenants.status, dunningStage: tenants.dunningStage, platformPlan: tenants.platformPlan },
    })
    .from(batches)
    .innerJoin(tenants, eq(tenants.id, batches.tenantId))
    .where(eq(batches.id, sql.placeholder("id")))
    .prepare(),
);

/** A batch with the state of its institution. */
export const loadBatch = (r: Reader, id: BatchId) => withTenant(r).get({ id });

const firstPending = hot((q) =>
  q
    .select()
    .from(batchRecipients)
    .where(and(eq(batchRecipients.batchId, sql.placeholder("batchId")), eq(batchRecipients.status, "PENDING")))
    .orderBy(asc(batchRecipients.position))
    .limit(1)
    .prepare(),
);

/** The next recipient to send to. */
export const findNextRecipient = (r: Reader, batchId: BatchId): Promise<BatchRecipientRow | undefined> =>
  firstPending(r).get({ batchId });

const update = hotUpdate((q, columns, from) =>
  q
    .update(batches)
    .set(columns as Partial<BatchRow>) // placeholders, bound by the columns' types
    .where(and(eq(batches.id, sql.placeholder("rowId")), inArray(batches.status, from as BatchStatus[])))
    .returning()
    .prepare(),
);

const UNFINISHED = ["QUEUED", "RUNNING"] as const satisfies readonly BatchStatus[];

/** The changed row; undefined when the batch is finished or deleted. */
export const updateUnfinished = async (
  tx: Tx,
  id: BatchId,
  changes: Partial<BatchRow>,
): Promise<BatchRow | undefined> => (await update(tx, changes, UNFINISHED).all({ ...changes, rowId: id }))[0];

/** The unfinished batches that wait for business hours, of an account or of one of its channels: three per channel. */
export const listClosedBatches = (
  r: Reader,
  tenantId: TenantId,
  channelId: ChannelId | undefined,
): Promise<BatchRow[]> =>
  r.q
    .select()
    .from(batches)
    .where(
      and(
        eq(batches.tenantId, tenantId),
        inArray(batches.status, UNFINISHED),
        isNotNull(batches.opensAt),
        channelId === undefined ? undefined : eq(batches.channelId, channelId),
      ),
    );

/** Records that the network is given one of the batch's messages. */
export const noteTried = (tx: Tx, id: BatchId, atMs: number): void =>
  tx.run("UPDATE batches SET tried_at = ?2 WHERE id = ?1", [id, atMs]);

const QUEUE = "UPDATE batch_recipients SET status = 'QUEUED', message_id = ?3 WHERE batch_id = ?1 AND position = ?2";
const FAIL = `UPDATE batch_recipients SET status = 'FAILED', error_code = ?3, error_message = ?4 WHERE batch_id = ?1
    AND position = ?2`;

type RecipientKey = Pick<BatchRecipientRow, "batchId" | "position">;

/** Records the message of a recipient. */
export const queueRecipient = (tx: Tx, { batchId, position }: RecipientKey, messageId: MessageId): void =>
  tx.run(QUEUE, [batchId, position, messageId]);
export const failRecipient = (tx: Tx, { batchId, position }: RecipientKey, { code, message }: RecipientError): void =>
  tx.run(FAIL, [batchId, position, code, message]);

/** Gives a recipient another message in place of the one that was accepted first. */
export const moveRecipient = (tx: Tx, firstId: MessageId, secondId: MessageId): void =>
  tx.run("UPDATE batch_recipients SET message_id = ?2 WHERE message_id = ?1 AND status = 'QUEUED'", [
    firstId,
    secondId,
  ]);

const SETTLE = `UPDATE batch_recipients SET status = ?2, error_code = ?3, error_message = ?4 WHERE message_id = ?1
  AND (status = 'QUEUED' OR (status = 'SENT' AND ?2 = 'FAILED')) RETURNING 1`;

/** Records the outcome of a message; false when it was recorded before. Only SENT can still change, to FAILED. */
export const settleRecipient = async (
  tx: Tx,
  messageId: MessageId,
  status: "SENT" | "FAILED" | "CANCELLED",
  error?: RecipientError,
): Promise<boolean> =>
  (await tx.rows(SETTLE, [messageId, status, error?.code ?? null, error?.message ?? null])).length > 0;

/** Cancels every recipient that is still PENDING. */
export const cancelPending = (tx: Tx, batchId: BatchId): void =>
  tx.run("UPDATE batch_recipients SET status = 'CANCELLED' WHERE batch_id = ?1 AND status = 'PENDING'", [batchId]);

/** Fails every recipient that is still PENDING. */
export const failPending = (tx: Tx, batchId: BatchId, { code, message }: RecipientError): void =>
  tx.run(
    `UPDATE batch_recipients SET status = 'FAILED', error_code = ?2, error_message = ?3 WHERE batch_id = ?1
      AND status = 'PENDING'`,
    [batchId, code, message],
  );

/** The batch's messages without a begun attempt. */
export const listUntried = (r: Reader, batchId: BatchId): Promise<MessageRow[]> =>
  r.q
    .select(getTableColumns(messages))
    .from(batchRecipients)
    .innerJoin(messages, eq(messages.id, batchRecipients.messageId))
    .where(
      and(
        eq(batchRecipients.batchId, batchId),
        eq(batchRecipients.status, "QUEUED"),
        eq(messages.status, "QUEUED"),
        eq(messages.sendState, "NONE"),
      ),
    );

export type RecipientCounts = Record<RecipientStatus, number>;

const NONE: RecipientCounts = { PENDING: 0, QUEUED: 0, SENT: 0, FAILED: 0, CANCELLED: 0 };
const COUNT = `SELECT batch_id AS id, status, count(*) AS n FROM batch_recipients WHERE batch_id IN (SELECT value
    FROM json_each(?1)) GROUP BY batch_id, status`;

/** The number of recipients per status, for each batch. */
export const countRecipients = async (
  r: Reader,
  ids: readonly BatchId[],
): Promise<(id: BatchId) => RecipientCounts> => {
  const counts = new Map<BatchId, RecipientCounts>();
  for (const { id, status, n } of await r.rows<{ id: BatchId; status: RecipientStatus; n: number }>(COUNT, [
    JSON.stringify(ids),
  ]))
    counts.set(id, { ...(counts.get(id) ?? NONE), [status]: n });
  return (id) => counts.get(id) ?? NONE;
};

/** The number of recipients per status of one batch. */
export const countRecipientsOf = async (r: Reader, id: BatchId): Promise<RecipientCounts> =>
  (await countRecipients(r, [id]))(id);

/** The failed recipients with their errors, in the order of the batch; at most `limit`. */
export const listErrors = (
  r: Reader,
  batchId: BatchId,
  limit: number,
): Promise<(RecipientError & { recipient: string })[]> =>
  r.rows(
    `SELECT recipient, error_code AS code, error_message AS message FROM batch_recipients WHERE batch_id = ?1
      AND status = 'FAILED' ORDER BY position LIMIT ?2`,
    [batchId, limit],
  );

/** A recipient, and the state of the message that it got. */
export type BatchRecipient = BatchRecipientRow & { messageStatus: MessageRow["status"] | null };

/** The recipients behind a position, in the order of the batch. */
export const listRecipients = (
  r: Reader,
  batchId: BatchId,
  { status, after, limit }: { status: RecipientStatus | undefined; after: number; limit: number },
): Promise<BatchRecipient[]> =>
  r.q
    .select({ ...getTableColumns(batchRecipients), messageStatus: messages.status })
    .from(batchRecipients)
    .leftJoin(messages, eq(messages.id, batchRecipients.messageId))
    .where(
      and(
        eq(batchRecipients.batchId, batchId),
        status && eq(batchRecipients.status, status),
        gt(batchRecipients.position, after),
      ),
    )
    .orderBy(asc(batchRecipients.position))
    .limit(limit);

export type BatchFilter = { status: BatchStatus | undefined; channelId: string | undefined };

/** Batches of test keys are few. `+` keeps SQLite from using the indexes of all batches. */
const filtered = (viewer: Viewer, { status, channelId }: BatchFilter) => {
  const is = (column: SQLiteColumn, value: string | undefined): SQL | undefined => {
    if (value === undefined) return undefined;
    return viewer.environment === "live" ? eq(column, value) : sql`+${column} = ${value}`;
  };
  return and(
    within(batches.tenantId, viewer),
    seenBy(batches.environment, viewer),
    is(batches.status, status),
    is(batches.channelId, channelId),
  );
};

/** A row of a list, without its message, which may be long. */
export type BatchItem = Omit<BatchRow, "text" | "template">;

/** Newest first, from before an id on. */
export const listBatches = (
  r: Reader,
  viewer: Viewer,
  { limit, offset, before, ...filter }: BatchFilter & { limit: number; offset: number; before?: string | undefined },
): Promise<BatchItem[]> => {
  const { text: _, template: __, ...columns } = getTableColumns(batches);
  return r.q
    .select(columns)
    .from(batches)
    .where(and(filtered(viewer, filter), before === undefined ? undefined : lt(batches.id, before as BatchId)))
    .orderBy(desc(batches.id))
    .limit(limit)
    .offset(offset);
};

/** Passes part of the batches. */
export const passBatches = (
  r: Reader,
  viewer: Viewer,
  filter: BatchFilter,
  part: Part<string>,
): Promise<Passed<string>> => passRows(r, { table: batches, key: batches.id, where: filtered(viewer, filter) }, part);

const RUNNING_ON = "status IN ('QUEUED', 'RUNNING') AND channel_id = ?1";

/** The number of unfinished batches of a channel. */
export const countUnfinished = async (r: Reader, channelId: ChannelId, environment: Environment): Promise<number> =>
  (
    await r.rows<{ n: number }>(`SELECT count(*) AS n FROM batches WHERE ${RUNNING_ON} AND environment = ?2`, [
      channelId,
      environment,
    ])
  )[0]?.n ?? 0;

/** Records since when the channel's live batches wait for its connection. */
export const noteWaiting = (tx: Tx, channelId: ChannelId, atMs: number): void =>
  tx.run(
    `UPDATE batches SET waiting_since = ?2 WHERE ${RUNNING_ON} AND environment = 'live' AND waiting_since IS NULL`,
    [channelId, atMs],
  );

/** Ends the waiting, because the channel is connected. */
export const endWaiting = (tx: Tx, channelId: ChannelId): void =>
  tx.run(`UPDATE batches SET waiting_since = NULL WHERE ${RUNNING_ON}`, [channelId]);

/** Cancels the unfinished batches of a deleted channel. */
export const cancelBatchesOf = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> => {
  const ended = await tx.rows<{ id: BatchId }>(
    `UPDATE batches SET status = 'CANCELLED', finished_at = ?2 WHERE ${RUNNING_ON} RETURNING id`,
    [channelId, atMs],
  );
  for (const { id } of ended) cancelPending(tx, id);
};

const OLD_BATCHES =
  "SELECT id FROM batches WHERE finished_at IS NOT NULL AND finished_at < ?1 ORDER BY finished_at LIMIT ?2";
const DELETE_RECIPIENTS = `DELETE FROM batch_recipients
    WHERE rowid IN (SELECT rowid FROM batch_recipients WHERE batch_id = ?1 LIMIT ?2)
    RETURNING 1`;

/**
 * Deletes batches that finished before `beforeMs`, with their recipients; at most `limit` rows. True when there may be
 * more.
 */
export const pruneBatches = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> => {
  let room = limit;
  for (const { id } of await tx.rows<{ id: BatchId }>(OLD_BATCHES, [beforeMs, limit])) {
    room -= (await tx.rows(DELETE_RECIPIENTS, [id, room])).length;
    if (room <= 0) return true;
    tx.run("DELETE FROM batches WHERE id = ?1", [id]);
    room--;
  }
  return room <= 0;
};

const RECENT_RECIPIENTS = `SELECT DISTINCT r.recipient AS recipient, b.created_at AS createdAt
  FROM batches b JOIN channels c ON c.id = b.channel_id JOIN batch_recipients r ON r.batch_id = b.id
  WHERE b.tenant_id = ?1 AND b.environment = 'live' AND b.created_at >= ?2 AND c.account_id IS ?3
  AND r.status IN ('PENDING', 'QUEUED', 'SENT')`;

/** Who gets, or got, a message of the live batches that were made since then on the account of this channel. */
export const listRecentRecipients = async (
  r: Reader,
  { tenantId, accountId }: { tenantId: TenantId; accountId: string | null },
  sinceMs: number,
): Promise<{ recipient: string; createdAt: number }[]> =>
  r.rows<{ recipient: string; createdAt: number }>(RECENT_RECIPIENTS, [tenantId, sinceMs, accountId]);
