import { withTimeout } from "../../../../kernel/async.ts";
import { type Clock, MINUTE_MS } from "../../../../kernel/clock.ts";
import { reasonOf } from "../../../../kernel/errors.ts";
import type { Log } from "../../../../kernel/log.ts";
import type { Metrics } from "../../../../kernel/metrics.ts";
import { machineMeter } from "../../../../kernel/process-figures.ts";
import { type Costs, createCosts, type Excess, type Meter } from "./costs.ts";
import { withSoundAdvice } from "./numbers.ts";

/**
 * How an adapter broke the contract. `threw`: an exception although none is allowed. `hung`: a call that did not end in
 * time. `malformed`: a value of the wrong shape. `flooded`: more concurrent requests than it may make. `strayed`: a
 * request to a host that it does not declare. Or its code cost too much.
 */
export type AdapterFault = "threw" | "hung" | "malformed" | "flooded" | "strayed" | Excess;

/** The ports of the process that the guard uses. `meter`: replaces the machine's. */
export type GuardPorts = { clock: Clock; log: Log; metrics: Metrics; meter?: Meter };

/**
 * Records one fault. `what` is the function of the contract; `detail` is our description or the text of an error. It
 * also measures the cost of the adapter's code.
 */
export type NoteFault = Costs & ((fault: AdapterFault, what: string, detail?: string) => void);

/** An adapter may invent names of functions, so their number is bounded. */
const MOST_NAMED = 100;
const LINES_PER_MINUTE = 20;
const MAX_DETAIL_CHARS = 200;

/**
 * Counts every fault of an adapter in `recado_adapter_faults_total`, and logs at most 20 per minute and adapter. The
 * first line of a new minute says how many were left out. An excessive cost is logged once for each function, whatever
 * else was logged.
 */
export const faultNotes = (plugin: string, { clock, log, metrics, meter = machineMeter }: GuardPorts): NoteFault => {
  let minute = 0;
  let lines = 0;
  let omitted = 0;
  const named = new Set<string>();
  const count = (fault: AdapterFault) => metrics.count("recado_adapter_faults_total", { plugin, fault });
  const costs = createCosts(plugin, meter, (excess, what, detail) => {
    count(excess);
    const name = `${excess} ${what}`;
    if (named.has(name) || named.size >= MOST_NAMED) return;
    named.add(name);
    log.error(
      { plugin, fault: excess, what, detail },
      "an adapter holds up the whole server; only the first time is logged",
    );
  });
  const note = (fault: AdapterFault, what: string, detail = "") => {
    count(fault);
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now !== minute) [minute, lines] = [now, 0];
    if (++lines > LINES_PER_MINUTE) return void omitted++;
    const left = omitted > 0 ? { omitted } : {};
    omitted = 0;
    log.error(
      { plugin, fault, what, detail: detail.slice(0, MAX_DETAIL_CHARS), ...left },
      "an adapter broke its contract",
    );
  };
  return Object.assign(note, costs);
};

/** The result of an adapter's call: its value, what it threw, or a timeout. */
export type Ended<Value> = { is: "value"; value: Value } | { is: "fault"; fault: "threw" | "hung"; detail: string };

class Hung extends Error {}

/** Runs a call of an adapter for at most `limitMs` of the clock. Never throws. A result after that is ignored. */
export const within = async (clock: Clock, limitMs: number, call: () => unknown): Promise<Ended<unknown>> => {
  const error = () => new Hung(`no answer within ${limitMs} ms`);
  try {
    return { is: "value", value: await withTimeout(limitMs, (async () => call())(), { clock, error }) };
  } catch (thrown) {
    return thrown instanceof Hung ? { is: "fault", fault: "hung", detail: thrown.message } : threw(thrown);
  }
};

/**
 * Runs a call whose answer may be a promise. An answer at once needs no timer and no turn of the loop; a promise has
 * `limitMs` of the clock. Never throws.
 */
export const soon = (clock: Clock, limitMs: number, call: () => unknown): Ended<unknown> | Promise<Ended<unknown>> => {
  const ended = atOnce(call);
  return ended.is === "value" && ended.value instanceof Promise ? within(clock, limitMs, () => ended.value) : ended;
};

/** Records why the result of a call cannot be used: its fault, or `issue`, the fault of its value. */
export const noteUnusable = (note: NoteFault, what: string, ended: Ended<unknown>, issue: string): void =>
  ended.is === "fault" ? note(ended.fault, what, ended.detail) : note("malformed", what, issue);

/** An answer with sound advice: a wrong `retryAfterMs` does not turn a certain failure into an uncertain one. */
export const soundOf = (given: unknown, what: string, note: NoteFault): unknown => {
  const { answer, unsound } = withSoundAdvice(given);
  if (unsound.length > 0) note("malformed", what, `${unsound.join(", ")} was replaced or left out`);
  return answer;
};

/** Runs a call that must answer synchronously. A promise is a fault, and its result is ignored. */
export const atOnce = (call: () => unknown): Ended<unknown> => {
  try {
    const value = call();
    if (value instanceof Promise) value.catch(() => {});
    return { is: "value", value };
  } catch (thrown) {
    return threw(thrown);
  }
};

const threw = (thrown: unknown): Ended<never> => ({ is: "fault", fault: "threw", detail: reasonOf(thrown) });
