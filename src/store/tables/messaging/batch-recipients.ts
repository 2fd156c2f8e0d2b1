import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { BatchId, MessageId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, lines, statement } from "../../engine/statement.ts";
import { laws, REDACTED } from "../table-laws.ts";
import { type MessageRow, messages } from "./messages.ts";

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
  keeps: { group: "batches", setting: "none", rule: "until the batch is deleted", isSwept: false },
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

const RECIPIENT = columnsOf(batchRecipients);

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

/** Everybody whom a batch is for. Bound: 10,000 recipients per batch. */
export const listNumbersOf = async (r: Reader, id: BatchId): Promise<string[]> =>
  (await numbersOf.all(r, { id })).map(({ recipient }) => recipient);

const firstPending = statement<BatchRecipientRow, { batchId: BatchId }>(
  "SELECT * FROM batch_recipients WHERE batch_id = :batchId AND status = 'PENDING' ORDER BY position LIMIT 1",
  RECIPIENT,
);

/** The next recipient to send to. */
export const findNextRecipient = (r: Reader, batchId: BatchId): Promise<BatchRecipientRow | undefined> =>
  firstPending.get(r, { batchId });

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

const cancelSome = statement<unknown, { batchId: BatchId; limit: number }>(
  `UPDATE batch_recipients SET status = 'CANCELLED' WHERE rowid IN
    (SELECT rowid FROM batch_recipients WHERE batch_id = :batchId AND status = 'PENDING' LIMIT :limit) RETURNING 1`,
);

/** Cancels recipients that are still PENDING, at most `limit`; gives how many there were. */
export const cancelPending = async (tx: Tx, batchId: BatchId, limit: number): Promise<number> =>
  (await cancelSome.all(tx, { batchId, limit })).length;

const failSome = statement<unknown, RecipientError & { batchId: BatchId; limit: number }>(
  `UPDATE batch_recipients SET status = 'FAILED', error_code = :code, error_message = :message WHERE rowid IN
    (SELECT rowid FROM batch_recipients WHERE batch_id = :batchId AND status = 'PENDING' LIMIT :limit) RETURNING 1`,
);

/** Fails recipients that are still PENDING, at most `limit`; gives how many there were. */
export const failPending = async (
  tx: Tx,
  batchId: BatchId,
  { code, message, limit }: RecipientError & { limit: number },
): Promise<number> => (await failSome.all(tx, { batchId, code, message, limit })).length;

const untried = statement<MessageRow, { batchId: BatchId }>(
  `SELECT m.* FROM batch_recipients AS r JOIN messages AS m ON m.id = r.message_id
    WHERE r.batch_id = :batchId AND r.status = 'QUEUED' AND m.status = 'QUEUED' AND m.send_state = 'NONE'`,
  columnsOf(messages),
);

/** The batch's messages without a begun attempt. Bound: a batch accepts the next message while four are in flight. */
export const listUntried = (r: Reader, batchId: BatchId): Promise<MessageRow[]> => untried.all(r, { batchId });

export type RecipientCounts = Record<RecipientStatus, number>;

const NONE: RecipientCounts = { PENDING: 0, QUEUED: 0, SENT: 0, FAILED: 0, CANCELLED: 0 };
const count = statement<{ id: BatchId; status: RecipientStatus; n: number }, { ids: readonly BatchId[] }>(
  `SELECT batch_id AS id, status, count(*) AS n FROM batch_recipients
    WHERE batch_id IN (SELECT value FROM json_each(:ids)) GROUP BY batch_id, status`,
);

/** The number of recipients per status, for each batch. Bound: one row per status, for each batch of the caller. */
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

type Reached = { recipient: string; position: number };
const reached = statement<Reached, { batchId: BatchId; after: number; limit: number }>(
  `SELECT recipient, position FROM batch_recipients WHERE batch_id = :batchId AND position > :after
    AND status IN ('PENDING', 'QUEUED', 'SENT') ORDER BY position LIMIT :limit`,
);

/** The recipients behind a position who get a message of the batch, or got one; at most `limit`. */
export const listReached = (
  r: Reader,
  batchId: BatchId,
  { after, limit }: { after: number; limit: number },
): Promise<Reached[]> => reached.all(r, { batchId, after, limit });

const removeSome = statement<unknown, { id: BatchId; limit: number }>(
  `DELETE FROM batch_recipients WHERE rowid IN
    (SELECT rowid FROM batch_recipients WHERE batch_id = :id LIMIT :limit) RETURNING 1`,
);

/** Deletes the recipients of a batch, at most `limit`; gives how many there were. */
export const deleteRecipients = async (tx: Tx, id: BatchId, limit: number): Promise<number> =>
  (await removeSome.all(tx, { id, limit })).length;
