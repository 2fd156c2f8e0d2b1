import { Cron } from "croner";
import { type Cancel, type Clock, dateAt } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { insertCronRun } from "../store/cron.ts";
import type { Db, Tx } from "../store/db.ts";

/** One line of the timetable. `fire` enqueues the work, in the write that records the firing. */
export type CronLine = { name: string; pattern: string; timezone?: string; fire(tx: Tx): void };

/** When a pattern in UTC last fired or should have, at or before `nowMs`; undefined when it never has. */
export const lastTimeOf = (pattern: string, nowMs: number): number | undefined =>
  new Cron(pattern, { timezone: "UTC", paused: true }).previousRuns(1, dateAt(nowMs + 1))[0]?.getTime();

/**
 * Fires each line at its times by `clock`. Croner computes the times; the row `(name, at)` ensures that each fires once
 * among all processes. Firings that were missed while no process ran are not repeated: the work itself looks for what
 * is due. Patterns: https://croner.56k.guru/usage/pattern/
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
