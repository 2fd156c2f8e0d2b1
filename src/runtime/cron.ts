import { Cron } from "croner";
import { type Cancel, type Clock, dateAt } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { insertCronRun } from "../store/cron.ts";
import type { Db, Tx } from "../store/db.ts";

/** One line of the timetable. `fire` enqueues what is to be done, in the write that takes the firing. */
export type CronLine = { name: string; pattern: string; timezone?: string; fire(tx: Tx): void };

/** The last time, now or before, at which a line in UTC fired or should have; undefined for one that never does. */
export const lastTimeOf = (pattern: string, nowMs: number): number | undefined =>
  new Cron(pattern, { timezone: "UTC", paused: true }).previousRuns(1, dateAt(nowMs + 1))[0]?.getTime();

/**
 * Fires each line at its times by our clock: croner says when, the row `(name, at)` says that it happened once. What
 * was missed while no process ran is not made up: each line's work looks for what is due by itself.
 */
export const startCron = (
  lines: readonly CronLine[],
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): Cancel => {
  const cancels = new Map<string, Cancel>();
  const arm = (line: CronLine) => {
    const next = new Cron(line.pattern, { timezone: line.timezone ?? "UTC", paused: true })
      .nextRun(dateAt(clock.now()))
      ?.getTime();
    if (next === undefined) return;
    const fire = () => {
      arm(line);
      const firing = db.write(async (tx) => {
        if (await insertCronRun(tx, line.name, next)) line.fire(tx);
      });
      firing.catch((error: unknown) =>
        log.error({ cron: line.name, error: String(error) }, "a firing of the timetable failed"),
      );
    };
    cancels.set(line.name, clock.timer(next - clock.now(), fire));
  };
  for (const line of lines) arm(line);
  return () => {
    for (const cancel of cancels.values()) cancel();
  };
};
