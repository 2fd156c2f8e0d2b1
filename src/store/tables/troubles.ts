import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/**
 * Present and past troubles. `subject`: the id of the channel or webhook; empty for the installation. `seenAt`: when it
 * was last found. `localText`: the text in the server's language, if a language is set. `announcedAt`: null until the
 * trouble has lasted long enough. At most one row of a kind and subject is open.
 */
export const troubles = sqliteTable(
  "troubles",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    localText: text("local_text"),
    openedAt: integer("opened_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    announcedAt: integer("announced_at"),
    closedAt: integer("closed_at"),
  },
  (t) => [
    uniqueIndex("troubles_open").on(t.kind, t.subject).where(sql`closed_at IS NULL`),
    index("troubles_closed").on(t.closedAt).where(sql`closed_at IS NOT NULL`),
  ],
);
export type TroubleRow = typeof troubles.$inferSelect;

export const troublesLaws = laws(troubles, {
  keeps: { group: "work", setting: "none", rule: "90 days after the trouble is over", isSwept: true },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel, webhook or kind; kept for 90 days after it is over" },
  files: "none",
  backup: "rows alone",
});

/** One message to the operator, which goes out by every configured way. Local texts are in the server's language. */
export const alertNotices = sqliteTable(
  "alert_notices",
  {
    id: text().primaryKey(),
    type: text().$type<"trouble.opened" | "trouble.closed">().notNull(),
    kind: text().notNull(),
    title: text().notNull(),
    localTitle: text("local_title"),
    text: text().notNull(),
    localText: text("local_text"),
    troubles: integer().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("alert_notices_by_age").on(t.createdAt)],
);
export type AlertNoticeRow = typeof alertNotices.$inferSelect;

export const alertNoticesLaws = laws(alertNotices, {
  keeps: { group: "work", setting: "none", rule: "90 days; deleted together with troubles", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by troubles, one per kind and minute at most; kept for 90 days" },
  files: "none",
  backup: "rows alone",
});

const insert = insertInto(troubles);
export const insertTrouble = async (tx: Tx, row: TroubleRow): Promise<void> => insert(tx, row);

const open = statement<TroubleRow, { limit: number }>(
  "SELECT * FROM troubles WHERE closed_at IS NULL ORDER BY opened_at, id LIMIT :limit",
  columnsOf(troubles),
);

/** The open troubles, oldest first; at most `limit`. */
export const listOpenTroubles = (r: Reader, limit: number): Promise<TroubleRow[]> => open.all(r, { limit });

type Some = { ids: readonly string[] };
const AMONG = "WHERE id IN (SELECT value FROM json_each(:ids))";
const update = updateOf<typeof troubles, Some>(troubles, AMONG);
const remove = statement<never, Some>(`DELETE FROM troubles ${AMONG}`);

export const updateTroubles = async (tx: Tx, ids: readonly string[], changes: Partial<TroubleRow>): Promise<void> => {
  if (ids.length > 0) await update(tx, changes, { ids });
};

export const deleteTroubles = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) remove.run(tx, { ids });
};

const insertOne = insertInto(alertNotices);
export const insertNotice = async (tx: Tx, row: AlertNoticeRow): Promise<void> => insertOne(tx, row);

const noticeById = statement<AlertNoticeRow, { id: string }>(
  "SELECT * FROM alert_notices WHERE id = :id",
  columnsOf(alertNotices),
);
export const findNotice = (r: Reader, id: string): Promise<AlertNoticeRow | undefined> => noticeById.get(r, { id });

const removeClosed = statement<never, { beforeMs: number }>(
  "DELETE FROM troubles WHERE closed_at IS NOT NULL AND closed_at < :beforeMs",
);
const removeNotices = statement<never, { beforeMs: number }>("DELETE FROM alert_notices WHERE created_at < :beforeMs");

/** Deletes the troubles that were closed before this time, and the notices that were made before it. */
export const pruneTroubles = async (tx: Tx, beforeMs: number): Promise<void> => {
  removeClosed.run(tx, { beforeMs });
  removeNotices.run(tx, { beforeMs });
};

/** A channel that no longer works, or that may not send everything. */
export type TroubledChannel = {
  id: string;
  tenantId: string;
  label: string;
  kind: string;
  state: string;
  reason: string | null;
};

const troubled = statement<TroubledChannel, { awaySinceMs: number; endings: readonly string[]; limit: number }>(
  `SELECT id, tenant_id AS tenantId, label, kind, state, json_extract(profile, '$.stateReason') AS reason
    FROM channels WHERE environment = 'live' AND (
      state IN ('FAILED', 'TOKEN_EXPIRED', 'RESTRICTED')
      OR (state = 'DISCONNECTED' AND coalesce(json_extract(profile, '$.stateReason'), '') NOT IN
        (SELECT value FROM json_each(:endings)))
      OR (state = 'PENDING_QR' AND json_extract(profile, '$.stateReason') = 'LOGGED_OUT')
      OR (state = 'CONNECTING' AND connected_at IS NOT NULL AND state_since < :awaySinceMs))
    ORDER BY state_since DESC, id LIMIT :limit`,
);

/**
 * Channels that the network ended, refused or restricted, and channels that have tried to reconnect since before
 * `awaySinceMs`. Channels that their owner ended do not count: `byOwner` names their reasons.
 */
export const listTroubledChannels = (
  r: Reader,
  { awaySinceMs, byOwner, limit }: { awaySinceMs: number; byOwner: readonly string[]; limit: number },
): Promise<TroubledChannel[]> => troubled.all(r, { awaySinceMs, endings: ["", ...byOwner], limit });
