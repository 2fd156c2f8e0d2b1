import { type Cancel, type Clock, HOUR_MS } from "../../../kernel/clock.ts";
import { reasonOf } from "../../../kernel/errors.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Db } from "../../../store/engine/db.ts";
import {
  ACTIVITY_COUNTS,
  type ActivityCount,
  addActivity,
  type CountedHour,
  LAGS_MS,
} from "../../../store/tables/tenancy/activity.ts";

/** The place of an event; `channelId` is null if it concerns no channel. */
type Place = { tenantId: TenantId; channelId: ChannelId | null };
type Counted = Extract<
  ActivityCount,
  "accepted" | "sent" | "delivered" | "read" | "failed" | "received" | "refused" | "dead"
>;

/**
 * Counts events, per hour and channel, for charts. Counting takes a microsecond and never fails: the counts are in
 * memory, and one write of a few seconds stores them together. A crash loses those seconds of a chart; so does a failed
 * write, because it is unknown whether it counted. No bill uses these counts.
 */
export type Activity = {
  note(place: Place, what: Counted): void;
  /** Counts a delivery that reached a webhook, with its delay after the event. */
  noteNotified(place: Place, lagMs: number): void;
  /** Stores the counts. */
  flush(): Promise<void>;
  /** Stores the counts for good: later counts are not kept. */
  stop(): Promise<void>;
};

const FLUSH_MS = 3000;
/** The maximum number of channel hours in memory before they are stored, and the number that one write stores. */
const MOST_KEPT = 250;

const POSITIONS = new Map(ACTIVITY_COUNTS.map((name, at) => [name, at]));
const FIRST_LAG = POSITIONS.get("lag50") ?? 0;

export const createActivity = ({ clock, db, log }: { clock: Clock; db: Db; log: Log }): Activity => {
  let kept = new Map<string, Omit<CountedHour, "counts"> & { counts: number[] }>();
  let cancel: Cancel | undefined;
  let isStopped = false;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    cancel?.();
    cancel = undefined;
    const hours = [...kept.values()];
    kept = new Map();
    if (hours.length > 0) writing = writing.then(() => store(hours));
    return writing;
  };
  const store = (hours: readonly CountedHour[]): Promise<void> =>
    db
      .write((tx) => addActivity(tx, hours), { isDurable: false })
      .catch((error: unknown) => log.error({ error: reasonOf(error) }, "the counts of pictures could not be written"));

  const countsOf = ({ tenantId, channelId }: Place): number[] => {
    const hour = Math.floor(clock.now() / HOUR_MS);
    const key = `${tenantId}/${channelId ?? ""}/${hour}`;
    const found = kept.get(key)?.counts;
    if (found) return found;
    if (kept.size >= MOST_KEPT) void flush();
    const counts = ACTIVITY_COUNTS.map(() => 0);
    if (isStopped) return counts;
    cancel ??= clock.timer(FLUSH_MS, () => void flush());
    kept.set(key, { tenantId, channelId, hour, counts });
    return counts;
  };
  const add = (counts: number[], at: number): void => void (counts[at] = (counts[at] ?? 0) + 1);

  return {
    note: (place, what) => add(countsOf(place), POSITIONS.get(what) ?? 0),
    noteNotified(place, lagMs) {
      const counts = countsOf(place);
      add(counts, POSITIONS.get("notified") ?? 0);
      add(counts, FIRST_LAG + LAGS_MS.findIndex((limit) => lagMs <= limit));
    },
    flush,
    stop() {
      isStopped = true;
      return flush();
    },
  };
};
