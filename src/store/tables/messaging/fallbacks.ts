import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, isWordOf, statement, updateOf } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { ifWithin, type Scope } from "../scope.ts";
import { type FilesWithin, laws, waitsWithin } from "../table-laws.ts";

/**
 * The causes of a fallback: the phone is away, the network forbids it to send, or the message stays without receipt.
 */
export const FALLBACK_REASONS = ["lost", "restricted", "silent"] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/**
 * WAITING: the first phone has the message. TAKEN: the template was accepted as a message of its own. NOT_NEEDED: the
 * message arrived, or it ended for a reason that causes no fallback. WITHHELD: the message may have arrived, and the
 * caller allows no second one. REFUSED: the template could not be accepted.
 */
export const FALLBACK_STATUSES = ["WAITING", "TAKEN", "NOT_NEEDED", "WITHHELD", "REFUSED"] as const;
export type FallbackStatus = (typeof FALLBACK_STATUSES)[number];

/** An open fallback may still be taken. */
const waitingFiles: FilesWithin = { by: "handle", within: "template", waits: "status IN ('WAITING', 'WITHHELD')" };

/** The template that is sent through another phone in place of a message. Its `id` is that of the message. */
export const fallbacks = sqliteTable(
  "fallbacks",
  {
    id: text().$type<MessageId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    recipient: text().notNull(),
    afterMs: integer("after_ms").notNull(),
    reasons: text({ mode: "json" }).$type<FallbackReason[]>().notNull(),
    /** Whether the template may be sent although the message may have arrived. */
    mayArriveTwice: integer("may_arrive_twice", { mode: "boolean" }).notNull(),
    status: text().$type<FallbackStatus>().notNull(),
    /** Why it was decided so; null before the decision, and if no reason was found. */
    reason: text().$type<FallbackReason>(),
    /** Whether the first message may have arrived when this was decided. */
    isUncertain: integer("is_uncertain", { mode: "boolean" }).notNull(),
    /** The message with the template. */
    secondId: text("second_id").$type<MessageId>(),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    decidedAt: integer("decided_at"),
    template: text({ mode: "json" }).$type<BatchTemplate>().notNull(),
  },
  (t) => [
    index("fallbacks_by_second").on(t.secondId).where(sql`second_id IS NOT NULL`),
    index("fallbacks_with_files")
      .on(t.tenantId)
      .where(sql.raw(waitsWithin(waitingFiles))),
  ],
);
export type FallbackRow = typeof fallbacks.$inferSelect;

export const fallbacksLaws = laws(fallbacks, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the message was accepted; a waiting fallback stays",
    isSwept: true,
  },
  personal: { rowsOf: "tenant", by: ["recipient"], texts: ["template", "error_message"] },
  joins: { rows: "move", now: { where: "tenant_id = :from AND status = 'WAITING'" }, later: true },
  sealed: "nothing",
  grows: { bound: "at most one per message" },
  files: {
    reasons: "holds no content of a message",
    template: waitingFiles,
  },
  backup: "rows alone",
});

export type NewFallback = Pick<
  FallbackRow,
  "id" | "tenantId" | "channelId" | "recipient" | "afterMs" | "reasons" | "mayArriveTwice" | "template"
>;

const FALLBACK = columnsOf(fallbacks);

const insert = insertInto(fallbacks);
export const insertFallback = async (tx: Tx, row: NewFallback): Promise<void> =>
  insert(tx, { ...row, status: "WAITING", isUncertain: false });

const byId = statement<FallbackRow, { id: string }>("SELECT * FROM fallbacks WHERE id = :id", FALLBACK);

/** The fallback of a message. */
export const findFallback = async (r: Reader, scope: Scope, id: string): Promise<FallbackRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

const bySecond = statement<FallbackRow, { secondId: string }>(
  "SELECT * FROM fallbacks WHERE second_id = :secondId AND second_id IS NOT NULL LIMIT 1",
  FALLBACK,
);

/** The message that another message replaced. */
export const findFirstOf = async (r: Reader, scope: Scope, secondId: string): Promise<FallbackRow | undefined> =>
  ifWithin(await bySecond.get(r, { secondId }), scope);

/** The statuses from which a fallback may still be taken. */
const OPEN = ["WAITING", "WITHHELD"] as const;
export const isUndecided = ({ status }: Pick<FallbackRow, "status">): boolean => OPEN.some((one) => one === status);

const decide = updateOf<typeof fallbacks, { id: MessageId; open: readonly FallbackStatus[] }>(
  fallbacks,
  `WHERE id = :id AND ${isWordOf("status", "open")} RETURNING *`,
);

/** Decides an open fallback. False when it was taken, refused or given up before. */
export const decideFallback = async (
  tx: Tx,
  id: MessageId,
  decision: Partial<FallbackRow> & Pick<FallbackRow, "status" | "decidedAt">,
): Promise<boolean> => (await decide(tx, decision, { id, open: OPEN })).length > 0;

const drop = statement<never, { id: MessageId; at: number }>(
  "UPDATE fallbacks SET status = 'NOT_NEEDED', decided_at = :at WHERE id = :id AND status IN ('WAITING', 'WITHHELD')",
);

/** The message has arrived: nothing else is sent in its place. Without a fallback this does nothing. */
export const dropFallback = (tx: Tx, id: MessageId, at: number): void => drop.run(tx, { id, at });

const note = statement<never, { id: MessageId; isUncertain: boolean }>(
  "UPDATE fallbacks SET is_uncertain = :isUncertain WHERE id = :id",
);

/** Remembers whether the failed message may have arrived all the same. */
export const noteCertainty = (tx: Tx, id: MessageId, { isUncertain }: { isUncertain: boolean }): void =>
  note.run(tx, { id, isUncertain });

/** Deletes old fallbacks. The fallback of a waiting message stays. */
export const pruneFallbacks = deleteOldRows("fallbacks", "status <> 'WAITING'");
