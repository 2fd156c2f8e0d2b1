import { and, asc, eq, gt } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";

/**
 * People who run this server, and may act in every account. `emailKey` is the e-mail trimmed and in lower case; it is
 * unique among operators.
 */
export const operators = sqliteTable("operators", {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailKey: text("email_key").notNull().unique(),
  /** Empty for an operator without a password yet. */
  passwordHash: text("password_hash").notNull(),
  createdAt: integer("created_at").notNull(),
});
export type OperatorRow = typeof operators.$inferSelect;

export const operatorsLaws = laws(operators, {
  keeps: { group: "setup", setting: "none", rule: "until they are deleted", isSwept: false },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the administrator" },
  files: "none",
  backup: "rows alone",
});

/** Single-use links by which an operator chooses a new password. Only a hash is stored. */
export const operatorLinks = sqliteTable(
  "operator_links",
  {
    hash: text().primaryKey(),
    operatorId: text("operator_id")
      .notNull()
      .references(() => operators.id),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("operator_links_by_operator").on(t.operatorId), index("operator_links_by_expiry").on(t.expiresAt)],
);

export const operatorLinksLaws = laws(operatorLinks, {
  keeps: {
    group: "work",
    setting: "none",
    rule: "until they end; deleted together with console_sessions",
    isSwept: false,
  },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the administrator; an hour" },
  files: "none",
  backup: "rows alone",
});

/** False when the e-mail is another operator's. */
export const insertOperator = async (tx: Tx, row: OperatorRow): Promise<boolean> =>
  (
    await tx.q
      .insert(operators)
      .values(row)
      .onConflictDoNothing({ target: operators.emailKey })
      .returning({ id: operators.id })
  ).length > 0;

export const findOperator = (r: Reader, id: string): Promise<OperatorRow | undefined> =>
  r.q.select().from(operators).where(eq(operators.id, id)).get();
export const findOperatorByEmail = (r: Reader, emailKey: string): Promise<OperatorRow | undefined> =>
  r.q.select().from(operators).where(eq(operators.emailKey, emailKey)).get();

/** In the order of their creation. */
export const listOperators = (r: Reader): Promise<OperatorRow[]> =>
  r.q.select().from(operators).orderBy(asc(operators.id));

export const hasOperators = async (r: Reader): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM operators LIMIT 1")).length > 0;

export const updateOperator = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<OperatorRow, "name" | "email" | "emailKey" | "passwordHash">>,
): Promise<void> => void (await tx.q.update(operators).set(changes).where(eq(operators.id, id)));

export const deleteOperator = async (tx: Tx, id: string): Promise<void> => {
  await deleteOperatorLinks(tx, id);
  await tx.q.delete(operators).where(eq(operators.id, id));
};

export const insertOperatorLink = async (tx: Tx, row: typeof operatorLinks.$inferSelect): Promise<void> =>
  void (await tx.q.insert(operatorLinks).values(row));

/** The operator of an open link. */
export const findOperatorByLink = async (r: Reader, hash: string, nowMs: number): Promise<OperatorRow | undefined> =>
  (
    await r.q
      .select()
      .from(operators)
      .innerJoin(operatorLinks, eq(operatorLinks.operatorId, operators.id))
      .where(and(eq(operatorLinks.hash, hash), gt(operatorLinks.expiresAt, nowMs)))
      .get()
  )?.operators;

export const deleteOperatorLinks = async (tx: Tx, operatorId: string): Promise<void> =>
  void (await tx.q.delete(operatorLinks).where(eq(operatorLinks.operatorId, operatorId)));

/** Deletes expired links; true when there may be more. */
export const pruneOperatorLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM operator_links WHERE hash IN (SELECT hash FROM operator_links WHERE expires_at < ?1 LIMIT ?2)
        RETURNING hash`,
      [nowMs, limit],
    )
  ).length === limit;
