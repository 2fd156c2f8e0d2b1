import { and, asc, desc, eq, getTableColumns, gte, inArray, lt, lte, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { CoreCode } from "../../../kernel/errors.ts";
import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import { hot, hotUpdate, type Reader, type Tx } from "../../engine/db.ts";
import { ifWithin, type Scope, within } from "../scope.ts";
import { type FileReference, laws, referenceIndex } from "../table-laws.ts";
import { type AccountState, tenants } from "../tenancy/tenants.ts";

export const SCHEDULED_STATUSES = ["PENDING", "PROCESSING", "SENT", "FAILED", "CANCELED"] as const;
export type ScheduledStatus = (typeof SCHEDULED_STATUSES)[number];

/** Why a due message was not accepted: the core's refusal, or an account that may not send. */
export type ScheduledFailure = {
  code: CoreCode | "ACCOUNT_SUSPENDED" | "ACCOUNT_INACTIVE" | "OUTCOME_UNKNOWN" | "INTERNAL_ERROR";
  reason: string;
};

const waitingFile: FileReference = {
  by: "handle",
  names: "payload ->> '$.content.mediaHandle'",
  waits: "status IN ('PENDING', 'PROCESSING')",
};
const withFile = referenceIndex(waitingFile);

/**
 * Scheduled messages. `payload` is the send as its owner wrote it. PROCESSING: due, and waiting for its channel.
 * `askedFor`: the time that was chosen, where it was to be in business hours; `scheduledAt` is later where it was not.
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
    /** The id of the request that scheduled it. Null: not recorded. Lists leave it out, because it lies behind the payload. */
    requestId: text("request_id"),
  },
  (t) => [
    index("scheduled_by_tenant").on(t.tenantId, t.id),
    index("scheduled_by_status").on(t.tenantId, t.status, t.id),
    index("scheduled_by_channel").on(t.tenantId, t.channelId, t.id),
    index("scheduled_by_time").on(t.tenantId, t.scheduledAt, t.id),
    index("scheduled_with_file").on(withFile.on).where(withFile.where),
    index("scheduled_finished").on(t.updatedAt).where(sql`status IN ('SENT', 'FAILED', 'CANCELED')`),
  ],
);
export type ScheduledRow = typeof scheduled.$inferSelect;

export const scheduledLaws = laws(scheduled, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "at most 90 days after it was sent, failed or was cancelled",
    isSwept: true,
  },
  personal: { rowsOf: "tenant", by: [], texts: ["payload"], isOf: ({ payload }, who) => who.namesIn(payload) },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "scheduled" },
  files: { failure: "holds no content of a message", payload: waitingFile },
  backup: "rows alone",
});

export const insertScheduled = async (tx: Tx, row: ScheduledRow): Promise<void> =>
  void (await tx.q.insert(scheduled).values(row));

const byId = hot((q) =>
  q
    .select()
    .from(scheduled)
    .where(eq(scheduled.id, sql.placeholder("id")))
    .prepare(),
);

export const findScheduled = async (r: Reader, scope: Scope, id: string): Promise<ScheduledRow | undefined> =>
  ifWithin(await byId(r).get({ id }), scope);

const withTenant = hot((q) =>
  q
    .select({
      row: scheduled,
      status: tenants.status,
      dunningStage: tenants.dunningStage,
      reactivatedAt: tenants.reactivatedAt,
    })
    .from(scheduled)
    .innerJoin(tenants, eq(tenants.id, scheduled.tenantId))
    .where(eq(scheduled.id, sql.placeholder("id")))
    .prepare(),
);

/** A scheduled message with the state of its account. */
export const loadScheduled = (r: Reader, id: string): Promise<({ row: ScheduledRow } & AccountState) | undefined> =>
  withTenant(r).get({ id });

const update = hotUpdate((q, columns, from) =>
  q
    .update(scheduled)
    .set(columns as Partial<ScheduledRow>) // placeholders, bound by the columns' types
    .where(and(eq(scheduled.id, sql.placeholder("rowId")), inArray(scheduled.status, from as ScheduledStatus[])))
    .returning()
    .prepare(),
);

/** The changed row; undefined when its status is not in `from`. */
export const updateScheduled = async (
  tx: Tx,
  id: string,
  from: readonly ScheduledStatus[],
  changes: Partial<ScheduledRow>,
): Promise<ScheduledRow | undefined> => (await update(tx, changes, from).all({ ...changes, rowId: id }))[0];

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
 * A row of a list, without its payload, which may be long, and what lies behind it. `preview`: how its text, its caption or the name of its
 * template begins; null for other content.
 */
export type ScheduledItem = Omit<ScheduledRow, "payload" | "requestId"> & ScheduledSummary;
export type ScheduledSummary = { to: string; type: string; preview: string | null };

const SUMMARIES = `SELECT id, payload ->> 'to' AS "to", payload ->> 'type' AS type, substr(coalesce(
    payload ->> '$.content.text', payload ->> '$.content.caption', payload ->> '$.content.name'), 1, 200) AS preview
  FROM scheduled WHERE id IN (SELECT value FROM json_each(?1))`;

const summariesOf = async (r: Reader, ids: readonly string[]): Promise<Map<string, ScheduledSummary>> =>
  new Map(
    (await r.rows<ScheduledSummary & { id: string }>(SUMMARIES, [JSON.stringify(ids)])).map(({ id, ...one }) => [
      id,
      one,
    ]),
  );

const UNKNOWN: ScheduledSummary = { to: "", type: "", preview: null };

/** The maximum number of rows that a page reads, however few match. */
const LOOKED_AT = 5000;

/** The rows that a page reads: those of the filter that an index serves, in the page's order. */
const lookedAt = ({ q }: Reader, scope: Scope, filter: ScheduledFilter, last: ScheduledRow | undefined) => {
  const { payload: _, requestId: __, ...columns } = getTableColumns(scheduled);
  const isByTime = filter.sort === "scheduledAt";
  return q
    .select(columns)
    .from(scheduled)
    .where(and(within(scheduled.tenantId, scope), isByTime ? byTime(filter, last) : newerFirst(filter)))
    .orderBy(...(isByTime ? [asc(scheduled.scheduledAt), asc(scheduled.id)] : [desc(scheduled.id)]));
};

const byTime = ({ from }: ScheduledFilter, last: ScheduledRow | undefined) =>
  and(
    from === undefined ? undefined : gte(scheduled.scheduledAt, from),
    last && sql`(${scheduled.scheduledAt}, ${scheduled.id}) > (${last.scheduledAt}, ${last.id})`,
  );

const newerFirst = ({ status, channelId, cursor }: ScheduledFilter) => {
  const ofChannel = channelId === undefined ? undefined : eq(scheduled.channelId, channelId as ChannelId);
  return and(
    status ? eq(scheduled.status, status) : ofChannel,
    cursor === undefined ? undefined : lt(scheduled.id, cursor),
  );
};

/** `goOnAfter`: where to continue when the page stopped early at its maximum of rows read. */
export const listScheduled = async (
  r: Reader,
  scope: Scope,
  filter: ScheduledFilter,
): Promise<{ items: ScheduledItem[]; goOnAfter: string | undefined }> => {
  const { channelId, from, to, limit, status, cursor, sort } = filter;
  const last = sort === "scheduledAt" && cursor !== undefined ? await findScheduled(r, scope, cursor) : undefined;
  const newest = lookedAt(r, scope, filter, last).limit(LOOKED_AT).as("newest");
  const wanted = [
    status && eq(newest.status, status),
    channelId === undefined ? undefined : eq(newest.channelId, channelId as ChannelId),
    from === undefined ? undefined : gte(newest.scheduledAt, from),
    to === undefined ? undefined : lte(newest.scheduledAt, to),
  ];
  const found = await r.q
    .select()
    .from(newest)
    .where(and(...wanted))
    .limit(limit);
  const end =
    found.length < limit
      ? await lookedAt(r, scope, filter, last)
          .limit(1)
          .offset(LOOKED_AT - 1)
      : [];
  const summaries = await summariesOf(
    r,
    found.map(({ id }) => id),
  );
  return { items: found.map((row) => ({ ...row, ...(summaries.get(row.id) ?? UNKNOWN) })), goOnAfter: end[0]?.id };
};

// +channel_id: a tenant's waiting messages are limited; a channel's sent ones are not
const CANCEL = `UPDATE scheduled SET status = 'CANCELED', updated_at = ?3 WHERE tenant_id = ?1
    AND status IN ('PENDING', 'PROCESSING') AND +channel_id = ?2`;

// their idempotency keys end as those of other requests
const END_KEYS = `UPDATE idempotency_keys SET expires_at = ?3 WHERE tenant_id = ?1 AND (key, message_id) IN (
    SELECT payload ->> 'idempotencyKey', id FROM scheduled WHERE tenant_id = ?1
    AND status IN ('PENDING', 'PROCESSING') AND +channel_id = ?2)`;

/** Cancels the waiting scheduled messages of a channel. `keysUntil`: when their idempotency keys expire. */
export const cancelScheduledOf = (
  tx: Tx,
  { tenantId, id }: { tenantId: TenantId; id: ChannelId },
  { atMs, keysUntil }: { atMs: number; keysUntil: number },
): void => {
  tx.run(END_KEYS, [tenantId, id, keysUntil]);
  tx.run(CANCEL, [tenantId, id, atMs]);
};

/** Deletes finished ones; at most `limit`. True when there may be more. */
export const pruneScheduled = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM scheduled WHERE id IN (SELECT id FROM scheduled WHERE status IN ('SENT', 'FAILED', 'CANCELED')
        AND updated_at < ?1 LIMIT ?2) RETURNING 1`,
      [beforeMs, limit],
    )
  ).length === limit;
