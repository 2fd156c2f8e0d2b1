import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The audit log: administrative actions, in the order of their commits. `hash` is the SHA-256 of the entry and of the
 * previous hash, so that a changed or deleted row can be detected.
 */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    target: text(),
    tenantId: text("tenant_id").$type<TenantId>(),
    details: text().notNull(),
    hash: text().notNull(),
  },
  (t) => [
    index("audit_entries_by_tenant").on(t.tenantId, t.id).where(sql`tenant_id IS NOT NULL`),
    index("audit_entries_by_action").on(t.action, t.id),
  ],
);
export type AuditRow = typeof auditEntries.$inferSelect;

export const auditEntriesLaws = laws(auditEntries, {
  keeps: {
    group: "audit",
    setting: "RECADO_KEEP_AUDIT",
    rule: "the term; the chain of the remaining entries can still be verified",
    isSwept: true,
  },
  personal: { none: "names people by a keyed hash" },
  joins: { stay: "the chain is evidence: its entries never change" },
  sealed: "nothing",
  grows: { bound: "made by administrative acts, which the rate of requests bounds; kept as evidence" },
  files: "none",
  backup: "rows alone",
});

const ENTRY = columnsOf(auditEntries);

const insert = insertInto(auditEntries);
export const insertEntry = async (tx: Tx, row: Omit<AuditRow, "id">): Promise<void> => insert(tx, row);

const last = statement<AuditRow>("SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1", ENTRY);
export const lastEntry = (r: Reader): Promise<AuditRow | undefined> => last.get(r);

const byId = statement<AuditRow, { id: number }>("SELECT * FROM audit_entries WHERE id = :id", ENTRY);
export const findEntry = (r: Reader, id: number): Promise<AuditRow | undefined> => byId.get(r, { id });

export type AuditFilter = {
  tenantId: string | undefined;
  action: string | undefined;
  beforeId: number | undefined;
  limit: number;
};

/** Newest first. */
export const listEntries = (r: Reader, filter: AuditFilter): Promise<AuditRow[]> =>
  statement<AuditRow, AuditFilter>(
    lines(
      "SELECT * FROM audit_entries WHERE true",
      filter.tenantId !== undefined && "AND tenant_id = :tenantId",
      filter.action !== undefined && "AND action = :action",
      filter.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    ENTRY,
  ).all(r, filter);

type After = { afterId: number; limit: number };
const after = statement<AuditRow, After>(
  "SELECT * FROM audit_entries WHERE id > :afterId ORDER BY id LIMIT :limit",
  ENTRY,
);

/** Oldest first. */
export const listEntriesAfter = (r: Reader, asked: After): Promise<AuditRow[]> => after.all(r, asked);

const highest = statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'audit_entries'");

/** The highest id that was ever used. */
export const highestId = async (r: Reader): Promise<number> => (await highest.get(r))?.seq ?? 0;

const oldest = statement<Pick<AuditRow, "id" | "at" | "hash">, { limit: number }>(
  "SELECT id, at, hash FROM audit_entries ORDER BY id LIMIT :limit",
);

/** The newest of the oldest `limit` entries from before a time; undefined without such entries. */
export const lastOldEntry = async (
  r: Reader,
  beforeMs: number,
  limit: number,
): Promise<Pick<AuditRow, "id" | "hash"> | undefined> => {
  const entries = await oldest.all(r, { limit });
  const firstKept = entries.findIndex(({ at }) => at >= beforeMs);
  return (firstKept === -1 ? entries : entries.slice(0, firstKept)).at(-1);
};

const removeUpTo = statement<never, { id: number }>("DELETE FROM audit_entries WHERE id <= :id");
export const deleteEntriesUpTo = (tx: Tx, id: number): void => removeUpTo.run(tx, { id });

const lastBefore = statement<{ id: number }, { beforeMs: number }>(
  "SELECT id FROM audit_entries WHERE at < :beforeMs ORDER BY id DESC LIMIT 1",
);

/** The newest entry from before a time, by the order of the log; undefined if all are younger. */
export const lastEntryBefore = async (r: Reader, beforeMs: number): Promise<number | undefined> =>
  (await lastBefore.get(r, { beforeMs }))?.id;

const WANTED = "id IN (SELECT value FROM json_each(:ids))";
const named = statement<{ id: string; name: string }, { ids: readonly string[] }>(
  `SELECT id, name FROM users WHERE ${WANTED} UNION ALL SELECT id, name FROM api_keys WHERE ${WANTED}
    UNION ALL SELECT id, name FROM operators WHERE ${WANTED}
    UNION ALL SELECT id, name FROM tenants WHERE ${WANTED} UNION ALL SELECT id, label AS name FROM channels WHERE ${WANTED}`,
);

/**
 * The names of people, keys, accounts and phones, by id: who acted, and where. Deleted ones are missing. Bound: the
 * ids of the caller.
 */
export const namesOfIds = async (r: Reader, ids: readonly string[]): Promise<Map<string, string>> =>
  new Map((await named.all(r, { ids })).map(({ id, name }) => [id, name]));
