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
import { DateTime, described, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, msOf, REFUSALS } from "../schemas.ts";

const MESSAGES = {
  accepted: Type.Integer({ description: "Messages that were accepted to be sent", examples: [120] }),
  sent: Type.Integer({ description: "Messages that the network accepted", examples: [119] }),
  delivered: Type.Integer({ description: "Messages that reached a device", examples: [117] }),
  read: Type.Integer({ description: "Messages that were read, if the network reports it", examples: [80] }),
  failed: Type.Integer({ description: "Messages that did not get through" }),
  received: Type.Integer({ description: "Messages of other people", examples: [95] }),
};
const MessageStats = Type.Object(MESSAGES, { title: "MessageStats" });
const DeliveryStats = Type.Object(
  {
    delivered: Type.Integer({ description: "Events that reached a webhook", examples: [310] }),
    failedAttempts: Type.Integer({ description: "Failed attempts, each counted", examples: [4] }),
    dead: Type.Integer({ description: "Events that were given up after their attempts", examples: [0] }),
  },
  { title: "DeliveryStats" },
);
const LagStats = Type.Object(
  {
    p50Ms: Type.Integer({
      description: "Half of the deliveries arrived within this time after their event",
      examples: [38],
    }),
    p95Ms: Type.Integer({
      description: "95 % of the deliveries arrived within this time; at most an hour",
      examples: [190],
    }),
    p99Ms: Type.Integer({
      description: "99 % of the deliveries arrived within this time; at most an hour",
      examples: [850],
    }),
  },
  { title: "LagStats" },
);
const Counts = {
  messages: described(MessageStats, "What happened to messages"),
  deliveries: described(DeliveryStats, "What happened to deliveries"),
  lag: described(Nullable(LagStats), "The delays of the deliveries, in fixed steps; null if none arrived"),
};

/** The counts of each step; an administrator gets those of all accounts. */
export const SeriesView = Type.Object(
  {
    step: OneOf(STEPS, { title: "StatsStep", description: "How long a step is" }),
    since: described(Instant, "The beginning of the first step, in UTC", "2026-11-22T00:00:00.000Z"),
    until: described(Instant, "The end of the last step, exclusive", "2026-11-23T00:00:00.000Z"),
    total: described(Type.Object(Counts, { title: "StatsTotal" }), "Over the whole time"),
    points: Type.Array(
      Type.Object({ at: described(Instant, "The beginning of the step"), ...Counts }, { title: "StatsPoint" }),
      { description: "Every step in order, also empty steps" },
    ),
    types: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: "The type of the phones", examples: ["MATRIX"] }),
          total: described(MessageStats, "Over the whole time"),
          points: Type.Array(
            Type.Object(
              { at: described(Instant, "The beginning of the step"), ...MESSAGES },
              { title: "MessageStatsPoint" },
            ),
            { description: "Every step in order, also empty steps" },
          ),
        },
        { title: "TypeStats" },
      ),
      { description: "The messages of each type of phone that had any" },
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
  since: Type.Optional(described(DateTime(), "From this time on")),
  until: Type.Optional(described(DateTime(), "Before this time")),
  step: Type.Optional(
    OneOf(STEPS, { title: "StatsStep", description: "By hour or by day in UTC; by hour by default" }),
  ),
};

const NowView = Type.Object(
  {
    at: described(Instant, "When it was counted"),
    phones: Type.Array(
      Type.Object(
        {
          type: Type.String({ description: "The type of the phones", examples: ["MATRIX"] }),
          status: OneOf(LINK_STATES, {
            title: "PhoneStatus",
            description: "The state of these phones",
            examples: ["CONNECTED"],
          }),
          count: Type.Integer({ description: "How many phones there are", examples: [2] }),
        },
        { title: "PhoneCount" },
      ),
      { description: "How many phones of a type are in a state" },
    ),
    messages: described(
      Type.Object(
        { queued: Type.Integer({ description: "Messages that wait to be sent", examples: [3] }) },
        { title: "WaitingMessages" },
      ),
      "Messages that are not sent yet",
    ),
    deliveries: described(
      Type.Object(
        {
          waiting: Type.Integer({ description: "Events that wait to be delivered to a webhook", examples: [2] }),
          dead: Type.Integer({ description: "Events that were given up", examples: [0] }),
        },
        { title: "WaitingDeliveries" },
      ),
      "Deliveries that are not done yet",
    ),
  },
  { title: "StatsNow" },
);

/** The counts of an account, and the work that waits now. */
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
        query: Type.Object({
          ...SERIES_QUERY,
          phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
        }),
        response: { 200: SeriesView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getActivity", isolation: { phoneId: "channel" } }),
          summary: "Count messages and deliveries, by hour or day",
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
          ...route({ operationId: "getActivityNow", isolation: "own" }),
          summary: "Get the states of phones, and the work that waits now",
          description: `Each number is counted up to ${MOST_COUNTED.toLocaleString("en")}, which stands for more.`,
        },
      },
    );
