import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * Links to the page where the owner of a channel uses a passkey, one per ceremony. Only a hash of the token is stored.
 * `usedAt`: when it brought its only signature.
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
  keeps: { group: "work", setting: "none", rule: "until it expires", isSwept: true },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per linking that needs a passkey; kept for ten minutes" },
  files: "none",
  backup: "rows alone",
});

const insert = insertInto(passkeyLinks, "ON CONFLICT DO NOTHING");

/** Stores a link, unless it is stored already. */
export const insertPasskeyLink = async (tx: Tx, row: PasskeyLinkRow): Promise<void> => insert(tx, row);

type AtHash = { hash: string; nowMs: number };
const byHash = statement<PasskeyLinkRow, AtHash>(
  "SELECT * FROM passkey_links WHERE hash = :hash AND expires_at > :nowMs",
  columnsOf(passkeyLinks),
);

export const findPasskeyLink = (r: Reader, hash: string, nowMs: number): Promise<PasskeyLinkRow | undefined> =>
  byHash.get(r, { hash, nowMs });

const take = statement<unknown, AtHash>(
  "UPDATE passkey_links SET used_at = :nowMs WHERE hash = :hash AND used_at IS NULL RETURNING 1",
);

/** Marks a link as used. False if it was used before. */
export const takePasskeyLink = async (tx: Tx, hash: string, nowMs: number): Promise<boolean> =>
  (await take.all(tx, { hash, nowMs })).length === 1;

const prune = statement<unknown, { nowMs: number; limit: number }>(
  `DELETE FROM passkey_links WHERE hash IN (SELECT hash FROM passkey_links WHERE expires_at < :nowMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired links; true when there may be more. */
export const prunePasskeyLinks = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { nowMs, limit })).length === limit;
