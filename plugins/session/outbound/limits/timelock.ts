import type { Lasting } from "./limits.ts";

/** Until when the account may not write to strangers, in milliseconds, and the network's word for it. */
export type Timelock = { until: number; reason: string };

const NONE: Timelock = { until: 0, reason: "DEFAULT" };

export const createTimelock = (): Lasting & Readonly<Timelock> & { set(lock: Timelock | undefined): void } => {
  let lock = NONE;
  return {
    get until() {
      return lock.until;
    },
    get reason() {
      return lock.reason;
    },
    set(next) {
      lock = next ?? NONE;
    },
    state: () => lock,
    recall(state) {
      if (typeof state === "number")
        lock = { ...NONE, until: state }; // as older versions wrote it
      else lock = (state as Timelock | undefined) ?? NONE; // written by `state` alone
    },
  };
};
