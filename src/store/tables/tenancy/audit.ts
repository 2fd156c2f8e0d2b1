import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
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
    rule: "the chain of what stays can still be verified",
    isSwept: true,
  },
  personal: { none: "names people by a keyed hash" },
  joins: { stay: "the chain is evidence: its entries never change" },
  sealed: "nothing",
  grows: { bound: "made by administrative acts, which the rate of requests bounds; kept as evidence" },
  files: "none",
  backup: "rows alone",
});

export const insertEntry = async (tx: Tx, row: Omit<AuditRow, "id">): Promise<void> =>
  void (await tx.q.insert(auditEntries).values(row));

export const lastEntry = (r: Reader): Promise<AuditRow | undefined> =>
  r.q.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1).get();

export const findEntry = (r: Reader, id: number): Promise<AuditRow | undefined> =>
  r.q.select().from(auditEntries).where(eq(auditEntries.id, id)).get();

export type AuditFilter = {
  tenantId: string | undefined;
  action: string | undefined;
  beforeId: number | undefined;
  limit: number;
};

/** Newest first. */
export const listEntries = (r: Reader, { tenantId, action, beforeId, limit }: AuditFilter): Promise<AuditRow[]> =>
  r.q
    .select()
    .from(auditEntries)
    .where(
      and(
        tenantId === undefined ? undefined : eq(auditEntries.tenantId, tenantId as TenantId),
        action === undefined ? undefined : eq(auditEntries.action, action),
        beforeId === undefined ? undefined : lt(auditEntries.id, beforeId),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit);

/** Oldest first. */
export const listEntriesAfter = (
  r: Reader,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<AuditRow[]> =>
  r.q.select().from(auditEntries).where(gt(auditEntries.id, afterId)).orderBy(asc(auditEntries.id)).limit(limit);

/** The highest id that was ever used. */
export const highestId = async (r: Reader): Promise<number> =>
  (await r.rows<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'audit_entries'"))[0]?.seq ?? 0;

/** The newest of the oldest `limit` entries from before a time; undefined when there are none. */
export const lastOldEntry = async (
  r: Reader,
  beforeMs: number,
  limit: number,
): Promise<Pick<AuditRow, "id" | "hash"> | undefined> => {
  const oldest = await r.rows<Pick<AuditRow, "id" | "at" | "hash">>(
    "SELECT id, at, hash FROM audit_entries ORDER BY id LIMIT ?1",
    [limit],
  );
  const firstKept = oldest.findIndex(({ at }) => at >= beforeMs);
  return (firstKept === -1 ? oldest : oldest.slice(0, firstKept)).at(-1);
};

export const deleteEntriesUpTo = (tx: Tx, id: number): void => tx.run("DELETE FROM audit_entries WHERE id <= ?1", [id]);

/** The newest entry from before a time, by the order of the log; undefined when all are younger. */
export const lastEntryBefore = async (r: Reader, beforeMs: number): Promise<number | undefined> =>
  (await r.rows<{ id: number }>("SELECT id FROM audit_entries WHERE at < ?1 ORDER BY id DESC LIMIT 1", [beforeMs]))[0]
    ?.id;

/** Who acted and where, by id: the names of people, keys, accounts and phones. Those that were deleted are missing. */
export const namesOfIds = async (r: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  const asked = [JSON.stringify(ids)];
  const wanted = "id IN (SELECT value FROM json_each(?1))";
  const found = await r.rows<{ id: string; name: string }>(
    `SELECT id, name FROM users WHERE ${wanted} UNION ALL SELECT id, name FROM api_keys WHERE ${wanted}
      UNION ALL SELECT id, name FROM operators WHERE ${wanted}
      UNION ALL SELECT id, name FROM tenants WHERE ${wanted} UNION ALL SELECT id, label AS name FROM channels WHERE ${wanted}`,
    asked,
  );
  return new Map(found.map(({ id, name }) => [id, name]));
};
