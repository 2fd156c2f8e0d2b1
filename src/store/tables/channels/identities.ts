import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The ids of each person on a channel, merged as they become known. An id belongs to one person of a channel.
 * `updatedAt` is the network's time of the last change.
 */
export const identities = sqliteTable(
  "identities",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    pn: text(),
    lid: text(),
    bsuid: text(),
    parentBsuid: text("parent_bsuid"),
    igsid: text(),
    uid: text(),
    username: text(),
    name: text(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("identities_by_channel").on(t.channelId),
    uniqueIndex("identities_by_pn").on(t.channelId, t.pn).where(sql`pn IS NOT NULL`),
    uniqueIndex("identities_by_lid").on(t.channelId, t.lid).where(sql`lid IS NOT NULL`),
    uniqueIndex("identities_by_bsuid").on(t.channelId, t.bsuid).where(sql`bsuid IS NOT NULL`),
    uniqueIndex("identities_by_parent_bsuid").on(t.channelId, t.parentBsuid).where(sql`parent_bsuid IS NOT NULL`),
    uniqueIndex("identities_by_igsid").on(t.channelId, t.igsid).where(sql`igsid IS NOT NULL`),
    uniqueIndex("identities_by_uid").on(t.channelId, t.uid).where(sql`uid IS NOT NULL`),
    uniqueIndex("identities_by_username").on(t.channelId, t.username).where(sql`username IS NOT NULL`),
  ],
);
export type IdentityRow = typeof identities.$inferSelect;

export const identitiesLaws = laws(identities, {
  keeps: {
    group: "conversations",
    setting: "none",
    rule: "until the channel is deleted or the person is erased, because late messages are recognised by it; one row per person",
    isSwept: false,
  },
  personal: { rowsOf: "tenant", by: ["pn", "lid", "bsuid", "parent_bsuid", "igsid", "uid", "username"], texts: [] },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by people of a network" },
  files: "none",
  backup: "rows alone",
});

/** The ids of a person. The first id identifies a person most surely; the last one changes its owner most easily. */
export const NAMES = ["bsuid", "lid", "igsid", "uid", "pn", "parentBsuid", "username"] as const;
export type Name = (typeof NAMES)[number];
export type Names = { [One in Name]?: string };

const COLUMN_OF: Record<Name, string> = {
  bsuid: "bsuid",
  lid: "lid",
  igsid: "igsid",
  pn: "pn",
  uid: "uid",
  parentBsuid: "parent_bsuid",
  username: "username",
};

const IDENTITY = columnsOf(identities);

type Named = { channelId: ChannelId; value: string };
const byName = (name: Name) =>
  statement<IdentityRow, Named>(
    `SELECT * FROM identities WHERE channel_id = :channelId AND ${COLUMN_OF[name]} = :value`,
    IDENTITY,
  );
const BY_NAME = {
  bsuid: byName("bsuid"),
  lid: byName("lid"),
  igsid: byName("igsid"),
  uid: byName("uid"),
  pn: byName("pn"),
  parentBsuid: byName("parentBsuid"),
  username: byName("username"),
};

/** The person with this id on the channel. */
export const findIdentity = (
  r: Reader,
  channelId: ChannelId,
  [name, value]: readonly [Name, string],
): Promise<IdentityRow | undefined> => BY_NAME[name].get(r, { channelId, value });

type Pair = { pn: string; lid: string };
type PartOf = { channelId: ChannelId; limit: number; offset: number };
const PAIRED = "FROM identities WHERE channel_id = :channelId AND lid IS NOT NULL AND pn IS NOT NULL";
const pairs = statement<Pair, PartOf>(`SELECT pn, lid ${PAIRED} ORDER BY lid LIMIT :limit OFFSET :offset`);
const paired = statement<{ found: number }, { channelId: ChannelId; most: number }>(
  `SELECT count(*) AS found FROM (SELECT 1 ${PAIRED} LIMIT :most)`,
);

/** The people of a channel of whom a number and a hidden id are known, in the order of the ids. */
export const listPairs = (r: Reader, part: PartOf): Promise<Pair[]> => pairs.all(r, part);

/** How many people these are, counted up to `most`. */
export const countPairs = async (r: Reader, channelId: ChannelId, most: number): Promise<number> =>
  (await paired.get(r, { channelId, most }))?.found ?? 0;

const byId = statement<IdentityRow, { id: number }>("SELECT * FROM identities WHERE id = :id", IDENTITY);
export const findIdentityById = (r: Reader, id: number): Promise<IdentityRow | undefined> => byId.get(r, { id });

const insert = insertInto(identities);
export const insertIdentity = async (tx: Tx, row: Omit<IdentityRow, "id">): Promise<void> => insert(tx, row);

const update = updateOf<typeof identities, { id: number }>(identities, "WHERE id = :id");

export type IdentityDetails = Pick<IdentityRow, Name | "name" | "updatedAt">;
export const updateIdentity = async (tx: Tx, id: number, changes: Partial<IdentityDetails>): Promise<void> =>
  void (await update(tx, changes, { id }));

const remove = statement<never, { id: number }>("DELETE FROM identities WHERE id = :id");
export const deleteIdentity = async (tx: Tx, id: number): Promise<void> => remove.run(tx, { id });

const removeSome = statement<unknown, { channelId: ChannelId; limit: number }>(
  `DELETE FROM identities WHERE id IN (SELECT id FROM identities WHERE channel_id = :channelId LIMIT :limit)
    RETURNING 1`,
);

/** Deletes the people of a deleted channel; at most `limit`. True when there may be more. */
export const deleteIdentitiesOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeSome.all(tx, { channelId, limit })).length === limit;

const ITS_NAMES = columnsOf(identities, ...NAMES);

/** A `uid` may name one of several chats with its person. `0` follows `/`, so these lie in one part of the index. */
const isBy = (name: Name): string =>
  name === "uid" ? "(uid = :value OR (uid > :value || '/' AND uid < :value || '0'))" : `${COLUMN_OF[name]} = :value`;

/** Looks up each channel by its index. */
const peopleBy = (name: Name) =>
  statement<Pick<IdentityRow, Name>, { tenantId: TenantId | null; value: string }>(
    `SELECT * FROM identities WHERE channel_id IN (SELECT id FROM channels
      WHERE :tenantId IS NULL OR tenant_id = :tenantId) AND ${isBy(name)}`,
    ITS_NAMES,
  );

/**
 * The people with one of these ids, on any channel of the tenant, or of all tenants. Looks up a username only if it is
 * given. Bound: one row per channel and chat with the person.
 */
export const listPeople = async (
  r: Reader,
  tenantId: TenantId | undefined,
  names: readonly Names[],
): Promise<Names[]> => {
  const found: Names[] = [];
  for (const one of names) {
    for (const [name, value] of Object.entries(one) as [Name, string][]) {
      for (const row of await peopleBy(name).all(r, { tenantId: tenantId ?? null, value }))
        found.push(Object.fromEntries(NAMES.flatMap((known) => (row[known] === null ? [] : [[known, row[known]]]))));
    }
  }
  return found;
};
