import type { Cancel, Clock } from "./clock.ts";
import { AppError } from "./errors.ts";

// The one home of concurrency. Nothing here keeps an order between keys, and nothing is cancelled by force: work that
// nobody waits for runs to its own end.

/** Gives a place back. Calling it again changes nothing. */
export type Release = () => void;

/** Lets a number of tasks run at once. The others wait in the order in which they came. */
export type Semaphore = {
  /** Resolves when the caller has a place. Never rejects. The caller must release it, or the place is lost. */
  acquire(): Promise<Release>;
  /** Runs a task in a place, and releases it however the task ends. Settles as the task does. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Whether a new task would have to wait. */
  readonly isFull: boolean;
  /** Whether nobody has a place, and so nobody waits. */
  readonly isIdle: boolean;
};

/** `limit`: how many run at once; 1 makes it a mutex. Who waits is not counted: the callers bound that. */
export const createSemaphore = (limit: number): Semaphore => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const releaseOnce = (): Release => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = waiting.shift();
      if (next)
        next(); // the place is handed on
      else running--;
    };
  };
  const acquire = async (): Promise<Release> => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    return releaseOnce();
  };
  return {
    acquire,
    async run(task) {
      const release = await acquire();
      try {
        return await task();
      } finally {
        release();
      }
    },
    get isFull() {
      return running >= limit;
    },
    get isIdle() {
      return running === 0;
    },
  };
};

/** A semaphore per key. Tasks of different keys do not wait for each other; a key that nobody uses takes no memory. */
export type KeyedSemaphore = {
  /**
   * Runs a task when there is room for its key, tasks of a key in the order in which they came. Settles as the task
   * does.
   */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** Whether a new task of this key would have to wait. */
  isFull(key: string): boolean;
};

/** `limit`: how many tasks of one key run at once. @default 1, which makes it a queue per key. */
export const createKeyedSemaphore = (limit = 1): KeyedSemaphore => {
  const byKey = new Map<string, Semaphore>();
  return {
    async run(key, task) {
      const semaphore = byKey.get(key) ?? createSemaphore(limit);
      byKey.set(key, semaphore);
      try {
        return await semaphore.run(task);
      } finally {
        if (semaphore.isIdle && byKey.get(key) === semaphore) byKey.delete(key);
      }
    },
    isFull: (key) => byKey.get(key)?.isFull ?? false,
  };
};

/** Locks by name, of which one task may need several. */
export type KeyedMutex = {
  /**
   * Runs a task when all of these names are free, and frees them however it ends. Settles as the task does. The names
   * are locked in one order everywhere, so two tasks never wait for each other. A task that calls this again deadlocks,
   * unless what it locks there is only ever locked last.
   */
  run<Result>(names: readonly string[], task: () => Promise<Result>): Promise<Result>;
};

export const createKeyedMutex = (): KeyedMutex => {
  const locks = createKeyedSemaphore(1);
  return {
    run(names, task) {
      const sorted = [...new Set(names)].sort();
      return sorted.reduceRight((inner, name) => () => locks.run(name, inner), task)();
    },
  };
};

/**
 * A bounded semaphore that is fair by source: the sources whose tasks wait have their turns one after the other,
 * however many each has waiting.
 */
export type FairSemaphore = {
  /**
   * Runs a task. Settles as the task does. @throws AppError OVERLOADED when too many wait: of this source, or of all
   * while none has more waiting than this one.
   */
  run<Result>(source: string, task: () => Promise<Result>): Promise<Result>;
};

/**
 * `limit` run at once; `perSource` and `inAll` are how many may wait; `refusal` is the public message for those that
 * may not.
 */
type FairLimits = { limit: number; perSource: number; inAll: number; refusal: string };

type Waiter = { begin(): void; refuse(reason: AppError): void };

const RETRY_AFTER_SECONDS = 2;

export const createFairSemaphore = ({ limit, perSource, inAll, refusal }: FairLimits): FairSemaphore => {
  const crowded = () => new AppError("OVERLOADED", { message: refusal, retryAfterSeconds: RETRY_AFTER_SECONDS });
  /** Who waits, by source; the sources in the order of their turns. */
  const bySource = new Map<string, Waiter[]>();
  let running = 0;
  let waiting = 0;

  /** Refuses the last of the source that has most waiting, if that is more than the source that grows would have. */
  const makesRoom = (length: number): boolean => {
    const longest = [...bySource.values()].reduce(
      (found, waiters) => (waiters.length > found.length ? waiters : found),
      [],
    );
    if (longest.length <= length + 1) return false;
    waiting--;
    longest.pop()?.refuse(crowded());
    return true;
  };
  const acquire = async (source: string): Promise<void> => {
    if (running < limit) return void running++;
    const waiters = bySource.get(source) ?? [];
    if (waiters.length >= perSource || (waiting >= inAll && !makesRoom(waiters.length))) throw crowded();
    waiting++;
    bySource.set(source, waiters);
    await new Promise<void>((begin, refuse) => void waiters.push({ begin, refuse }));
  };
  /** Hands the place to the source whose turn it is, which then comes last. */
  const release = (): void => {
    const [next] = bySource;
    if (!next) return void running--;
    const [source, waiters] = next;
    bySource.delete(source);
    waiting--;
    waiters.shift()?.begin();
    if (waiters.length > 0) bySource.set(source, waiters);
  };
  return {
    async run(source, task) {
      await acquire(source);
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
};

type Timer = Pick<Clock, "timer">;

/** The machine's time. Unlike a clock's, its timer keeps the process alive. */
const machineTimer: Timer = {
  timer(delayMs, fire) {
    const handle = setTimeout(fire, delayMs);
    return () => clearTimeout(handle);
  },
};

/** Resolves after `ms` by this clock. */
export const delay = (clock: Timer, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.timer(ms, resolve));

/**
 * `message` of the error that a timeout throws, or the `error` itself. `clock`: @default the machine's time, which
 * keeps the process alive.
 */
type TimeoutOptions = { clock?: Timer; message?: string; error?: () => Error };

/**
 * The work's result, if it comes within `ms`. The work is not stopped. @throws what the work throws, or the error of
 * the timeout.
 */
export const withTimeout = <Result>(
  ms: number,
  work: Promise<Result>,
  { clock = machineTimer, message = `no answer within ${ms} ms`, error }: TimeoutOptions = {},
): Promise<Result> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.timer(ms, () => reject(error?.() ?? new Error(message)));
  return Promise.race([work, promise]).finally(cancel);
};

/**
 * Waits until the work has ended, well or not, but `ms` at most. Whether it has ended. Never rejects; the work is not
 * stopped.
 */
export const hasEndedWithin = (clock: Timer, ms: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = clock.timer(ms, () => resolve(false));
    const ended = () => {
      cancel();
      resolve(true);
    };
    work.then(ended, ended);
  });

/** One moment after which several waits are given up. */
export type Deadline = {
  /**
   * The work's result, or `late`; a result that comes after that is given to `dispose`. @throws what the work throws in
   * time.
   */
  wait<Result>(work: Promise<Result>, dispose: (tooLate: Result) => void): Promise<Result | "late">;
  /** The body as far as it comes in time. Reading it throws after that; the source is not waited for. */
  cut(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the deadline: nothing is late any more. */
  end(): void;
};

/** A deadline `ms` from now by this clock. One wait at a time. */
export const deadlineIn = (clock: Timer, ms: number): Deadline => {
  let isLate = false;
  let giveUp = () => {};
  const cancel = clock.timer(ms, () => {
    isLate = true;
    giveUp();
  });

  const wait: Deadline["wait"] = (work, dispose) =>
    new Promise((resolve, reject) => {
      let isGivenUp = false;
      // no Promise.race with one promise for all: it would keep the result of every wait until the last has ended
      giveUp = () => {
        isGivenUp = true;
        resolve("late");
      };
      work.then((result) => (isGivenUp ? dispose(result) : resolve(result)), reject);
      if (isLate) giveUp();
    });

  async function* cut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const reading = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await wait(reading.next(), () => undefined);
        if (next === "late") throw new Error(`not all of it came within ${ms} ms`);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // not awaited: it waits for a read that may hang
      reading.return?.().catch(() => undefined);
    }
  }
  return { wait, cut, end: cancel };
};

/** Calls back when nothing has moved for a time. */
export type Watchdog = {
  /** Something moved: the time begins anew. */
  restart(): void;
  /** Nothing is expected to move until the next `restart`. */
  stop(): void;
};

/** Calls `onStall` when `ms` of the machine's time have passed since the last `restart`. It stands still at first. */
export const createWatchdog = (ms: number, onStall: () => void): Watchdog => {
  let cancel: Cancel = () => {};
  return {
    stop: () => cancel(),
    restart() {
      cancel();
      cancel = machineTimer.timer(ms, onStall);
    },
  };
};

/**
 * Runs work when it is called: one run at a time, and at most one every `everyMs` by the time of its calls. Other calls
 * do nothing. `onError` gets what a run throws.
 */
export const createThrottle = (
  work: () => Promise<void>,
  everyMs: number,
  onError: (error: unknown) => void,
): ((nowMs: number) => void) => {
  let nextAt = -Infinity;
  let isRunning = false;
  return (nowMs) => {
    if (isRunning || nowMs < nextAt) return;
    isRunning = true;
    nextAt = nowMs + everyMs;
    work()
      .catch(onError)
      .finally(() => void (isRunning = false));
  };
};
