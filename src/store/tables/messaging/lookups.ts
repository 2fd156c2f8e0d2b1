import { and, eq, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type Scope, within } from "../scope.ts";
import { deleteRow, laws, type PersonalRow, type Somebody } from "../table-laws.ts";

/**
 * A request which numbers a network knows. `results` is null while it runs; `expiresAt` is when it can no longer be
 * read.
 */
export const lookups = sqliteTable(
  "lookups",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    numbers: text({ mode: "json" }).$type<string[]>().notNull(),
    results: text({ mode: "json" }).$type<{ phoneNumber: string; exists: boolean; jid: string | null }[]>(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    index("lookups_by_age").on(t.expiresAt),
    index("lookups_by_channel").on(t.channelId),
    index("lookups_open").on(t.channelId).where(sql`results IS NULL`),
  ],
);
export type LookupRow = typeof lookups.$inferSelect;

const withoutNumber = ({ numbers, results }: PersonalRow, who: Somebody): [numbers: string, results: string] => {
  const isOther = (number: string): boolean => !who.names(number);
  const others = (JSON.parse(String(results)) as { phoneNumber: string }[]).filter(({ phoneNumber }) =>
    isOther(phoneNumber),
  );
  return [JSON.stringify((JSON.parse(String(numbers)) as string[]).filter(isOther)), JSON.stringify(others)];
};

export const lookupsLaws = laws(lookups, {
  keeps: { group: "messages", setting: "none", rule: "24 hours", isSwept: true },
  personal: {
    rowsOf: "tenant",
    by: [],
    texts: [],
    isOf: ({ numbers, results }, who) => who.namesIn(numbers) || who.namesIn(results),
    erase(tx, row, who) {
      if (row["results"] === null) return deleteRow(tx, "lookups", row);
      tx.run("UPDATE lookups SET numbers = ?2, results = ?3 WHERE rowid = ?1", [row.at, ...withoutNumber(row, who)]);
      return {};
    },
  },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { limit: "lookups" },
  files: { numbers: "holds no content of a message", results: "holds no content of a message" },
  backup: "rows alone",
});
export type LookupResult = NonNullable<LookupRow["results"]>[number];

export const insertLookup = async (tx: Tx, row: LookupRow): Promise<void> =>
  void (await tx.q.insert(lookups).values(row));

export const findLookup = (r: Reader, scope: Scope, id: string): Promise<LookupRow | undefined> =>
  r.q
    .select()
    .from(lookups)
    .where(and(eq(lookups.id, id), within(lookups.tenantId, scope)))
    .get();

export const answerLookup = async (tx: Tx, id: string, results: LookupResult[]): Promise<void> =>
  void (await tx.q.update(lookups).set({ results }).where(eq(lookups.id, id)));

export const deleteLookup = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.q.delete(lookups).where(eq(lookups.id, id)));

/** Deletes the lookups of a deleted channel; at most `limit`. True when there may be more. */
export const deleteLookupsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM lookups WHERE id IN (SELECT id FROM lookups WHERE channel_id = ?1 LIMIT ?2) RETURNING 1",
      [channelId, limit],
    )
  ).length === limit;

/** Deletes expired lookups; at most `limit`. True when there may be more. */
export const pruneLookups = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM lookups WHERE id IN (SELECT id FROM lookups WHERE expires_at <= ?1 LIMIT ?2) RETURNING 1",
      [nowMs, limit],
    )
  ).length === limit;
