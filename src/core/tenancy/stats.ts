import { utcDayOf } from "../../kernel/clock.ts";
import { readStats, type Stats } from "../../store/stats.ts";
import type { TenancyEnv } from "./env.ts";

/** How much there is of what, over all accounts; today by UTC. */
export const stats = (env: TenancyEnv): Promise<Stats> =>
  env.db.read((reader) => readStats(reader, utcDayOf(env.clock.now())));
