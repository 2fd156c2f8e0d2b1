import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../engine/statement.ts";
import type { Names } from "./channels/identities.ts";
import { laws } from "./table-laws.ts";

/**
 * Erasures of personal data. `person` is a keyed hash; `names` are stored until the erasure is finished. `position`:
 * the table and row that it has reached. `tenantId`: null for an erasure over all tenants.
 */
export const erasures = sqliteTable(
  "erasures",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>(),
    person: text().notNull(),
    names: text({ mode: "json" }).$type<readonly Names[]>(),
    position: text({ mode: "json" }).$type<{ table: string; after: number; pass: number; found: boolean }>(),
    rows: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (t) => [index("erasures_finished").on(t.finishedAt).where(sql`finished_at IS NOT NULL`)],
);
export type ErasureRow = typeof erasures.$inferSelect;

export const erasuresLaws = laws(erasures, {
  keeps: {
    group: "audit",
    setting: "none",
    rule: "90 days after the erasure, without names; the audit log keeps it longer",
    isSwept: true,
  },
  personal: { none: "names people by a keyed hash after the erasure" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by the administrator; kept for 90 days" },
  files: { names: "holds no content of a message", position: "holds no content of a message" },
  backup: "rows alone",
});

const insert = insertInto(erasures);
export const insertErasure = async (tx: Tx, row: ErasureRow): Promise<void> => insert(tx, row);

const byId = statement<ErasureRow, { id: string }>("SELECT * FROM erasures WHERE id = :id", columnsOf(erasures));
export const findErasure = (r: Reader, id: string): Promise<ErasureRow | undefined> => byId.get(r, { id });

const update = updateOf<typeof erasures, { id: string }>(erasures, "WHERE id = :id");
export const updateErasure = async (tx: Tx, id: string, changes: Partial<ErasureRow>): Promise<void> =>
  void (await update(tx, changes, { id }));

const removeFinished = statement<never, { beforeMs: number }>(
  "DELETE FROM erasures WHERE finished_at IS NOT NULL AND finished_at < :beforeMs",
);

/** Deletes erasures that finished before `beforeMs`. The audit log still has them. */
export const pruneErasures = async (tx: Tx, beforeMs: number): Promise<void> => removeFinished.run(tx, { beforeMs });
