import type { Question } from "./asking.ts";
import { liveState, onEvent } from "./live.ts";

/** Events come in bursts: one question follows all of them. */
export const BURST_MS = 300;
/** While the stream is cut, questions replace its events. */
const CUT_EVERY_MS = 10_000;
/** A question by time is not asked if another tab got an answer in this part of the time. */
const FRESH_PART = 0.8;

/** Asks a question again by events, by time, and when the page is seen again. Returns a function that ends it. */
export const renewing = (
  question: Question,
  { on: types, waitMs = BURST_MS, everyMs }: { on: readonly string[]; waitMs?: number; everyMs?: number | undefined },
): (() => void) => {
  const stopEvents = onEvent(({ type }) => {
    if (types.length === 0) return;
    if (type === "gap" || types.some((beginning) => type.startsWith(beginning))) question.askSoon(waitMs);
  });
  const period = everyMs ?? CUT_EVERY_MS;
  const timer = setInterval(() => {
    const isDue = everyMs !== undefined || (types.length > 0 && liveState.peek() === "cut");
    if (isDue && !document.hidden) question.askIfOlder(period * FRESH_PART);
  }, period);
  const onVisibility = (): void => {
    if (!document.hidden) question.shown();
  };
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    stopEvents();
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisibility);
  };
};
