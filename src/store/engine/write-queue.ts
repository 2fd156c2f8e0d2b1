import { AppError } from "../../kernel/errors.ts";
import type { Finished, Outcome } from "./write-group.ts";

/** A waiting write: its body, since when it waits, and the callback for its outcome. */
export type Item<Body> = { body: Body; isDurable: boolean; queuedAtMs: number; settle: (outcome: Outcome) => void };

/**
 * Observes writes. `tookMs`: from the queueing of a group's first write to the group's commit. `queued`: the number of
 * writes that wait for the next group.
 */
export type WriteObserver = {
  onGroup(group: { size: number; tookMs: number; queued: number }): void;
  onSync(durationMs: number): void;
  /** A write found no room on the disk. */
  onFull(): void;
};

const MAX_QUEUED = 20_000;

/** The waiting writes, in order. */
export const createQueue = <Body>(observer?: WriteObserver) => {
  let items: Item<Body>[] = [];
  let emptied: (() => void)[] = [];
  const leave = (count: number) => {
    items = items.slice(count);
    if (items.length === 0) for (const resume of emptied.splice(0)) resume();
  };
  return {
    waiting: (): readonly Item<Body>[] => items,
    /**
     * Resolves with the outcome of the body.
     *
     * @throws AppError OVERLOADED when too many writes wait
     */
    join: <Result>(body: Body, isDurable: boolean): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (items.length >= MAX_QUEUED)
          return reject(
            new AppError("OVERLOADED", { message: "Too much is waiting to be written.", retryAfterSeconds: 1 }),
          );
        items.push({
          body,
          isDurable,
          queuedAtMs: performance.now(),
          settle: (outcome) => (outcome.ok ? resolve(outcome.value as Result) : reject(outcome.error)),
        });
      }),
    /** Removes the first writes, whose outcome is known. */
    leave(count: number) {
      const [first] = items;
      leave(count);
      if (first && observer)
        observer.onGroup({ size: count, tookMs: performance.now() - first.queuedAtMs, queued: items.length });
    },
    /** Settles each of these writes. */
    answer(finished: readonly Finished<Item<Body>>[]) {
      for (const { item, outcome } of finished)
        item.settle(outcome.ok ? outcome : { ok: false, error: asRefusal(outcome.error) });
      if (finished.some(({ outcome }) => !outcome.ok && isFull(outcome.error))) observer?.onFull();
    },
    refuse(error: unknown) {
      for (const item of items) item.settle({ ok: false, error });
      leave(items.length);
    },
    whenEmpty: (resume: () => void) => (items.length === 0 ? resume() : void emptied.push(resume)),
  };
};

/** Runs the commit hooks of the successful writes. */
export const callAtCommit = (finished: readonly Finished<unknown>[]): void => {
  for (const { outcome, hooks } of finished) if (outcome.ok) hooks.atCommit.forEach(callHook);
};

/** Runs the hooks that wait for the disk, of the successful writes. */
export const callAfterCommit = (finished: readonly Finished<unknown>[]): void => {
  for (const { outcome, hooks } of finished) if (outcome.ok) hooks.afterCommit.forEach(callHook);
};

/**
 * A hook that throws is a bug. It must not delay the others' answers, so it becomes an uncaught error in a separate
 * turn.
 */
const callHook = (hook: () => void) => {
  try {
    hook();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};

const isFull = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === "SQLITE_FULL";

const asRefusal = (error: unknown): unknown =>
  isFull(error)
    ? new AppError("STORAGE_FULL", {
        message: "There is no room to store anything.",
        retryAfterSeconds: 60,
        cause: error,
      })
    : error;
