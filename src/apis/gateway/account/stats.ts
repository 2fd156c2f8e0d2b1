import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LINK_STATES } from "../../../contract/events.ts";
import { getChannel } from "../../../core/channels/channel.ts";
import {
  type ActivitySeries,
  activitySeries,
  MOST_COUNTED,
  STEPS,
  waitingNow,
} from "../../../core/tenancy/accounts/stats.ts";
import { iso } from "../../../kernel/clock.ts";
import { DateTime, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, msOf, REFUSALS } from "../schemas.ts";

const MESSAGES = {
  accepted: Type.Integer(),
  sent: Type.Integer(),
  delivered: Type.Integer(),
  read: Type.Integer(),
  failed: Type.Integer(),
  received: Type.Integer(),
};
const MessageStats = Type.Object(MESSAGES, { title: "MessageStats" });
const DeliveryStats = Type.Object(
  { delivered: Type.Integer(), failedAttempts: Type.Integer(), dead: Type.Integer() },
  { title: "DeliveryStats" },
);
const LagStats = Type.Object(
  { p50Ms: Type.Integer(), p95Ms: Type.Integer(), p99Ms: Type.Integer() },
  { title: "LagStats" },
);
const Counts = { messages: MessageStats, deliveries: DeliveryStats, lag: Nullable(LagStats) };

/** What happened, step by step; an administrator gets that of all accounts. */
export const SeriesView = Type.Object(
  {
    step: OneOf(STEPS, { title: "StatsStep" }),
    since: Instant,
    until: Instant,
    total: Type.Object(Counts, { title: "StatsTotal" }),
    points: Type.Array(Type.Object({ at: Instant, ...Counts }, { title: "StatsPoint" })),
    types: Type.Array(
      Type.Object(
        {
          type: Type.String(),
          total: MessageStats,
          points: Type.Array(Type.Object({ at: Instant, ...MESSAGES }, { title: "MessageStatsPoint" })),
        },
        { title: "TypeStats" },
      ),
    ),
  },
  { title: "StatsSeries" },
);

export const seriesView = ({ step, from, to, total, points, kinds }: ActivitySeries): Static<typeof SeriesView> => ({
  step,
  since: iso(from),
  until: iso(to),
  total,
  points: points.map(({ at, ...counts }) => ({ at: iso(at), ...counts })),
  types: kinds.map(({ kind: type, total: all, points: own }) => ({
    type,
    total: all,
    points: own.map(({ at, ...counts }) => ({ at: iso(at), ...counts })),
  })),
});

export const SERIES_QUERY = {
  since: Type.Optional(DateTime()),
  until: Type.Optional(DateTime()),
  step: Type.Optional(OneOf(STEPS, { title: "StatsStep" })),
};

const NowView = Type.Object(
  {
    at: Instant,
    phones: Type.Array(
      Type.Object(
        { type: Type.String(), status: OneOf(LINK_STATES, { title: "PhoneStatus" }), count: Type.Integer() },
        { title: "PhoneCount" },
      ),
    ),
    messages: Type.Object({ queued: Type.Integer() }, { title: "WaitingMessages" }),
    deliveries: Type.Object({ waiting: Type.Integer(), dead: Type.Integer() }, { title: "WaitingDeliveries" }),
  },
  { title: "StatsNow" },
);

/** What happened in an account, and what waits now. */
export const accountStats = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/stats", tags: ["messages"] })
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { phoneId, since, until, step } }) => {
        const channelId = phoneId === undefined ? undefined : (await getChannel(env, principal, phoneId)).id;
        return seriesView(
          await activitySeries(env, principal, { channelId, since: msOf(since), until: msOf(until), step }),
        );
      },
      {
        query: Type.Object({ ...SERIES_QUERY, phoneId: Type.Optional(Uuid()) }),
        response: { 200: SeriesView, ...REFUSALS },
        detail: {
          operationId: "getActivity",
          summary: "Get how many messages and deliveries there were, by hour or day",
          description:
            "Without `since` the last 24 hours, or the last 30 days; hours are kept for 90 days, and messages of test " +
            "keys do not count. The last seconds may be missing, and a crash loses them: bills are made from `/v1/usage`.",
        },
      },
    )
    .get(
      "/now",
      async ({ principal }) => {
        const { queued, pending, dead, channels } = await waitingNow(env, principal);
        return {
          at: iso(env.clock.now()),
          phones: channels.map(({ kind: type, state: status, n: count }) => ({ type, status, count })),
          messages: { queued },
          deliveries: { waiting: pending, dead },
        };
      },
      {
        response: { 200: NowView, ...REFUSALS },
        detail: {
          operationId: "getActivityNow",
          summary: "Get the states of phones, and what waits now",
          description: `Each number is counted up to ${MOST_COUNTED.toLocaleString("en")}, which stands for more.`,
        },
      },
    );
