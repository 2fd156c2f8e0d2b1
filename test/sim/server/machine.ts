/**
 * The machine that a simulated server runs on: its time, its timers and the order in which everything happens. Nothing
 * waits for real time. What is to happen is in one queue, by its time; between two of them the program runs until it
 * has nothing more to do.
 */
export type Machine = {
  /** Milliseconds since the machine was switched on. */
  readonly now: number;
  /** What the wall clock shows, in ms since the epoch. */
  readonly wall: number;
  /** Whether the wall clock was ever set back. */
  readonly wentBack: boolean;
  /** How many things have happened. */
  readonly count: number;
  /** A number that follows from everything that happened, in its order. */
  readonly trace: number;
  /** The newest happenings, oldest first. */
  readonly recent: readonly string[];
  /** Something outside the server happens so many ms from now. */
  after(delayMs: number, label: string, run: () => void): void;
  /** The same for something of the server's process, which dies with it. Returns how it is cancelled. */
  own(delayMs: number, label: string, run: () => void): () => void;
  /** Sets the wall clock forward or back. */
  jump(byMs: number): void;
  /** Adds to the trace. */
  note(label: string): void;
  /** Nothing of the server's process happens any more. */
  endProcess(): void;
  /** When the next thing happens; undefined when nothing will. */
  nextAt(): number | undefined;
  /** Lets the next thing happen, and the program run until it waits. False when nothing will happen. */
  step(): Promise<boolean>;
  /** Lets things happen until it holds, 60,000 of them at most: the rest is not waited for. */
  stepsUntil(holds: () => boolean): Promise<void>;
  /** Lets the program run until it waits. */
  quiet(): Promise<void>;
};

type Entry = { at: number; order: number; label: string; run: () => void; process: number | undefined };

const real = { setImmediate: globalThis.setImmediate, Date: globalThis.Date };
const SHOWN = 60;
const MOST_STEPS = 60_000;

/** A heap by time, and by the order of arrival for equal times. */
const createHeap = () => {
  const heap: Entry[] = [];
  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const at = (index: number): Entry => heap[index] as Entry;
  const swap = (a: number, b: number) => {
    const kept = at(a);
    heap[a] = at(b);
    heap[b] = kept;
  };
  return {
    first: () => heap[0],
    push(entry: Entry) {
      heap.push(entry);
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (!isBefore(at(child), at(parent))) return;
        swap(child, parent);
        child = parent;
      }
    },
    pop(): Entry | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (!last || !first || heap.length === 0) return first;
      heap[0] = last;
      for (let parent = 0; ; ) {
        let least = parent;
        for (const child of [2 * parent + 1, 2 * parent + 2])
          if (child < heap.length && isBefore(at(child), at(least))) least = child;
        if (least === parent) return first;
        swap(parent, least);
        parent = least;
      }
    },
  };
};

/** Everything that is ready has run. */
const drained = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve));

export const createMachine = (startMs: number): Machine & { immediate(run: () => void): void } => {
  const queue = createHeap();
  const recent: string[] = [];
  let immediates: (() => void)[] = [];
  let wentBack = false;
  let [now, offset, order, process, trace, count] = [0, 0, 0, 0, 0, 0];

  const note = (label: string) => {
    trace = Bun.hash.crc32(label, trace);
    recent.push(`${now} ${label}`);
    if (recent.length > 2 * SHOWN) recent.splice(0, SHOWN);
  };
  const add = (delayMs: number, label: string, run: () => void, owner?: number): Entry => {
    const entry = { at: now + Math.max(0, delayMs), order: order++, label, run, process: owner };
    queue.push(entry);
    return entry;
  };
  const isGone = (entry: Entry) => entry.process !== undefined && entry.process !== process;
  const first = (): Entry | undefined => {
    for (let entry = queue.first(); entry && isGone(entry); entry = queue.first()) queue.pop();
    return queue.first();
  };
  const quiet = async () => {
    await drained();
    for (let next = immediates.shift(); next; next = immediates.shift()) {
      try {
        next();
      } catch (error) {
        onUncaught(error);
      }
      await drained();
    }
  };

  const step = async () => {
    const entry = first();
    if (!entry) return false;
    queue.pop();
    now = Math.max(now, entry.at);
    count++;
    note(entry.label);
    try {
      entry.run();
    } catch (error) {
      onUncaught(error);
    }
    await quiet();
    return true;
  };

  return {
    get now() {
      return now;
    },
    get wall() {
      return Math.floor(startMs + now + offset);
    },
    get count() {
      return count;
    },
    get trace() {
      return trace;
    },
    recent,
    after: (delayMs, label, run) => void add(delayMs, label, run),
    own(delayMs, label, run) {
      const entry = add(delayMs, label, run, process);
      return () => void (entry.process = -1);
    },
    get wentBack() {
      return wentBack;
    },
    jump(byMs) {
      note(`the clock jumps ${byMs}`);
      wentBack ||= byMs < 0;
      offset += byMs;
    },
    note,
    endProcess() {
      process++;
      immediates = [];
    },
    immediate: (run) => void immediates.push(run),
    nextAt: () => first()?.at,
    async stepsUntil(holds) {
      for (let steps = 0; steps < MOST_STEPS && !holds() && (await step()); steps++);
    },
    step,
    quiet,
  };
};

type Answering = (request: Request, server: unknown) => Response | Promise<Response>;
/** What was given to `Bun.serve`. */
export type Serving = { routes: Readonly<Record<string, Answering>>; port: number };

let onUncaught = (error: unknown): void => {
  throw error;
};
/** Who gets the errors that nothing caught, in place of the runtime. */
export const catchAll = (handler: (error: unknown) => void): void => {
  onUncaught = handler;
};

export const uncaught = (error: unknown): void => onUncaught(error);

let current: ReturnType<typeof createMachine> | undefined;
let serving: Serving | undefined;

/** The machine whose time and timers the program gets from now on; undefined for none. */
export const use = (machine: ReturnType<typeof createMachine> | undefined): void => {
  current = machine;
};

/** What listens on the simulated port. */
export const listener = (): Serving | undefined => serving;

const RESTING_MS = real.Date.parse("2026-11-20T12:00:00Z");
const wall = (): number => current?.wall ?? RESTING_MS;

/** Replaces the time, the timers, the chance and the sockets of this process, for good. */
export const takeOver = (): void => {
  const timer = (run: (...given: unknown[]) => void, delayMs = 0, ...given: unknown[]) => {
    const cancel = current?.own(Math.max(1, delayMs), "timer", () => run(...given)) ?? (() => {});
    const handle = { cancel, ref: () => handle, unref: () => handle, hasRef: () => false };
    return handle;
  };
  const clear = (handle?: { cancel?(): void }) => handle?.cancel?.();
  class SimulatedDate extends real.Date {
    constructor(...given: []) {
      if (given.length === 0) super(wall());
      else super(...given);
    }
    static override now = wall;
  }
  let chance = 1;
  Object.assign(globalThis, {
    Date: SimulatedDate,
    setTimeout: timer,
    clearTimeout: clear,
    setImmediate: (run: (...given: unknown[]) => void, ...given: unknown[]) => current?.immediate(() => run(...given)),
  });
  globalThis.performance.now = () => current?.now ?? 0;
  Math.random = () => (chance = (chance * 48_271) % 2_147_483_647) / 2_147_483_647;
  Object.assign(Bun, {
    serve(given: Serving) {
      serving = given;
      return { port: given.port, stop: async () => {} };
    },
  });
};
