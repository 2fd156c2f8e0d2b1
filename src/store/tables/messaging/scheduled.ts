import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CoreCode } from "../../../kernel/errors.ts";
import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import {
  columnsOf,
  columnsOfEach,
  columnsWithout,
  insertInto,
  isWordOf,
  lines,
  statement,
  updateOf,
} from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { type FilesWithin, laws, type OneFile, referenceIndex, waitsWithin } from "../table-laws.ts";
import type { AccountState } from "../tenancy/tenants.ts";

export const SCHEDULED_STATUSES = ["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"] as const;
export type ScheduledStatus = (typeof SCHEDULED_STATUSES)[number];

/** Why a due message was not accepted: the core's refusal, or an account that may not send. */
export type ScheduledFailure = {
  code: CoreCode | "ACCOUNT_SUSPENDED" | "ACCOUNT_INACTIVE" | "OUTCOME_UNKNOWN" | "INTERNAL_ERROR";
  reason: string;
};

const waitingFile: OneFile = {
  by: "handle",
  names: "payload ->> '$.content.mediaHandle'",
  waits: "status IN ('PENDING', 'PROCESSING')",
};
const withFile = referenceIndex(waitingFile);
/** All files of a send: its own, and those of its template and of its fallback's, with the cards of their carousels. */
const waitingFiles: FilesWithin = {
  by: "handle",
  within: "payload",
  waits: "status IN ('PENDING', 'PROCESSING')",
};

/**
 * Scheduled messages. `payload` is the send as its owner wrote it. PROCESSING: due, and waiting for its channel.
 * `askedFor`: the chosen time, if the message was to go out in business hours. `scheduledAt` is later if the chosen
 * time was outside them.
 */
export const scheduled = sqliteTable(
  "scheduled",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    scheduledAt: integer("scheduled_at").notNull(),
    askedFor: integer("asked_for"),
    status: text().$type<ScheduledStatus>().notNull(),
    messageId: text("message_id").$type<MessageId>(),
    failure: text({ mode: "json" }).$type<ScheduledFailure>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    // last, because a long column slows down reading the columns behind it
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /**
     * The id of the request that scheduled it. Null: not recorded. Lists leave it out, because reading it means reading
     * the payload before it.
     */
    requestId: text("request_id"),
  },
  (t) => [
    index("scheduled_by_tenant").on(t.tenantId, t.id),
    index("scheduled_by_status").on(t.tenantId, t.status, t.id),
    index("scheduled_by_channel").on(t.tenantId, t.channelId, t.id),
    index("scheduled_by_time").on(t.tenantId, t.scheduledAt, t.id),
    index("scheduled_with_file").on(withFile.on).where(withFile.where),
    index("scheduled_with_files")
      .on(t.tenantId, t.status)
      .where(sql.raw(waitsWithin(waitingFiles))),
    index("scheduled_finished").on(t.updatedAt).where(sql`status IN ('SENT', 'FAILED', 'CANCELED')`),
  ],
);
export type ScheduledRow = typeof scheduled.$inferSelect;

export const scheduledLaws = laws(scheduled, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term, at most 90 days, after the message was sent, failed or was cancelled",
    isSwept: true,
  },
  personal: { rowsOf: "tenant", by: [], texts: ["payload"], isOf: ({ payload }, who) => who.namesIn(payload) },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "scheduled", where: "tenant_id = :owner AND status = 'PENDING'" },
  files: { failure: "holds no content of a message", payload: [waitingFile, waitingFiles] },
  backup: "rows alone",
});

const SCHEDULED = columnsOf(scheduled);

const insert = insertInto(scheduled);
export const insertScheduled = async (tx: Tx, row: ScheduledRow): Promise<void> => insert(tx, row);

const byId = statement<ScheduledRow, { id: string }>("SELECT * FROM scheduled WHERE id = :id", SCHEDULED);

export const findScheduled = async (r: Reader, scope: Scope, id: string): Promise<ScheduledRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

type WithAccount = { row: ScheduledRow } & AccountState;
const withAccount = statement<WithAccount, { id: string }>(
  `SELECT *, tenants.status AS status, dunning_stage AS dunningStage, reactivated_at AS reactivatedAt
    FROM scheduled AS row JOIN tenants ON tenants.id = row.tenant_id WHERE row.id = :id`,
  columnsOfEach({ row: SCHEDULED }),
);

/** A scheduled message with the state of its account. */
export const loadScheduled = (r: Reader, id: string): Promise<WithAccount | undefined> => withAccount.get(r, { id });

const update = updateOf<typeof scheduled, { id: string; from: readonly ScheduledStatus[] }>(
  scheduled,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

/** The changed row; undefined when its status is not in `from`. */
export const updateScheduled = async (
  tx: Tx,
  id: string,
  from: readonly ScheduledStatus[],
  changes: Partial<ScheduledRow>,
): Promise<ScheduledRow | undefined> => (await update(tx, changes, { id, from }))[0];

/** `created`: newest first; `scheduledAt`: by the time of sending, the earliest first. */
export const SCHEDULED_ORDERS = ["created", "scheduledAt"] as const;

export type ScheduledFilter = {
  /** @default created */
  sort?: (typeof SCHEDULED_ORDERS)[number];
  status: ScheduledStatus | undefined;
  channelId: string | undefined;
  from: number | undefined;
  to: number | undefined;
  /** The last item of the page before. */
  cursor: string | undefined;
  limit: number;
};

/**
 * A row of a list, without the long payload and the columns behind it. `preview`: the beginning of its text, its
 * caption or its template's name; null for other content.
 */
export type ScheduledItem = Omit<ScheduledRow, "payload" | "requestId"> & ScheduledSummary;
export type ScheduledSummary = { to: string; type: string; preview: string | null };

const summaries = statement<ScheduledSummary & { id: string }, { ids: readonly string[] }>(
  `SELECT id, payload ->> 'to' AS "to", payload ->> 'type' AS type, substr(coalesce(
    payload ->> '$.content.text', payload ->> '$.content.caption', payload ->> '$.content.name'), 1, 200) AS preview
    FROM scheduled WHERE id IN (SELECT value FROM json_each(:ids))`,
);

/** Bound: the ids of the caller. */
const summariesOf = async (r: Reader, ids: readonly string[]): Promise<Map<string, ScheduledSummary>> =>
  new Map((await summaries.all(r, { ids })).map(({ id, ...one }) => [id, one]));

const UNKNOWN: ScheduledSummary = { to: "", type: "", preview: null };

/** The maximum number of rows that a page reads, however few match. */
const LOOKED_AT = 5000;

const ITEM = columnsWithout(scheduled, "payload", "requestId");
const ITS_COLUMNS = ITEM.star.map(({ name }) => name).join(", ");

type Last = { lastAt: number; lastId: string } | undefined;

/** The rows that a page reads: the matches of the fields that an index serves, in the page's order. */
const lookedAt = (scope: Scope, filter: ScheduledFilter, last: Last): string =>
  lines(
    `SELECT ${ITS_COLUMNS} FROM scheduled WHERE true ${inScope(scope)}`,
    filter.sort === "scheduledAt" ? byTime(filter, last) : newerFirst(filter),
  );

const byTime = ({ from }: ScheduledFilter, last: Last): string =>
  lines(
    from !== undefined && "AND scheduled_at >= :from",
    last && "AND (scheduled_at, id) > (:lastAt, :lastId)",
    "ORDER BY scheduled_at, id",
  );

const newerFirst = ({ status, channelId, cursor }: ScheduledFilter): string =>
  lines(
    status && "AND status = :status",
    !status && channelId !== undefined && "AND channel_id = :channelId",
    cursor !== undefined && "AND id < :cursor",
    "ORDER BY id DESC",
  );

/** `goOnAfter`: where to continue if the page stopped early because it had read its maximum of rows. */
export const listScheduled = async (
  r: Reader,
  scope: Scope,
  filter: ScheduledFilter,
): Promise<{ items: ScheduledItem[]; goOnAfter: string | undefined }> => {
  const { channelId, from, to, limit, status, cursor, sort } = filter;
  const row = sort === "scheduledAt" && cursor !== undefined ? await findScheduled(r, scope, cursor) : undefined;
  const last = row && { lastAt: row.scheduledAt, lastId: row.id };
  const rows = lookedAt(scope, filter, last);
  const asked = { ...filter, ...last, tenantId: scope.tenantId };
  const found = await statement<Omit<ScheduledRow, "payload" | "requestId">, ScheduledFilter & Scope>(
    lines(
      `SELECT * FROM (${rows} LIMIT ${LOOKED_AT}) AS newest WHERE true`,
      status && "AND status = :status",
      channelId !== undefined && "AND channel_id = :channelId",
      from !== undefined && "AND scheduled_at >= :from",
      to !== undefined && "AND scheduled_at <= :to",
      "LIMIT :limit",
    ),
    ITEM,
  ).all(r, asked);
  const lastLookedAt = statement<{ id: string }, ScheduledFilter & Scope>(`${rows} LIMIT 1 OFFSET ${LOOKED_AT - 1}`);
  const end = found.length < limit ? await lastLookedAt.get(r, asked) : undefined;
  const known = await summariesOf(
    r,
    found.map(({ id }) => id),
  );
  return { items: found.map((one) => ({ ...one, ...(known.get(one.id) ?? UNKNOWN) })), goOnAfter: end?.id };
};

type OfChannel = { tenantId: TenantId; id: ChannelId };

// +channel_id: a tenant's waiting messages are limited; a channel's sent ones are not
const cancel = statement<never, OfChannel & { atMs: number }>(
  `UPDATE scheduled SET status = 'CANCELED', updated_at = :atMs WHERE tenant_id = :tenantId
    AND status IN ('PENDING', 'PROCESSING') AND +channel_id = :id`,
);

// their idempotency keys end like those of other requests
const endKeys = statement<never, OfChannel & { keysUntil: number }>(
  `UPDATE idempotency_keys SET expires_at = :keysUntil WHERE tenant_id = :tenantId AND (key, message_id) IN (
    SELECT payload ->> 'idempotencyKey', id FROM scheduled WHERE tenant_id = :tenantId
    AND status IN ('PENDING', 'PROCESSING') AND +channel_id = :id)`,
);

/** Cancels the waiting scheduled messages of a channel. `keysUntil`: when their idempotency keys expire. */
export const cancelScheduledOf = (
  tx: Tx,
  { tenantId, id }: OfChannel,
  { atMs, keysUntil }: { atMs: number; keysUntil: number },
): void => {
  endKeys.run(tx, { tenantId, id, keysUntil });
  cancel.run(tx, { tenantId, id, atMs });
};

const removeFinished = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM scheduled WHERE id IN (SELECT id FROM scheduled WHERE status IN ('SENT', 'FAILED', 'CANCELED')
    AND updated_at < :beforeMs LIMIT :limit) RETURNING 1`,
);

/** Deletes finished messages; at most `limit`. True when there may be more. */
export const pruneScheduled = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await removeFinished.all(tx, { beforeMs, limit })).length === limit;
