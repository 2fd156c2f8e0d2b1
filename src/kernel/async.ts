import type { Cancel, Clock } from "./clock.ts";
import { AppError } from "./errors.ts";

// The primitives of concurrency. They keep no order between keys and cancel no work: abandoned work runs to its end.

/** Releases a place. Calling it again changes nothing. */
export type Release = () => void;

/** Lets a limited number of tasks run at once. The others wait in the order of arrival. */
export type Semaphore = {
  /** Resolves when the caller has a place. Never rejects. The caller must release the place, or it is lost. */
  acquire(): Promise<Release>;
  /** Runs a task in a place and releases it when the task ends. Settles as the task does. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Whether a new task would have to wait. */
  readonly isFull: boolean;
  /** Whether no task runs or waits. */
  readonly isIdle: boolean;
};

/** `limit`: how many tasks run at once; 1 makes it a mutex. The callers must bound the number of waiting tasks. */
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
        next(); // the place passes to the next task
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

/**
 * The first result that fits, as soon as it is there; undefined if none does. A task that fails or is slow holds up no
 * result of another.
 *
 * @throws the first failure, if no result fits
 */
export const firstThat = <Result, Fit extends Result = Result>(
  tasks: readonly Promise<Result>[],
  fits: ((result: Result) => result is Fit) | ((result: Result) => boolean),
): Promise<Fit | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<Fit | undefined>();
  let left = tasks.length;
  let failure: { thrown: unknown } | undefined;
  const end = () => {
    left -= 1;
    if (left > 0) return;
    if (failure) reject(failure.thrown);
    else resolve(undefined);
  };
  if (left === 0) resolve(undefined);
  for (const task of tasks)
    task.then(
      (result) => (fits(result) ? resolve(result as Fit) : end()), // `fits` has checked it
      (thrown: unknown) => {
        failure ??= { thrown };
        end();
      },
    );
  return promise;
};

/** A semaphore per key. Tasks of different keys do not wait for each other. An unused key takes no memory. */
export type KeyedSemaphore = {
  /** Runs a task when its key has a free place, in the order of arrival per key. Settles as the task does. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** Whether a new task of this key would have to wait. */
  isFull(key: string): boolean;
};

/**
 * `limit`: how many tasks of one key run at once.
 *
 * @default 1, a queue per key
 */
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

/** Locks by name. A task may need several. */
export type KeyedMutex = {
  /**
   * Runs a task when all of these names are free, and frees them when it ends. Settles as the task does. Names are
   * locked in one fixed order, so two tasks cannot deadlock. A nested call deadlocks, unless its names are always
   * locked last.
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
 * A bounded semaphore that is fair by source, however many tasks each has: a free place goes to the waiting source with
 * the fewest running tasks, and among those to the one that has waited longest for a turn.
 */
export type FairSemaphore = {
  /**
   * Runs a task. Settles as the task does.
   *
   * @throws AppError OVERLOADED when too many tasks of this source wait, or too many in all while no other source has
   * more waiting
   */
  run<Result>(source: string, task: () => Promise<Result>): Promise<Result>;
};

/**
 * `limit`: how many tasks run at once. `perSource` and `inAll`: how many may wait. `refusal`: the public message of a
 * refusal.
 */
type FairLimits = { limit: number; perSource: number; inAll: number; refusal: string };

type Waiter = { begin(): void; refuse(reason: AppError): void };

const RETRY_AFTER_SECONDS = 2;

export const createFairSemaphore = ({ limit, perSource, inAll, refusal }: FairLimits): FairSemaphore => {
  const crowded = () => new AppError("OVERLOADED", { message: refusal, retryAfterSeconds: RETRY_AFTER_SECONDS });
  /** The waiting tasks by source. The order of the sources is the order of their turns. */
  const bySource = new Map<string, Waiter[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let waiting = 0;

  const began = (source: string, by: 1 | -1): void => {
    const count = (runningOf.get(source) ?? 0) + by;
    if (count === 0) runningOf.delete(source);
    else runningOf.set(source, count);
  };

  /** Refuses the last task of the source with most waiting tasks, if that source has more than `length`. */
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
  const nextSource = (): string | undefined => {
    let next: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const source of bySource.keys()) {
      const count = runningOf.get(source) ?? 0;
      if (count < fewest) [next, fewest] = [source, count];
    }
    return next;
  };
  /** Passes the place to the next source, which then becomes the last. */
  const release = (): void => {
    const source = nextSource();
    if (source === undefined) return void running--;
    const waiters = bySource.get(source) ?? [];
    bySource.delete(source);
    waiting--;
    waiters.shift()?.begin();
    if (waiters.length > 0) bySource.set(source, waiters);
  };
  return {
    async run(source, task) {
      await acquire(source);
      began(source, 1);
      try {
        return await task();
      } finally {
        began(source, -1);
        release();
      }
    },
  };
};

type Timer = Pick<Clock, "timer">;

/** The machine's time. Unlike a clock's, its timer keeps the process alive. */
export const machineTimer: Timer = {
  timer(delayMs, fire) {
    const handle = setTimeout(fire, delayMs);
    return () => clearTimeout(handle);
  },
};

/** Resolves after `ms` by this clock. */
export const delay = (clock: Timer, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.timer(ms, resolve));

/**
 * `message`: the text of the timeout's error, or `error` makes the error itself. `clock`: default the machine's time,
 * which keeps the process alive.
 */
type TimeoutOptions = { clock?: Timer; message?: string; error?: () => Error };

/**
 * The result of the work, if it arrives within `ms`. The work is not stopped.
 *
 * @throws what the work throws, or the error of the timeout
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

/** Waits at most `ms` for the work to settle; true when it has. Never rejects. The work is not stopped. */
export const hasEndedWithin = (clock: Timer, ms: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = clock.timer(ms, () => resolve(false));
    const ended = () => {
      cancel();
      resolve(true);
    };
    work.then(ended, ended);
  });

/** A shared time limit for several waits. */
export type Deadline = {
  /**
   * The result of the work, or `late`. A result that arrives later is given to `dispose`.
   *
   * @throws what the work throws in time
   */
  wait<Result>(work: Promise<Result>, dispose: (tooLate: Result) => void): Promise<Result | "late">;
  /** The body, until the deadline. Reading it throws after the deadline and does not wait for the source. */
  cut(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the deadline. Nothing is late afterwards. */
  end(): void;
};

/** A deadline `ms` from now by this clock. Allows one wait at a time. */
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
      // no Promise.race with a shared promise: it would retain the result of every wait until the last one ends
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
      // not awaited: it waits for a read that may never end
      reading.return?.().catch(() => undefined);
    }
  }
  return { wait, cut, end: cancel };
};

/** Calls back when nothing has progressed for a time. */
export type Watchdog = {
  /** Starts the time again, after progress. */
  restart(): void;
  /** Stops the time until the next `restart`. */
  stop(): void;
};

/** Calls `onStall` when `ms` of the machine's time have passed since the last `restart`. It does not run at first. */
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
 * Runs work when it is called: one run at a time, and at most one every `everyMs` of the time given to its calls. Other
 * calls do nothing. `onError` gets what a run throws.
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

/**
 * Makes a value at its first use and keeps it, so that the start does not pay for it. A failure is not kept: the next
 * call tries again.
 */
export const lazily = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((fault: unknown) => {
      made = undefined;
      throw fault;
    });
    return made;
  };
};

/** A function that is loaded with its first call. */
export const late =
  <Args extends readonly unknown[], Outcome>(load: () => Promise<(...args: Args) => Promise<Outcome>>) =>
  async (...args: Args): Promise<Outcome> =>
    (await load())(...args);

/** Bytes in memory as a body, in one piece. */
export async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
