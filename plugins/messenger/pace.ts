import type { SendOrder } from "../../src/contract/plugin.ts";
import type { Clock } from "../../src/kernel/clock.ts";

// https://developers.facebook.com/docs/messenger-platform/overview/rate-limiting: 300 calls a second for each page, and
// 10 with audio or video. A message is at most two calls. Each rate is half of its limit, and as many may go at once, so
// that no second has more than the limit.
const PACE = { intervalMs: 1000 / 75, atOnce: 75 };
const MEDIA_PACE = { intervalMs: 1000 / 5, atOnce: 5 };

/** `waitMs`: how long the next message must wait; 0 counts it. `noteMedia`: a message with audio or video goes out. */
export type Pace = { waitMs(): number; noteMedia(order: SendOrder): void };

/** How fast a page may send. The kind of a message is known only when it is sent, so media delay what follows them. */
export const createPace = ({ now }: Pick<Clock, "now">): Pace => {
  const [all, media] = [createMeter(PACE), createMeter(MEDIA_PACE)];
  return {
    waitMs() {
      const waitMs = Math.max(all.waitMs(now()), media.waitMs(now()));
      if (waitMs === 0) all.count(now());
      return waitMs;
    },
    noteMedia(order) {
      if (hasMedia(order)) media.count(now());
    },
  };
};

const MEDIA: ReadonlySet<string> = new Set(["audio", "video"]);

const hasMedia = ({ type, content }: SendOrder): boolean =>
  MEDIA.has(type) || ("header" in content && MEDIA.has(content.header?.type ?? ""));

/** Counts by the time at which all that was counted has been worked off. */
const createMeter = ({ intervalMs, atOnce }: typeof PACE) => {
  let idleAt = 0;
  return {
    waitMs: (now: number): number => Math.max(0, Math.ceil(idleAt - now - (atOnce - 1) * intervalMs)),
    count(now: number): void {
      idleAt = Math.max(idleAt, now) + intervalMs;
    },
  };
};
