import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { ifWithin, type Scope } from "../scope.ts";
import { deleteRow, laws, type PersonalRow, type Somebody } from "../table-laws.ts";

/**
 * A request that asks which numbers a network knows. `results` is null while it runs; `expiresAt` is when it can no
 * longer be read.
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

const keepOthers = statement<never, { at: number; numbers: string; results: string }>(
  "UPDATE lookups SET numbers = :numbers, results = :results WHERE rowid = :at",
);

export const lookupsLaws = laws(lookups, {
  keeps: { group: "messages", setting: "none", rule: "24 hours", isSwept: true },
  personal: {
    rowsOf: "tenant",
    by: [],
    texts: [],
    isOf: ({ numbers, results }, who) => who.namesIn(numbers) || who.namesIn(results),
    erase(tx, row, who) {
      if (row["results"] === null) return deleteRow(tx, "lookups", row);
      const [numbers, results] = withoutNumber(row, who);
      keepOthers.run(tx, { at: row.at, numbers, results });
      return {};
    },
  },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { limit: "lookups", where: "channel_id = :owner AND results IS NULL" },
  files: { numbers: "holds no content of a message", results: "holds no content of a message" },
  backup: "rows alone",
});
export type LookupResult = NonNullable<LookupRow["results"]>[number];

const insert = insertInto(lookups);
export const insertLookup = async (tx: Tx, row: LookupRow): Promise<void> => insert(tx, row);

const byId = statement<LookupRow, { id: string }>("SELECT * FROM lookups WHERE id = :id", columnsOf(lookups));

export const findLookup = async (r: Reader, scope: Scope, id: string): Promise<LookupRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

const answer = statement<never, { id: string; results: LookupResult[] }>(
  "UPDATE lookups SET results = :results WHERE id = :id",
);
export const answerLookup = async (tx: Tx, id: string, results: LookupResult[]): Promise<void> =>
  answer.run(tx, { id, results });

const remove = statement<never, { id: string }>("DELETE FROM lookups WHERE id = :id");
export const deleteLookup = async (tx: Tx, id: string): Promise<void> => remove.run(tx, { id });

const deleteSome = (where: string): string =>
  `DELETE FROM lookups WHERE id IN (SELECT id FROM lookups WHERE ${where} LIMIT :limit) RETURNING 1`;
const removeOf = statement<unknown, { channelId: ChannelId; limit: number }>(deleteSome("channel_id = :channelId"));
const removeExpired = statement<unknown, { nowMs: number; limit: number }>(deleteSome("expires_at <= :nowMs"));

/** Deletes the lookups of a deleted channel; at most `limit`. True when there may be more. */
export const deleteLookupsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeOf.all(tx, { channelId, limit })).length === limit;

/** Deletes expired lookups; at most `limit`. True when there may be more. */
export const pruneLookups = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await removeExpired.all(tx, { nowMs, limit })).length === limit;
