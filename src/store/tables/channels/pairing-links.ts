import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/**
 * Links to the page where somebody without an account pairs a channel. Only a hash of the token is stored. `label`: what
 * the page shows. `openedAt`: when the page was first opened. `endedAt`: when the channel was paired, or the link taken
 * back; `isRevoked` says which.
 */
export const pairingLinks = sqliteTable(
  "pairing_links",
  {
    id: text().primaryKey(),
    hash: text().notNull().unique(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    label: text(),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    openedAt: integer("opened_at"),
    endedAt: integer("ended_at"),
    isRevoked: integer("is_revoked", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [index("pairing_links_by_channel").on(t.channelId, t.id), index("pairing_links_by_expiry").on(t.expiresAt)],
);
export type PairingLinkRow = typeof pairingLinks.$inferSelect;

export const pairingLinksLaws = laws(pairingLinks, {
  keeps: { group: "work", setting: "none", rule: "until a day after they end", isSwept: true },
  personal: { none: "of who uses the product" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "twenty open ones per channel; a day after their end" },
  files: "none",
  backup: "rows alone",
});

export const insertPairingLink = async (tx: Tx, row: PairingLinkRow): Promise<void> =>
  void (await tx.q.insert(pairingLinks).values(row));

/** Possession of the token gives the scope. A link that has ended is found too, until it expires. */
export const findPairingLink = (r: Reader, hash: string, nowMs: number): Promise<PairingLinkRow | undefined> =>
  r.q
    .select()
    .from(pairingLinks)
    .where(and(eq(pairingLinks.hash, hash), gt(pairingLinks.expiresAt, nowMs)))
    .get();

/** The newest links of a channel. */
export const listPairingLinks = (
  r: Reader,
  { tenantId }: TenantScope,
  channelId: ChannelId,
  limit: number,
): Promise<PairingLinkRow[]> =>
  r.q
    .select()
    .from(pairingLinks)
    .where(and(eq(pairingLinks.channelId, channelId), eq(pairingLinks.tenantId, tenantId)))
    .orderBy(desc(pairingLinks.id))
    .limit(limit);

export const countOpenPairingLinks = async (r: Reader, channelId: ChannelId, nowMs: number): Promise<number> => {
  const [row] = await r.q
    .select({ count: sql<number>`count(*)` })
    .from(pairingLinks)
    .where(and(eq(pairingLinks.channelId, channelId), isNull(pairingLinks.endedAt), gt(pairingLinks.expiresAt, nowMs)));
  return row?.count ?? 0;
};

/** Takes a link back. False when there is no such link, or it has ended. */
export const revokePairingLink = async (
  tx: Tx,
  { tenantId }: TenantScope,
  { channelId, id, atMs }: { channelId: ChannelId; id: string; atMs: number },
): Promise<boolean> =>
  (
    await tx.q
      .update(pairingLinks)
      .set({ endedAt: atMs, isRevoked: true })
      .where(
        and(
          eq(pairingLinks.id, id),
          eq(pairingLinks.channelId, channelId),
          eq(pairingLinks.tenantId, tenantId),
          isNull(pairingLinks.endedAt),
        ),
      )
      .returning({ id: pairingLinks.id })
  ).length === 1;

/** Ends every open link of a channel that is paired. */
export const endPairingLinks = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> =>
  void (await tx.q
    .update(pairingLinks)
    .set({ endedAt: atMs })
    .where(and(eq(pairingLinks.channelId, channelId), isNull(pairingLinks.endedAt), gt(pairingLinks.expiresAt, atMs))));

/** Stores that the page was opened, once. */
export const openPairingLink = async (tx: Tx, id: string, atMs: number): Promise<void> =>
  void (await tx.q
    .update(pairingLinks)
    .set({ openedAt: atMs })
    .where(and(eq(pairingLinks.id, id), isNull(pairingLinks.openedAt))));

/** Deletes links that expired before a time; true when there may be more. */
export const prunePairingLinks = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM pairing_links WHERE id IN (SELECT id FROM pairing_links WHERE expires_at < ?1 LIMIT ?2)
        RETURNING id`,
      [beforeMs, limit],
    )
  ).length === limit;
