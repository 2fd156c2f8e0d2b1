import { Cron } from "croner";
import { type Cancel, type Clock, dateAt } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import { insertCronRun } from "../store/tables/cron.ts";

/** One line of the timetable. `fire` enqueues the work, in the write that records the firing. */
export type CronLine = { name: string; pattern: string; timezone?: string; fire(tx: Tx): void };

/** When a pattern in UTC last fired or should have, at or before `nowMs`; undefined if it never has. */
export const lastTimeOf = (pattern: string, nowMs: number): number | undefined =>
  timesOf({ pattern })
    .previousRuns(1, dateAt(nowMs + 1))[0]
    ?.getTime();

/** In UTC by its offset: a time zone, even that of UTC, has croner format each candidate by `Intl`. */
const timesOf = ({ pattern, timezone }: Pick<CronLine, "pattern" | "timezone">): Cron =>
  new Cron(pattern, { ...(timezone === undefined ? { utcOffset: 0 } : { timezone }), paused: true });

/**
 * Fires each line at its times by `clock`. Croner computes the times; the row `(name, at)` ensures that each fires once
 * among all processes. Firings that were missed while no process ran are not repeated: the work itself looks for what
 * is due. For the same reason a line fires once if the clock moves past several of its times in one step.
 * Patterns: https://croner.56k.guru/usage/pattern/
 */
export const startCron = (
  lines: readonly CronLine[],
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): Cancel => {
  const cancels = new Map<string, Cancel>();
  let isCancelled = false;
  const begin = (line: CronLine) => {
    const times = timesOf(line);
    const arm = () => {
      const next = times.nextRun(dateAt(clock.now()))?.getTime();
      if (isCancelled || next === undefined) return;
      const fire = () => {
        queueMicrotask(arm);
        const firing = db.write(async (tx) => {
          if (await insertCronRun(tx, line.name, next)) line.fire(tx);
        });
        firing.catch((error: unknown) =>
          log.error({ cron: line.name, error: String(error) }, "a firing of the timetable failed"),
        );
      };
      cancels.set(line.name, clock.timer(next - clock.now(), fire));
    };
    arm();
  };
  for (const line of lines) begin(line);
  return () => {
    isCancelled = true;
    for (const cancel of cancels.values()) cancel();
  };
};
