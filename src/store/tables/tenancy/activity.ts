import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LinkState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { countAtMost } from "../../engine/bounded-counts.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import type { Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

const count = (name: string) => integer(name).notNull().default(0);

/**
 * What happened in each UTC hour (counted since the epoch), for pictures. It is written every few seconds from memory,
 * so that a message costs no statement: a crash loses the last seconds. Bills are made from `usage_days` alone.
 *
 * Three rows count the same: one of the channel, one of its kind in the account (`channel_id` is empty), and one of its
 * kind on this server (`tenant_id` is empty too). So a picture of an account reads as many rows with 500 channels as
 * with one. `kind` is empty for a delivery of an event without a channel.
 */
export const activityHours = sqliteTable(
  "activity_hours",
  {
    tenantId: text("tenant_id").$type<TenantId | "">().notNull(),
    channelId: text("channel_id").$type<ChannelId | "">().notNull(),
    hour: integer().notNull(),
    kind: text().$type<ChannelKind | "">().notNull(),
    accepted: count("accepted"),
    sent: count("sent"),
    delivered: count("delivered"),
    read: count("read"),
    failed: count("failed"),
    received: count("received"),
    /** Deliveries to webhooks: those that arrived, attempts that failed, and those that were given up. */
    notified: count("notified"),
    refused: count("refused"),
    dead: count("dead"),
    // how long after its event a delivery arrived: at most so many milliseconds, and more than the column before
    lag50: count("lag_50"),
    lag100: count("lag_100"),
    lag250: count("lag_250"),
    lag500: count("lag_500"),
    lag1000: count("lag_1000"),
    lag2500: count("lag_2500"),
    lag5000: count("lag_5000"),
    lag15000: count("lag_15000"),
    lag60000: count("lag_60000"),
    lag300000: count("lag_300000"),
    lag3600000: count("lag_3600000"),
    lagMore: count("lag_more"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.channelId, t.hour, t.kind] }),
    index("activity_hours_by_hour").on(t.hour),
  ],
);

/** The limits of the columns `lag…`, in milliseconds; the last one has none. */
export const LAGS_MS = [50, 100, 250, 500, 1000, 2500, 5000, 15_000, 60_000, 300_000, 3_600_000, Infinity] as const;

/** What is counted, in the order of the columns. */
export const ACTIVITY_COUNTS = [
  ...(["accepted", "sent", "delivered", "read", "failed", "received", "notified", "refused", "dead"] as const),
  ...(["lag50", "lag100", "lag250", "lag500", "lag1000", "lag2500", "lag5000", "lag15000", "lag60000"] as const),
  ...(["lag300000", "lag3600000", "lagMore"] as const),
] as const;
export type ActivityCount = (typeof ACTIVITY_COUNTS)[number];

export const activityHoursLaws = laws(activityHours, {
  keeps: {
    group: "usage",
    setting: "RECADO_KEEP_USAGE",
    rule: "at most 90 days: they make pictures, and no bill",
    isSwept: true,
  },
  personal: { none: "counters, of nobody" },
  joins: {
    rows: {
      by: ["channel_id", "hour", "kind"],
      add: ACTIVITY_COUNTS.map((name) => activityHours[name].name),
      keep: [],
    },
    now: "none",
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "one per channel and hour; kept for 90 days" },
  files: "none",
  backup: "rows alone",
});

/** The counts of one channel in one hour, in the order of `ACTIVITY_COUNTS`. */
export type CountedHour = { tenantId: TenantId; channelId: ChannelId | null; hour: number; counts: readonly number[] };

const NAMES = ACTIVITY_COUNTS.map((name) => activityHours[name].name);
const KEYS = 4;
const ADD = `INSERT INTO activity_hours (tenant_id, channel_id, hour, kind, ${NAMES.join(", ")})
  VALUES (${[...Array(KEYS + NAMES.length).keys()].map((at) => `?${at + 1}`).join(", ")})
  ON CONFLICT (tenant_id, channel_id, hour, kind) DO UPDATE SET
  ${NAMES.map((name) => `${name} = ${name} + excluded.${name}`).join(", ")}`;

/** The kinds of channels, also of deleted ones of which messages wait. */
const KINDS = `SELECT id, kind FROM channels WHERE id IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT channel_id, kind FROM departed_channels WHERE channel_id IN (SELECT value FROM json_each(?1))`;

/** Adds to what is stored, because other processes count too. */
export const addActivity = async (tx: Tx, hours: readonly CountedHour[]): Promise<void> => {
  const ids = [...new Set(hours.flatMap(({ channelId }) => channelId ?? []))];
  const rows = await tx.rows<{ id: string; kind: ChannelKind }>(KINDS, [JSON.stringify(ids)]);
  const kinds = new Map<string | null, ChannelKind>(rows.map(({ id, kind }) => [id, kind]));
  const sums = new Map<string, { keys: readonly (string | number)[]; counts: number[] }>();
  for (const { tenantId, channelId, hour, counts } of hours) {
    const kind = kinds.get(channelId) ?? "";
    const ofChannel = channelId === null ? [] : [[tenantId, channelId]];
    for (const owner of [["", ""], [tenantId, ""], ...ofChannel]) {
      const keys = [...owner, hour, kind];
      const sum = sums.get(keys.join())?.counts;
      sums.set(keys.join(), { keys, counts: counts.map((n, at) => n + (sum?.[at] ?? 0)) });
    }
  }
  for (const { keys, counts } of sums.values()) tx.run(ADD, [...keys, ...counts]);
};

/** The hours from `from` until before `to`, in steps of so many hours since the epoch; of one channel where it is named. */
export type ActivityRange = { from: number; to: number; stepHours: number; channelId?: ChannelId | undefined };

/** The counts of one step and kind. `at` is the step's first hour. */
export type ActivityRow = { at: number; kind: ChannelKind | "" } & Record<ActivityCount, number>;

const READ = `SELECT hour - hour % CAST(?5 AS INTEGER) AS at, kind, ${ACTIVITY_COUNTS.map((name, at) => `sum(${NAMES[at]}) AS ${name}`).join(", ")}
  FROM activity_hours WHERE tenant_id = ?1 AND channel_id = ?2 AND hour >= ?3 AND hour < ?4 GROUP BY 1, 2`;

/** What happened in an account, or on the whole server; by step and kind, in no order. Steps without anything are missing. */
export const readActivity = (
  r: Reader,
  { tenantId }: Scope,
  { from, to, stepHours, channelId }: ActivityRange,
): Promise<ActivityRow[]> => r.rows<ActivityRow>(READ, [tenantId ?? "", channelId ?? "", from, to, stepHours]);

/** Deletes what happened before an hour; at most `limit` rows. True when there may be more. */
export const pruneActivity = async (tx: Tx, beforeHour: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM activity_hours WHERE rowid IN (SELECT rowid FROM activity_hours WHERE hour < ?1 LIMIT ?2)
        RETURNING 1`,
      [beforeHour, limit],
    )
  ).length === limit;

const WAITING = `SELECT
  ${countAtMost("channels CROSS JOIN messages ON channel_id = channels.id AND status = 'QUEUED' WHERE channels.tenant_id = ?1")} AS queued,
  ${countAtMost("deliveries WHERE tenant_id = ?1 AND status = 'PENDING'")} AS pending,
  ${countAtMost("deliveries WHERE tenant_id = ?1 AND status = 'DEAD'")} AS dead`;
const STATES =
  "SELECT kind, state, count(*) AS n FROM channels WHERE tenant_id = ?1 GROUP BY kind, state ORDER BY 1, 2";

/** What waits in an account now, each counted up to `MOST_COUNTED`, and the states of its channels. */
export type Waiting = {
  queued: number;
  pending: number;
  dead: number;
  channels: { kind: ChannelKind; state: LinkState; n: number }[];
};

export const readWaiting = async (r: Reader, tenantId: TenantId): Promise<Waiting> => {
  const [[counts], channels] = await Promise.all([
    r.rows<Omit<Waiting, "channels">>(WAITING, [tenantId]),
    r.rows<Waiting["channels"][number]>(STATES, [tenantId]),
  ]);
  if (!counts) throw new Error("counting gave no row");
  return { ...counts, channels };
};
