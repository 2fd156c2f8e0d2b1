import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";
import { users } from "./users.ts";

/**
 * Single-use links that were sent to a user. Only a hash is stored. `isMailed`: only the mailbox's owner got the link.
 */
export const userLinks = sqliteTable(
  "user_links",
  {
    hash: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    purpose: text().$type<"verify-email" | "reset-password">().notNull(),
    isMailed: integer("is_mailed").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("user_links_by_user").on(t.userId, t.createdAt), index("user_links_by_expiry").on(t.expiresAt)],
);
export type UserLinkRow = typeof userLinks.$inferSelect;

export const userLinksLaws = laws(userLinks, {
  keeps: { group: "work", setting: "none", rule: "until it expires", isSwept: true },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "three per user, purpose and hour, until they expire" },
  files: "none",
  backup: "rows alone",
});
export type LinkPurpose = UserLinkRow["purpose"];

const insert = insertInto(userLinks);
export const insertUserLink = async (tx: Tx, row: UserLinkRow): Promise<void> => insert(tx, row);

const countSince = statement<{ n: number }, { userId: string; purpose: LinkPurpose; sinceMs: number }>(
  "SELECT count(*) AS n FROM user_links WHERE user_id = :userId AND created_at > :sinceMs AND purpose = :purpose",
);

/** The number of links for a purpose that were made for a user since a time. */
export const countUserLinks = async (
  r: Reader,
  userId: string,
  purpose: LinkPurpose,
  sinceMs: number,
): Promise<number> => (await countSince.get(r, { userId, purpose, sinceMs }))?.n ?? 0;

const byHash = statement<UserLinkRow, { hash: string; purpose: LinkPurpose; nowMs: number }>(
  "SELECT * FROM user_links WHERE hash = :hash AND purpose = :purpose AND expires_at > :nowMs",
  columnsOf(userLinks),
);

export const findUserLink = (
  r: Reader,
  hash: string,
  purpose: LinkPurpose,
  nowMs: number,
): Promise<UserLinkRow | undefined> => byHash.get(r, { hash, purpose, nowMs });

const remove = statement<never, { userId: string; purpose: LinkPurpose | null }>(
  "DELETE FROM user_links WHERE user_id = :userId AND (:purpose IS NULL OR purpose = :purpose)",
);

/** Deletes all links of a user, of one purpose or of all. */
export const deleteUserLinks = async (tx: Tx, userId: string, purpose?: LinkPurpose): Promise<void> =>
  remove.run(tx, { userId, purpose: purpose ?? null });

const prune = statement<unknown, { nowMs: number; limit: number }>(
  `DELETE FROM user_links WHERE hash IN (SELECT hash FROM user_links WHERE expires_at < :nowMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired links; true when there may be more. */
export const pruneUserLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { nowMs, limit })).length === limit;
