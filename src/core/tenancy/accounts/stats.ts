import type { ChannelKind } from "../../../contract/kind.ts";
import { HOUR_MS, utcDayOf } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../../store/tables/scope.ts";
import {
  type ActivityRow,
  LAGS_MS,
  readActivity,
  readWaiting,
  type Waiting,
} from "../../../store/tables/tenancy/activity.ts";
import { readStats, type Stats } from "../../../store/tables/tenancy/stats.ts";
import type { TenancyEnv } from "../env.ts";

export { MOST_COUNTED } from "../../../store/engine/bounded-counts.ts";

/** Counts over all accounts; today is the UTC day. */
export const stats = (env: TenancyEnv): Promise<Stats> =>
  env.db.read((reader) => readStats(reader, utcDayOf(env.clock.now())));

/** The waiting work of an account, and the states of its channels. */
export const waitingNow = (env: TenancyEnv, { tenantId }: TenantScope): Promise<Waiting> =>
  env.db.read((reader) => readWaiting(reader, tenantId));

/** The steps of a series, and the maximum number of steps of one answer. */
export const STEPS = ["hour", "day"] as const;
type Step = (typeof STEPS)[number];
const STEP_HOURS: Record<Step, number> = { hour: 1, day: 24 };
const MOST_POINTS: Record<Step, number> = { hour: 24 * 31, day: 92 };
/** The number of steps for a request without a beginning. */
const USUAL_POINTS: Record<Step, number> = { hour: 24, day: 30 };

/** Messages by their progress in a step. A message counts in each status that it reached. */
export type MessageCounts = Pick<ActivityRow, "accepted" | "sent" | "delivered" | "read" | "failed" | "received">;
/** Deliveries to webhooks: successful deliveries, failed attempts, and deliveries that were given up. */
export type DeliveryCounts = { delivered: number; failedAttempts: number; dead: number };
/** The delay of deliveries after their events: the maximum delay of half of them, of 95 % and of 99 %. */
export type Lag = { p50Ms: number; p95Ms: number; p99Ms: number };
/** `lag` is null if no delivery arrived. */
export type ActivityPoint = { at: number; messages: MessageCounts; deliveries: DeliveryCounts; lag: Lag | null };
export type ActivitySeries = {
  step: Step;
  from: number;
  to: number;
  points: ActivityPoint[];
  /** Over the whole time. */
  total: Omit<ActivityPoint, "at">;
  /** The kinds of channels that had any message, by name. */
  kinds: { kind: ChannelKind; total: MessageCounts; points: ({ at: number } & MessageCounts)[] }[];
};

/** A time of a series as it was requested. */
export type AskedSeries = {
  since?: number | undefined;
  until?: number | undefined;
  step?: Step | undefined;
  channelId?: ChannelId | undefined;
};

/**
 * The counts of an account, of one of its channels, or of the whole server, by steps in UTC. The default is the last 24
 * hours, or the last 30 days. Steps that the time touches count whole. The last seconds may be missing.
 * @throws AppError VALIDATION for a time that ends before it begins, or that has too many steps.
 */
export const activitySeries = async (
  env: Pick<TenancyEnv, "clock" | "db">,
  scope: Scope,
  asked: AskedSeries,
): Promise<ActivitySeries> => {
  const { step, first, end } = stepsOf(env.clock.now(), asked);
  const stepHours = STEP_HOURS[step];
  const range = { from: first * stepHours, to: end * stepHours, stepHours, channelId: asked.channelId };
  const rows = await env.db.read((reader) => readActivity(reader, scope, range));
  const hours = Array.from({ length: end - first }, (_, at) => (first + at) * stepHours);
  const kinds = [...new Set(rows.flatMap(({ kind }) => (kind === "" ? [] : kind)))].toSorted();
  const byHour = Map.groupBy(rows, ({ at }) => at);
  return {
    step,
    from: range.from * HOUR_MS,
    to: range.to * HOUR_MS,
    points: hours.map((hour) => ({ at: hour * HOUR_MS, ...pointOf(byHour.get(hour) ?? []) })),
    total: pointOf(rows),
    kinds: kinds
      .map((kind) => seriesOf(kind, rows, hours))
      .filter(({ total }) => Object.values(total).some((n) => n > 0)),
  };
};

/** The same over all accounts. */
export const serverActivity = (
  env: Pick<TenancyEnv, "clock" | "db">,
  asked: Omit<AskedSeries, "channelId">,
): Promise<ActivitySeries> => activitySeries(env, EVERY_TENANT, asked);

/** The steps of a time, counted since the epoch; `end` is not included. */
const stepsOf = (nowMs: number, { step = "hour", since, until = nowMs }: AskedSeries) => {
  const stepMs = STEP_HOURS[step] * HOUR_MS;
  const end = Math.ceil((until + 1) / stepMs);
  const first = since === undefined ? end - USUAL_POINTS[step] : Math.floor(since / stepMs);
  if (since !== undefined && since >= until) throw invalid(issue("since", "maximum", "must be before until"));
  if (end - first > MOST_POINTS[step] + 1)
    throw invalid(issue("since", "minimum", `must be at most ${MOST_POINTS[step]} ${step}s before until`));
  return { step, first, end };
};

const seriesOf = (kind: ChannelKind, rows: readonly ActivityRow[], hours: readonly number[]) => {
  const own = rows.filter((row) => row.kind === kind);
  const byHour = Map.groupBy(own, ({ at }) => at);
  return {
    kind,
    total: messagesOf(own),
    points: hours.map((hour) => ({ at: hour * HOUR_MS, ...messagesOf(byHour.get(hour) ?? []) })),
  };
};

const sum = (rows: readonly ActivityRow[], name: Exclude<keyof ActivityRow, "kind">): number =>
  rows.reduce((total, row) => total + row[name], 0);

const messagesOf = (rows: readonly ActivityRow[]): MessageCounts => ({
  accepted: sum(rows, "accepted"),
  sent: sum(rows, "sent"),
  delivered: sum(rows, "delivered"),
  read: sum(rows, "read"),
  failed: sum(rows, "failed"),
  received: sum(rows, "received"),
});

const pointOf = (rows: readonly ActivityRow[]): Omit<ActivityPoint, "at"> => ({
  messages: messagesOf(rows),
  deliveries: { delivered: sum(rows, "notified"), failedAttempts: sum(rows, "refused"), dead: sum(rows, "dead") },
  lag: lagOf(rows),
});

const LAG_NAMES = [
  ...(["lag50", "lag100", "lag250", "lag500", "lag1000", "lag2500", "lag5000", "lag15000", "lag60000"] as const),
  ...(["lag300000", "lag3600000", "lagMore"] as const),
] as const;

const lagOf = (rows: readonly ActivityRow[]): Lag | null => {
  const counts = LAG_NAMES.map((name) => sum(rows, name));
  const total = counts.reduce((all, n) => all + n, 0);
  if (total === 0) return null;
  return {
    p50Ms: quantile(counts, total * 0.5),
    p95Ms: quantile(counts, total * 0.95),
    p99Ms: quantile(counts, total * 0.99),
  };
};

/**
 * The delay of the delivery of this rank, as if the deliveries of a column were spread evenly over it. At most an hour.
 */
const quantile = (counts: readonly number[], rank: number): number => {
  let before = 0;
  for (const [at, n] of counts.entries()) {
    const lower = LAGS_MS[at - 1] ?? 0;
    const upper = LAGS_MS[at] ?? lower;
    if (n > 0 && before + n >= rank)
      return upper === Infinity ? lower : Math.round(lower + ((upper - lower) * (rank - before)) / n);
    before += n;
  }
  return 0;
};
