import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import type { BatchId, ChannelId, TenantId } from "../../../kernel/ids.ts";
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
import { ifWithin, inSightOf, type Scope, type TenantScope, type Viewer } from "../scope.ts";
import { laws, REDACTED } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { type AccountState, type TenantRow, tenants } from "../tenancy/tenants.ts";
import { addRecipients, deleteRecipients, type NewRecipient } from "./batch-recipients.ts";
import type { FallbackReason } from "./fallbacks.ts";

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

const UNFINISHED = "status IN ('QUEUED', 'RUNNING')";

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
    /** The options of each send; null without. */
    options: text({ mode: "json" }).$type<Record<string, string>>(),
  },
  (t) => [
    index("batches_by_tenant").on(t.tenantId, t.id),
    index("batches_by_status").on(t.tenantId, t.status, t.id),
    index("batches_by_channel").on(t.tenantId, t.channelId, t.id),
    index("batches_test").on(t.tenantId, t.id).where(sql`environment = 'test'`),
    index("batches_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`),
    index("batches_running").on(t.channelId).where(sql.raw(UNFINISHED)),
  ],
);
export type BatchRow = typeof batches.$inferSelect;

const eraseText = statement<never, { at: number; text: string }>(
  "UPDATE batches SET text = :text, template = NULL, fallback = NULL, name = NULL, options = NULL WHERE rowid = :at",
);

export const batchesLaws = laws(batches, {
  keeps: {
    group: "batches",
    setting: "RECADO_KEEP_BATCHES",
    rule: "the term after the end of the batch; an unfinished batch stays",
    isSwept: true,
  },
  personal: {
    rowsOf: {
      columns: `batches.*, tenant_id AS tenantId, NOT EXISTS (SELECT 1 FROM batch_recipients WHERE batch_id = batches.id
        AND recipient <> '[erased]') AS isNobodys`,
      from: "batches",
    },
    by: [],
    texts: ["text", "template", "fallback", "name", "options"],
    isOf: ({ isNobodys, text: said }) => isNobodys === 1 && said !== REDACTED,
    erase(tx, { at }) {
      eraseText.run(tx, { at, text: REDACTED });
      return {};
    },
  },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "three unfinished batches per channel (P-345), ten new batches per minute (P-350)" },
  files: {
    options: "names no file",
    fallback: { by: "handle", within: "fallback", waits: UNFINISHED },
    template: { by: "handle", within: "template", waits: UNFINISHED },
  },
  backup: "rows alone",
});

const BATCH = columnsOf(batches);

const insert = insertInto(batches);
export const insertBatch = async (tx: Tx, row: BatchRow, recipients: readonly NewRecipient[]): Promise<void> => {
  insert(tx, row);
  addRecipients(tx, row.id, recipients, 0);
};

const byId = statement<BatchRow, { id: string }>("SELECT * FROM batches WHERE id = :id", BATCH);

export const findBatch = async (r: Reader, scope: Scope, id: string): Promise<BatchRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

type WithTenant = { row: BatchRow; tenant: AccountState & Pick<TenantRow, "platformPlan"> };
const names = statement<{ id: string; name: string | null }, { ids: readonly string[] } & TenantScope>(
  "SELECT id, name FROM batches WHERE id IN (SELECT value FROM json_each(:ids)) AND +tenant_id = :tenantId",
);

/** The names of these batches of a tenant, by id; without batches that have none. Bound: the ids of the caller. */
export const namesOfBatches = async (
  r: Reader,
  { tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Map<string, string>> =>
  new Map((await names.all(r, { tenantId, ids })).flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));

const withTenant = statement<WithTenant, { id: BatchId }>(
  "SELECT * FROM batches AS row JOIN tenants AS tenant ON tenant.id = row.tenant_id WHERE row.id = :id",
  columnsOfEach({ row: BATCH, tenant: columnsOf(tenants, "status", "dunningStage", "reactivatedAt", "platformPlan") }),
);

/** A batch with the state of its institution. */
export const loadBatch = (r: Reader, id: BatchId): Promise<WithTenant | undefined> => withTenant.get(r, { id });

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

type OnAccount = { tenantId: TenantId; accountId: string | null; afterId: string };
const nextOnAccount = statement<Pick<BatchRow, "id" | "createdAt">, OnAccount>(
  `SELECT batches.id, batches.created_at AS createdAt FROM batches JOIN channels ON channels.id = batches.channel_id
    WHERE batches.tenant_id = :tenantId AND batches.id > :afterId AND batches.environment = 'live'
    AND channels.account_id IS :accountId ORDER BY batches.id LIMIT 1`,
);

/** The first live batch after an id on a tenant's channels of the same account at the network, oldest first. */
export const findNextOnAccount = (
  r: Reader,
  { tenantId, accountId, afterId }: OnAccount,
): Promise<Pick<BatchRow, "id" | "createdAt"> | undefined> => nextOnAccount.get(r, { tenantId, accountId, afterId });

/**
 * The unfinished batches that wait for business hours, of an account or of one of its channels: three per channel.
 * Bound: three per channel of the account.
 */
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

/** Ends the unfinished batches of a deleted channel, as cancelled; gives them. Their recipients are cancelled later. */
export const endBatchesOf = (tx: Tx, channelId: ChannelId, atMs: number): Promise<{ id: BatchId }[]> =>
  cancel.all(tx, { channelId, atMs });

const oldBatches = statement<{ id: BatchId }, { beforeMs: number; limit: number }>(
  `SELECT id FROM batches WHERE finished_at IS NOT NULL AND finished_at < :beforeMs
    ORDER BY finished_at LIMIT :limit`,
);
const remove = statement<never, { id: BatchId }>("DELETE FROM batches WHERE id = :id");

/**
 * Deletes batches that finished before `beforeMs`, with their recipients; at most `limit` rows. True when there may be
 * more.
 */
export const pruneBatches = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> => {
  let room = limit;
  for (const { id } of await oldBatches.all(tx, { beforeMs, limit })) {
    room -= await deleteRecipients(tx, id, room);
    if (room <= 0) return true;
    remove.run(tx, { id });
    room--;
  }
  return room <= 0;
};
