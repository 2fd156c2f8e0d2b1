/**
 * The excessive cost of one run of an adapter's code. `blocked`: the event loop stood still for over a second.
 * `bloated`: the process took over 200 MB of memory.
 */
export type Excess = "blocked" | "bloated";

/** The resources of the process: a time that only goes forward, and its memory. */
export type Meter = { nowMs(): number; rssBytes(): number };

/** Measures the code of one adapter, where it is known to run. */
export type Costs = {
  /** The same call, measured until it returns. Later work of an asynchronous call is not measured. */
  measuring<Value>(what: string, call: () => Value): () => Value;
  /** The same promise of a host. The adapter's work after it settles is measured too. */
  resuming<Value>(what: string, work: Promise<Value>): Promise<Value>;
};

const MOST_MS = 1000;
const MOST_BYTES = 200 * 1024 * 1024;
/** A shorter run cannot fill so much memory, so the memory is not read after most runs. */
const SHORTEST_FILL_MS = 5;
/** A reading of the memory is used for this long by the following runs: each reading costs some microseconds. */
const FRESH_MS = 50;
/**
 * The number of functions that may pass a promise of the host on, each by an `await`, before the adapter does its work.
 */
const HOPS = 8;

/** The adapters whose promises settle now, with their number. They share the queue of microtasks of this process. */
const settling = new Map<string, number>();

const count = (plugin: string, by: 1 | -1): void => {
  const promises = (settling.get(plugin) ?? 0) + by;
  if (promises === 0) settling.delete(plugin);
  else settling.set(plugin, promises);
};

type Mark = { at: number; bytes: number };

/** Calls `onExcess` for each run that cost too much. `what`: the function of the contract. */
export const createCosts = (
  plugin: string,
  meter: Meter,
  onExcess: (excess: Excess, what: string, detail: string) => void,
): Costs => {
  let last: Mark = { at: Number.NEGATIVE_INFINITY, bytes: 0 };
  const begin = (): Mark => {
    const at = meter.nowMs();
    if (at - last.at >= FRESH_MS) last = { at, bytes: meter.rssBytes() };
    return { at, bytes: last.bytes };
  };
  const end = (what: string, { at, bytes }: Mark): void => {
    const now = meter.nowMs();
    const tookMs = now - at;
    if (tookMs > MOST_MS) onExcess("blocked", what, `the event loop stood still for ${Math.round(tookMs)} ms`);
    if (tookMs < SHORTEST_FILL_MS) return;
    last = { at: now, bytes: meter.rssBytes() };
    const taken = last.bytes - bytes;
    if (taken > MOST_BYTES) onExcess("bloated", what, `the process took ${Math.round(taken / 2 ** 20)} MiB more`);
  };
  /** Settles a promise between two microtasks of ours, so that only code that awaits that promise runs between them. */
  const settle = (what: string, act: () => void): void => {
    let mark: Mark | undefined;
    count(plugin, 1);
    queueMicrotask(() => void (mark = begin()));
    act();
    queueMicrotask(() => {
      if (mark) end(what, mark);
      hop(what, HOPS);
    });
  };
  /** Microtasks of others run here too: no adapter is blamed if promises of several adapters settle. */
  const hop = (what: string, left: number): void => {
    if (left === 0) return count(plugin, -1);
    const mark = begin();
    const isAlone = settling.size === 1;
    queueMicrotask(() => {
      if (isAlone && settling.size === 1) end(what, mark);
      hop(what, left - 1);
    });
  };
  return {
    measuring: (what, call) => () => {
      const mark = begin();
      try {
        return call();
      } finally {
        end(what, mark);
      }
    },
    resuming: (what, work) =>
      new Promise((resolve, reject) => {
        work.then(
          (value) => settle(what, () => resolve(value)),
          (thrown: unknown) => settle(what, () => reject(thrown)), // unchanged: a refusal of the guard, or of the disk
        );
      }),
  };
};
