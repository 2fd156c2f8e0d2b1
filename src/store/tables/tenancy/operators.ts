import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, insertNew, statement, updateOf } from "../../engine/statement.ts";
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
  keeps: { group: "setup", setting: "none", rule: "until it is deleted", isSwept: false },
  personal: { none: "data of the product's own users" },
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
    rule: "until it expires; deleted together with console_sessions",
    isSwept: false,
  },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the administrator; kept for an hour" },
  files: "none",
  backup: "rows alone",
});

const OPERATOR = columnsOf(operators);

/** False when the e-mail is another operator's. */
export const insertOperator: (tx: Tx, row: OperatorRow) => Promise<boolean> = insertNew(operators, "(email_key)");

const byId = statement<OperatorRow, { id: string }>("SELECT * FROM operators WHERE id = :id", OPERATOR);
export const findOperator = (r: Reader, id: string): Promise<OperatorRow | undefined> => byId.get(r, { id });

const byEmail = statement<OperatorRow, { emailKey: string }>(
  "SELECT * FROM operators WHERE email_key = :emailKey",
  OPERATOR,
);
export const findOperatorByEmail = (r: Reader, emailKey: string): Promise<OperatorRow | undefined> =>
  byEmail.get(r, { emailKey });

const inOrder = statement<OperatorRow>("SELECT * FROM operators ORDER BY id", OPERATOR);

/** In the order of their creation. Bound: the operators, whom the administrator makes. */
export const listOperators = (r: Reader): Promise<OperatorRow[]> => inOrder.all(r);

const anyone = statement<unknown>("SELECT 1 FROM operators LIMIT 1");
export const hasOperators = async (r: Reader): Promise<boolean> => (await anyone.all(r)).length > 0;

const update = updateOf<typeof operators, { id: string }>(operators, "WHERE id = :id");

export const updateOperator = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<OperatorRow, "name" | "email" | "emailKey" | "passwordHash">>,
): Promise<void> => void (await update(tx, changes, { id }));

const remove = statement<never, { id: string }>("DELETE FROM operators WHERE id = :id");

export const deleteOperator = async (tx: Tx, id: string): Promise<void> => {
  await deleteOperatorLinks(tx, id);
  remove.run(tx, { id });
};

const insertLink = insertInto(operatorLinks);
export const insertOperatorLink = async (tx: Tx, row: typeof operatorLinks.$inferSelect): Promise<void> =>
  insertLink(tx, row);

const byLink = statement<OperatorRow, { hash: string; nowMs: number }>(
  `SELECT o.* FROM operator_links AS l JOIN operators AS o ON o.id = l.operator_id
    WHERE l.hash = :hash AND l.expires_at > :nowMs`,
  OPERATOR,
);

/** The operator of an open link. */
export const findOperatorByLink = (r: Reader, hash: string, nowMs: number): Promise<OperatorRow | undefined> =>
  byLink.get(r, { hash, nowMs });

const removeLinks = statement<never, { operatorId: string }>(
  "DELETE FROM operator_links WHERE operator_id = :operatorId",
);
export const deleteOperatorLinks = async (tx: Tx, operatorId: string): Promise<void> =>
  removeLinks.run(tx, { operatorId });

const pruneLinks = statement<unknown, { nowMs: number; limit: number }>(
  `DELETE FROM operator_links WHERE hash IN (SELECT hash FROM operator_links WHERE expires_at < :nowMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired links; true when there may be more. */
export const pruneOperatorLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await pruneLinks.all(tx, { nowMs, limit })).length === limit;
