import type { Env } from "./core/env.ts";
import { type Requester, recordAct } from "./core/tenancy/audit/audit.ts";
import { type AdvancingClock, systemClock } from "./kernel/clock.ts";
import type { Config } from "./kernel/settings/config.ts";
import type { Runner } from "./runtime/runner.ts";
import type { Db } from "./store/engine/db.ts";
import { databaseAhead } from "./store/engine/inspection.ts";
import { readMeta, writeMeta } from "./store/tables/meta.ts";

const CLOCK_OFFSET = "test-clock-offset-ms";

/**
 * The machine's clock, with the offset of this database's test clock. Without a test clock it is the clock of the
 * database's machine if the two differ: nodes decide by their clocks which work is due.
 */
export const clockOf = async (config: Config, db: Db): Promise<AdvancingClock> => {
  if (config.isTestClock) return systemClock(Number((await db.read((reader) => readMeta(reader, CLOCK_OFFSET))) ?? 0));
  return systemClock(db.isShared ? await db.read((reader) => databaseAhead(reader, systemClock().now)) : 0);
};

/** Advances the test clock. The offset is on disk before the clock moves, so that a restart does not turn it back. */
export const advance = async (
  env: Env,
  by: Requester,
  { clock, runner }: { clock: AdvancingClock; runner: Runner },
  byMs: number,
): Promise<number> => {
  await env.db.write(async (tx) => {
    await writeMeta(tx, CLOCK_OFFSET, String(clock.offsetMs + byMs));
    await recordAct(env, tx, by, { action: "clock.advance", details: { byMs } });
  });
  clock.advance(byMs);
  await runner.caughtUp();
  return clock.now();
};
