import { and, eq, gt, isNull } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { laws } from "../table-laws.ts";

/**
 * Links to the page where the owner of a channel uses a passkey, one per ceremony. Only a hash of the token is stored.
 * `usedAt`: when it has brought a signature; it brings no other.
 */
export const passkeyLinks = sqliteTable(
  "passkey_links",
  {
    hash: text().primaryKey(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    ceremonyId: text("ceremony_id").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (t) => [index("passkey_links_by_expiry").on(t.expiresAt)],
);
export type PasskeyLinkRow = typeof passkeyLinks.$inferSelect;

export const passkeyLinksLaws = laws(passkeyLinks, {
  keeps: { group: "work", setting: "none", rule: "until they end", isSwept: true },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per linking that wants a passkey; ten minutes" },
  files: "none",
  backup: "rows alone",
});

/** Stores a link, unless it is stored already. */
export const insertPasskeyLink = async (tx: Tx, row: PasskeyLinkRow): Promise<void> =>
  void (await tx.q.insert(passkeyLinks).values(row).onConflictDoNothing());

export const findPasskeyLink = (r: Reader, hash: string, nowMs: number): Promise<PasskeyLinkRow | undefined> =>
  r.q
    .select()
    .from(passkeyLinks)
    .where(and(eq(passkeyLinks.hash, hash), gt(passkeyLinks.expiresAt, nowMs)))
    .get();

/** Uses a link up. False when it was used before. */
export const takePasskeyLink = async (tx: Tx, hash: string, nowMs: number): Promise<boolean> =>
  (
    await tx.q
      .update(passkeyLinks)
      .set({ usedAt: nowMs })
      .where(and(eq(passkeyLinks.hash, hash), isNull(passkeyLinks.usedAt)))
      .returning({ hash: passkeyLinks.hash })
  ).length === 1;

/** Deletes expired links; true when there may be more. */
export const prunePasskeyLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM passkey_links WHERE hash IN (SELECT hash FROM passkey_links WHERE expires_at < ?1 LIMIT ?2)
        RETURNING hash`,
      [nowMs, limit],
    )
  ).length === limit;
