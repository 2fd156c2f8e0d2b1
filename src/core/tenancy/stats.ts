import { utcDayOf } from "../../kernel/clock.ts";
import { readStats, type Stats } from "../../store/stats.ts";
import type { Env } from "../env.ts";

/** How much there is of what, over all accounts; today by UTC. */
export const stats = (env: Env): Promise<Stats> => env.db.read((reader) => readStats(reader, utcDayOf(env.clock.now())));
