import { and, eq, gt } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
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
  keeps: { group: "work", setting: "none", rule: "until they end", isSwept: true },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "three per user, purpose and hour, which end" },
  files: "none",
  backup: "rows alone",
});
export type LinkPurpose = UserLinkRow["purpose"];

export const insertUserLink = async (tx: Tx, row: UserLinkRow): Promise<void> =>
  void (await tx.q.insert(userLinks).values(row));

/** How many links for a purpose were made for a user since then. */
export const countUserLinks = async (
  r: Reader,
  userId: string,
  purpose: LinkPurpose,
  sinceMs: number,
): Promise<number> =>
  (
    await r.rows<{ n: number }>(
      "SELECT count(*) AS n FROM user_links WHERE user_id = ?1 AND created_at > ?2 AND purpose = ?3",
      [userId, sinceMs, purpose],
    )
  )[0]?.n ?? 0;

export const findUserLink = (
  r: Reader,
  hash: string,
  purpose: LinkPurpose,
  nowMs: number,
): Promise<UserLinkRow | undefined> =>
  r.q
    .select()
    .from(userLinks)
    .where(and(eq(userLinks.hash, hash), eq(userLinks.purpose, purpose), gt(userLinks.expiresAt, nowMs)))
    .get();

/** Deletes all links of a user, of one purpose or of all. */
export const deleteUserLinks = async (tx: Tx, userId: string, purpose?: LinkPurpose): Promise<void> =>
  void (await tx.q
    .delete(userLinks)
    .where(and(eq(userLinks.userId, userId), purpose === undefined ? undefined : eq(userLinks.purpose, purpose))));

/** Deletes expired links; true when there may be more. */
export const pruneUserLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM user_links WHERE hash IN (SELECT hash FROM user_links WHERE expires_at < ?1 LIMIT ?2)
        RETURNING hash`,
      [nowMs, limit],
    )
  ).length === limit;
