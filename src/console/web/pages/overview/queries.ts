import type { StatsNow, StatsSeries } from "../../../../../clients/typescript/src/generated/gateway.ts";
import { gateway } from "../../frame/requests/client.ts";
import { type Query, useQuery } from "../../frame/requests/query.ts";
import { type Range, seriesQuery } from "./range.ts";

export type SeriesQuery = Query<StatsSeries>;
export type NowQuery = Query<StatsNow>;

/** The server stores its counts every three seconds. */
const COUNTED_MS = 3500;

/** The activity of the account, by steps. */
export const useSeries = (range: Range): SeriesQuery =>
  useQuery(
    `overview/series/${range}`,
    (signal) => gateway.stats.get({ query: seriesQuery(range, Date.now()), signal }),
    { on: ["message:", "webhook:"], waitMs: COUNTED_MS, everyMs: 60_000 },
  );

/** The states of the phones, and the numbers of waiting things. */
export const useNow = (): NowQuery =>
  useQuery("overview/now", (signal) => gateway.stats.now({ signal }), {
    on: ["message:", "channel:", "webhook:"],
    waitMs: 1000,
    everyMs: 15_000,
  });
