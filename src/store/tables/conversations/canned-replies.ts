import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/** The owner of a reply that everybody in the account has. */
export const SHARED = "";

/**
 * Texts that people insert in their answers by a shortcut. `owner` is the person whose reply it is, by the name of the
 * audit log, or `SHARED`.
 */
export const cannedReplies = sqliteTable(
  "canned_replies",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    owner: text().notNull(),
    shortcut: text().notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    text: text().notNull(),
  },
  (t) => [
    uniqueIndex("canned_replies_by_shortcut").on(t.tenantId, t.owner, t.shortcut),
    index("canned_replies_by_owner").on(t.owner).where(sql`owner <> ''`),
  ],
);
export type CannedReplyRow = typeof cannedReplies.$inferSelect;

export const cannedRepliesLaws = laws(cannedReplies, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until it is deleted, or its person leaves the account",
    isSwept: false,
  },
  personal: { none: "the account's own texts" },
  joins: { rows: "yield", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "canned-replies", where: "tenant_id = :owner" },
  files: "none",
  backup: "rows alone",
});

const REPLY = columnsOf(cannedReplies);

/** The replies that somebody sees: the shared ones of an account, and their own. `person`: `SHARED` for a key. */
export type ReplyReader = { tenantId: TenantId; person: string };
const SEEN = "tenant_id = :tenantId AND owner IN ('', :person)";

const insert = insertInto(cannedReplies);
export const insertCannedReply = async (tx: Tx, row: CannedReplyRow): Promise<void> => insert(tx, row);

const byId = statement<CannedReplyRow, ReplyReader & { id: string }>(
  `SELECT * FROM canned_replies WHERE id = :id AND ${SEEN}`,
  REPLY,
);
export const findCannedReply = (r: Reader, who: ReplyReader, id: string): Promise<CannedReplyRow | undefined> =>
  byId.get(r, { ...who, id });

type Shortcut = Pick<CannedReplyRow, "tenantId" | "owner" | "shortcut">;
const byShortcut = statement<{ id: string }, Shortcut>(
  "SELECT id FROM canned_replies WHERE tenant_id = :tenantId AND owner = :owner AND shortcut = :shortcut",
);

/** The id of the reply that has this shortcut. */
export const findReplyOfShortcut = async (
  r: Reader,
  { tenantId, owner, shortcut }: Shortcut,
): Promise<string | undefined> => (await byShortcut.get(r, { tenantId, owner, shortcut }))?.id;

export type ReplyFilter = {
  /** Only shared ones, or only the person's own. */
  owner: "shared" | "own" | undefined;
  /** The last row of the page before. */
  after: Pick<CannedReplyRow, "shortcut" | "id"> | undefined;
  limit: number;
};

/** By shortcut. */
export const listCannedReplies = (
  r: Reader,
  who: ReplyReader,
  { owner, after, limit }: ReplyFilter,
): Promise<CannedReplyRow[]> =>
  statement<CannedReplyRow, ReplyReader & { shortcut: string; id: string; limit: number }>(
    lines(
      `SELECT * FROM canned_replies WHERE ${SEEN}`,
      owner === "shared" && "AND owner = ''",
      owner === "own" && "AND owner <> ''",
      after && "AND (shortcut, id) > (:shortcut, :id)",
      "ORDER BY shortcut, id LIMIT :limit",
    ),
    REPLY,
  ).all(r, { ...who, shortcut: after?.shortcut ?? "", id: after?.id ?? "", limit });

const update = updateOf<typeof cannedReplies, { id: string }>(cannedReplies, "WHERE id = :id RETURNING *");

/** Changes a reply that was found. */
export const updateCannedReply = async (
  tx: Tx,
  { id }: Pick<CannedReplyRow, "id">,
  changes: Partial<CannedReplyRow>,
): Promise<CannedReplyRow | undefined> => (await update(tx, changes, { id }))[0];

const remove = statement<never, { id: string }>("DELETE FROM canned_replies WHERE id = :id");

/** Deletes a reply that was found. */
export const deleteCannedReply = (tx: Tx, { id }: Pick<CannedReplyRow, "id">): void => remove.run(tx, { id });

const removeOf = statement<never, { tenantId: TenantId; owner: string }>(
  "DELETE FROM canned_replies WHERE tenant_id = :tenantId AND owner = :owner",
);

/** Deletes the own replies of a person in an account. */
export const deleteCannedRepliesIn = (tx: Tx, of: { tenantId: TenantId; owner: string }): void => removeOf.run(tx, of);

const removeAllOf = statement<never, { owner: string }>(
  "DELETE FROM canned_replies WHERE owner = :owner AND owner <> ''",
);

/** Deletes the own replies of a person in every account. */
export const deleteCannedRepliesOf = (tx: Tx, owner: string): void => removeAllOf.run(tx, { owner });
