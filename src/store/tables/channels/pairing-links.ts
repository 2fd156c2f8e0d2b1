import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
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
  keeps: { group: "work", setting: "none", rule: "a day after it expires", isSwept: true },
  personal: { none: "data of the product's own users" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "twenty open links per channel; kept for a day after they expire" },
  files: "none",
  backup: "rows alone",
});

const LINK = columnsOf(pairingLinks);

const insert = insertInto(pairingLinks);
export const insertPairingLink = async (tx: Tx, row: PairingLinkRow): Promise<void> => insert(tx, row);

const byHash = statement<PairingLinkRow, { hash: string; nowMs: number }>(
  "SELECT * FROM pairing_links WHERE hash = :hash AND expires_at > :nowMs",
  LINK,
);

/** Possession of the token gives the scope. Finds an ended link too, until it expires. */
export const findPairingLink = (r: Reader, hash: string, nowMs: number): Promise<PairingLinkRow | undefined> =>
  byHash.get(r, { hash, nowMs });

type OfChannel = { channelId: ChannelId };
const newest = statement<PairingLinkRow, TenantScope & OfChannel & { limit: number }>(
  `SELECT * FROM pairing_links WHERE channel_id = :channelId AND tenant_id = :tenantId
    ORDER BY id DESC LIMIT :limit`,
  LINK,
);

/** The newest links of a channel. */
export const listPairingLinks = (
  r: Reader,
  { tenantId }: TenantScope,
  channelId: ChannelId,
  limit: number,
): Promise<PairingLinkRow[]> => newest.all(r, { tenantId, channelId, limit });

const IS_OPEN = "channel_id = :channelId AND ended_at IS NULL AND expires_at > :nowMs";
const countOpen = statement<{ n: number }, OfChannel & { nowMs: number }>(
  `SELECT count(*) AS n FROM pairing_links WHERE ${IS_OPEN}`,
);

export const countOpenPairingLinks = async (r: Reader, channelId: ChannelId, nowMs: number): Promise<number> =>
  (await countOpen.get(r, { channelId, nowMs }))?.n ?? 0;

type Ended = OfChannel & { id: string; atMs: number };
const revoke = statement<unknown, TenantScope & Ended>(
  `UPDATE pairing_links SET ended_at = :atMs, is_revoked = 1
    WHERE id = :id AND channel_id = :channelId AND tenant_id = :tenantId AND ended_at IS NULL RETURNING 1`,
);

/** Takes a link back. False when there is no such link, or it has ended. */
export const revokePairingLink = async (
  tx: Tx,
  { tenantId }: TenantScope,
  { channelId, id, atMs }: Ended,
): Promise<boolean> => (await revoke.all(tx, { tenantId, channelId, id, atMs })).length === 1;

const end = statement<never, OfChannel & { nowMs: number }>(
  `UPDATE pairing_links SET ended_at = :nowMs WHERE ${IS_OPEN}`,
);

/** Ends every open link of a channel that is paired. */
export const endPairingLinks = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> =>
  end.run(tx, { channelId, nowMs: atMs });

const open = statement<never, { id: string; atMs: number }>(
  "UPDATE pairing_links SET opened_at = :atMs WHERE id = :id AND opened_at IS NULL",
);

/** Stores that the page was opened, once. */
export const openPairingLink = async (tx: Tx, id: string, atMs: number): Promise<void> => open.run(tx, { id, atMs });

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM pairing_links WHERE id IN (SELECT id FROM pairing_links WHERE expires_at < :beforeMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes links that expired before a time; true when there may be more. */
export const prunePairingLinks = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
