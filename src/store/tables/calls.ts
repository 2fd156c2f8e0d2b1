import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, isWordOf, lines, statement, updateOf } from "../engine/statement.ts";
import { deleteOldRows } from "./old-rows.ts";
import { ifWithin, inScope, type Scope } from "./scope.ts";
import { laws } from "./table-laws.ts";

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

export const callsLaws = laws(calls, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the call; a call that goes on stays, and so does a recorded call until its recording is deleted after 90 days",
    isSwept: true,
  },
  personal: {
    rowsOf: "tenant",
    by: ["peer"],
    texts: [],
    effects: ({ recording }) =>
      recording === null ? {} : { file: (JSON.parse(String(recording)) as Recording).objectKey },
  },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by callers, and by requests within their rate" },
  files: { recording: "the file is deleted by its own term, with its call" },
  backup: {
    rows: "with files",
    files: () => "SELECT recording ->> 'objectKey', recording ->> 'sizeBytes' FROM calls WHERE recording IS NOT NULL",
  },
});

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

export const callPermissionsLaws = laws(callPermissions, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { rowsOf: "channel", by: ["peer"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel and person" },
  files: "none",
  backup: "rows alone",
});

const CALL = columnsOf(calls);
const IS_NAMED = "upstream_call_id IS NOT NULL"; // the same words as in the indexes

const insert = insertInto(calls);
export const insertCall = async (tx: Tx, row: CallRow): Promise<void> => insert(tx, row);

const byId = statement<CallRow, { id: string }>("SELECT * FROM calls WHERE id = :id", CALL);

/** Finds a call by Recado's id. */
export const findCall = async (r: Reader, scope: Scope, id: string): Promise<CallRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

/** Finds a call by the network's id, among all calls of a tenant. */
export const findCallByUpstreamId = (r: Reader, scope: Scope, upstreamCallId: string): Promise<CallRow | undefined> =>
  statement<CallRow, { upstreamCallId: string } & Scope>(
    `SELECT * FROM calls WHERE upstream_call_id = :upstreamCallId AND ${IS_NAMED} ${inScope(scope)}`,
    CALL,
  ).get(r, { ...scope, upstreamCallId });

const ofChannel = statement<CallRow, { channelId: ChannelId; upstreamCallId: string }>(
  `SELECT * FROM calls WHERE channel_id = :channelId AND upstream_call_id = :upstreamCallId AND ${IS_NAMED}`,
  CALL,
);

/** Finds a call by the network's id, among the calls of a channel. */
export const findCallOfChannel = (
  r: Reader,
  channelId: ChannelId,
  upstreamCallId: string,
): Promise<CallRow | undefined> => ofChannel.get(r, { channelId, upstreamCallId });

export type CallFilter = {
  channelId?: string | undefined;
  status?: CallStatus | undefined;
  beforeId?: string | undefined;
  limit: number;
};

/** Newest first. */
export const listCalls = (r: Reader, scope: Scope, filter: CallFilter): Promise<CallRow[]> =>
  statement<CallRow, CallFilter & Scope>(
    lines(
      "SELECT * FROM calls WHERE true",
      inScope(scope),
      filter.channelId && "AND channel_id = :channelId",
      filter.status && "AND status = :status",
      filter.beforeId && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    CALL,
  ).all(r, { ...filter, tenantId: scope.tenantId });

const update = updateOf<typeof calls, { id: string; from: readonly CallStatus[] }>(
  calls,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

/** The changed row; undefined when its status is not in `from`. */
export const updateCall = async (
  tx: Tx,
  id: string,
  from: readonly CallStatus[],
  changes: Partial<CallRow>,
): Promise<CallRow | undefined> => (await update(tx, changes, { id, from }))[0];

const name = statement<CallRow, { id: string; upstreamCallId: string }>(
  "UPDATE calls SET upstream_call_id = :upstreamCallId WHERE id = :id AND upstream_call_id IS NULL RETURNING *",
  CALL,
);

/** Sets the network's id of a call. Undefined when the call already had one. */
export const nameCall = (tx: Tx, id: string, upstreamCallId: string): Promise<CallRow | undefined> =>
  name.get(tx, { id, upstreamCallId });

const record = statement<never, { id: string; recording: Recording }>(
  "UPDATE calls SET recording = :recording WHERE id = :id",
);

/** Replaces a call's recording. The caller deletes the earlier recording's file. */
export const setRecording = async (tx: Tx, id: string, recording: Recording): Promise<void> =>
  record.run(tx, { id, recording });

type Recorded = { id: string; objectKey: string };

const withoutRecording = statement<never, { ids: readonly string[] }>(
  "UPDATE calls SET recording = NULL WHERE id IN (SELECT value FROM json_each(:ids))",
);

/** Removes the recordings from these calls. Gives the keys of the files, which the caller deletes. */
const takeRecordings = (tx: Tx, recorded: readonly Recorded[]): string[] => {
  if (recorded.length > 0) withoutRecording.run(tx, { ids: recorded.map(({ id }) => id) });
  return recorded.map(({ objectKey }) => objectKey);
};

const RECORDED = "SELECT id, json_extract(recording, '$.objectKey') AS objectKey FROM calls";

type StoredBefore = { beforeId: string; storedBefore: number; limit: number };
const oldRecordings = statement<Recorded, StoredBefore>(
  `${RECORDED} WHERE recording IS NOT NULL AND id < :beforeId
    AND json_extract(recording, '$.storedAt') <= :storedBefore ORDER BY id LIMIT :limit`,
);

/**
 * Removes recordings that were stored before a time, from calls whose ids come before `beforeId`; at most `limit`.
 * Gives the keys of their files.
 */
export const takeOldRecordings = async (tx: Tx, asked: StoredBefore): Promise<string[]> =>
  takeRecordings(tx, await oldRecordings.all(tx, asked));

const recordingsOf = statement<Recorded, { channelId: ChannelId; limit: number }>(
  `${RECORDED} WHERE channel_id = :channelId AND upstream_call_id IS NOT NULL AND recording IS NOT NULL LIMIT :limit`,
);

/** Removes recordings of a deleted channel; at most `limit`. Gives the keys of their files. */
export const takeRecordingsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<string[]> =>
  takeRecordings(tx, await recordingsOf.all(tx, { channelId, limit }));

type OfPeer = Pick<CallPermissionRow, "channelId" | "peer">;
const permission = statement<CallPermissionRow, OfPeer>(
  "SELECT * FROM call_permissions WHERE channel_id = :channelId AND peer = :peer",
  columnsOf(callPermissions),
);

export const findPermission = (r: Reader, channelId: ChannelId, peer: string): Promise<CallPermissionRow | undefined> =>
  permission.get(r, { channelId, peer });

const upsert = insertInto(
  callPermissions,
  `ON CONFLICT (channel_id, peer) DO UPDATE SET is_granted = excluded.is_granted, granted_at = excluded.granted_at,
    expires_at = excluded.expires_at`,
);

/** Inserts the permission, or replaces the person's earlier one. */
export const putPermission = async (tx: Tx, row: CallPermissionRow): Promise<void> => upsert(tx, row);

const remove = statement<never, OfPeer>("DELETE FROM call_permissions WHERE channel_id = :channelId AND peer = :peer");

export const deletePermission = async (tx: Tx, channelId: ChannelId, peer: string): Promise<void> =>
  remove.run(tx, { channelId, peer });

const removeSome = statement<unknown, { channelId: ChannelId; limit: number }>(
  `DELETE FROM call_permissions WHERE rowid IN
    (SELECT rowid FROM call_permissions WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
);

/** Deletes the call permissions of a deleted channel; at most `limit`. True when there may be more. */
export const deletePermissionsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeSome.all(tx, { channelId, limit })).length === limit;

/** Deletes old calls. A call in progress or with a recording stays. */
export const pruneCalls = deleteOldRows(
  "calls",
  "status IN ('COMPLETED', 'REJECTED', 'MISSED', 'FAILED') AND recording IS NULL",
);
