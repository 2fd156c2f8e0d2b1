import { and, desc, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { deleteOldRows } from "./old-rows.ts";
import { type Scope, within } from "./scope.ts";

export const CALL_STATUSES = [
  "RINGING",
  "ACCEPTED",
  "IN_PROGRESS",
  "COMPLETED",
  "REJECTED",
  "MISSED",
  "FAILED",
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];
export type CallDirection = "INBOUND" | "OUTBOUND";

export type Recording = { objectKey: string; sizeBytes: number; contentType: string; storedAt: number };

/**
 * Voice calls of business numbers. `peer` is a canonical key. `upstreamCallId` is null until the network names one.
 * `sdpOffer` is set while the call waits for its answer. `startedAt` is when it rang or was answered, by the network's
 * time.
 */
export const calls = sqliteTable(
  "calls",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    upstreamCallId: text("upstream_call_id"),
    direction: text().$type<CallDirection>().notNull(),
    status: text().$type<CallStatus>().notNull(),
    peer: text().notNull(),
    sdpOffer: text("sdp_offer"),
    startedAt: integer("started_at"),
    acceptedAt: integer("accepted_at"),
    endedAt: integer("ended_at"),
    durationSeconds: integer("duration_seconds"),
    endReason: text("end_reason"),
    recording: text({ mode: "json" }).$type<Recording>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("calls_by_tenant").on(t.tenantId, t.id),
    index("calls_by_channel").on(t.tenantId, t.channelId, t.id),
    index("calls_by_status").on(t.tenantId, t.status, t.id),
    uniqueIndex("calls_by_upstream").on(t.channelId, t.upstreamCallId).where(sql`upstream_call_id IS NOT NULL`),
    index("calls_by_upstream_id").on(t.tenantId, t.upstreamCallId).where(sql`upstream_call_id IS NOT NULL`),
    index("calls_recorded").on(t.id).where(sql`recording IS NOT NULL`),
  ],
);
export type CallRow = typeof calls.$inferSelect;

/**
 * Whether a person allows a channel to call, and since when, as the network reported. `expiresAt` is null for a
 * permission without an end.
 */
export const callPermissions = sqliteTable(
  "call_permissions",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    peer: text().notNull(),
    isGranted: integer("is_granted", { mode: "boolean" }).notNull(),
    grantedAt: integer("granted_at"),
    expiresAt: integer("expires_at"),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.peer] })],
);
export type CallPermissionRow = typeof callPermissions.$inferSelect;

const IS_NAMED = sql`upstream_call_id IS NOT NULL`; // in the very words of the indexes

export const insertCall = async (tx: Tx, row: CallRow): Promise<void> => void (await tx.q.insert(calls).values(row));

/** Finds a call by Recado's id. */
export const findCall = (r: Reader, scope: Scope, id: string): Promise<CallRow | undefined> =>
  r.q
    .select()
    .from(calls)
    .where(and(eq(calls.id, id), within(calls.tenantId, scope)))
    .get();

/** Finds a call by the network's id, among all calls of a tenant. */
export const findCallByUpstreamId = (r: Reader, scope: Scope, upstreamCallId: string): Promise<CallRow | undefined> =>
  r.q
    .select()
    .from(calls)
    .where(and(within(calls.tenantId, scope), eq(calls.upstreamCallId, upstreamCallId), IS_NAMED))
    .get();

/** Finds a call by the network's id, among the calls of a channel. */
export const findCallOfChannel = (
  r: Reader,
  channelId: ChannelId,
  upstreamCallId: string,
): Promise<CallRow | undefined> =>
  r.q
    .select()
    .from(calls)
    .where(and(eq(calls.channelId, channelId), eq(calls.upstreamCallId, upstreamCallId), IS_NAMED))
    .get();

export type CallFilter = {
  channelId?: string | undefined;
  status?: CallStatus | undefined;
  beforeId?: string | undefined;
  limit: number;
};

/** Newest first. */
export const listCalls = (
  r: Reader,
  scope: Scope,
  { channelId, status, beforeId, limit }: CallFilter,
): Promise<CallRow[]> =>
  r.q
    .select()
    .from(calls)
    .where(
      and(
        within(calls.tenantId, scope),
        channelId === undefined ? undefined : eq(calls.channelId, channelId as ChannelId),
        status === undefined ? undefined : eq(calls.status, status),
        beforeId === undefined ? undefined : lt(calls.id, beforeId),
      ),
    )
    .orderBy(desc(calls.id))
    .limit(limit);

/** The changed row; undefined when its status is not in `from`. */
export const updateCall = async (
  tx: Tx,
  id: string,
  from: readonly CallStatus[],
  changes: Partial<CallRow>,
): Promise<CallRow | undefined> =>
  (
    await tx.q
      .update(calls)
      .set(changes)
      .where(and(eq(calls.id, id), inArray(calls.status, from)))
      .returning()
  )[0];

/** Sets the network's id of a call. Undefined when the call already had one. */
export const nameCall = async (tx: Tx, id: string, upstreamCallId: string): Promise<CallRow | undefined> =>
  (
    await tx.q
      .update(calls)
      .set({ upstreamCallId })
      .where(and(eq(calls.id, id), isNull(calls.upstreamCallId)))
      .returning()
  )[0];

/** Replaces a call's recording. The caller deletes the earlier recording's file. */
export const setRecording = async (tx: Tx, id: string, recording: Recording): Promise<void> =>
  void (await tx.q.update(calls).set({ recording }).where(eq(calls.id, id)));

type Recorded = { id: string; objectKey: string };

/** Removes the recordings from these calls. Gives the keys of the files, which the caller deletes. */
const takeRecordings = async (tx: Tx, recorded: readonly Recorded[]): Promise<string[]> => {
  const ids = recorded.map(({ id }) => id);
  if (ids.length > 0) await tx.q.update(calls).set({ recording: null }).where(inArray(calls.id, ids));
  return recorded.map(({ objectKey }) => objectKey);
};

const RECORDED = "SELECT id, json_extract(recording, '$.objectKey') AS objectKey FROM calls";

/**
 * Removes recordings that were stored before a time, from calls whose ids come before `beforeId`; at most `limit`.
 * Gives the keys of their files.
 */
export const takeOldRecordings = async (
  tx: Tx,
  { beforeId, storedBefore, limit }: { beforeId: string; storedBefore: number; limit: number },
): Promise<string[]> =>
  takeRecordings(
    tx,
    await tx.rows<Recorded>(
      `${RECORDED} WHERE recording IS NOT NULL AND id < ?1
        AND json_extract(recording, '$.storedAt') <= ?2 ORDER BY id LIMIT ?3`,
      [beforeId, storedBefore, limit],
    ),
  );

/** Removes recordings of a deleted channel; at most `limit`. Gives the keys of their files. */
export const takeRecordingsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<string[]> =>
  takeRecordings(
    tx,
    await tx.rows<Recorded>(
      `${RECORDED} WHERE channel_id = ?1 AND upstream_call_id IS NOT NULL AND recording IS NOT NULL LIMIT ?2`,
      [channelId, limit],
    ),
  );

export const findPermission = (r: Reader, channelId: ChannelId, peer: string): Promise<CallPermissionRow | undefined> =>
  r.q
    .select()
    .from(callPermissions)
    .where(and(eq(callPermissions.channelId, channelId), eq(callPermissions.peer, peer)))
    .get();

/** Inserts the permission, or replaces the person's earlier one. */
export const putPermission = async (tx: Tx, row: CallPermissionRow): Promise<void> =>
  void (await tx.q
    .insert(callPermissions)
    .values(row)
    .onConflictDoUpdate({ target: [callPermissions.channelId, callPermissions.peer], set: row }));

export const deletePermission = async (tx: Tx, channelId: ChannelId, peer: string): Promise<void> =>
  void (await tx.q
    .delete(callPermissions)
    .where(and(eq(callPermissions.channelId, channelId), eq(callPermissions.peer, peer))));

/** Deletes the call permissions of a deleted channel; at most `limit`. True when there may be more. */
export const deletePermissionsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM call_permissions WHERE rowid IN (SELECT rowid FROM call_permissions WHERE channel_id = ?1 LIMIT ?2)
        RETURNING 1`,
      [channelId, limit],
    )
  ).length === limit;

/** Deletes old calls. A call in progress stays, and one with a recording. */
export const pruneCalls = deleteOldRows(
  "calls",
  "status IN ('COMPLETED', 'REJECTED', 'MISSED', 'FAILED') AND recording IS NULL",
);
