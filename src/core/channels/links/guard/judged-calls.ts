import type { Awaitable } from "../../../../contract/webhooks.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { atOnce, type Ended, type NoteFault, noteUnusable, soon } from "./faults.ts";

/** What a value must be, and what stands in its place where a call gives none. */
type Terms<Value> = { fits(value: unknown): boolean; instead: Value };
/** `limitMs`: how long a promise may take. `hung`: throws where it takes longer, instead of `instead`. */
type SoonTerms<Value> = Terms<Value> & { limitMs: number; hung?(): never };

/** Calls of one adapter whose values are checked. Every fault is noted. */
export type Calls = {
  readonly note: NoteFault;
  /** The value of a call that must answer at once. */
  atOnce<Value>(call: () => unknown, what: string, terms: Terms<Value>): Value;
  /** True only for a call that returns `true` at once. */
  truth(call: () => unknown, what: string): boolean;
  /** The value of a call that may give a promise. A value at once stays one. */
  soon<Value>(call: () => unknown, what: string, terms: SoonTerms<Value>): Awaitable<Value>;
};

export const callsWith = (clock: Clock, note: NoteFault): Calls => {
  const judged = <Value>(ended: Ended<unknown>, what: string, { fits, instead }: Terms<Value>): Value => {
    if (ended.is === "value" && fits(ended.value)) return ended.value as Value; // `fits` has checked its shape
    noteUnusable(note, what, ended, "the value is not that of the contract");
    return instead;
  };
  const calls: Calls = {
    note,
    atOnce: (call, what, terms) => judged(atOnce(note.measuring(what, call)), what, terms),
    truth: (call, what) => calls.atOnce(call, what, { fits: (value) => typeof value === "boolean", instead: false }),
    soon(call, what, terms) {
      const judge = (ended: Ended<unknown>) => {
        const value = judged(ended, what, terms);
        return ended.is === "fault" && ended.fault === "hung" ? (terms.hung?.() ?? value) : value;
      };
      const ended = soon(clock, terms.limitMs, note.measuring(what, call));
      return ended instanceof Promise ? ended.then(judge) : judge(ended);
    },
  };
  return calls;
};
