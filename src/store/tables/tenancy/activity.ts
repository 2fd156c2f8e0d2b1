import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LinkState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { countAtMost } from "../../engine/bounded-counts.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { insertInto, statement } from "../../engine/statement.ts";
import type { Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

const count = (name: string) => integer(name).notNull().default(0);

/**
 * The activity of each UTC hour (counted since the epoch), for charts. It is written every few seconds from memory,
 * so that a message costs no statement: a crash loses the last seconds. Bills are made from `usage_days` alone.
 *
 * Each count stands in three rows: of the channel, of its kind in the account (`channel_id` is empty), and of its kind on
 * this server (`tenant_id` is empty too). So a chart of an account reads as many rows with 500 channels as with one.
 * `kind` is empty for a delivery of an event without a channel.
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
    /** Deliveries to webhooks: delivered ones, failed attempts, and dead letters. */
    notified: count("notified"),
    refused: count("refused"),
    dead: count("dead"),
    // deliveries by the milliseconds after their event: at most this many, and more than the column above
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

/** The limits of the columns `lag…`, in milliseconds; the last column has no limit. */
export const LAGS_MS = [50, 100, 250, 500, 1000, 2500, 5000, 15_000, 60_000, 300_000, 3_600_000, Infinity] as const;

/** The names of the counts, in the order of the columns. */
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
    rule: "the term, at most 90 days, because only charts use the counters",
    isSwept: true,
  },
  personal: { none: "counters, which name no person" },
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

const add = insertInto(
  activityHours,
  `ON CONFLICT (tenant_id, channel_id, hour, kind) DO UPDATE SET
    ${ACTIVITY_COUNTS.map((name) => activityHours[name].name)
      .map((name) => `${name} = ${name} + excluded.${name}`)
      .join(", ")}`,
);

/** The kinds of channels, also of deleted channels with waiting messages. */
const kindsOf = statement<{ id: string; kind: ChannelKind }, { ids: readonly ChannelId[] }>(
  `SELECT id, kind FROM channels WHERE id IN (SELECT value FROM json_each(:ids))
    UNION ALL SELECT channel_id, kind FROM departed_channels WHERE channel_id IN (SELECT value FROM json_each(:ids))`,
);

type Hour = typeof activityHours.$inferInsert;

/**
 * Adds to the stored counts, because other processes count too. Bound: the channels that were active in the last
 * seconds.
 */
export const addActivity = async (tx: Tx, hours: readonly CountedHour[]): Promise<void> => {
  const ids = [...new Set(hours.flatMap(({ channelId }) => channelId ?? []))];
  const rows = await kindsOf.all(tx, { ids });
  const kinds = new Map<string | null, ChannelKind>(rows.map(({ id, kind }) => [id, kind]));
  const sums = new Map<string, { keys: Hour; counts: readonly number[] }>();
  for (const { tenantId, channelId, hour, counts } of hours) {
    const kind = kinds.get(channelId) ?? "";
    const owners: Pick<Hour, "tenantId" | "channelId">[] = [
      { tenantId: "", channelId: "" },
      { tenantId, channelId: "" },
      ...(channelId === null ? [] : [{ tenantId, channelId }]),
    ];
    for (const owner of owners) {
      const keys: Hour = { ...owner, hour, kind };
      const name = Object.values(keys).join();
      const sum = sums.get(name)?.counts;
      sums.set(name, { keys, counts: counts.map((n, at) => n + (sum?.[at] ?? 0)) });
    }
  }
  for (const { keys, counts } of sums.values())
    add(tx, { ...keys, ...Object.fromEntries(ACTIVITY_COUNTS.map((name, at) => [name, counts[at]])) });
};

/**
 * The hours from `from` until before `to`, in steps of so many hours since the epoch; with a channel: its hours alone.
 */
export type ActivityRange = { from: number; to: number; stepHours: number; channelId?: ChannelId | undefined };

/** The counts of one step and kind. `at` is the step's first hour. */
export type ActivityRow = { at: number; kind: ChannelKind | "" } & Record<ActivityCount, number>;

type Asked = { tenantId: string; channelId: string; from: number; to: number; stepHours: number };
const stepsOf = statement<ActivityRow, Asked>(
  `SELECT hour - hour % CAST(:stepHours AS INTEGER) AS at, kind,
    ${ACTIVITY_COUNTS.map((name) => `sum(${activityHours[name].name}) AS ${name}`).join(", ")}
    FROM activity_hours WHERE tenant_id = :tenantId AND channel_id = :channelId AND hour >= :from AND hour < :to
    GROUP BY 1, 2`,
);

/**
 * The activity of an account, or of the whole server, by step and kind, in no order. Steps without activity are
 * missing. Bound: one row per step and kind; the API limits the steps.
 */
export const readActivity = (r: Reader, { tenantId }: Scope, range: ActivityRange): Promise<ActivityRow[]> =>
  stepsOf.all(r, { ...range, tenantId: tenantId ?? "", channelId: range.channelId ?? "" });

const prune = statement<unknown, { beforeHour: number; limit: number }>(
  `DELETE FROM activity_hours WHERE rowid IN (SELECT rowid FROM activity_hours WHERE hour < :beforeHour LIMIT :limit)
    RETURNING 1`,
);

/** Deletes the activity before an hour; at most `limit` rows. True when there may be more. */
export const pruneActivity = async (tx: Tx, beforeHour: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeHour, limit })).length === limit;

/**
 * The numbers of waiting things in an account now, each counted up to `MOST_COUNTED`, and the states of its channels.
 */
export type Waiting = {
  queued: number;
  pending: number;
  dead: number;
  channels: { kind: ChannelKind; state: LinkState; n: number }[];
};

const waitingOf = statement<Omit<Waiting, "channels">, { tenantId: TenantId }>(`SELECT
  ${countAtMost("channels CROSS JOIN messages ON channel_id = channels.id AND status = 'QUEUED' WHERE channels.tenant_id = :tenantId")} AS queued,
  ${countAtMost("deliveries WHERE tenant_id = :tenantId AND status = 'PENDING'")} AS pending,
  ${countAtMost("deliveries WHERE tenant_id = :tenantId AND status = 'DEAD'")} AS dead`);
const statesOf = statement<Waiting["channels"][number], { tenantId: TenantId }>(
  "SELECT kind, state, count(*) AS n FROM channels WHERE tenant_id = :tenantId GROUP BY kind, state ORDER BY 1, 2",
);

/** Bound: one row per kind and state. */
export const readWaiting = async (r: Reader, tenantId: TenantId): Promise<Waiting> => {
  const [counts, channels] = await Promise.all([waitingOf.get(r, { tenantId }), statesOf.all(r, { tenantId })]);
  if (!counts) throw new Error("counting gave no row");
  return { ...counts, channels };
};
