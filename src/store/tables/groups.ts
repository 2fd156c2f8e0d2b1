import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CommunityPlace, GroupRules, JoinMode } from "../../contract/abilities/groups.ts";
import { type ChannelId, isUuid, type TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../engine/statement.ts";
import type { TenantScope } from "./scope.ts";
import { laws, type PersonalRow, type Somebody } from "./table-laws.ts";

/** `isAdmin`: known if the network says who administers a group. `label`: the person's label in this group. */
export type Participant = { waId: string; joinedAt: string | null; isAdmin?: boolean; label?: string };

/**
 * Groups of channels. `upstreamGroupId` is null until the network reports the group that `requestId` asked for.
 * `isDeleting`: its owner deleted or left it, or the network reported its deletion, at `deletedAt`. Its owner no longer
 * sees it. A deleted row stays, so that a late update does not restore the group. `providerUpdatedAt`: the network's
 * time of the last update of `status`, `subject`, `description`, `rules`, the join mode and each participant, by id.
 * `rules`: the acts that only administrators may do; null if the network does not say. `community`: the group's place in
 * a community; null if the network does not say.
 */
export const groups = sqliteTable(
  "groups",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    upstreamGroupId: text("upstream_group_id"),
    requestId: text("request_id"),
    subject: text().notNull(),
    description: text().notNull(),
    joinApprovalMode: text("join_approval_mode").$type<JoinMode>().notNull(),
    inviteLink: text("invite_link"),
    participants: text({ mode: "json" }).$type<Participant[]>().notNull(),
    totalParticipantCount: integer("total_participant_count").notNull(),
    isSuspended: integer("is_suspended", { mode: "boolean" }).notNull(),
    isDeleting: integer("is_deleting", { mode: "boolean" }).notNull(),
    deletedAt: integer("deleted_at"),
    providerUpdatedAt: text("provider_updated_at", { mode: "json" })
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    rules: text({ mode: "json" }).$type<GroupRules>(),
    community: text({ mode: "json" }).$type<CommunityPlace>(),
  },
  (t) => [
    index("groups_by_tenant").on(t.tenantId).where(sql`deleted_at IS NULL`),
    index("groups_by_channel").on(t.channelId, t.id),
    uniqueIndex("groups_by_upstream").on(t.channelId, t.upstreamGroupId).where(sql`upstream_group_id IS NOT NULL`),
    index("groups_by_upstream_id").on(t.tenantId, t.upstreamGroupId).where(sql`upstream_group_id IS NOT NULL`),
    index("groups_deleted").on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    uniqueIndex("groups_by_request").on(t.channelId, t.requestId).where(sql`request_id IS NOT NULL`),
  ],
);
export type GroupRow = typeof groups.$inferSelect;

const withoutParticipant = (row: PersonalRow, who: Somebody): [participants: string, providerUpdatedAt: string] => {
  const participants = (JSON.parse(String(row["participants"])) as Participant[]).filter(
    ({ waId }) => !who.names(waId),
  );
  const providerUpdatedAt = Object.fromEntries(
    Object.entries(JSON.parse(String(row["provider_updated_at"])) as Record<string, number>).filter(
      ([name]) => !who.names(name),
    ),
  );
  return [JSON.stringify(participants), JSON.stringify(providerUpdatedAt)];
};

type Left = { at: number; participants: string; providerUpdatedAt: string; count: number };
const keepOthers = statement<never, Left>(
  `UPDATE groups SET participants = :participants, provider_updated_at = :providerUpdatedAt,
    total_participant_count = :count WHERE rowid = :at`,
);

export const groupsLaws = laws(groups, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "30 days after the group's end, or until the channel is deleted",
    isSwept: true,
  },
  personal: {
    rowsOf: "tenant",
    by: [],
    texts: ["subject", "description"],
    isOf: ({ participants, provider_updated_at: providerUpdatedAt }, who) =>
      who.namesIn(participants) || who.namesIn(providerUpdatedAt),
    erase(tx, row, who) {
      const [participants, providerUpdatedAt] = withoutParticipant(row, who);
      const [before, after] = [row["participants"], participants].map(
        (list) => (JSON.parse(String(list)) as unknown[]).length,
      );
      const left = Number(row["total_participant_count"]) - ((before ?? 0) - (after ?? 0));
      keepOthers.run(tx, { at: row.at, participants, providerUpdatedAt, count: Math.max(0, left) });
      return {};
    },
  },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { limit: "groups", where: "tenant_id = :owner AND deleted_at IS NULL" },
  files: {
    participants: "holds no content of a message",
    provider_updated_at: "holds no content of a message",
    rules: "holds no content of a message",
    community: "holds no content of a message",
  },
  backup: "rows alone",
});

/** A group that its owner can see. */
export type Group = GroupRow & { upstreamGroupId: string };

const GROUP = columnsOf(groups);
const IS_VISIBLE = "upstream_group_id IS NOT NULL AND is_deleting = 0";

/** Whether the network has reported this group. */
export const isReported = (row: GroupRow | undefined): row is Group =>
  row !== undefined && row.upstreamGroupId !== null;

const insert = insertInto(groups);
export const insertGroup = async (tx: Tx, row: GroupRow): Promise<void> => insert(tx, row);

type OfTenant = TenantScope & { id: string };
const byId = statement<GroupRow, OfTenant>(
  `SELECT * FROM groups WHERE id = :id AND tenant_id = :tenantId AND ${IS_VISIBLE}`,
  GROUP,
);
const byNetworkId = statement<GroupRow, OfTenant>(
  `SELECT * FROM groups WHERE upstream_group_id = :id AND tenant_id = :tenantId AND ${IS_VISIBLE}`,
  GROUP,
);

/** Finds a group by Recado's id or the network's. */
export const findGroup = async (r: Reader, { tenantId }: TenantScope, id: string): Promise<Group | undefined> => {
  const row = await (isUuid(id) ? byId : byNetworkId).get(r, { id, tenantId });
  return isReported(row) ? row : undefined;
};

const byUpstreamId = statement<GroupRow, { channelId: ChannelId; upstreamGroupId: string }>(
  `SELECT * FROM groups WHERE channel_id = :channelId AND upstream_group_id = :upstreamGroupId
    AND upstream_group_id IS NOT NULL`,
  GROUP,
);

/** Finds a channel's group by the network's id, also a deleted group. */
export const findGroupByUpstreamId = (
  r: Reader,
  channelId: ChannelId,
  upstreamGroupId: string,
): Promise<GroupRow | undefined> => byUpstreamId.get(r, { channelId, upstreamGroupId });

const byRequest = statement<GroupRow, { channelId: ChannelId; requestId: string }>(
  `SELECT * FROM groups WHERE channel_id = :channelId AND request_id = :requestId AND request_id IS NOT NULL`,
  GROUP,
);

/** The group that was requested under this id, reported by the network or not. */
export const findGroupByRequest = (r: Reader, channelId: ChannelId, requestId: string): Promise<GroupRow | undefined> =>
  byRequest.get(r, { channelId, requestId });

export type GroupFilter = { withSuspended: boolean; beforeId: string | undefined; limit: number };

/** The groups of a channel, newest first. */
export const listGroups = (r: Reader, channelId: ChannelId, filter: GroupFilter): Promise<Group[]> =>
  statement<GroupRow, GroupFilter & { channelId: ChannelId }>(
    lines(
      `SELECT * FROM groups WHERE channel_id = :channelId AND ${IS_VISIBLE}`,
      filter.beforeId !== undefined && "AND id < :beforeId",
      !filter.withSuspended && "AND is_suspended = 0",
      "ORDER BY id DESC LIMIT :limit",
    ),
    GROUP,
  ).all(r, { ...filter, channelId }) as Promise<Group[]>; // the condition guarantees the type

type CommunityFilter = { beforeId: string | undefined; limit: number };

/** The communities of a channel, newest first. */
export const listCommunities = (r: Reader, channelId: ChannelId, filter: CommunityFilter): Promise<Group[]> =>
  statement<GroupRow, CommunityFilter & { channelId: ChannelId }>(
    lines(
      `SELECT * FROM groups WHERE channel_id = :channelId AND ${IS_VISIBLE}`,
      "AND json_extract(community, '$.isCommunity') = 1",
      filter.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    GROUP,
  ).all(r, { ...filter, channelId }) as Promise<Group[]>; // the condition guarantees the type

const update = updateOf<typeof groups, { id: string }>(groups, "WHERE id = :id RETURNING *");

/** The changed row; undefined when it was deleted. */
export const updateGroup = async (tx: Tx, id: string, changes: Partial<GroupRow>): Promise<GroupRow | undefined> =>
  (await update(tx, changes, { id }))[0];

const remove = statement<never, { id: string }>("DELETE FROM groups WHERE id = :id");
export const deleteGroup = async (tx: Tx, id: string): Promise<void> => remove.run(tx, { id });

const removeAbandoned = statement<never, { tenantId: TenantId; beforeMs: number }>(
  `DELETE FROM groups WHERE tenant_id = :tenantId AND upstream_group_id IS NULL AND request_id IS NULL
    AND created_at < :beforeMs`,
);

/** Deletes rows of requests that never reached a network, because their process died. */
export const deleteAbandoned = (tx: Tx, tenantId: TenantId, beforeMs: number): void =>
  removeAbandoned.run(tx, { tenantId, beforeMs });

const removeSome = (where: string): string =>
  `DELETE FROM groups WHERE id IN (SELECT id FROM groups WHERE ${where} LIMIT :limit) RETURNING 1`;
const removeOf = statement<unknown, { channelId: ChannelId; limit: number }>(removeSome("channel_id = :channelId"));
const removeOld = statement<unknown, { beforeMs: number; limit: number }>(
  removeSome("deleted_at IS NOT NULL AND deleted_at < :beforeMs"),
);

/** Deletes at most `limit` groups of a deleted channel. True when there may be more. */
export const deleteGroupsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeOf.all(tx, { channelId, limit })).length === limit;

/**
 * Deletes groups that were deleted before `beforeMs` and can get no more updates; at most `limit`. True when there may
 * be more.
 */
export const pruneGroups = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await removeOld.all(tx, { beforeMs, limit })).length === limit;
