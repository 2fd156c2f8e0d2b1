import { and, eq, inArray, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { hot, hotUpdate, type Reader, type Tx } from "../../engine/db.ts";
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
    rule: "one row per person; goes with its channel, or when the person is erased: late messages are recognised by it",
    isSwept: false,
  },
  personal: { rowsOf: "tenant", by: ["pn", "lid", "bsuid", "parent_bsuid", "igsid", "uid", "username"], texts: [] },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by people of a network" },
  files: "none",
  backup: "rows alone",
});

/** The ids of a person, from the one that identifies most surely to the one that changes its owner most easily. */
export const NAMES = ["bsuid", "lid", "igsid", "uid", "pn", "parentBsuid", "username"] as const;
export type Name = (typeof NAMES)[number];
export type Names = { [One in Name]?: string };

const byName = (name: Name) =>
  hot((q) =>
    q
      .select()
      .from(identities)
      .where(
        and(eq(identities.channelId, sql.placeholder("channelId")), eq(identities[name], sql.placeholder("value"))),
      )
      .prepare(),
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
): Promise<IdentityRow | undefined> => BY_NAME[name](r).get({ channelId, value });

const COLUMNS = {
  pn: sql.placeholder("pn"),
  lid: sql.placeholder("lid"),
  bsuid: sql.placeholder("bsuid"),
  parentBsuid: sql.placeholder("parentBsuid"),
  igsid: sql.placeholder("igsid"),
  uid: sql.placeholder("uid"),
  username: sql.placeholder("username"),
  name: sql.placeholder("name"),
  updatedAt: sql.placeholder("updatedAt"),
};

const insert = hot((q) =>
  q
    .insert(identities)
    .values({ tenantId: sql.placeholder("tenantId"), channelId: sql.placeholder("channelId"), ...COLUMNS })
    .prepare(),
);

export const insertIdentity = async (tx: Tx, row: Omit<IdentityRow, "id">): Promise<void> =>
  void (await insert(tx).run(row));

const update = hotUpdate((q, columns) =>
  q
    .update(identities)
    .set(columns as Partial<IdentityRow>) // placeholders, bound by the columns' types
    .where(eq(identities.id, sql.placeholder("rowId")))
    .prepare(),
);

export type IdentityDetails = Pick<IdentityRow, keyof typeof COLUMNS>;
export const updateIdentity = async (tx: Tx, id: number, changes: Partial<IdentityDetails>): Promise<void> =>
  void (await update(tx, changes, []).run({ ...changes, rowId: id }));

export const deleteIdentity = async (tx: Tx, id: number): Promise<void> =>
  void (await tx.q.delete(identities).where(eq(identities.id, id)));

/** Deletes the people of a deleted channel; at most `limit`. True when there may be more. */
export const deleteIdentitiesOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> => {
  const some = tx.q
    .select({ id: identities.id })
    .from(identities)
    .where(eq(identities.channelId, channelId))
    .limit(limit);
  return (
    (await tx.q.delete(identities).where(inArray(identities.id, some)).returning({ id: identities.id })).length ===
    limit
  );
};

const COLUMN_OF: Record<Name, string> = {
  bsuid: "bsuid",
  lid: "lid",
  igsid: "igsid",
  pn: "pn",
  uid: "uid",
  parentBsuid: "parent_bsuid",
  username: "username",
};
/** Looks up each channel by its index. */
const PEOPLE = (
  name: Name,
): string => `SELECT bsuid, lid, igsid, uid, pn, parent_bsuid AS parentBsuid, username FROM identities
  WHERE channel_id IN (SELECT id FROM channels WHERE ?1 IS NULL OR tenant_id = ?1) AND ${COLUMN_OF[name]} = ?2`;

/**
 * The people with one of these ids, on any channel of the tenant, or of all tenants. Looks up a username only where one
 * is given.
 */
export const listPeople = async (
  r: Reader,
  tenantId: TenantId | undefined,
  names: readonly Names[],
): Promise<Names[]> => {
  const found: Names[] = [];
  for (const one of names) {
    for (const [name, value] of Object.entries(one) as [Name, string][]) {
      for (const row of await r.rows<Record<Name, string | null>>(PEOPLE(name), [tenantId ?? null, value]))
        found.push(Object.fromEntries(NAMES.flatMap((known) => (row[known] === null ? [] : [[known, row[known]]]))));
    }
  }
  return found;
};
