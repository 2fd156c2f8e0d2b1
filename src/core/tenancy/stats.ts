import { utcDayOf } from "../../kernel/clock.ts";
import { readStats, type Stats } from "../../store/stats.ts";
import type { TenancyEnv } from "./env.ts";

/** Counts over all accounts; today is the UTC day. */
export const stats = (env: TenancyEnv): Promise<Stats> =>
  env.db.read((reader) => readStats(reader, utcDayOf(env.clock.now())));
